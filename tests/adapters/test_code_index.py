"""The index of code: what is read, when it is read again, and what it survives."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Event, Semaphore

import apsw
import pytest

from holdfast.adapters.code.index import files, refresh
from holdfast.adapters.code.index.background import BackgroundReader, changes
from holdfast.adapters.code.index.database import connect, problem_of
from holdfast.adapters.code.index.index import GitCodeIndex
from holdfast.adapters.code.index.refresh_lock import RefreshLock
from holdfast.adapters.code.parsing import outline, workers
from holdfast.adapters.code.parsing.parsed import Parsed
from holdfast.adapters.code.parsing.workers import start_reader
from holdfast.bootstrap.plugs.code import checkout, code_index
from holdfast.domain.code.code import Indexed
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.ports.store.upkeep import Progress
from tests.adapters.test_repository import git
from tests.patience import PATIENCE
from tests.requirements import requirement
from tests.rights import drop_root_rights

ROTATE = "def rotate(token):\n    return revoke(token)\n"
REVOKE = "import base64\n\n\ndef revoke(token):\n    return base64.b64decode(token)\n"
SRC = str(Path(__file__).parents[2] / "src")


class Tree:
    """A working tree, and the index of it."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root, self.home = root, home
        self.index: GitCodeIndex = code_index(home=home, folder=root)

    def write(self, path: str, content: str | bytes) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)

    def refresh(self, *, anew: bool = False) -> Indexed:
        return self.index.refresh(nobody_watches, anew=anew)

    @property
    def database(self) -> Path:
        return checkout(home=self.home, folder=self.root).database

    def rows(self, query: str) -> list[tuple[object, ...]]:
        connection = connect(str(self.database))
        try:
            return sorted(connection.execute(query).fetchall(), key=repr)
        finally:
            connection.close()

    def paths(self) -> list[object]:
        return [path for (path,) in self.rows("SELECT path FROM file WHERE left_out IS NULL")]

    def names(self) -> list[object]:
        return [name for (name,) in self.rows("SELECT name FROM symbol")]

    def found(self, words: str) -> list[object]:
        """Return the files in which a word is found, as it is written or inside a name."""
        connection = connect(str(self.database))
        query = (
            "SELECT DISTINCT path FROM file JOIN chunk ON chunk.file = file.id WHERE chunk.id IN"
            " (SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH ?) ORDER BY path"
        )
        try:
            return [path for (path,) in connection.execute(query, (f'"{words}"',))]
        finally:
            connection.close()


def nobody_watches(_done: int, _total: int) -> None:
    """Take no notice."""


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[Tree]:
    root = tmp_path / "app"
    root.mkdir()
    git(root, "init", "-q")
    tree = Tree(root, tmp_path / "home")
    tree.write("src/vault.py", ROTATE)
    tree.write("src/guard.py", REVOKE)
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "first")
    yield tree
    tree.index.close()


@pytest.fixture
def no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every parsing fail, so that a test proves that none was needed."""

    def parse(path: str, _content: bytes) -> Parsed:
        raise AssertionError(path)

    monkeypatch.setattr(outline, "parse", parse)


def test_tracked_and_new_files_are_read_and_ignored_ones_are_not(tree: Tree) -> None:
    tree.write(".gitignore", "build/\n")
    tree.write("build/made.py", ROTATE)
    tree.write("src/new.py", "class Fresh:\n    def start(self):\n        pass\n")

    indexed = tree.refresh()

    assert tree.paths() == [".gitignore", "src/guard.py", "src/new.py", "src/vault.py"]
    assert {"rotate", "revoke", "Fresh", "Fresh.start"} <= set(tree.names())
    assert (indexed.files, indexed.read, indexed.removed) == (4, 4, 0)
    assert indexed.symbols == len(tree.names())
    assert tree.rows("SELECT name FROM call WHERE name = 'revoke'") == [("revoke",)]
    assert tree.rows("SELECT module FROM import") == [("base64",)]


def test_identifiers_are_found_whole_and_by_the_words_inside_them(tree: Tree) -> None:
    tree.write("names.py", "def rotate_refresh_token(oldFamily):\n    return oldFamily\n")

    tree.refresh()

    for words in ("rotate_refresh_token", "refresh", "oldFamily", "family"):
        assert tree.found(words) == ["names.py"]
    assert tree.found("src") == ["src/guard.py", "src/vault.py"]


@requirement("code.only-changes-read")
def test_a_second_look_reads_nothing(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    first = tree.refresh()
    _settle(tree, monkeypatch)

    def read_file(_root: Path, path: str) -> None:
        raise AssertionError(path)

    monkeypatch.setattr(refresh, "read_file", read_file)
    again = tree.refresh()

    assert (again.read, again.removed) == (0, 0)
    assert (again.files, again.symbols) == (first.files, first.symbols)


def _settle(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Look once more, as somebody would who comes after the disk's clock has moved on."""
    with monkeypatch.context() as patch:
        patch.setattr("holdfast.adapters.code.index.files.RACY_NANOSECONDS", 0)
        tree.refresh()


