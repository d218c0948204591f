"""The shape of the store: made at once, made in steps, and refused when it is not ours."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import shutil
import signal
from pathlib import Path

import apsw
import pytest

from holdfast.adapters.sql.queries import load_scripts
from holdfast.adapters.sqlite.database import connection as connections
from holdfast.adapters.sqlite.database.rows import sealed
from holdfast.adapters.sqlite.derived.migrations import LATEST, expected_schema, migrate
from holdfast.adapters.sqlite.memory.memory_rows import MEMORY, memory_values
from holdfast.adapters.sqlite.queries import MIGRATIONS, SQL
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.domain.choices import EvidenceType, Kind
from holdfast.domain.errors import StoreUnreadableError
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.place import DEFAULT_SPACE
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.review.curation import Severity
from holdfast.domain.version_errors import NewerStoreError, OldLibraryError, StoreUpgradedError
from tests.builders import (
    HERE,
    NOON,
    a_branch_point,
    a_bundle,
    a_reason,
    a_rewrite,
    a_session,
    a_span,
    a_tombstone,
    a_tuning,
    a_turn,
    an_anchor,
)
from tests.contract.steps import keep, memory_id, numbered, read, said_nothing
from tests.requirements import requirement


def an_old_store(path: Path) -> None:
    """Make the store that the first migration alone makes."""
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    connection.execute(load_scripts(MIGRATIONS)[0]).fetchall()
    connection.close()


def run(path: Path, statement: str) -> None:
    """Do something to the file behind the store's back."""
    connection = apsw.Connection(str(path))
    connection.execute(statement).fetchall()
    connection.close()


AGENT_TABLES = (
    *("memory_index", "action_result", "action_proposal", "agent_cycle", "agent_lease", "agent"),
    "ciphertext",
)


LATE_TABLES = ("said", "said_place", "said_word", "said_vector", "document")


def back_to_the_fifth(path: Path) -> None:
    """Give a store the check back that listed the kinds of memory."""
    first = load_scripts(MIGRATIONS)[0]
    check = first[first.index("CHECK (kind IN") : first.index(",\n    key ")]
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute(
        "UPDATE sqlite_schema SET sql = replace(sql, 'REFERENCES kind (name)', ?)"
        " WHERE name = 'memory'",
        (check,),
    )
    connection.execute(
        "UPDATE sqlite_schema SET sql = replace(sql, ?, '') WHERE name = 'memory_standing'",
        (", 'noted'",),
    )
    connection.execute("PRAGMA writable_schema = RESET")
    connection.execute("DROP TABLE kind; DROP TABLE access_token; DROP TABLE reply")
    for table in (*AGENT_TABLES, "workspace_file", "workspace_snapshot", "workspace"):
        connection.execute(f"DROP TABLE {table}")
    for table in (*LATE_TABLES, "task", "task_edge", "task_index", "session_record", "run_step"):
        connection.execute(f"DROP TABLE {table}")
    connection.execute("PRAGMA user_version = 5")
    connection.close()


def back_to_the_third(path: Path) -> None:
    """Take everything out of a store that came with its fourth schema and later ones."""
    back_to_the_fifth(path)
    for table in ("span_anchor", "standpoint", "rewrite", "run", "decision"):
        run(path, f"DROP TABLE {table}")
    for index in ("span_repo", "span_path", "memory_when", "link_contradicts"):
        run(path, f"DROP INDEX {index}")
    run(path, "PRAGMA user_version = 3")


def version(path: Path) -> object:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return connection.execute("PRAGMA user_version").get
    finally:
        connection.close()


@requirement("store.schema-is-migrations")
def test_the_schema_is_the_sum_of_its_migrations() -> None:
    connection = apsw.Connection(":memory:")

    for script in load_scripts(MIGRATIONS):
        connection.execute(script).fetchall()

    rows = connection.execute(SQL["schema"]).fetchall()
    assert {tuple(str(value) for value in row) for row in rows} == expected_schema()
    assert connection.execute("PRAGMA user_version").get == LATEST == len(load_scripts(MIGRATIONS))


