"""Our hooks beside those of others, with real git; a script in the program's place says it ran."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from holdfast.adapters.git.hooks.errors import (
    EditedHookError,
    HooksOffError,
    HooksUnwritableError,
    SharedHooksError,
)
from holdfast.adapters.git.hooks.hooks import (
    BEFORE,
    EVENTS,
    Hooks,
    HookState,
    check_hooks_folder,
    hooks_folder,
)
from holdfast.domain.errors import OutsideUnavailableError
from tests.adapters.test_repository import a_repository, found, git
from tests.requirements import requirement


class Told:
    """A program that hands on its words and its input through a pipe, so that nobody waits."""

    def __init__(self, folder: Path) -> None:
        pipe = folder / "told"
        os.mkfifo(pipe)
        # For writing too: a pipe that somebody can write to has no end, only a next call.
        self.pipe = os.open(pipe, os.O_RDWR)
        self.calls = b""
        self.program = folder / 'it\'s a "program"'
        self.program.write_text(
            f'#!/bin/sh\ninput=$(cat)\nline=$(printf "%s," "$*" $input)\necho "$line" > "{pipe}"\n',
            encoding="utf-8",
        )
        self.program.chmod(0o755)

    def next(self) -> list[str]:
        """Return the words and the input of the next call, however long it takes to come."""
        while b"\n" not in self.calls:
            self.calls += os.read(self.pipe, 65_536)
        call, _, self.calls = self.calls.partition(b"\n")
        return call.decode().split(",")[:-1]

    def install(self, root: Path) -> Hooks:
        hooks = Hooks(hooks_folder(found(root)), [str(self.program)])
        hooks.install()
        return hooks


@pytest.fixture
def told(tmp_path: Path) -> Generator[Told, None, None]:
    told = Told(tmp_path)
    yield told
    os.close(told.pipe)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return a_repository(tmp_path / 'an app\'s "home"')


def another_hook(path: Path, script: str, *, mode: int = 0o755) -> bytes:
    path.parent.mkdir(exist_ok=True)
    path.write_text(script, encoding="utf-8")
    path.chmod(mode)
    return path.read_bytes()


def states(hooks: Hooks) -> set[str]:
    return {hook.state.value for hook in hooks.status()}


def commit(root: Path, name: str, text: str = "x\n") -> None:
    (root / name).write_text(text, encoding="utf-8")
    git(root, "add", name)
    git(root, "commit", "-q", "-m", name)


@requirement("hooks.never-in-the-way")
def test_git_tells_of_commits_merges_checkouts_and_rewrites(root: Path, told: Told) -> None:
    told.install(root)

    git(root, "commit", "-q", "--allow-empty", "-m", "second")
    assert told.next() == ["hooks run --within 20 post-commit --"]

    first, second = git(root, "rev-parse", "HEAD^"), git(root, "rev-parse", "HEAD")
    git(root, "checkout", "-q", "-b", "side", "HEAD^")
    assert told.next() == [f"hooks run --within 20 post-checkout -- {second} {first} 1"]

    git(root, "merge", "-q", "main")
    assert told.next() == ["hooks run --within 20 post-merge -- 0"]

    git(root, "commit", "-q", "--amend", "--allow-empty", "-m", "anew")
    calls = sorted([told.next(), told.next()])
    amended = git(root, "rev-parse", "HEAD")
    assert calls == [
        ["hooks run --within 20 post-commit --"],
        ["hooks run --within 20 post-rewrite -- amend", second, amended],
    ]
    assert git(root, "status", "--porcelain") == ""


def test_a_file_that_is_checked_out_is_not_told(root: Path, told: Told) -> None:
    told.install(root)
    commit(root, "a.txt")
    assert told.next() == ["hooks run --within 20 post-commit --"]

    git(root, "checkout", "-q", "--", "a.txt")
    git(root, "commit", "-q", "--allow-empty", "-m", "later")

    assert told.next() == ["hooks run --within 20 post-commit --"]


def test_a_rebase_is_told_once_in_the_end(root: Path, told: Told) -> None:
    git(root, "checkout", "-q", "-b", "side")
    for name in ("a.txt", "b.txt", "c.txt"):
        commit(root, name)
    git(root, "checkout", "-q", "main")
    commit(root, "m.txt")
    old = git(root, "rev-list", "--reverse", "main..side").split()
    told.install(root)

    git(root, "rebase", "-q", "main", "side")

    new = git(root, "rev-list", "--reverse", "main..side").split()
    pairs = [word for pair in zip(old, new, strict=True) for word in pair]
    calls = [told.next()]
    if calls[0][0].startswith(
        "hooks run --within 20 post-checkout"
    ):  # some versions of git say this first
        calls.append(told.next())
    assert calls[-1] == ["hooks run --within 20 post-rewrite -- rebase", *pairs]


@requirement("hooks.chained")
@pytest.mark.parametrize(
    "shebang", ["#!/bin/sh", "#!/bin/sh -e", "#!/usr/bin/env bash", "#!/usr/bin/env python3", ""]
)
def test_a_hook_that_is_there_runs_first_with_the_same_words_and_input(
    root: Path, told: Told, tmp_path: Path, shebang: str
) -> None:
    said = tmp_path / "said"
    shell = f'printf "%s|" "$@" > "{said}"\ncat >> "{said}"\nexit 7\n'
    python = (
        "import sys\n"
        f"open({str(said)!r}, 'w').write('|'.join(sys.argv[1:]) + '|' + sys.stdin.read())\n"
        "sys.exit(7)\n"
    )
    hook = root / ".git" / "hooks" / "post-rewrite"
    another_hook(hook, f"{shebang}\n{python if 'python' in shebang else shell}")
    told.install(root)

    done = subprocess.run(  # noqa: S603 - the hook that was just written
        [str(hook), "amend", "two words"], input=b"old new\nolder newer\n", cwd=root, check=False
    )

    assert said.read_text(encoding="utf-8") == "amend|two words|old new\nolder newer\n"
    assert done.returncode == 7
    assert told.next() == [
        "hooks run --within 20 post-rewrite -- amend two words",
        *["old", "new", "older", "newer"],
    ]


@requirement("hooks.chained")
def test_an_exit_code_of_the_hook_that_was_there_still_counts_for_git(
    root: Path, told: Told
) -> None:
    another_hook(root / ".git" / "hooks" / "post-checkout", "#!/bin/sh\nexit 3\n")
    told.install(root)

    with pytest.raises(subprocess.CalledProcessError):
        git(root, "checkout", "-q", "-b", "side")

    assert told.next()[0].startswith("hooks run --within 20 post-checkout")
    assert git(root, "branch", "--show-current") == "side"


@requirement("hooks.chained")
def test_a_hook_manager_finds_its_files_by_its_own_name(root: Path, told: Told) -> None:
    folder = root / ".husky" / "_"
    folder.mkdir(parents=True)
    (folder / ".gitignore").write_text("*", encoding="utf-8")
    (folder / "h").write_text(
        'n=$(basename "$0")\ns=$(dirname "$(dirname "$0")")/$n\n[ ! -f "$s" ] && exit 0\n'
        'sh -e "$s" "$@"\nexit $?\n',
        encoding="utf-8",
    )
    another_hook(folder / "post-commit", '#!/usr/bin/env sh\n. "$(dirname "$0")/h"')
    (folder.parent / "post-commit").write_text("touch .git/ran\n", encoding="utf-8")
    git(root, "config", "core.hooksPath", ".husky/_")
    check_hooks_folder(found(root), hooks_folder(found(root)))
    told.install(root)

    git(root, "commit", "-q", "--allow-empty", "-m", "second")

    assert told.next() == ["hooks run --within 20 post-commit --"]
    assert (root / ".git" / "ran").exists()


@requirement("hooks.chained")
def test_a_hook_that_starts_itself_again_does_not_tell_twice(root: Path, told: Told) -> None:
    again = '[ -n "$again" ] && exit 0\nagain=1 sh -e "$0" "$@"\nexit 0\n'
    another_hook(root / ".git" / "hooks" / "post-commit", f"#!/bin/sh\n{again}")
    told.install(root)

    git(root, "commit", "-q", "--allow-empty", "-m", "second")
    assert told.next() == ["hooks run --within 20 post-commit --"]
    git(root, "checkout", "-q", "-b", "side")
    assert told.next()[0].startswith("hooks run --within 20 post-checkout")


@requirement("hooks.chained")
def test_a_hook_that_git_would_not_run_is_not_run(root: Path, told: Told) -> None:
    hook = root / ".git" / "hooks" / "post-commit"
    another_hook(hook, "#!/bin/sh\ntouch .git/ran\n", mode=0o644)
    told.install(root)

    git(root, "commit", "-q", "--allow-empty", "-m", "second")

    assert told.next() == ["hooks run --within 20 post-commit --"]
    assert not (root / ".git" / "ran").exists()


@requirement("hooks.chained")
def test_removing_puts_back_exactly_what_was_there(root: Path, told: Told, tmp_path: Path) -> None:
    folder = root / ".git" / "hooks"
    linked = tmp_path / "shared-hook"
    another_hook(linked, "#!/bin/sh\n")
    another_hook(folder / "post-commit", "#!/bin/sh\n\xe9\n", mode=0o700)
    another_hook(folder / "post-merge", "not run", mode=0o640)
    (folder / "post-checkout").symlink_to(linked)

    def seen() -> dict[str, tuple[bytes, int, bool]]:
        return {
            path.name: (path.read_bytes(), path.lstat().st_mode, path.is_symlink())
            for path in folder.iterdir()
        }

    before = seen()
    hooks = told.install(root)
    assert states(hooks) == {"installed"}
    assert [hook.is_chained for hook in hooks.status()] == [True, True, True, False]

    assert [hook.event for hook in hooks.remove()] == list(EVENTS)

    assert seen() == before
    assert hooks.remove() == ()
    assert states(hooks) == {"absent", "others"}


@requirement("hooks.chained")
def test_installing_twice_is_once_and_a_moved_program_is_renewed(root: Path, told: Told) -> None:
    hook = root / ".git" / "hooks" / "post-commit"
    before = another_hook(hook, "#!/bin/sh\n")
    hooks = told.install(root)
    assert hooks.install() == ()

    moved = Hooks(hook.parent, ["/elsewhere/python", "-m", "holdfast"])
    assert states(moved) == {"outdated"}
    assert len(moved.install(is_dry=True)) == len(EVENTS)
    assert states(hooks) == {"installed"}
    moved.install()
    assert states(moved) == {"installed"}

    moved.remove()
    assert hook.read_bytes() == before


def test_a_dry_run_changes_nothing(root: Path, told: Told) -> None:
    folder = root / ".git" / "hooks"
    before = sorted(folder.iterdir())
    hooks = Hooks(folder, [str(told.program)])

    assert [hook.event for hook in hooks.install(is_dry=True)] == list(EVENTS)
    assert sorted(folder.iterdir()) == before

    hooks.install()
    assert [hook.event for hook in hooks.remove(is_dry=True)] == list(EVENTS)
    assert states(hooks) == {"installed"}


@requirement("hooks.never-in-the-way")
def test_git_works_on_where_the_program_is_gone(root: Path) -> None:
    Hooks(hooks_folder(found(root)), ["/no/such/python", "-m", "holdfast"]).install()

    assert git(root, "commit", "--allow-empty", "-q", "-m", "second") == ""
    assert git(root, "commit", "--amend", "--allow-empty", "-q", "-m", "third") == ""


def test_what_somebody_wrote_into_our_hook_is_not_thrown_away(root: Path, told: Told) -> None:
    hooks = told.install(root)
    hook = root / ".git" / "hooks" / "post-merge"
    with hook.open("a", encoding="utf-8") as file:
        file.write("git lfs post-merge\n")

    for change in (hooks.remove, hooks.install):
        with pytest.raises(EditedHookError, match="post-merge was edited .* No hook was changed"):
            change()
    assert states(hooks) == {"installed", "edited"}

    hooks.remove(is_forced=True)
    assert states(hooks) == {"absent"}


def test_another_tool_that_wrote_over_ours_is_chained_again_or_asked_about(
    root: Path, told: Told
) -> None:
    hook = root / ".git" / "hooks" / "post-commit"
    before = another_hook(hook, "#!/bin/sh\n")
    hooks = told.install(root)

    another_hook(hook, before.decode())
    assert states(hooks) == {"installed", "others"}
    hooks.install()
    assert states(hooks) == {"installed"}

    another_hook(hook, "#!/bin/sh\nexit 1\n")
    with pytest.raises(EditedHookError, match="Keep one of the two"):
        hooks.install()
    hooks.remove()
    assert hook.read_text(encoding="utf-8") == "#!/bin/sh\nexit 1\n"
    assert hook.with_name(hook.name + BEFORE).read_bytes() == before


def test_a_link_that_leads_nowhere_is_another_hook(root: Path, told: Told) -> None:
    hook = root / ".git" / "hooks" / "post-commit"
    hook.symlink_to("nowhere")
    hooks = told.install(root)
    assert [one.state for one in hooks.status()] == [HookState.INSTALLED] * 4

    hooks.remove()

    assert hook.readlink() == Path("nowhere")


def test_a_disk_without_second_names_is_served_too(
    root: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    hook = root / ".git" / "hooks" / "post-commit"
    before = another_hook(hook, "#!/bin/sh\n")

    hooks = told.install(root)
    hooks.remove()

    assert hook.read_bytes() == before


@requirement("hooks.where-git-looks")
def test_worktrees_share_the_hooks_and_a_submodule_has_its_own(
    root: Path, told: Told, tmp_path: Path
) -> None:
    side = tmp_path / "side"
    git(root, "worktree", "add", "-q", str(side))
    told.install(side)
    assert hooks_folder(found(side)) == hooks_folder(found(root)) == root / ".git" / "hooks"
    git(side, "commit", "-q", "--allow-empty", "-m", "second")
    assert told.next() == ["hooks run --within 20 post-commit --"]

    inner = a_repository(tmp_path / "inner", message="inner")
    outer = a_repository(tmp_path / "outer", message="outer")
    git(outer, "submodule", "--quiet", "add", str(inner), "lib")
    assert (
        hooks_folder(found(outer / "lib")).resolve() == outer / ".git" / "modules" / "lib" / "hooks"
    )


@requirement("hooks.where-git-looks")
def test_a_folder_that_the_settings_name_is_used(root: Path, told: Told, tmp_path: Path) -> None:
    git(root, "config", "core.hooksPath", str(tmp_path / "my hooks"))
    folder = hooks_folder(found(root))
    assert folder == tmp_path / "my hooks"
    told.install(root)

    git(root, "commit", "-q", "--allow-empty", "-m", "second")

    assert told.next() == ["hooks run --within 20 post-commit --"]
    assert not (root / ".git" / "hooks" / "post-commit").exists()


@requirement("hooks.where-git-looks")
def test_a_folder_that_other_repositories_use_is_refused(root: Path, tmp_path: Path) -> None:
    check_hooks_folder(found(root), hooks_folder(found(root)))
    git(root, "worktree", "add", "-q", str(tmp_path / "beside"))
    beside = found(tmp_path / "beside")
    check_hooks_folder(beside, hooks_folder(beside))
    git(root, "config", "core.hooksPath", str(tmp_path / "my hooks"))

    with pytest.raises(SharedHooksError, match="outside this repository"):
        check_hooks_folder(found(root), hooks_folder(found(root)))


@requirement("hooks.where-git-looks")
def test_a_folder_that_would_be_committed_is_refused(root: Path) -> None:
    git(root, "config", "core.hooksPath", ".githooks")
    repository = found(root)
    with pytest.raises(SharedHooksError, match="committed for everybody"):
        check_hooks_folder(repository, hooks_folder(repository))

    (root / ".git" / "info" / "exclude").write_text(".githooks/\n", encoding="utf-8")
    check_hooks_folder(repository, hooks_folder(repository))


def test_hooks_that_are_turned_off_are_said_to_be_that(root: Path) -> None:
    git(root, "config", "core.hooksPath", "/dev/null")
    repository = found(root)

    with pytest.raises(HooksOffError, match="turned off here"):
        check_hooks_folder(repository, hooks_folder(repository))
    assert states(Hooks(hooks_folder(repository), ["true"])) == {"absent"}


def test_a_folder_that_cannot_be_written_is_said_to_be_that(root: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    with pytest.raises(HooksUnwritableError, match="cannot be changed: Not a directory. Check"):
        Hooks(tmp_path / "file" / "hooks", ["true"]).install()

    hooks = Hooks(root / ".git" / "hooks", ["true"])
    hooks.install()
    blocked = root / ".git" / "hooks" / f"post-commit{BEFORE}"
    blocked.mkdir()
    with pytest.raises(HooksUnwritableError, match="cannot be changed"):
        hooks.remove(is_forced=True)


def test_a_repository_git_cannot_read_has_no_folder_of_hooks(root: Path) -> None:
    repository, folder = found(root), hooks_folder(found(root))
    git(root, "config", "core.hooksPath", "hooks")
    (root / ".git" / "config").write_text("[core\n", encoding="utf-8")

    with pytest.raises(OutsideUnavailableError, match="git reported an error"):
        hooks_folder(repository)
    with pytest.raises(OutsideUnavailableError, match="git reported an error"):
        check_hooks_folder(repository, root / "hooks")
    check_hooks_folder(repository, folder)


@requirement("hooks.only-the-owner-writes")
def test_a_hooks_folder_can_be_written_by_its_owner_only_whatever_the_umask_is(
    tmp_path: Path,
) -> None:
    before = os.umask(0)
    try:
        Hooks(tmp_path / "made" / "hooks", ["holdfast"]).install()
    finally:
        os.umask(before)

    for path in (
        tmp_path / "made",
        tmp_path / "made" / "hooks",
        tmp_path / "made/hooks" / EVENTS[0],
    ):
        assert path.stat().st_mode & 0o777 == 0o755


@requirement("files.no-pipe-hangs-a-verb")
def test_a_pipe_in_place_of_a_hook_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / EVENTS[0])

    states = {hook.path.name: hook.state for hook in Hooks(tmp_path, ["holdfast"]).status()}

    assert states[EVENTS[0]] is HookState.OTHERS


@requirement("hooks.only-the-owner-writes")
def test_a_link_in_place_of_an_unfinished_hook_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / f"{EVENTS[0]}.new-holdfast").symlink_to(victim)

    Hooks(hooks, ["holdfast"]).install()

    assert victim.read_text() == "mine"
    assert not (hooks / EVENTS[0]).is_symlink()