@requirement("code.only-changes-read")
def test_only_the_file_that_changed_is_read(tree: Tree) -> None:
    tree.refresh()

    tree.write("src/vault.py", "def renew(token):\n    return token\n")
    indexed = tree.refresh()

    assert (indexed.read, indexed.files) == (1, 2)
    assert tree.names() == ["renew", "revoke"]
    assert (tree.found("renew"), tree.found("rotate")) == (["src/vault.py"], [])


@requirement("code.matches-the-checkout")
def test_a_change_of_the_same_size_and_date_is_seen(tree: Tree) -> None:
    path = tree.root / "src" / "vault.py"
    before = path.stat()
    tree.refresh()

    path.write_text(ROTATE.replace("rotate", "rotten"), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    tree.refresh()

    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert tree.names() == ["revoke", "rotten"]


@requirement("code.matches-the-checkout")
def test_a_change_within_a_tick_of_the_clock_is_seen(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A disk whose clock stands still, as those do that tick every two seconds.
    monkeypatch.setattr("holdfast.adapters.code.index.files.signature_of", lambda _: "the same")
    tree.refresh()

    tree.write("src/vault.py", ROTATE.replace("rotate", "rotten"))
    tree.refresh()

    assert tree.names() == ["revoke", "rotten"]


def test_a_file_that_was_only_touched_is_not_parsed(
    tree: Tree, request: pytest.FixtureRequest
) -> None:
    tree.refresh()
    os.utime(tree.root / "src" / "vault.py")

    request.getfixturevalue("no_parser")
    indexed = tree.refresh()

    assert (indexed.read, indexed.files) == (0, 2)


@requirement("code.only-changes-read")
def test_a_renamed_file_keeps_what_was_found_in_it(
    tree: Tree, request: pytest.FixtureRequest
) -> None:
    tree.refresh()
    about = "SELECT name, kind, symbol.first, symbol.last, symbol.signature, doc FROM symbol"
    before = [tree.rows(query) for query in (about, "SELECT name FROM call")]
    git(tree.root, "mv", "src/vault.py", "src/harbour.py")
    git(tree.root, "mv", "src/guard.py", "tower.py")

    request.getfixturevalue("no_parser")
    indexed = tree.refresh()

    assert (indexed.files, indexed.read, indexed.removed) == (2, 2, 2)
    assert tree.paths() == ["src/harbour.py", "tower.py"]
    assert [tree.rows(query) for query in (about, "SELECT name FROM call")] == before
    assert tree.rows("SELECT module FROM import") == [("base64",)]
    assert (tree.found("harbour"), tree.found("vault")) == (["src/harbour.py"], [])


def test_the_same_bytes_under_another_ending_are_read_in_its_language(tree: Tree) -> None:
    tree.refresh()

    tree.write("notes.txt", ROTATE)
    tree.refresh()

    assert tree.names() == ["revoke", "rotate"]
    assert tree.found("rotate") == ["notes.txt", "src/vault.py"]


@requirement("code.matches-the-checkout")
def test_deleted_and_newly_ignored_files_disappear(tree: Tree) -> None:
    tree.write("draft.py", "def unfinished(): ...\n")
    tree.refresh()

    (tree.root / "src" / "guard.py").unlink()
    tree.write(".gitignore", "draft.py\n")
    indexed = tree.refresh()

    assert (indexed.removed, tree.names()) == (2, ["rotate"])
    assert tree.found("unfinished") == tree.found("guard") == []
    for table in ("chunk", "call", "import"):
        query = f"SELECT file FROM {table} EXCEPT SELECT id FROM file"  # noqa: S608 - our own names
        assert tree.rows(query) == []
    assert tree.rows("SELECT rowid FROM chunk_fts EXCEPT SELECT id FROM chunk") == []


@requirement("code.matches-the-checkout")
def test_another_branch_is_another_checkout(tree: Tree) -> None:
    git(tree.root, "checkout", "-q", "-b", "feature")
    tree.write("src/feature.py", "def featured(): ...\n")
    git(tree.root, "add", ".")
    git(tree.root, "commit", "-q", "-m", "second")
    tree.refresh()
    assert "featured" in tree.names()

    git(tree.root, "checkout", "-q", "main")
    tree.refresh()

    assert tree.names() == ["revoke", "rotate"]


PASSED_OVER = {
    "binary": ("picture.py", b"\x89PNG\0\0"),
    "larger than 1 MiB": ("data.py", b"x = 1\n" * 200_000),
    "minified": ("app.js", b"var a=1;" * 1_000),
    "vendored": ("web/node_modules/left/pad.js", b"function pad() {}\n"),
}
GENERATED = {
    "go": ("made.go", b"// Code generated by mockery. DO NOT EDIT.\npackage made\n"),
    "mark": ("made.rs", b"// @generated\nfn made() {}\n"),
    "table": ("parsetab.py", b"# parsetab.py\n# This file is automatically generated by ply\n"),
    "lock": ("uv.lock", b"version = 1\n"),
    "protocol": ("event_pb2.py", b"def made(): ...\n"),
}


@requirement("code.passed-over-is-told")
@pytest.mark.parametrize("reason", PASSED_OVER)
def test_files_that_nobody_reads_are_passed_over(tree: Tree, reason: str) -> None:
    tree.write(*PASSED_OVER[reason])

    indexed, again = tree.refresh(), tree.refresh()

    assert indexed.passed_over == again.passed_over == ((reason, 1),)
    assert (indexed.files, again.read) == (2, 0)


@requirement("code.passed-over-is-told")
@pytest.mark.parametrize("kind", GENERATED)
def test_files_that_nobody_wrote_are_passed_over(tree: Tree, kind: str) -> None:
    tree.write(*GENERATED[kind])

    assert tree.refresh().passed_over == (("generated", 1),)


def test_a_file_that_speaks_of_generated_code_is_read(tree: Tree) -> None:
    tree.write("src/finding.py", 'MARK = "Code generated by"\n\n\ndef is_generated(): ...\n')
    tree.write("prose.md", "A paragraph on one line. " * 100)

    indexed = tree.refresh()

    assert (indexed.passed_over, indexed.files) == ((), 4)


@requirement("code.passed-over-is-told")
def test_attributes_have_the_last_word(tree: Tree) -> None:
    tree.write("made.go", "// Code generated by hand.\npackage made\n\nfunc Made() {}\n")
    tree.write("vendor/ours.py", "def ours(): ...\n")
    assert tree.refresh().passed_over == (("generated", 1), ("vendored", 1))

    tree.write(
        ".gitattributes",
        "*.go linguist-generated=false\nvendor/** -linguist-vendored\n"
        "src/vault.py linguist-generated\nsrc/guard.py linguist-vendored=true\n",
    )
    told = tree.refresh()

    assert told.passed_over == (("generated", 1), ("vendored", 1))
    assert tree.names() == ["Made", "ours"]

    tree.write(".gitattributes", "\n")
    tree.refresh()

    assert tree.names() == ["revoke", "rotate"]


@requirement("code.passed-over-is-told")
def test_links_submodules_and_unreadable_things_are_not_followed(
    tree: Tree, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "vault.py").write_text("def stolen(): ...\n", encoding="utf-8")
    inner = tree.root / "inner"
    inner.mkdir()
    git(inner, "init", "-q")
    (tree.root / "link.py").symlink_to(outside / "vault.py")
    shutil.rmtree(tree.root / "src")
    (tree.root / "src").symlink_to(outside)
    os.mkfifo(tree.root / "pipe.py")

    indexed = tree.refresh()

    assert dict(indexed.passed_over) == {"links": 3, "submodules": 1}
    assert tree.names() == []


@requirement("code.passed-over-is-told")
def test_a_file_that_may_not_be_read_is_told_and_forgotten(tree: Tree) -> None:
    tree.refresh()
    (tree.root / "src" / "guard.py").chmod(0)

    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", _INDEXED, str(tree.home), str(tree.root)],
        env={**os.environ, "PYTHONPATH": SRC},
        preexec_fn=drop_root_rights,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == "1 1 {'not readable': 1}\n"
    assert tree.names() == ["rotate"]


def test_names_that_are_no_text_are_passed_over(tree: Tree) -> None:
    with open(os.fsencode(tree.root) + b"/caf\xe9.py", "wb") as file:  # noqa: PTH123 - bytes
        file.write(ROTATE.encode())
    tree.write("odd \n'name\t.py", "def odd(): ...\n")

    indexed = tree.refresh()

    assert indexed.passed_over == (("no UTF-8 name", 1),)
    assert "odd" in tree.names()


@pytest.mark.parametrize(
    "content", [b"", b"\xef\xbb\xbf", b"\xff\xfe\xe9 = 1\n", b"def a(:\n  \x0c((\r\nx\r", b"\n\n\n"]
)
def test_odd_text_is_read_as_well_as_it_can_be(tree: Tree, content: bytes) -> None:
    tree.write("odd.py", content)

    indexed = tree.refresh()

    assert (indexed.files, indexed.read) == (3, 3)


@requirement("code.constant-processes")
def test_git_is_asked_as_often_for_many_files_as_for_few(tree: Tree) -> None:
    here = checkout(home=tree.home, folder=tree.root)
    asked: list[str] = []

    def ask(*words: str, given: bytes | None = None) -> tuple[int, str, str]:
        asked.append(words[0])
        return here.ask(*words, given=given)

    index = GitCodeIndex(lambda: type(here)(root=here.root, ask=ask, database=here.database))
    tree.write(".gitattributes", "*.md linguist-generated\n")
    for number in range(40):
        tree.write(f"deep/{number}/file.py", f"def number_{number}(): ...\n")

    index.refresh(nobody_watches)
    index.close()

    assert asked == ["ls-files", "check-attr"]


@requirement("code.worktrees-apart")
def test_two_worktrees_have_an_index_each(tree: Tree, tmp_path: Path) -> None:
    git(tree.root, "worktree", "add", "-q", str(tmp_path / "beside"))
    beside = Tree(tmp_path / "beside", tree.home)
    beside.write("only_here.py", "def beside(): ...\n")

    tree.refresh()
    beside.refresh()
    again = tree.refresh()
    beside.index.close()

    assert (again.read, again.removed) == (0, 0)
    assert beside.database != tree.database
    assert ("beside" in beside.names(), "beside" in tree.names()) == (True, False)


def test_without_a_repository_there_is_nothing_to_index(tmp_path: Path) -> None:
    index = code_index(home=tmp_path / "home", folder=tmp_path)

    with pytest.raises(NoHistoryError):
        index.refresh(nobody_watches)


def test_a_repository_without_a_commit_is_indexed(tmp_path: Path) -> None:
    root = tmp_path / "new"
    root.mkdir()
    git(root, "init", "-q")
    tree = Tree(root, tmp_path / "home")
    tree.write("a.py", ROTATE)

    assert tree.refresh().files == 1
    tree.index.close()


def test_a_repository_that_git_cannot_read_is_told(tree: Tree) -> None:
    (tree.root / ".git" / "index").write_bytes(b"no index")

    with pytest.raises(OutsideUnavailableError, match="git reported an error"):
        tree.refresh()


def test_anew_reads_everything_again(tree: Tree) -> None:
    tree.refresh()

    assert tree.refresh(anew=True).read == 2
    assert tree.refresh().read == 0


def test_other_grammars_read_everything_again(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    tree.refresh()

    monkeypatch.setattr(refresh, "reader", lambda: "another")
    again, after = tree.refresh(), tree.refresh()

    assert (again.read, after.read) == (2, 0)


@requirement("code.survives-kill")
def test_an_index_that_was_killed_half_way_is_completed(tree: Tree) -> None:
    for number in range(30):
        tree.write(f"many/file_{number}.py", f"def number_{number}(): ...\n")
    killed = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", _KILLED, str(tree.home), str(tree.root)],
        env={**os.environ, "PYTHONPATH": SRC},
        check=False,
    )
    half = len(tree.paths())

    indexed = tree.refresh()

    assert killed.returncode == -signal.SIGKILL
    assert 0 < half < 32
    assert (indexed.files, indexed.read) == (32, 32 - half)
    assert set(tree.names()) >= {f"number_{number}" for number in range(30)}


_KILLED = """
import os, signal, sys
from pathlib import Path
from holdfast.adapters.code.index import refresh
from holdfast.bootstrap.plugs.code import code_index

refresh._WRITTEN_TOGETHER = 5
def progress(done, total):
    if done == 20:
        os.kill(os.getpid(), signal.SIGKILL)
code_index(home=Path(sys.argv[1]), folder=Path(sys.argv[2])).refresh(progress)
"""
_INDEXED = """
import sys
from pathlib import Path
from holdfast.bootstrap.plugs.code import code_index

index = code_index(home=Path(sys.argv[1]), folder=Path(sys.argv[2]))
indexed = index.refresh(lambda done, total: None)
print(indexed.files, indexed.removed, dict(indexed.passed_over))
"""


@requirement("code.shared")
def test_processes_that_index_at_once_do_not_disturb_each_other(tree: Tree) -> None:
    for number in range(60):
        tree.write(f"many/file_{number}.py", f"def number_{number}(): ...\n" * 20)
    command = [sys.executable, "-c", _INDEXED, str(tree.home), str(tree.root)]
    environment = {**os.environ, "PYTHONPATH": SRC}

    started = [
        subprocess.Popen(  # noqa: S603 - our own program
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    said = [process.communicate(timeout=PATIENCE) for process in started]

    assert said == [("62 0 {}\n", "")] * 3
    assert tree.refresh().read == 0
    assert len(tree.paths()) == 62


@requirement("code.workers-agree")
def test_several_processes_find_what_one_finds(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    _many(tree, monkeypatch)
    tree.refresh()
    one = _everything(tree)

    tree.index = code_index(home=tree.home, folder=tree.root, is_program=True)
    tree.index._workers = 2
    indexed = tree.refresh(anew=True)

    assert indexed.read == 22
    assert _everything(tree) == one
    assert multiprocessing.active_children() == []


@requirement("code.workers-agree")
def test_processes_that_die_lose_nothing(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    _many(tree, monkeypatch)
    tree.index = code_index(home=tree.home, folder=tree.root)
    tree.index._workers = 2

    def kill_them(_done: int, _total: int) -> None:
        for child in multiprocessing.active_children():
            child.kill()

    indexed = tree.index.refresh(kill_them)

    assert (indexed.files, indexed.read) == (22, 22)
    assert len(tree.paths()) == 22


@requirement("code.only-changes-read")
def test_without_a_changed_file_no_process_is_started(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[object] = []

    def start() -> tuple[SpawnProcess, Connection] | None:
        started.append(reader := start_reader())
        return reader

    monkeypatch.setattr(workers, "start_reader", start)
    tree.index = code_index(home=tree.home, folder=tree.root, is_program=True)
    tree.refresh()
    before = len(started)

    tree.refresh()

    assert (before, len(started)) == (1, 1)


def _many(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refresh, "_WORTH_MORE_PROCESSES", 2)
    monkeypatch.setattr(workers, "_TOGETHER", 3)
    for number in range(20):
        tree.write(f"many/file_{number}.py", f"def number_{number}():\n    rotate()\n")


def _everything(tree: Tree) -> list[list[tuple[object, ...]]]:
    """Return all that the index holds, but for the numbers it gave."""
    of_file = "FROM {} JOIN file ON file.id = {}.file"
    queries = [
        "SELECT path, hex(blob), language, has_errors, left_out FROM file",
        f"SELECT path, name, short, kind, first, last, doc {of_file.format('symbol', 'symbol')}",
        f"SELECT path, first, last {of_file.format('chunk', 'chunk')}",
        f"SELECT path, name, line {of_file.format('call', 'call')}",
    ]
    return [tree.rows(query) for query in queries]


@requirement("code.heals-itself")
@pytest.mark.parametrize("harm", ["no database", "torn", "another version", "foreign", "empty"])
def test_a_harmed_index_is_made_anew(tree: Tree, harm: str) -> None:
    tree.refresh()
    tree.index.close()
    path = tree.database
    whole = path.read_bytes()
    if harm == "another version":
        connection = connect(str(path))
        connection.pragma("user_version", 999)
        connection.close()
    elif harm == "foreign":
        path.unlink()
        connection = connect(str(path))
        connection.execute("CREATE TABLE file (id); PRAGMA user_version = 0").fetchall()
        connection.close()
    else:
        torn = whole[:4096] + b"\xff" * (len(whole) - 4096)
        path.write_bytes({"no database": b"x" * 5000, "torn": torn, "empty": b""}[harm])

    indexed = tree.refresh()

    assert (indexed.files, indexed.read) == (2, 2)
    assert tree.names() == ["revoke", "rotate"]
    assert tree.refresh().read == 0


@requirement("code.heals-itself")
def test_where_nothing_can_be_written_the_index_lives_in_memory(tree: Tree, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the folder should be", encoding="utf-8")
    here = checkout(home=tree.home, folder=tree.root)
    index = GitCodeIndex(
        lambda: type(here)(root=here.root, ask=here.ask, database=blocked / "code" / "index.db")
    )

    first, second = index.refresh(nobody_watches), index.refresh(nobody_watches)
    index.close()

    assert (first.files, first.read, second.read) == (2, 2, 0)


def test_what_is_kept_is_for_its_owner_only(tree: Tree) -> None:
    tree.refresh()

    assert tree.database.stat().st_mode & 0o777 == 0o600
    assert tree.database.parent.stat().st_mode & 0o777 == 0o700


@requirement("code.matches-the-checkout")
def test_a_watch_tells_each_round_that_changed_something(tree: Tree) -> None:
    tree.refresh()
    pauses = iter(["nothing", "write", "nothing", "remove", "end"])

    def pause(seconds: float) -> None:
        assert seconds >= 0
        if seconds != 7:
            return
        match next(pauses):
            case "write":
                tree.write("src/watched.py", "def watched(): ...\n")
            case "remove":
                (tree.root / "src" / "watched.py").unlink()
            case "end":
                raise KeyboardInterrupt
            case _:
                pass

    seen: list[tuple[int, int, int]] = []
    with pytest.raises(KeyboardInterrupt):
        seen.extend(
            (round_.read, round_.removed, round_.files)
            for round_ in changes(tree.refresh, every=7, pause=pause)
        )

    assert seen == [(1, 0, 3), (0, 1, 2)]


@requirement("code.matches-the-checkout")
def test_every_answer_is_of_this_moment(tree: Tree) -> None:
    assert tree.index.search("rotate", limit=5).passages[0].reference == "src/vault.py:1-2"

    tree.write("src/vault.py", "\n\n" + ROTATE)
    hits = tree.index.search("rotate", limit=5).passages
    (place,) = tree.index.named("rotate", limit=5)
    neighbours = tree.index.around(place, hops=1, limit=5)
    (tree.root / "src" / "vault.py").unlink()
    after = tree.index.search("rotate", limit=5).passages

    assert (hits[0].reference, hits[0].text) == ("src/vault.py:3-4", ROTATE.rstrip())
    assert place.reference == "src/vault.py:3-4"
    assert [each.place.symbol.name for each in neighbours] == ["revoke"]
    assert not [hit for hit in after if hit.reference.startswith("src/vault.py")]
    assert tree.index.named("rotate", limit=5) == []


@requirement("code.heals-itself")
def test_damage_that_shows_while_searching_is_mended(tree: Tree) -> None:
    tree.refresh()
    tree.index.close()
    connection = apsw.Connection(str(tree.database))
    page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'chunk'").get
    connection.close()
    with tree.database.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096)

    hits = tree.index.search("rotate", limit=5).passages

    assert hits[0].reference == "src/vault.py:1-2"


@requirement("store.derived-damage-noticed")
@pytest.mark.parametrize("table", ["symbol", "chunk"])
def test_a_changed_number_of_a_row_is_seen_and_mended(tree: Tree, table: str) -> None:
    tree.refresh()
    tree.index.close()
    connection = apsw.Connection(str(tree.database))
    connection.pragma("ignore_check_constraints", 1)
    connection.execute(f"UPDATE {table} SET last = last + 512")  # noqa: S608 - a table of this test
    connection.close()

    assert problem_of(tree.database) is not None

    (place, *_) = tree.index.named("rotate", limit=3)
    hits = tree.index.search("rotate", limit=5).passages

    assert (place.symbol.first, place.symbol.last) == (1, 2)
    assert hits[0].reference == "src/vault.py:1-2"
    assert problem_of(tree.database) is None


@requirement("code.outlives-its-parser")
def test_a_file_that_brings_its_reader_down_is_plain_text(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    _many(tree, monkeypatch)
    tree.write("many/evil.py", "def evil():\n    crash_the_parser()\n")
    tree.index = code_index(home=tree.home, folder=tree.root)
    tree.index._workers = 2
    monkeypatch.setattr(workers, "work", crash_on_evil)

    indexed = tree.refresh()

    assert indexed.files == 23
    assert tree.rows("SELECT has_errors FROM file WHERE path = 'many/evil.py'") == [(1,)]
    assert tree.rows("SELECT count(*) FROM symbol WHERE short LIKE 'number_%'") == [(20,)]
    assert tree.refresh().read == 0


def crash_on_evil(line: Connection) -> None:
    """Work like a reader whose parser does not survive one of the files."""
    while True:
        try:
            batch = line.recv()
        except EOFError:
            return
        if any(source.path == "many/evil.py" for source in batch):
            os.kill(os.getpid(), signal.SIGSEGV)
        line.send([workers.shaped(source) for source in batch])


class Large(Tree):
    """A working tree with more files than are read while somebody waits for no time at all."""

    MANY = 100

    def __init__(self, root: Path, home: Path) -> None:
        super().__init__(root, home)
        for number in range(self.MANY):
            self.write(f"src/part_{number:03}.py", f"def step_{number:03}():\n    return 1\n")
        self.write("src/zebra/stripes.py", "def paint():\n    return 'stripes'\n")
        self.went_on = 0
        find = partial(checkout, home=home, folder=root)
        self.index = GitCodeIndex(find, patience=0.0, read_on=self._read_on)

    def _read_on(self) -> None:
        self.went_on += 1


@pytest.fixture
def large(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> Large:
    # The files were written just now, and the test does not wait until the disk's clock moves.
    monkeypatch.setattr(files, "RACY_NANOSECONDS", -3_600_000_000_000)
    return Large(tree.root, tree.home)


@requirement("code.answers-before-all-is-read")
def test_a_first_question_is_answered_from_the_files_it_names_and_says_what_is_unread(
    large: Large,
) -> None:
    found = large.index.search("where are the zebras painted", limit=5)

    assert found.passages[0].reference == "src/zebra/stripes.py:1-2"
    assert 0 < found.files < large.MANY
    assert found.files + found.unread == large.MANY + 3
    assert large.went_on == 1


@requirement("code.answers-before-all-is-read")
def test_each_question_reads_on_until_everything_was_read(large: Large) -> None:
    unread = [large.index.search("step_099", limit=1).unread for _ in range(4)]

    assert unread == sorted(unread, reverse=True)
    assert unread[-1] == 0
    assert large.went_on == sum(map(bool, unread))
    assert large.index.search("step_099", limit=1).passages[0].title.startswith("step_099")


@requirement("code.answers-before-all-is-read")
@requirement("code.matches-the-checkout")
def test_of_a_file_whose_new_text_is_unread_nothing_is_shown(large: Large) -> None:
    large.refresh()
    large.write("src/vault.py", "# moved\n" + ROTATE)

    with RefreshLock(large.database).taken(within_seconds=0):
        meanwhile = large.index.search("rotate", limit=9)

    assert meanwhile.unread == 1
    assert "src/vault.py" not in {one.reference.partition(":")[0] for one in meanwhile.passages}
    after = large.index.search("rotate", limit=9)
    assert after.unread == 0
    assert "src/vault.py:1-3" in {one.reference for one in after.passages}


@requirement("code.answers-before-all-is-read")
def test_while_another_process_reads_a_question_is_answered_from_what_is_there(
    large: Large,
) -> None:
    large.database.parent.mkdir(parents=True)
    with RefreshLock(large.database).taken(within_seconds=0):
        meanwhile = large.index.search("rotate", limit=9)

    assert (meanwhile.passages, meanwhile.files) == ((), 0)
    assert meanwhile.unread == large.MANY + 3


@requirement("code.answers-before-all-is-read")
def test_a_symbol_is_looked_up_in_all_files_and_a_person_sees_how_far_that_is(
    large: Large,
) -> None:
    seen: list[tuple[int, int]] = []

    def watch() -> AbstractContextManager[Progress]:
        return nullcontext(lambda done, total: seen.append((done, total)))

    find = partial(checkout, home=large.home, folder=large.root)
    index = GitCodeIndex(find, patience=0.0, watch=watch)

    assert index.named("step_099", limit=1)[0].path == "src/part_099.py"
    assert seen[-1] == (large.MANY + 3, large.MANY + 3)


@requirement("code.answers-before-all-is-read")
def test_a_server_reads_on_beside_its_work(large: Large) -> None:
    done = Event()

    class Index(GitCodeIndex):
        def close(self) -> None:
            super().close()
            done.set()

    find = partial(checkout, home=large.home, folder=large.root)
    read_on = BackgroundReader(lambda: Index(find))
    index = GitCodeIndex(find, patience=0.0, read_on=read_on)

    first = index.search("rotate", limit=1)
    assert done.wait(PATIENCE)

    assert first.unread > 0
    assert large.refresh().read == 0


def test_reading_on_gives_way_to_trouble_and_tries_again(tmp_path: Path) -> None:
    tries = Semaphore(0)

    def nowhere() -> GitCodeIndex:
        tries.release()
        return code_index(home=tmp_path / "home", folder=tmp_path)

    read_on = BackgroundReader(nowhere)
    read_on()
    assert tries.acquire(timeout=PATIENCE)

    assert any(_tried_again(read_on, tries) for _ in range(60_000))


def _tried_again(read_on: BackgroundReader, tries: Semaphore) -> bool:
    read_on()
    return tries.acquire(timeout=0.01)
