"""A derived database: opened by many, thrown away by nobody who does not have to."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from holdfast.adapters.code.index import database
from holdfast.adapters.code.index.database import (
    connect,
    open_database,
    reading,
    translated,
    writing,
)
from holdfast.adapters.code.index.refresh_lock import RefreshLock
from holdfast.domain.errors import (
    HoldfastError,
    StoreBusyError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnreadableError,
)
from tests.patience import PATIENCE
from tests.requirements import requirement
from tests.rights import drop_root_rights

SCRIPT = "CREATE TABLE word (text TEXT NOT NULL) STRICT;"
ADDED = """
import sys
from pathlib import Path
from holdfast.adapters.code.index.database import open_database

connection = open_database(Path(sys.argv[1]), script=sys.argv[2], version=3)
connection.execute("INSERT INTO word VALUES ('mine')")
print(connection.filename, *connection.execute("SELECT text FROM word").fetchone())
"""
MADE = """
import sys
from os import getpid
from pathlib import Path
from time import monotonic, sleep
from holdfast.adapters.code.index.database import open_database

# Each process waits for the others at each file, so that they meet in the same moment, but not
# for one that has failed.
folder, until = Path(sys.argv[1]), monotonic() + 10
for name in range(60):
    folder.joinpath(f"{name}.here.{getpid()}").touch()
    while len(list(folder.glob(f"{name}.here.*"))) < 4 and monotonic() < until:
        sleep(0)
    open_database(folder / f"{name}.db", script=sys.argv[2], version=3).close()
"""
SRC = str(Path(__file__).parents[2] / "src")


def opened(path: Path, *, version: int = 3) -> apsw.Connection:
    return open_database(path, script=SCRIPT, version=version)


def words(connection: apsw.Connection) -> list[object]:
    return [text for (text,) in connection.execute("SELECT text FROM word ORDER BY rowid")]


def test_what_was_written_is_there_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "words.db"
    first = opened(path)
    first.execute("INSERT INTO word VALUES ('kept')")
    first.close()

    second = opened(path)

    assert words(second) == ["kept"]
    assert second.pragma("journal_mode") == "wal"
    second.close()


@requirement("code.heals-itself")
def test_another_version_is_thrown_away(tmp_path: Path) -> None:
    path = tmp_path / "words.db"
    first = opened(path, version=2)
    first.execute("INSERT INTO word VALUES ('old')")
    first.close()

    second = opened(path, version=3)

    assert (words(second), second.pragma("user_version")) == ([], 3)
    second.close()


@requirement("code.shared")
def test_two_that_come_at_once_share_what_one_of_them_makes(tmp_path: Path) -> None:
    path = tmp_path / "words.db"
    path.write_bytes(b"neither of them knows this")
    started = [
        subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-c", ADDED, str(path), SCRIPT],
            env={**os.environ, "PYTHONPATH": SRC},
            stdout=subprocess.DEVNULL,
        )
        for _ in range(4)
    ]

    codes = [process.wait(timeout=PATIENCE) for process in started]

    connection = opened(path)
    assert codes == [0] * 4
    assert words(connection) == ["mine"] * 4
    connection.close()


@requirement("code.heals-itself")
def test_in_a_folder_that_cannot_be_written_it_lives_in_memory(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)

    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", ADDED, str(closed / "words.db"), SCRIPT],
        env={**os.environ, "PYTHONPATH": SRC},
        preexec_fn=drop_root_rights,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == ["mine"]
    assert list(closed.iterdir()) == []


def test_a_block_that_fails_writes_nothing(tmp_path: Path) -> None:
    connection = opened(tmp_path / "words.db")

    def fail() -> None:
        with writing(connection):
            connection.execute("INSERT INTO word VALUES ('half')")
            connection.execute("INSERT INTO word VALUES (NULL)")

    with pytest.raises(apsw.ConstraintError):
        fail()

    assert words(connection) == []
    connection.close()


def test_what_is_read_in_a_block_is_of_one_moment(tmp_path: Path) -> None:
    path = tmp_path / "words.db"
    reader, writer = opened(path), opened(path)

    with reading(reader):
        before = words(reader)
        writer.execute("INSERT INTO word VALUES ('later')")
        during = words(reader)

    assert (before, during, words(reader)) == ([], [], ["later"])
    reader.close()
    writer.close()


@requirement("code.shared")
def test_a_writer_waits_for_another_and_says_so_when_that_takes_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "WAIT_SECONDS", 0.05)
    path = tmp_path / "words.db"
    one, other = opened(path), opened(path)

    with writing(one), pytest.raises(apsw.BusyError) as refused, writing(other):
        pass

    assert isinstance(translated(refused.value, path), StoreBusyError)
    one.close()
    other.close()


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (apsw.LockedError("locked"), StoreBusyError),
        (apsw.FullError("full"), StoreFullError),
        (apsw.ReadOnlyError("read-only"), StoreReadOnlyError),
        (apsw.IOError("disk I/O error"), StoreUnreadableError),
    ],
)
def test_troubles_have_the_words_of_the_domain(
    tmp_path: Path, error: apsw.Error, word: type[HoldfastError]
) -> None:
    told = translated(error, tmp_path / "words.db")

    assert isinstance(told, word)
    assert "words.db" in str(told) or word is StoreBusyError


def test_a_turn_is_waited_for_but_not_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "words.db"
    done = []

    with RefreshLock(path).taken(within_seconds=1), RefreshLock(path).taken(within_seconds=0.05):
        done.append("went on without it")
    with (tmp_path / "words.db.lock").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        done.append("was given back")
    with RefreshLock(tmp_path / "nowhere" / "words.db").taken(within_seconds=1):
        done.append("cannot be had")

    assert done == ["went on without it", "was given back", "cannot be had"]


@requirement("code.shared")
def test_many_make_a_new_database_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-c", MADE, str(tmp_path), SCRIPT]
    started = [
        subprocess.Popen(  # noqa: S603 - our own program
            command, env={**os.environ, "PYTHONPATH": SRC}, stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]

    assert [process.communicate(timeout=PATIENCE)[1] for process in started] == [""] * 4


def test_a_new_connection_does_not_wait_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "words.db"
    other = apsw.Connection(str(path))
    other.execute("CREATE TABLE word (text TEXT); BEGIN EXCLUSIVE")
    monkeypatch.setattr(database, "_BETWEEN_TRIES_SECONDS", 0.001)

    with pytest.raises(apsw.BusyError):
        connect(str(path), patience=0.01)

    other.close(force=True)
