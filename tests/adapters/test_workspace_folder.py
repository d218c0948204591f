"""A folder on disk: what a scan reads, what a restore writes, and that nothing escapes."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from holdfast.adapters.git.reading.ignored import git_rules
from holdfast.adapters.workspaces.contents import PackedContents
from holdfast.adapters.workspaces.folder import DiskFolder
from holdfast.adapters.workspaces.seen_files import SeenFile, state_of
from holdfast.domain.workspace_errors import (
    ContentDamagedError,
    DiskFullError,
    FolderChangedError,
    FolderUnusableError,
    NoFolderError,
    TreeTooLargeError,
)
from holdfast.domain.workspaces.safe_paths import STAGING
from holdfast.domain.workspaces.snapshot import Limits, TreeRules
from holdfast.domain.workspaces.tree import OmitReason, TreeEntry
from holdfast.ports.workspaces.folders import RestoreSteps, ScannedTree
from tests.full_disk import full_disk
from tests.requirements import requirement

RULES = TreeRules()
LONG_AGO = 1_000_000_000_000_000_000


class Place(NamedTuple):
    """A folder, the content of its snapshots, and something outside it."""

    root: Path
    contents: PackedContents
    state: Path
    outside: Path

    @property
    def folder(self) -> DiskFolder:
        return DiskFolder(self.root, state=self.state)

    def scan(self, rules: TreeRules = RULES) -> ScannedTree:
        with self.contents.using(), self.contents.adding() as writer:
            folder = self.folder
            found = folder.scan(rules, writer=writer, progress=nobody)
            writer.finish()
            folder.note_scan()
        return found

    def restore(self, *entries: TreeEntry, into: Path | None = None, **more: Any) -> None:
        target = DiskFolder(into or self.root, state=self.state)
        looked = target.look([one.path for one in entries]).entries if target_is(target) else ()
        seen = {one.path: one for one in looked}
        steps = RestoreSteps(entries, (), seen, with_times=bool(more.get("with_times")))
        progress = more.get("progress", nobody)
        with self.contents.using():
            target.restore(steps, self.contents, progress)


def target_is(folder: DiskFolder) -> bool:
    return Path(folder.root).is_dir()


def nobody(_done: int, _total: int) -> None:
    """Watch nothing."""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    root, outside = tmp_path / "work", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (outside / "victim").write_text("precious", encoding="utf-8")
    return Place(root, PackedContents(tmp_path / "packs"), tmp_path / "state", outside)


def written(place: Place, name: str, content: bytes = b"content") -> Path:
    path = place.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.utime(path, ns=(LONG_AGO, LONG_AGO))
    return path


def a_file(place: Place, path: str, content: bytes = b"new") -> TreeEntry:
    with place.contents.using(), place.contents.adding() as writer:
        name = writer.add([content])
        writer.finish()
    return TreeEntry(path, "file", 0o644, len(content), name)


def pictured(root: Path) -> dict[str, tuple[object, ...]]:
    """Return everything that a restore must restore, by path."""
    found: dict[str, tuple[object, ...]] = {}
    for path in sorted(root.rglob("*")):
        status, name = path.lstat(), str(path.relative_to(root))
        if path.is_symlink():
            found[name] = ("link", os.readlink(path), status.st_mtime_ns)  # noqa: PTH115
        elif path.is_dir():
            found[name] = ("folder", stat.S_IMODE(status.st_mode), status.st_mtime_ns)
        else:
            digest = sha256(path.read_bytes()).hexdigest()
            found[name] = (digest, stat.S_IMODE(status.st_mode), status.st_mtime_ns)
    return found


@requirement("workspace.restore-is-exact")
def test_a_restored_folder_is_exact(place: Place, tmp_path: Path) -> None:
    written(place, "src/app.py", b"print(1)\n").chmod(0o755)
    written(place, "large.bin", os.urandom(1_000_000)).chmod(0o600)
    written(place, os.fsdecode(b"odd-\xff\n\x1b name"), b"odd")
    written(place, "empty-file", b"")
    (place.root / "empty").mkdir(mode=0o700)
    (place.root / "read-only").mkdir()
    written(place, "read-only/inside")
    (place.root / "read-only").chmod(0o555)
    (place.root / "dangling").symlink_to("nowhere")
    (place.root / "absolute").symlink_to(place.outside / "victim")
    with (place.root / "sparse").open("wb") as sparse:
        sparse.seek(50_000_000)
        sparse.write(b"end")
    scanned = place.scan()

    place.restore(*scanned.entries, into=tmp_path / "out", with_times=True)

    assert pictured(tmp_path / "out") == pictured(place.root)
    assert (tmp_path / "out" / "sparse").stat().st_blocks < 2_000
    assert scanned.omitted == []


@requirement("workspace.unchanged-is-not-read")
def test_an_unchanged_file_is_not_read_and_a_changed_one_is(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    unchanged, changed = written(place, "one"), written(place, "two")
    settled(place, unchanged, changed)
    before = place.scan()
    changed.write_bytes(b"CONTENT")
    os.utime(changed, ns=(LONG_AGO, LONG_AGO))
    opened: list[str] = []
    real = os.open

    def noted(name: str, *more: int, **named: int) -> int:
        opened.append(os.fspath(name))
        return real(name, *more, **named)

    monkeypatch.setattr(os, "open", noted)

    after = place.scan()

    assert "one" not in opened
    assert "two" in opened
    assert [one.hash for one in before.entries] != [one.hash for one in after.entries]


def settled(place: Place, *paths: Path) -> None:
    """Note files as if they had been written long before they were read."""
    folder = place.folder
    folder.note_scan()
    folder.scan(RULES, progress=nobody)
    seen = folder._seen
    assert seen is not None
    for path in paths:
        status = path.stat()
        file = SeenFile(*state_of(status), sha256(path.read_bytes()).hexdigest())
        seen.put(path.name, file, now_ns=status.st_ctime_ns + 10**10)
    folder.note_scan()


def test_a_file_that_was_written_just_now_is_read_again(place: Place) -> None:
    written(place, "one")
    place.scan()

    (seen,) = place.state.iterdir()

    assert b'"files": {}' in seen.read_bytes()


def test_a_damaged_note_of_seen_files_costs_only_time(place: Place) -> None:
    path = written(place, "one")
    settled(place, path)
    (seen,) = place.state.iterdir()
    seen.write_bytes(b"damaged")

    assert [one.path for one in place.scan().entries] == ["one"]


@requirement("workspace.no-torn-file")
def test_a_file_that_always_changes_is_left_out(place: Place) -> None:
    path = written(place, "busy", b"0" * 3_000_000)

    class Meddler:
        """A writer of content during which the file changes."""

        def add(self, parts: Iterable[bytes]) -> str:
            path.write_bytes(os.urandom(3_000_000))
            return sha256(b"".join(parts)).hexdigest()

        def has(self, name: str) -> bool:
            return bool(name)

        def finish(self) -> int:
            return 0

    found = place.folder.scan(RULES, writer=Meddler(), progress=nobody)

    assert found.entries == []
    assert found.omitted == [("busy", OmitReason.UNSTABLE)]


@requirement("workspace.no-torn-file")
def test_a_file_that_changed_once_is_read_again_whole(place: Place) -> None:
    path = written(place, "busy", b"0" * 3_000_000)
    reads: list[str] = []

    class Once:
        """A writer of content during whose first read the file changes."""

        def add(self, parts: Iterable[bytes]) -> str:
            held = []
            for part in parts:
                held.append(part)
                if not reads:
                    path.write_bytes(b"1" * 3_000_000)
                    reads.append("changed")
            return sha256(b"".join(held)).hexdigest()

        def has(self, name: str) -> bool:
            return bool(name)

        def finish(self) -> int:
            return 0

    (found,) = place.folder.scan(RULES, writer=Once(), progress=nobody).entries

    assert found.hash == sha256(b"1" * 3_000_000).hexdigest()


@requirement("workspace.gitignore-respected")
@requirement("workspace.secrets-left-out")
def test_ignored_secret_and_special_files_are_left_out(place: Place) -> None:
    for name in ("app.py", "app.log", "build/x", ".git/HEAD", ".env", "sub/keep", "sub/drop"):
        written(place, name)
    written(place, "key", b"-----BEGIN PRIVATE " + b"KEY-----\nabc")
    written(place, ".gitignore", b"*.log\nbuild/\n")
    written(place, "sub/.gitignore", b"drop\n")
    (place.root / f"{STAGING}old").mkdir()
    os.mkfifo(place.root / "pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(place.root / "socket"))

    found = place.scan()

    assert [one.path for one in found.entries] == [
        *(".gitignore", "app.py", "sub", "sub/.gitignore", "sub/keep")
    ]
    assert dict(found.omitted) == {
        ".env": OmitReason.SECRET,
        "key": OmitReason.SECRET,
        "pipe": OmitReason.SPECIAL,
        "socket": OmitReason.SPECIAL,
    }
    assert found.ignored == 3
    everything = place.scan(TreeRules(keeps_ignored=True, keeps_secrets=True))
    assert {".env", ".git/HEAD", "app.log", "build/x", "key", "sub/drop"} <= {
        one.path for one in everything.entries
    }


@requirement("workspace.gitignore-respected")
def test_the_rules_of_the_repository_above_count(place: Place) -> None:
    written(place, ".git/HEAD")
    written(place, ".git/info/exclude", b"*.tmp\n")
    written(place, ".gitignore", b"/sub/secret\n*.log\n")
    for name in ("sub/secret", "sub/a.log", "sub/b.tmp", "sub/keep"):
        written(place, name)
    below = DiskFolder(place.root / "sub", state=place.state, git=git_rules)

    found = below.scan(RULES, progress=nobody)

    assert [one.path for one in found.entries] == ["keep"]
    assert found.ignored == 3


@requirement("workspace.gitignore-respected")
@pytest.mark.parametrize("source", ["/dev/zero", "pipe"])
def test_rules_above_that_are_no_plain_file_say_nothing(place: Place, source: str) -> None:
    os.mkfifo(place.root / "pipe")
    written(place, ".git/HEAD")
    (place.root / ".git" / "info").mkdir()
    for name in (".gitignore", ".git/info/exclude"):
        (place.root / name).symlink_to(source if source[0] == "/" else place.root / source)
    written(place, "sub/keep")
    below = DiskFolder(place.root / "sub", state=place.state, git=git_rules)

    found = below.scan(RULES, progress=nobody)

    assert [one.path for one in found.entries] == ["keep"]


def test_a_store_inside_the_folder_is_not_kept(place: Place) -> None:
    written(place, "home/holdfast.db")
    written(place, "kept")
    folder = DiskFolder(place.root, state=place.state, apart=(place.root / "home", Path("/none")))

    assert [one.path for one in folder.scan(RULES, progress=nobody).entries] == ["kept"]


@requirement("workspace.limits-hold")
def test_limits_refuse_too_much_and_leave_large_files_out(place: Place) -> None:
    written(place, "large", b"12345")
    written(place, "small", b"1")

    found = place.scan(TreeRules(limits=Limits(file=4)))

    assert [one.path for one in found.entries] == ["small"]
    assert found.omitted == [("large", OmitReason.LARGE)]
    with pytest.raises(TreeTooLargeError, match="more than 1 files and folders"):
        place.scan(TreeRules(limits=Limits(entries=1)))
    with pytest.raises(TreeTooLargeError, match="more than 5 bytes"):
        place.scan(TreeRules(limits=Limits(total=5)))


def test_a_folder_nested_too_deeply_is_left_out(place: Place) -> None:
    written(place, "/".join("d" * 103) + "/file")

    assert [one.reason for one in place.scan().omitted] == [OmitReason.DEEP]


def test_a_missing_folder_is_named(place: Place) -> None:
    with pytest.raises(NoFolderError, match="There is no folder"):
        DiskFolder(place.root / "none", state=place.state).scan(RULES, progress=nobody)
    written(place, "file")
    with pytest.raises(NoFolderError):
        DiskFolder(place.root / "file", state=place.state).look([])
    with pytest.raises(FolderUnusableError):
        place.restore(into=place.root / "file" / "below")


def test_a_file_is_read_without_following_a_link(place: Place) -> None:
    written(place, "file", b"text")
    (place.root / "link").symlink_to(place.outside / "victim")
    (place.root / "away").symlink_to(place.outside)

    assert place.folder.read("file") == b"text"
    assert place.folder.read("link") is None
    assert place.folder.read("away/victim") is None
    assert place.folder.read(".") is None


def a_link_as_file(place: Place) -> TreeEntry:
    (place.root / "x").symlink_to(place.outside / "victim")
    return a_file(place, "x")


def a_link_as_folder(place: Place) -> TreeEntry:
    (place.root / "d").symlink_to(place.outside)
    return a_file(place, "d/victim")


def a_link_chain(place: Place) -> TreeEntry:
    (place.root / "one").symlink_to("two")
    (place.root / "two").symlink_to(place.outside)
    return a_file(place, "one/victim")


def a_link_deep_below(place: Place) -> TreeEntry:
    (place.root / "a").mkdir()
    (place.root / "a" / "b").symlink_to("../../outside")
    return a_file(place, "a/b/victim")


def a_hard_link(place: Place) -> TreeEntry:
    (place.root / "x").hardlink_to(place.outside / "victim")
    return a_file(place, "x")


def a_pipe(place: Place) -> TreeEntry:
    os.mkfifo(place.root / "x")
    return a_file(place, "x")


def a_magic_link(place: Place) -> TreeEntry:
    (place.root / "d").symlink_to(f"/proc/self/cwd/{place.outside}")
    return a_file(place, "d/victim")


def a_link_that_is_restored(place: Place) -> TreeEntry:
    place.restore(TreeEntry("d", "link", 0o777, target=str(place.outside)))
    return a_file(place, "d/victim")


def a_broken_link(place: Place) -> TreeEntry:
    (place.root / "x").symlink_to(place.outside / "made")
    return a_file(place, "x")


def a_link_as_new_folder(place: Place) -> TreeEntry:
    (place.root / "d").symlink_to(place.outside)
    return TreeEntry("d/made", "folder", 0o755)


ESCAPES = [
    *(a_link_as_file, a_link_as_folder, a_link_chain, a_link_deep_below, a_hard_link, a_pipe),
    *(a_magic_link, a_link_that_is_restored, a_broken_link, a_link_as_new_folder),
]


@requirement("workspace.restore-never-escapes")
@pytest.mark.parametrize("escape", ESCAPES, ids=lambda one: one.__name__)
def test_no_restore_writes_outside_its_folder(
    place: Place, escape: Callable[[Place], TreeEntry]
) -> None:
    entry = escape(place)

    try:
        place.restore(entry)
    except FolderChangedError as error:
        assert entry.path in str(error)  # noqa: PT017 - either outcome is safe

    assert pictured(place.outside).keys() == {"victim"}
    assert (place.outside / "victim").read_text(encoding="utf-8") == "precious"
    assert not [one for one in place.root.iterdir() if one.name.startswith(STAGING)]


@requirement("workspace.restore-never-escapes")
@pytest.mark.parametrize("when", [1, 2, 3, 4])
def test_a_folder_that_becomes_a_link_during_the_restore_leads_nowhere(
    place: Place, when: int
) -> None:
    (place.root / "d").mkdir()
    one, two = a_file(place, "d/a"), a_file(place, "d/victim")

    def swap(done: int, _total: int) -> None:
        if done == when:
            (place.root / "d").rename(place.root / "was")
            (place.root / "d").symlink_to(place.outside)

    try:
        place.restore(TreeEntry("d", "folder", 0o755), one, two, progress=swap)
    except FolderChangedError:
        pass

    assert (place.outside / "victim").read_text(encoding="utf-8") == "precious"
    assert pictured(place.outside).keys() == {"victim"}


@requirement("workspace.restore-never-escapes")
def test_names_that_differ_in_case_or_form_stay_apart(place: Place) -> None:
    names = ("readme", "README", "caf\u00e9", "cafe\u0301")

    place.restore(*(a_file(place, name, name.encode()) for name in names))

    assert {one.name: one.read_bytes() for one in place.root.iterdir()} == {
        name: name.encode() for name in names
    }


@requirement("workspace.restore-keeps-what-it-replaces")
def test_what_changed_since_the_plan_is_not_replaced(place: Place) -> None:
    written(place, "x", b"old")
    entry = a_file(place, "x")
    seen = {one.path: one for one in place.folder.look(["x"]).entries}
    steps = RestoreSteps([entry], (), seen)
    (place.root / "x").write_bytes(b"edited meanwhile")

    with place.contents.using(), pytest.raises(FolderChangedError, match="is not what it was"):
        place.folder.restore(steps, place.contents, nobody)

    assert (place.root / "x").read_bytes() == b"edited meanwhile"


@requirement("workspace.restore-keeps-what-it-replaces")
def test_a_folder_in_the_place_of_a_file_is_moved_aside(place: Place) -> None:
    written(place, "x/inside", b"precious")

    place.restore(a_file(place, "x"))

    (aside,) = place.root.glob("x.displaced-*")
    assert (aside / "inside").read_bytes() == b"precious"
    assert (place.root / "x").read_bytes() == b"new"


@requirement("workspace.restore-keeps-what-it-replaces")
@pytest.mark.parametrize("name", ["x" * 255, "x" + "é" * 127])
def test_a_folder_with_the_longest_name_is_moved_aside(place: Place, name: str) -> None:
    written(place, f"{name}/inside", b"precious")

    place.restore(a_file(place, name))

    (aside,) = place.root.glob("x*.displaced-*")
    assert aside.name.isprintable()
    assert (aside / "inside").read_bytes() == b"precious"
    assert (place.root / name).read_bytes() == b"new"


@requirement("workspace.restore-leaves-no-empty-folder")
def test_an_empty_folder_in_the_place_of_a_file_is_removed(place: Place) -> None:
    (place.root / "x").mkdir()

    place.restore(a_file(place, "x"))

    assert (place.root / "x").read_bytes() == b"new"
    assert list(place.root.glob("x.displaced-*")) == []


def test_a_file_in_the_place_of_a_folder_is_replaced(place: Place) -> None:
    written(place, "x", b"old")

    place.restore(TreeEntry("x", "folder", 0o750), a_file(place, "x/y"))

    assert (place.root / "x" / "y").read_bytes() == b"new"
    assert stat.S_IMODE((place.root / "x").stat().st_mode) == 0o750


@requirement("workspace.full-disk-replaces-nothing")
def test_a_full_disk_replaces_nothing(place: Place) -> None:
    written(place, "a", b"old")
    written(place, "b", b"old")
    small, large = a_file(place, "a"), a_file(place, "b", os.urandom(2_000_000))
    before = pictured(place.root)
    refused = pytest.raises(DiskFullError, match="Nothing was replaced")
    with full_disk(allowed=1_000_000), refused:
        place.restore(small, large)

    assert pictured(place.root) == before


@requirement("workspace.damage-is-reported")
def test_damaged_content_replaces_nothing(place: Place) -> None:
    written(place, "a", b"old")
    entry, lost = a_file(place, "a"), TreeEntry("b", "file", 0o644, 3, "ab" * 32)
    before = pictured(place.root)

    with pytest.raises(ContentDamagedError, match="not stored on this machine"):
        place.restore(entry, lost)

    assert pictured(place.root) == before


@requirement("workspace.survives-kills")
def test_what_a_killed_restore_left_behind_is_removed(place: Place) -> None:
    left = place.root / f"{STAGING}abc" / "deep"
    left.mkdir(parents=True)
    (left / "0").write_bytes(b"half")

    place.restore()

    assert list(place.root.iterdir()) == []


def test_removed_entries_are_removed_unless_they_hold_something_else(place: Place) -> None:
    written(place, "d/known")
    written(place, "d/unknown")
    written(place, "e/known")
    paths = ("d", "d/known", "e", "e/known", "never")
    gone = place.folder.look(paths).entries
    seen = {one.path: one for one in gone}
    steps = RestoreSteps((), [*gone, TreeEntry("never", "file", 0o644, 0, "ab" * 32)], seen)

    with place.contents.using():
        place.folder.restore(steps, place.contents, nobody)

    assert set(pictured(place.root)) == {"d", "d/unknown"}