def test_an_old_store_is_upgraded_when_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    an_old_store(path)

    store = SqliteStore.open(path)

    keep(store, numbered(1))
    assert read(store, memory_id(1)).memory.claim == "Claim 1."
    assert version(path) == LATEST
    store.close()


def test_the_memories_of_an_old_store_are_whole_after_the_upgrade(tmp_path: Path) -> None:
    path = tmp_path / "home" / "holdfast.db"
    claim = "The nightly deploy takes the old workers out one after the other, never all at once."
    store = SqliteStore.open(path)
    before = keep(store, numbered(1, claim=claim), numbered(2))
    store.close()
    back_to_the_third(path)
    later = "memory_band common_term memory_tag memory_turn memory_name embedding_model embedding"
    for table in f"{later} embedding_change tuning".split():
        run(path, f"DROP TABLE {table}")
    run(path, "DROP INDEX memory_kind; DROP INDEX memory_wide; PRAGMA user_version = 1")

    store = SqliteStore.open(path)

    assert [read(store, record.memory.id) for record in before] == before
    with store.reading() as tx:
        alike = tx.finding.words.alike(claim.replace("nightly", "weekly"), Selection(), limit=5)
    assert [record.memory.id for record in alike] == [memory_id(1)]
    findings = store.upkeep.check(said_nothing)
    assert {finding.severity for finding in findings} == {Severity.OK}
    store.close()


