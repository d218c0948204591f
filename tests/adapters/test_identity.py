"""One id for a repository, whatever is done to it; never one for two."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.adapters.git.reading.identity import place_of
from holdfast.adapters.git.reading.recognition import note_rewritten, repository_id
from tests.adapters.test_repository import a_repository, fake_git, found, git
from tests.patience import PATIENCE
from tests.requirements import requirement


class Machine:
    """A folder of repositories, and the book that knows them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.registry = folder / "data" / "repositories.json"

    def repository(self, name: str, *, message: str = "") -> Path:
        return a_repository(self.folder / name, message=message or f"first of {name}")

    def clone(self, of: Path, name: str, *words: str) -> Path:
        git(self.folder, "clone", "-q", *words, f"file://{of}", name)
        return self.folder / name

    def id(self, folder: Path) -> str:
        return repository_id(found(folder), cache=self.registry)

    def id_without_git(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
        with monkeypatch.context() as patched:
            patched.setenv("PATH", str(self.folder))
            return self.id(folder)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def commit(root: Path, name: str, text: str = "text\n") -> str:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text, encoding="utf-8")
    git(root, "add", name)
    git(root, "commit", "-q", "-m", f"add {name}")
    return git(root, "rev-parse", "HEAD")


def amend_first(root: Path, *words: str) -> None:
    """Rewrite a history of one commit."""
    git(root, "commit", "-q", "--amend", "--allow-empty", *words)


