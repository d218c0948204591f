from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.bootstrap.opening.wiring import open_holdfast
from tests.builders import ADA
from tests.cli.program import Program
from tests.requirements import requirement
from tests.rights import drop_root_rights

EVENTS = ["post-commit", "post-merge", "post-checkout", "post-rewrite"]


def git(program: Program, *words: str) -> str:
    """Run git and wait for all it started: the pipe ends when the last of them does."""
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    ended, held = os.pipe()
    done = subprocess.run(
        ["git", *who, *words],  # noqa: S607 - git from the PATH
        cwd=program.folder,
        env={**program.environment, "GIT_CONFIG_NOSYSTEM": "1"},
        pass_fds=[held],
        check=True,
        capture_output=True,
        text=True,
    )
    os.close(held)
    with os.fdopen(ended) as pipe:
        pipe.read()
    return done.stdout.strip() + done.stderr.strip()


def noted(program: Program) -> dict[str, str]:
    """Return which commit took which one's place, as the store knows it."""
    memory = open_holdfast(principal=ADA, home=program.home, folder=program.folder)
    with memory.store.reading() as tx:
        found = {one.old: one.new for one in tx.anchors.past.rewrites(beyond=None, limit=100)}
    memory.close()
    return found


def test_hooks_are_installed_shown_and_removed(program: Program, repository: Path) -> None:
    folder = repository / ".git" / "hooks"
    before = sorted(path.name for path in folder.iterdir())

    planned = program("hooks", "install", "--dry-run", "--json").well()
    assert planned.json == {"installed": EVENTS, "dry_run": True}
    assert "would be removed" not in program("hooks", "remove", "--dry-run").well().out
    assert sorted(path.name for path in folder.iterdir()) == before
    assert "not installed" in program("hooks", "status").well().out

    installed = program("hooks", "install").well()
    assert [line.split()[1] for line in installed.out.splitlines()] == EVENTS
    assert "Nothing to do" in program("hooks", "install").well().err
    shown = program("hooks", "status", "--json").well().json
    assert shown["folder"] == str(folder)
    assert [(one["event"], one["state"]) for one in shown["hooks"]] == [
        (event, "installed") for event in EVENTS
    ]

    assert program("hooks", "remove", "--json").well().json["removed"] == EVENTS
    assert sorted(path.name for path in folder.iterdir()) == before


@requirement("hooks.never-in-the-way")
def test_a_rewritten_commit_is_noted_by_the_hook_and_git_stays_silent(program: Program) -> None:
    program("init").well()
    program("hooks", "install").well()
    git(program, "commit", "--allow-empty", "-q", "-m", "second")
    old = git(program, "rev-parse", "HEAD")

    assert git(program, "commit", "--amend", "--allow-empty", "-q", "-m", "better") == ""

    new = git(program, "rev-parse", "HEAD")
    assert noted(program) == {old: new}
    assert git(program, "status", "--porcelain") == ""


@requirement("repo.one-id-for-every-clone")
def test_an_amended_first_commit_is_known_in_a_new_clone(program: Program, tmp_path: Path) -> None:
    first = program("init", "--json").well().json["repo"]
    program("hooks", "install").well()
    git(program, "commit", "--amend", "-q", "-m", "another subject")
    git(program, "clone", "-q", ".", str(tmp_path / "copy"))

    copy = Program(home=program.home, folder=tmp_path / "copy")

    assert copy("init", "--json").well().json["repo"] == first


@requirement("hooks.never-in-the-way")
@pytest.mark.parametrize(
    ("event", "given"),
    [
        ("post-commit", b""),
        ("post-rewrite", b""),
        ("post-rewrite", b"\xff\0 nonsense\n\nx\n" + b"a" * 40 + b" " + b"b" * 40 + b" extra\n"),
        ("post-rewrite", b"z" * 100_000),
    ],
)
def test_what_git_calls_says_nothing_and_never_fails(
    newcomer: Program, tmp_path: Path, event: str, given: bytes
) -> None:
    words = ("hooks", "run", event, "--", "amend")
    unused = newcomer(*words, stdin=given)
    assert (unused.code, unused.out, unused.err) == (0, "", "")
    assert not newcomer.home.exists()

    newcomer("init").well()
    done = newcomer.start("hooks", "run", "--within", "60", event, "--", "amend", stdin=given)
    assert (done.code, done.out, done.err) == (0, "", "")

    nowhere = Program(home=newcomer.home, folder=tmp_path)
    assert nowhere(*words, stdin=given).well().err == ""
    (newcomer.home / "holdfast.db").write_bytes(b"not a database")
    broken = newcomer(*words, stdin=given)
    assert (broken.code, broken.out, broken.err) == (0, "", "")


def test_quick_commits_do_not_pile_up(program: Program) -> None:
    program("init").well()
    with (program.home / "hooks.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = program.start("hooks", "run", "post-commit")

    assert (done.code, done.out, done.err) == (0, "", "")


def test_it_gives_up_when_its_time_is_over(program: Program) -> None:
    program("init").well()
    with (program.home / "hooks.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = program.start("hooks", "run", "--within", "1", "post-rewrite", stdin=b"")

    assert (done.code, done.out, done.err) == (-signal.SIGALRM, "", "")


def test_without_a_repository_or_a_right_to_write_it_is_said(
    program: Program, repository: Path, tmp_path: Path
) -> None:
    nowhere = Program(home=program.home, folder=tmp_path)
    for verb in ("install", "remove", "status"):
        refused = nowhere("hooks", verb)
        assert refused.code != 0
        assert "not in a git repository" in refused.err

    folder = repository / ".git" / "hooks"
    folder.chmod(0o555)
    done = subprocess.run(
        [sys.executable, "-m", "holdfast", "hooks", "install"],
        cwd=repository,
        env=program.environment,
        preexec_fn=drop_root_rights,
        capture_output=True,
        text=True,
        check=False,
    )
    folder.chmod(0o755)
    assert done.returncode != 0
    assert "cannot be changed: Permission denied. Check the permissions" in done.stderr


@requirement("hooks.where-git-looks")
def test_a_folder_of_hooks_that_is_committed_needs_force(
    program: Program, repository: Path
) -> None:
    git(program, "config", "core.hooksPath", ".githooks")

    refused = program("hooks", "install")
    assert refused.code != 0
    assert "--force" in refused.err
    assert not (repository / ".githooks").exists()

    program("hooks", "install", "--force").well()
    assert sorted(path.name for path in (repository / ".githooks").iterdir()) == sorted(EVENTS)


@requirement("hooks.of-another-space-stay")
def test_hooks_of_another_space_are_neither_replaced_nor_removed(program: Program) -> None:
    program("hooks", "install", "--space", "other").well()
    hook = program.folder / ".git" / "hooks" / "post-commit"
    before = hook.read_bytes()

    replaced, removed = program("hooks", "install"), program("hooks", "remove")
    status = program("hooks", "status").well().out

    assert (replaced.code, removed.code) == (4, 4)
    assert "--space other" in replaced.err
    assert "--force" in replaced.err
    assert "of another space" in status
    assert hook.read_bytes() == before
    program("hooks", "install", "--force").well()
    assert "--space other" not in hook.read_text(encoding="utf-8")
    assert program("hooks", "remove", "--space", "other").code == 4
    program("hooks", "remove").well()
    assert not hook.exists()