def test_memories_of_an_older_store_get_the_names_that_this_version_reads(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    kept = keep(store, numbered(1, claim="Demon Dice is a game of dice."))
    store.close()
    for table in LATE_TABLES:
        run(path, f"DROP TABLE {table}")
    run(path, "DELETE FROM memory_name; PRAGMA user_version = 13")

    store = SqliteStore.open(path)

    with store.reading() as tx:
        found = tx.finding.around.named(["demon dice"], Selection(), limit=5)
    assert found == {"demon dice": (kept[0].sequence,)}
    assert {finding.severity for finding in store.upkeep.check(said_nothing)} == {Severity.OK}
    store.close()


@requirement("said.turn-form")
def test_memories_of_an_older_store_get_their_place_in_a_session(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    references = (
        ("i_7h2m4x/3",),
        ("talk#4", "i_7h2m4x/5"),
        ("nothing", "i_7h2m4x/6", "i_7h2m4x/7"),
        ("i_7h2m4x/x",),
        ("i_a b/1",),
    )
    said = [
        numbered(
            place,
            evidence=tuple(a_reason(type=EvidenceType.TURN, reference=each) for each in every),
        )
        for place, every in enumerate(references, start=1)
    ]
    keep(store, *said)
    store.close()
    for table in LATE_TABLES:
        run(path, f"DROP TABLE {table}")
    run(path, "DELETE FROM memory_turn WHERE thread LIKE 'i_%'; PRAGMA user_version = 14")

    store = SqliteStore.open(path)

    with store.reading() as tx:
        turns = tx.finding.around.turns(range(1, 6))
    assert {number: (turn.thread, turn.number) for number, turn in turns.items()} == {
        1: ("i_7h2m4x", 3),
        2: ("talk", 4),
        3: ("i_7h2m4x", 6),
    }
    assert {finding.severity for finding in store.upkeep.check(said_nothing)} == {Severity.OK}
    store.close()


@requirement("store.kinds-in-a-table")
def test_an_older_store_gets_the_kinds_as_a_table_and_keeps_its_memories(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    before = keep(store, *(numbered(place, kind=kind) for place, kind in enumerate(Kind)))
    store.close()
    back_to_the_fifth(path)

    store = SqliteStore.open(path)

    assert [read(store, record.memory.id) for record in before] == before
    keep(store, *(numbered(100 + place, kind=kind) for place, kind in enumerate(Kind)))
    assert {finding.severity for finding in store.upkeep.check(said_nothing)} == {Severity.OK}
    store.close()
    assert version(path) == LATEST


@requirement("store.kinds-in-a-table")
def test_the_table_holds_exactly_the_kinds_that_there_are(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    SqliteStore.open(path).close()
    connection = apsw.Connection(str(path))

    names = {name for (name,) in connection.execute("SELECT name FROM kind").fetchall()}

    connection.close()
    assert names == {kind.value for kind in Kind}


@requirement("store.kinds-in-a-table")
def test_a_kind_of_a_later_version_is_named_and_nothing_else_suffers(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(1), numbered(2))
    store.close()
    row = list(memory_values(1, numbered(1)))[:-2]
    row[7] = "hunch"
    _, *salt_and_hash = sealed(MEMORY, tuple(row))[len(row) - 1 :]
    connection = apsw.Connection(str(path))
    connection.execute("INSERT INTO kind (name) VALUES ('hunch')")
    connection.execute(
        "UPDATE memory SET kind = 'hunch', salt = ?, row_hash = ? WHERE seq = 1", salt_and_hash
    )
    connection.close()

    store = SqliteStore.open(path)

    with pytest.raises(StoreUnreadableError, match=r"kind 'hunch'.*Upgrade holdfast"):
        read(store, memory_id(1))
    assert read(store, memory_id(2)).memory.id == memory_id(2)
    store.close()


def everything(store: SqliteStore) -> tuple[object, ...]:
    with store.reading() as tx:
        return (
            tx.memories.find(Selection(), Page(limit=99)),
            tx.anchors.spans.page(beyond=None, limit=99),
            tx.sessions.page(beyond=None, limit=99),
            tx.sessions.turns(a_session().id),
            tx.bundles.page(beyond=None, limit=99),
            tx.links.page(beyond=None, limit=99),
            tx.finding.tunings.history(DEFAULT_SPACE),
            tx.names.tombstones(beyond="", limit=99),
            tx.diary.events.since(0, limit=99),
        )


def test_a_store_from_before_anchors_keeps_everything_and_takes_anchors_from_then_on(
    tmp_path: Path,
) -> None:
    path = tmp_path / "home" / "holdfast.db"
    store = SqliteStore.open(path)
    cited = a_reason(type=EvidenceType.SPAN, reference="src/app.py:10-30", span=a_span().id)
    with store.writing(NOON) as tx:
        tx.anchors.spans.put(a_span(pinned=True))
        tx.memories.add(numbered(1, evidence=(cited,)), Standing(label="DEC-001"))
        tx.memories.add(numbered(2), Standing())
        tx.memories.add(numbered(3), Standing())
        tx.memories.forget(a_tombstone(memory_id=memory_id(3)))
        tx.links.put(Link(src=memory_id(1), dst=memory_id(2), kind="supports"))
        tx.bundles.put(a_bundle())
        tx.finding.tunings.put(a_tuning())
        tx.sessions.put(a_session())
        tx.sessions.add_turn(a_turn())
    before = everything(store)
    store.close()
    back_to_the_third(path)

    store = SqliteStore.open(path)

    assert everything(store) == before
    with store.writing(NOON) as tx:
        tx.anchors.spans.put(a_span(anchor=an_anchor()))
        tx.memories.add(numbered(4, branch_point=a_branch_point()), Standing())
        tx.anchors.past.put_rewrites([a_rewrite()])
    with store.reading() as tx:
        assert tx.anchors.spans.within(str(HERE.repo), beyond=None, limit=9) == (
            a_span(anchor=an_anchor()),
        )
        assert tx.anchors.spans.citing([a_span().id]) == {a_span().id: (memory_id(1),)}
        assert tx.memories.get(memory_id(4)).memory.branch_point == a_branch_point()
    findings = store.upkeep.check(said_nothing)
    assert {finding.severity for finding in findings} == {Severity.OK}
    store.close()


def _die_at(path: Path, statement: int) -> None:
    """Upgrade the store, and die before the statement with that number."""
    connection = apsw.Connection(str(path))
    left = iter(range(statement))

    def next_one(*_: object) -> bool:
        if next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)
        return True

    connection.exec_trace = next_one
    migrate(connection)


def test_a_migration_killed_at_any_statement_leaves_the_old_store_or_the_new(
    tmp_path: Path,
) -> None:
    fork = multiprocessing.get_context("fork")
    old = tmp_path / "old.db"
    an_old_store(old)
    seen: list[object] = []
    for statement in itertools.count():
        path = Path(shutil.copy(old, tmp_path / f"{statement}.db"))
        process = fork.Process(target=_die_at, args=(path, statement))
        process.start()
        process.join()
        seen.append(version(path))
        store = SqliteStore.open(path)
        keep(store, numbered(1))
        store.close()
        assert version(path) == LATEST
        if process.exitcode == 0:
            break

    assert seen == [1] * seen.count(1) + [LATEST] * seen.count(LATEST)
    assert seen.count(1) > 3


@requirement("store.newer-schema-refused")
def test_a_newer_store_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    SqliteStore.open(path).close()
    run(path, "PRAGMA user_version = 99")
    before = path.read_bytes()

    with pytest.raises(NewerStoreError, match="schema version 99"):
        SqliteStore.open(path)

    assert path.read_bytes() == before


@requirement("store.version-checked-in-write")
def test_a_store_upgraded_meanwhile_is_not_written_in_the_old_shape(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    run(path, "PRAGMA user_version = 99")

    with pytest.raises(StoreUpgradedError), store.writing(NOON):
        pytest.fail("the block must not run")

    store.close()
    assert version(path) == 99


@pytest.mark.parametrize(
    "made_by",
    [
        "CREATE TABLE cats (name TEXT)",
        "PRAGMA user_version = 2",
    ],
)
def test_a_database_of_somebody_else_is_refused(tmp_path: Path, made_by: str) -> None:
    path = tmp_path / "holdfast.db"
    run(path, made_by)

    with pytest.raises(StoreUnreadableError, match="not a holdfast store"):
        SqliteStore.open(path)


@pytest.mark.parametrize(
    "added",
    [
        "CREATE TRIGGER t AFTER INSERT ON memory BEGIN DELETE FROM memory; END",
        "CREATE VIEW v AS SELECT 1",
    ],
)
def test_a_store_somebody_added_code_to_is_refused(tmp_path: Path, added: str) -> None:
    path = tmp_path / "holdfast.db"
    SqliteStore.open(path).close()
    run(path, added)

    with pytest.raises(StoreUnreadableError, match="not a holdfast store"):
        SqliteStore.open(path)


@requirement("store.old-library-refused")
@pytest.mark.parametrize("found", ["3.40.1", "3.51.2", "3.7.0"])
def test_a_library_with_the_corruption_bug_is_refused(found: str) -> None:
    with pytest.raises(OldLibraryError, match=r"3\.51\.3"):
        connections.refuse_old_library(found)


def test_a_library_without_it_is_not_refused() -> None:
    connections.refuse_old_library("3.51.3")
    connections.refuse_old_library("4.0.0")


def test_the_files_are_for_their_owner_only(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "home" / "holdfast.db")
    keep(store, numbered(1))

    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "home").iterdir()}

    store.close()
    assert (tmp_path / "home").stat().st_mode & 0o777 == 0o700
    assert set(modes.values()) == {0o600}


def _open_and_keep(path: Path, number: int) -> None:
    store = SqliteStore.open(path)
    keep(store, numbered(number))
    store.close()


@requirement("store.many-processes")
def test_many_processes_may_make_the_store_at_once(tmp_path: Path) -> None:
    path = tmp_path / "home" / "holdfast.db"
    spawn = multiprocessing.get_context("fork")
    processes = [spawn.Process(target=_open_and_keep, args=(path, n)) for n in range(16)]

    for process in processes:
        process.start()
    for process in processes:
        process.join()

    assert [process.exitcode for process in processes] == [0] * len(processes)
    store = SqliteStore.open(path)
    assert {read(store, memory_id(n)).sequence for n in range(16)} == set(range(1, 17))
    store.close()