@requirement("repo.one-id-for-every-clone")
def test_a_repository_keeps_its_id_when_it_is_moved_and_its_remotes_change(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = machine.repository("app")
    git(root, "remote", "add", "origin", "https://example.test/one.git")
    first = machine.id(root)

    moved = root.rename(machine.folder / "elsewhere")
    assert machine.id_without_git(moved, monkeypatch) == first
    git(moved, "remote", "set-url", "origin", "https://example.test/two.git")
    assert machine.id(moved) == first
    git(moved, "remote", "remove", "origin")
    assert machine.id(moved) == first
    copy = Path(shutil.copytree(moved, machine.folder / "copy"))
    assert machine.id(copy) == first


@requirement("repo.one-id-for-every-clone")
@pytest.mark.parametrize("format_name", ["sha1", "sha256"])
def test_clones_forks_and_worktrees_have_one_id(machine: Machine, format_name: str) -> None:
    root = machine.folder / "app"
    root.mkdir()
    git(root, "init", "-q", f"--object-format={format_name}")
    commit(root, "a.txt")
    fork = machine.clone(root, "fork", "--bare")
    theirs = machine.clone(fork, "theirs")
    commit(theirs, "b.txt")
    git(theirs, "worktree", "add", "-q", "-b", "side", str(machine.folder / "side"))

    ids = {machine.id(folder) for folder in (root, theirs, machine.folder / "side")}

    assert len(ids) == 1
    machine.registry.unlink()
    assert {machine.id(theirs), machine.id(root)} == ids


@requirement("repo.one-id-for-every-clone")
def test_a_rewritten_history_keeps_the_id_here_and_in_new_clones(machine: Machine) -> None:
    hub = machine.clone(machine.repository("seed"), "hub", "--bare")
    mine = machine.clone(hub, "mine")
    commit(mine, "a.txt")
    first = machine.id(mine)

    # Every commit is new from the first one on, as after a filter of the whole history.
    git(mine, "checkout", "-q", "--orphan", "fresh")
    when = git(mine, "log", "--max-parents=0", "--format=%ad", "--date=raw", "main")
    git(mine, "commit", "-q", "-m", "first of seed", f"--date={when}")
    git(mine, "branch", "-M", "fresh", "main")
    git(mine, "push", "-q", "--force", "origin", "main")

    assert machine.id(mine) == first
    assert machine.id(machine.clone(hub, "new")) == first


@requirement("repo.one-id-for-every-clone")
def test_a_first_commit_that_is_written_anew_keeps_the_id_in_its_folder(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = machine.repository("app")
    first = machine.id(root)
    amend_first(root, "-m", "another subject", "--author=Grace <grace@example.test>")
    git(root, "reflog", "expire", "--expire=now", "--all")
    git(root, "gc", "-q", "--prune=now")

    assert machine.id(root) == first
    # What is new about it was noted, so a clone is known by its first commit alone.
    assert machine.id(machine.clone(root, "copy", "--origin", "hub")) == first
    assert machine.id_without_git(root, monkeypatch) == first


@requirement("repo.one-id-for-every-clone")
def test_what_the_hook_says_about_the_first_commit_is_noted(machine: Machine) -> None:
    root = machine.repository("app")
    first, old = machine.id(root), git(root, "rev-parse", "HEAD")
    amend_first(root, "-m", "another subject")
    new = git(root, "rev-parse", "HEAD")

    note_rewritten(found(root), [(old, new), ("0" * 40, "1" * 40)], cache=machine.registry)

    assert machine.id(machine.clone(root, "copy")) == first
    note_rewritten(found(machine.repository("other")), [(old, new)], cache=machine.registry)


@requirement("repo.one-id-for-every-clone")
def test_a_merged_history_and_an_orphan_branch_are_guests(machine: Machine) -> None:
    root, guest = machine.repository("app"), machine.repository("guest")
    commit(guest, "lib.txt")
    ids = machine.id(root), machine.id(guest)
    git(root, "fetch", "-q", str(guest), "main:guest")
    git(root, "merge", "-q", "--allow-unrelated-histories", "-m", "join", "guest")

    machine.registry.unlink()
    assert (machine.id(root), machine.id(guest)) == ids

    for branch in ("guest", "pages"):
        git(root, "checkout", "-q", *(["--orphan"] if branch == "pages" else []), branch)
        machine.registry.unlink()
        assert machine.id(root) == ids[0]
        assert machine.id(guest) == ids[1]


@requirement("repo.unrelated-never-meet")
def test_a_guest_branch_is_not_taken_for_a_rewritten_history(machine: Machine) -> None:
    root, guest = machine.repository("app"), machine.repository("guest")
    git(root, "branch", "-m", "main", "trunk")
    first = machine.id(root)
    git(root, "remote", "add", "lib", f"file://{guest}")
    git(root, "fetch", "-q", "lib")
    git(root, "checkout", "-q", "-b", "lib", "lib/main")

    assert machine.id(root) == first
    assert machine.id(guest) != first


@requirement("repo.one-id-for-every-clone")
def test_a_rewritten_history_is_known_in_a_copy_that_lies_where_the_old_one_lay(
    machine: Machine,
) -> None:
    root = machine.repository("app")
    first = machine.id(root)
    (root / "a.txt").write_text("more", encoding="utf-8")
    git(root, "add", "a.txt")
    amend_first(root, "--no-edit")
    shutil.copytree(root, machine.folder / "copy")
    shutil.rmtree(root)

    restored = (machine.folder / "copy").rename(root)

    assert machine.id(restored) == first


@requirement("repo.unrelated-never-meet")
def test_a_folder_given_to_a_project_we_know_becomes_that_one(machine: Machine) -> None:
    roots = []
    for name, when in (("a", "2001-01-01T00:00:00"), ("b", "2002-02-02T00:00:00")):
        roots.append(machine.repository(name))
        amend_first(roots[-1], "--no-edit", f"--date={when}")
    ids = [machine.id(root) for root in roots]
    git(roots[0], "fetch", "-q", str(roots[1]), "main")
    git(roots[0], "reset", "-q", "--hard", "FETCH_HEAD")
    git(roots[0], "pack-refs", "--all")

    assert machine.id(roots[0]) == ids[1] != ids[0]


@requirement("repo.one-id-for-every-clone")
def test_a_pruned_first_commit_keeps_the_id_in_the_folder_and_with_the_same_origin_everywhere(
    machine: Machine,
) -> None:
    hub = machine.clone(machine.repository("seed"), "hub", "--bare")
    mine = machine.clone(hub, "mine")
    amend_first(mine, "--no-edit", "--date=2001-01-01T00:00:00")
    git(mine, "push", "-q", "--force")
    first = machine.id(mine)
    git(mine, "checkout", "-q", "--orphan", "fresh")
    git(mine, "commit", "-q", "--allow-empty", "-m", "begin anew")
    git(mine, "branch", "-M", "fresh", "main")
    git(mine, "push", "-q", "--force", "origin", "main")
    git(mine, "pack-refs", "--all")

    assert machine.id(mine) == first
    assert machine.id(machine.clone(hub, "new")) == first


@requirement("repo.unrelated-never-meet")
def test_repositories_that_hold_the_same_library_stay_two(machine: Machine) -> None:
    library = machine.repository("library")
    commit(library, "lib.txt")
    ids = {machine.id(library)}
    for name in ("one", "two"):
        root = machine.repository(name)
        git(root, "remote", "add", "lib", f"file://{library}")
        git(root, "fetch", "-q", "lib")
        words = ("-s", "ours", "--no-commit", "--allow-unrelated-histories", "lib/main")
        git(root, "merge", "-q", *words)
        git(root, "read-tree", "--prefix=lib/", "-u", "lib/main")
        git(root, "commit", "-q", "-m", "join the library")
        ids.add(machine.id(root))

    assert len(ids) == 3


@requirement("repo.unrelated-never-meet")
def test_a_new_repository_at_the_same_address_or_folder_is_another_one(machine: Machine) -> None:
    ids = set()
    for number in range(3):
        root = machine.repository("app", message=f"attempt {number}")
        git(root, "remote", "add", "origin", "git@example.test:team/app.git")
        ids.add(machine.id(root))
        shutil.rmtree(root)

    assert len(ids) == 3


@requirement("repo.unrelated-never-meet")
def test_a_folder_that_was_given_to_another_project_is_another_repository(machine: Machine) -> None:
    for name, when in (("a", "2001-01-01T00:00:00"), ("b", "2002-02-02T00:00:00")):
        amend_first(machine.repository(name), "--no-edit", f"--date={when}")
    hubs = [machine.clone(machine.folder / name, f"{name}.git", "--bare") for name in "ab"]
    root = machine.clone(hubs[0], "work")
    first = machine.id(root)
    git(root, "remote", "set-url", "origin", f"file://{hubs[1]}")
    git(root, "fetch", "-q")

    assert machine.id(root) == first
    git(root, "reset", "-q", "--hard", "origin/main")
    git(root, "pack-refs", "--all")
    assert machine.id(root) == machine.id(machine.folder / "b") != first


@requirement("repo.one-id-for-every-clone")
def test_a_shallow_clone_is_known_by_its_origin_and_still_after_it_is_made_whole(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = machine.clone(machine.repository("seed"), "hub", "--bare")
    full = machine.clone(hub, "full")
    commit(full, "a.txt")
    git(full, "push", "-q")
    first = machine.id(full)

    shallow = machine.clone(hub, "shallow", "--depth=1")
    assert machine.id(shallow) == first
    assert machine.id_without_git(shallow, monkeypatch) == first
    git(shallow, "fetch", "-q", "--unshallow")
    assert machine.id(shallow) == first


@requirement("repo.one-id-for-every-clone")
def test_a_shallow_clone_that_came_first_gives_its_id_to_the_whole_one(machine: Machine) -> None:
    hub = machine.clone(machine.repository("seed"), "hub", "--bare")
    commit(machine.clone(hub, "work"), "a.txt")
    git(machine.folder / "work", "push", "-q")
    shallow = machine.clone(hub, "shallow", "--depth=1")
    first = machine.id(shallow)

    assert machine.id(machine.clone(hub, "again", "--depth=1")) == first
    assert machine.id(machine.clone(hub, "full")) == first
    git(shallow, "fetch", "-q", "--unshallow")
    assert machine.id(shallow) == first


@requirement("repo.unrelated-never-meet")
def test_a_shallow_clone_of_a_reused_address_meets_nobody(machine: Machine) -> None:
    hub, ids = machine.folder / "hub", []
    for name in ("one", "two"):
        shutil.rmtree(hub, ignore_errors=True)
        machine.clone(machine.repository(name), "hub", "--bare")
        commit(machine.clone(hub, f"{name}-work"), "a.txt", name)
        git(machine.folder / f"{name}-work", "push", "-q")
        ids.append(machine.id(machine.folder / f"{name}-work"))

    shallow = machine.clone(hub, "shallow", "--depth=1")

    assert len({*ids, machine.id(shallow)}) == 3


@requirement("repo.unrelated-never-meet")
def test_a_whole_clone_that_lacks_the_shallow_ones_commits_is_another_one(
    machine: Machine,
) -> None:
    hub, ids = machine.folder / "hub", []
    for name, depth in (("one", ("--depth=1",)), ("two", ())):
        shutil.rmtree(hub, ignore_errors=True)
        seed = machine.repository(name)
        commit(seed, "a.txt", name)
        machine.clone(seed, "hub", "--bare")
        ids.append(machine.id(machine.clone(hub, f"{name}-copy", *depth)))

    assert len(set(ids)) == 2


@requirement("repo.one-id-for-every-clone")
@pytest.mark.parametrize("template", [(), ("--template=",)])
def test_an_empty_repository_keeps_its_id_when_it_gets_a_first_commit(
    machine: Machine, template: tuple[str, ...]
) -> None:
    root = machine.folder / "app"
    root.mkdir()
    git(root, "init", "-q", *template)
    unborn = machine.id(root)
    assert machine.id(root) == unborn

    commit(root, "a.txt")

    assert machine.id(root) == unborn
    assert machine.id(machine.clone(root, "copy")) == unborn


def test_a_known_first_commit_in_a_folder_that_was_empty_stays_with_the_one_it_was_seen_in(
    machine: Machine,
) -> None:
    empty = machine.folder / "empty"
    empty.mkdir()
    git(empty, "init", "-q")
    unborn = machine.id(empty)
    root = machine.repository("app")
    known = machine.id(root)
    git(empty, "fetch", "-q", f"file://{root}", "main")
    git(empty, "reset", "-q", "--hard", "FETCH_HEAD")

    assert machine.id(empty) == unborn
    assert machine.id(machine.clone(root, "copy")) == known


@requirement("repo.unrelated-never-meet")
def test_without_a_dull_file_git_is_asked_every_time(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = machine.folder / "app"
    root.mkdir()
    git(root, "init", "-q", "--template=")
    commit(root, "a.txt", "one")
    first = machine.id(root)
    assert machine.id_without_git(root, monkeypatch) == first

    # Another history in the same inodes: all that a folder without a dull file can show.
    git(root, "checkout", "-q", "--orphan", "fresh")
    git(root, "commit", "-q", "-m", "another project")
    git(root, "branch", "-M", "fresh", "main")

    assert machine.id(root) != first


def test_a_remote_head_that_leads_nowhere_is_passed_over(machine: Machine) -> None:
    hub = machine.clone(machine.repository("seed"), "hub", "--bare")
    root = machine.clone(hub, "work")
    expected = machine.id(root)
    git(root, "checkout", "-q", "-b", "feature")
    git(root, "branch", "-q", "-D", "main")
    git(root, "update-ref", "-d", "refs/remotes/origin/main")
    machine.registry.unlink()

    assert machine.id(root) == expected


def test_a_known_folder_is_known_without_git_even_when_it_looks_changed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = machine.repository("app")
    first = machine.id(root)
    git(root, "remote", "add", "origin", "https://example.test/app")

    assert machine.id_without_git(root, monkeypatch) == first


@pytest.mark.parametrize(
    "address",
    [
        "https://example.test/team/app",
        "https://example.test/team/app.git/",
        "https://ada:secret@EXAMPLE.test:443/team/app.git?token=secret",
        "ssh://git@example.test:22/team/app.git",
        "git@example.test:team/app.git",
        "example.test:/team/app",
        "git://example.test/team/app/",
    ],
)
def test_every_way_to_write_an_address_meets(tmp_path: Path, address: str) -> None:
    place = place_of(address, beside=tmp_path)

    assert place == place_of("http://example.test/team/app", beside=tmp_path)
    assert "secret" not in place


def test_addresses_of_different_places_stay_apart(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    different = [
        "https://example.test/team/app",
        "https://example.test/other/app",
        "https://example.test:8443/team/app",
        "https://git.example.test/team/app",
        "team/app",
        str(tmp_path / "app"),
        "",
    ]

    assert len({place_of(address, beside=tmp_path) for address in different}) == len(different)
    same = [str(tmp_path / "app"), f"file://{tmp_path}/app/.git", "./app/", "app.git"]
    assert len({place_of(address, beside=tmp_path) for address in same}) == 1


def test_nobodys_name_or_address_is_written_into_the_book(machine: Machine) -> None:
    root = machine.repository("app")
    git(root, "remote", "add", "origin", "https://ada:hunter2@example.test/team/app.git")

    machine.id(root)

    written = machine.registry.read_text(encoding="utf-8")
    assert not any(word in written for word in ("hunter2", "example.test", "Ada", str(root)))
    assert machine.registry.stat().st_mode & 0o077 == 0


def test_the_book_forgets_the_oldest_of_very_many_folders(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.adapters.git.reading.registry._MOST_FOLDERS", 3)
    roots = [machine.repository(f"app{number}") for number in range(5)]
    ids = [machine.id(root) for root in roots]

    kept = json.loads(machine.registry.read_text(encoding="utf-8"))

    assert [one["repository"] for one in kept["folders"].values()] == ids[2:]
    assert [machine.id(root) for root in roots] == ids


def test_many_processes_that_see_a_folder_for_the_first_time_agree(machine: Machine) -> None:
    roots = [machine.repository(f"app{number}") for number in range(4)]
    ask = (
        "import sys; from pathlib import Path\n"
        "from holdfast.adapters.git.reading.recognition import repository_id\n"
        "from holdfast.adapters.git.reading.repository import find_repository\n"
        "for root in sys.argv[2:]:\n"
        "    print(repository_id(find_repository(Path(root)), cache=Path(sys.argv[1])))\n"
    )
    words = [sys.executable, "-c", ask, str(machine.registry)]
    asking = [
        subprocess.Popen(  # noqa: S603 - our own interpreter
            [*words, *(str(root) for root in roots[turn:] + roots[:turn])],
            stdout=subprocess.PIPE,
            text=True,
        )
        for turn in range(4)
    ]

    told = [set(one.communicate(timeout=PATIENCE)[0].split()) for one in asking]

    kept = json.loads(machine.registry.read_text(encoding="utf-8"))
    assert told == [set(kept["repositories"])] * 4
    assert len(kept["folders"]) == len(roots)


def test_git_is_asked_twice_for_a_new_folder_and_never_for_a_known_one(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = machine.repository("app")
    real = shutil.which("git")
    fake_git(machine.folder / "bin", f'echo "$@" >> "{machine.folder}/asked"\nexec "{real}" "$@"')
    monkeypatch.setenv("PATH", str(machine.folder / "bin"), prepend=":")

    first = machine.id(root)
    asked = (machine.folder / "asked").read_text(encoding="utf-8").splitlines()

    assert len(asked) == 2
    assert machine.id(root) == first
    assert (machine.folder / "asked").read_text(encoding="utf-8").splitlines() == asked


@requirement("store.derived-damage-noticed")
@pytest.mark.parametrize("harm", ["flip", "cut", "empty", "folder"])
def test_a_damaged_book_is_read_from_its_copy_and_written_anew(machine: Machine, harm: str) -> None:
    root = machine.repository("app")
    (root / ".git" / "shallow").touch()
    first = machine.id(root)
    content = machine.registry.read_bytes()
    if harm == "flip":
        # One character of the id, both where the repository and where its folder names it.
        machine.registry.write_bytes(content.replace(first.encode(), first[:-1].encode() + b"~"))
    elif harm == "folder":
        machine.registry.unlink()
        machine.registry.mkdir()
    else:
        machine.registry.write_bytes(content[: len(content) // 2] if harm == "cut" else b"")

    assert machine.id(root) == first
    if harm != "folder":
        git(root, "remote", "add", "origin", "https://example.org/app.git")
        assert machine.id(root) == first
        assert first in machine.registry.read_text(encoding="utf-8")


def test_a_book_of_the_first_version_is_still_read(machine: Machine) -> None:
    root = machine.repository("app")
    first = machine.id(root)
    shape = json.loads(machine.registry.read_text(encoding="utf-8"))
    del shape["checksum"]
    shape["version"] = 1
    machine.registry.write_text(json.dumps(shape), encoding="utf-8")

    assert machine.id(root) == first
