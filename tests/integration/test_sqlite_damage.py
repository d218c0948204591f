"""Damage: whatever happens to the files, it is said, and what is whole can be rescued."""

from __future__ import annotations

import os
import random
import shutil
import threading
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from holdfast.adapters.sql.queries import load_scripts
from holdfast.adapters.sqlite.care.rescuing import rescue
from holdfast.adapters.sqlite.database.files import HeadFile, StoreFiles
from holdfast.adapters.sqlite.database.rows import Value, as_hex
from holdfast.adapters.sqlite.database.work import Work, event_of
from holdfast.adapters.sqlite.derived import scanning
from holdfast.adapters.sqlite.derived.migrations import migrate
from holdfast.adapters.sqlite.queries import MIGRATIONS
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.domain.choices import Status
from holdfast.domain.errors import HoldfastError, StoreDamagedError
from holdfast.domain.memory.callers import Operation, PrincipalKind
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import MemoryRecord, Standing
from holdfast.domain.memory.place import DEFAULT_SPACE
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.review.curation import HealthFinding, Severity
from holdfast.domain.service.tokens import AccessToken, TokenId
from tests.builders import (
    HERE,
    NOON,
    a_branch_point,
    a_bundle,
    a_decision,
    a_rewrite,
    a_session,
    a_span,
    a_tombstone,
    a_tuning,
    a_turn,
    an_anchor,
)
from tests.contract.steps import hits, keep, memory_id, numbered, read, records_of, said_nothing
from tests.requirements import requirement

MEMORIES = 40
WORDS = ["walrus", "heron", "otter", "token", "rotates", "hourly", "deploy", "port", "queue"]


def fill(path: Path) -> None:
    """Make a store with something of everything in it, all of it in one file."""
    store = SqliteStore.open(path)
    for start in range(0, MEMORIES, 10):
        memories = [
            numbered(
                n,
                claim=" ".join(WORDS[(n + k) % len(WORDS)] for k in range(9)) + f" {n}",
                branch_point=a_branch_point() if n % 2 else None,
            )
            for n in range(start, start + 10)
        ]
        keep(store, *memories)
    with store.writing(NOON) as tx:
        for n in range(10):
            tx.links.put(Link(src=memory_id(n), dst=memory_id(n + 1), kind="supports"))
        tx.memories.set_standing(memory_id(3), Standing(label="DEC-003", pinned=True))
        tx.memories.forget(a_tombstone(memory_id=memory_id(20)))
        tx.anchors.spans.put(a_span(anchor=an_anchor()))
        tx.anchors.past.put_rewrites([a_rewrite()])
        tx.anchors.past.put_tip(str(HERE.repo), a_branch_point(head="9" * 40))
        tx.bundles.put(a_bundle())
        tx.diary.decisions.put(a_decision())
        tx.finding.tunings.put(a_tuning())
        tx.sessions.put(a_session(branch_point=a_branch_point()))
        tx.sessions.add_turn(a_turn(id=0))
    store.upkeep.scrub()
    store.close()


def contents(store: SqliteStore) -> tuple[object, ...]:
    """Read everything there is, by every way there is."""
    with store.reading() as tx:
        records = tx.memories.find(Selection(), Page(limit=1000))
        return (
            records,
            [tx.memories.get(record.memory.id) for record in records],
            tx.links.page(beyond=None, limit=1000),
            tx.sessions.page(beyond=None, limit=100),
            [tx.sessions.turns(session.id) for session in tx.sessions.page(beyond=None, limit=9)],
            tx.bundles.page(beyond=None, limit=100),
            tx.anchors.spans.page(beyond=None, limit=100),
            tx.anchors.past.branch_points(str(HERE.repo), aside_only=True),
            tx.anchors.past.rewrites(beyond=None, limit=100),
            tx.finding.tunings.history(DEFAULT_SPACE),
            tx.names.tombstones(beyond="", limit=100),
            tx.diary.decisions.page(beyond=None, limit=100),
            tx.diary.events.since(0, limit=10_000),
            [
                records_of(tx, tx.finding.words.search([word], Selection(), limit=99))
                for word in WORDS
            ],
            tx.memories.find(Selection(labels=frozenset({"DEC-003"})), Page()),
        )


def complaints(store: SqliteStore) -> list[HealthFinding]:
    return [
        finding
        for finding in store.upkeep.check(said_nothing)
        if finding.severity in {Severity.DAMAGE, Severity.WARNING}
    ]


def messages(store: SqliteStore) -> list[str]:
    return [finding.message for finding in complaints(store)]


def behind_our_back(path: Path, statement: str) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(statement)
    connection.close()


def damaged(store: SqliteStore) -> set[str]:
    return {
        finding.check
        for finding in store.upkeep.check(said_nothing)
        if finding.severity is Severity.DAMAGE
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    fill(folder / "holdfast.db")
    return folder


@pytest.fixture
def home(whole: Path, tmp_path: Path) -> Path:
    """A copy of the whole store, to be damaged."""
    copy = tmp_path / "home"
    shutil.copytree(whole, copy)
    copy.chmod(0o700)
    return copy


def flip(path: Path, place: int, bit: int = 0) -> None:
    raw = bytearray(path.read_bytes())
    raw[place] ^= 1 << bit
    path.write_bytes(raw)


@requirement("store.damage-reported")
def test_every_flipped_bit_that_changes_what_is_read_is_reported(whole: Path, home: Path) -> None:
    sound = SqliteStore.open(whole / "holdfast.db")
    expected = contents(sound)
    sound.close()
    raw = (whole / "holdfast.db").read_bytes()
    chance = random.Random(20_261_115)  # noqa: S311 - the same flips in every run
    # Pages that hold something: flips in empty ones change nothing.
    pages = [p for p in range(len(raw) // 4096) if raw[p * 4096 :][:4096].count(0) < 3500]
    path = home / "holdfast.db"
    for _ in range(60):
        path.write_bytes(raw)
        flip(path, chance.choice(pages) * 4096 + chance.randrange(4096), chance.randrange(8))

        store = SqliteStore.open(path)
        try:
            silent = contents(store) != expected
        except StoreDamagedError:
            silent = False
        reported = bool(complaints(store))
        store.close()

        assert reported or not silent


@requirement("store.damage-reported")
@pytest.mark.parametrize("column", range(4))
def test_an_event_that_damage_made_bytes_of_is_not_what_was_written(column: int) -> None:
    row: list[object] = [1, 2, "memory.added", "m_1", b"\1" * 32, b"\2" * 32, b""]
    sound = event_of(tuple(row))
    row[column] = b"\xf6Ph"

    assert event_of(tuple(row)).hash != sound.hash


@requirement("store.damage-reported")
def test_a_damaged_memory_is_named_and_the_others_can_be_read(home: Path) -> None:
    path = home / "holdfast.db"
    place = path.read_bytes().index(read_claim(path, 7).encode())
    flip(path, place + 3)

    store = SqliteStore.open(path)

    with pytest.raises(StoreDamagedError, match="m_007"), store.reading() as tx:
        tx.memories.get(memory_id(7))
    assert read(store, memory_id(8)).memory.id == memory_id(8)
    assert damaged(store) >= {"rows"}
    store.close()


@requirement("store.damaged-row-left-out")
@pytest.mark.parametrize("bit", [0, 7])
def test_a_read_of_many_leaves_a_damaged_memory_out_and_names_it(home: Path, bit: int) -> None:
    path = home / "holdfast.db"
    flip(path, path.read_bytes().index(read_claim(path, 7).encode()) + 3, bit)
    store = SqliteStore.open(path)

    with store.reading() as tx:
        found = tx.memories.find(Selection(), Page(limit=1000))
        several = tx.memories.get_many([memory_id(6), memory_id(7), memory_id(8), memory_id(999)])
        [named] = store.left_out
    with pytest.raises(StoreDamagedError), store.writing(NOON) as tx:
        tx.memories.get_many([memory_id(6), memory_id(7)])

    assert len(found) == MEMORIES - 2
    assert list(several) == [memory_id(6), memory_id(8)]
    assert memory_id(7) in named
    assert [one for one in store.warnings if memory_id(7) in one and "doctor" in one]
    assert store.left_out == ()
    store.close()


@requirement("store.damaged-row-left-out")
@pytest.mark.parametrize("bit", [0, 7])
def test_pages_of_one_go_on_after_a_damaged_memory(home: Path, bit: int) -> None:
    path = home / "holdfast.db"
    flip(path, path.read_bytes().index(read_claim(path, 7).encode()) + 3, bit)
    store = SqliteStore.open(path)

    with store.reading() as tx:
        first = tx.memories.find(Selection(), Page(limit=31))
        only = tx.memories.find(Selection(), Page(limit=1, beyond=first.beyond))
        after = tx.memories.find(Selection(), Page(limit=1, beyond=only.beyond))

    assert (len(first), list(only)) == (31, [])
    assert after[0].memory.id == memory_id(6)
    store.close()


@requirement("store.damaged-row-left-out")
@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE memory_link SET score = 0.123 WHERE src = 'm_003'", "link"),
        ("UPDATE session SET tool = 'other'", "session"),
        ("UPDATE bundle SET asked_at = 1", "bundle"),
        ("UPDATE span SET path = 'other.py'", "span"),
        ("UPDATE span_anchor SET body = '{}'", "anchor"),
        ("UPDATE standpoint SET is_aside = 0 WHERE subject = 'm_005'", "standpoint"),
        ("UPDATE rewrite SET new = old", "rewrite"),
        ("UPDATE decision SET at = 1", "decision"),
        ("UPDATE tombstone SET reason = 'other'", "tombstone"),
        ("UPDATE tombstone SET reason = CAST(x'ff41' AS TEXT)", "not text"),
    ],
)
def test_a_damaged_row_of_any_table_takes_no_other_row_away(
    home: Path, statement: str, named: str
) -> None:
    path = home / "holdfast.db"
    behind_our_back(path, statement)
    store = SqliteStore.open(path)

    contents(store)

    assert [one for one in store.warnings if named in one]
    store.close()


def read_claim(path: Path, number: int) -> str:
    store = SqliteStore.open(path)
    try:
        return read(store, memory_id(number)).memory.claim
    finally:
        store.close()


@requirement("store.repair-names-what-it-leaves-out")
def test_a_repair_says_how_many_access_tokens_it_left_out(home: Path) -> None:
    path = home / "holdfast.db"
    with closing(SqliteStore.open(path)) as store, store.writing(NOON) as tx:
        tx.diary.tokens.put(
            AccessToken(
                id=TokenId("t_1"),
                name="ci",
                kind=PrincipalKind.AGENT,
                may=frozenset({Operation.READ}),
                secret_hash="00" * 32,
                created_at=NOON,
            )
        )
    flip(path, path.read_bytes().index(read_claim(path, 7).encode()) + 3)

    with closing(SqliteStore.open(path)) as store:
        repair = store.upkeep.repair(said_nothing)
        with store.reading() as tx:
            assert tx.diary.tokens.every() == ()

    assert repair.actions[2].startswith("Left out 1 access token:")


@requirement("store.repair-keeps-damaged-file")
def test_a_repair_rescues_all_but_the_damaged_row_and_keeps_the_file(home: Path) -> None:
    path = home / "holdfast.db"
    flip(path, path.read_bytes().index(read_claim(path, 7).encode()) + 3)
    before = path.read_bytes()
    store = SqliteStore.open(path)

    repair = store.upkeep.repair(said_nothing)

    assert repair.rescued == MEMORIES - 2
    assert repair.lost[0] == memory_id(7)
    assert repair.kept_damaged_file is not None
    assert Path(repair.kept_damaged_file).read_bytes() == before
    assert complaints(store) == []
    assert read(store, memory_id(3)).standing.label == "DEC-003"
    with pytest.raises(HoldfastError, match="forgotten"), store.reading() as tx:
        tx.memories.get(memory_id(20))
    assert keep(store, numbered(99))[0].sequence == MEMORIES + 1
    store.close()


@requirement("store.repair-keeps-damaged-file")
def test_a_newest_event_that_is_not_text_any_more_stops_no_repair(home: Path) -> None:
    path = home / "holdfast.db"
    store = SqliteStore.open(path)
    with store.reading() as tx:
        action = tx.diary.events.since(0, limit=10_000)[-1].action.encode()
    store.close()
    path.write_bytes(path.read_bytes().replace(action, b"\xff" + action[1:]))

    store = SqliteStore.open(path)
    repair = store.upkeep.repair(said_nothing)

    assert (repair.rescued, repair.missing) == (MEMORIES - 1, 0)
    assert complaints(store) == []
    store.close()


@pytest.mark.parametrize("place", [3, 18, 22, 50, 101, 110, 700, 3000, 4200, 9000])
def test_a_file_that_cannot_even_be_opened_is_rescued(home: Path, place: int) -> None:
    path = home / "holdfast.db"
    raw = bytearray(path.read_bytes())
    for offset in range(4):
        raw[place + offset] ^= 0xFF
    path.write_bytes(raw)
    store = SqliteStore.open(path)

    complained = complaints(store)
    repair = store.upkeep.repair(said_nothing)

    if complained:
        assert repair.actions
    assert complaints(store) == []
    with store.reading() as tx:
        assert tx.memories.count(Selection()) == MEMORIES - 1
    store.close()


@requirement("store.repair-counts-what-is-missing")
@pytest.mark.parametrize("cut", [1, 4096, 3 * 4096, 10 * 4096 + 77, 40 * 4096])
def test_a_file_that_was_cut_off_is_rescued_and_what_is_missing_is_counted(
    home: Path, cut: int
) -> None:
    path = home / "holdfast.db"
    os.truncate(path, path.stat().st_size - cut)
    store = SqliteStore.open(path)

    repair = store.upkeep.repair(said_nothing)

    assert complaints(store) == []
    assert repair.rescued + repair.missing == MEMORIES - 1
    assert repair.rescued or cut > 3 * 4096
    store.close()


@requirement("store.repair-counts-what-is-missing")
def test_a_repair_that_can_read_nothing_says_how_many_changes_are_missing(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning, "_CHUNK", 20)  # a scan gives up after some unreadable chunks
    path = home / "holdfast.db"
    written = HeadFile(StoreFiles(path)).read()
    path.write_bytes(os.urandom(path.stat().st_size))
    store = SqliteStore.open(path)

    repair = store.upkeep.repair(said_nothing)

    assert written is not None
    assert (repair.rescued, repair.changes_missing) == (0, written.head.sequence)
    assert not repair.is_complete
    store.close()


@requirement("store.repair-counts-what-is-missing")
def test_a_second_repair_does_not_count_the_same_loss_again(home: Path) -> None:
    path = home / "holdfast.db"
    flip(path, path.read_bytes().index(read_claim(path, 7).encode()) + 3)
    store = SqliteStore.open(path)
    first = store.upkeep.repair(said_nothing)
    store.close()
    flip(path, path.read_bytes().index(read_claim(path, 9).encode()) + 3)
    store = SqliteStore.open(path)

    second = store.upkeep.repair(said_nothing)

    assert (first.missing, second.missing) == (1, 1)
    store.close()


def test_a_page_of_nothing_costs_only_what_was_on_it(home: Path) -> None:
    path = home / "holdfast.db"
    raw = bytearray(path.read_bytes())
    page = raw.index(read_claim(path, 7).encode()) // 4096
    raw[page * 4096 : (page + 1) * 4096] = bytes(4096)
    path.write_bytes(raw)
    store = SqliteStore.open(path)

    repair = store.upkeep.repair(said_nothing)

    assert complaints(store) == []
    assert memory_id(7) in repair.lost
    assert repair.rescued > 0
    assert repair.rescued + len([name for name in repair.lost if name.startswith("m_")]) == 39
    store.close()


def test_a_memory_whose_decision_is_damaged_waits_for_a_new_one(home: Path) -> None:
    path = home / "holdfast.db"
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE memory_standing SET status = 'rejected' WHERE seq = 5")
    connection.close()
    store = SqliteStore.open(path)

    assert damaged(store) >= {"rows"}
    store.upkeep.repair(said_nothing)

    assert read(store, memory_id(4)).standing.status is Status.CANDIDATE
    assert complaints(store) == []
    store.close()


@requirement("store.damage-reported")
@pytest.mark.parametrize(
    "done_behind_our_back",
    [
        "DELETE FROM memory_standing WHERE seq = 5",
        "DELETE FROM memory_link WHERE rowid = 1",
        "DELETE FROM event WHERE sequence = 12",
        "UPDATE event SET subject = 'm_666' WHERE sequence = 12",
        "DELETE FROM tombstone",
        "DELETE FROM session",
        "UPDATE memory_usage SET good = 1000",
        "UPDATE meta SET value = 'ours' WHERE name = 'store_id'",
        "DELETE FROM bundle",
        "DELETE FROM span",
        "DELETE FROM tuning",
        """UPDATE tuning SET weights = '{"hop": 9}'""",
        "DELETE FROM span_anchor",
        "UPDATE span_anchor SET body = '{}'",
        "DELETE FROM standpoint WHERE subject = 'm_005'",
        "DELETE FROM standpoint WHERE subject = 'i_1'",
        "DELETE FROM standpoint WHERE subject GLOB 't_*'",
        "UPDATE standpoint SET is_aside = 0 WHERE subject = 'm_005'",
        "DELETE FROM rewrite",
        "UPDATE rewrite SET new = old",
        "DELETE FROM decision",
        "UPDATE decision SET at = 1",
    ],
)
def test_what_somebody_did_to_the_rows_is_reported(home: Path, done_behind_our_back: str) -> None:
    path = home / "holdfast.db"
    store = SqliteStore.open(path)
    with store.writing(NOON) as tx:
        tx.memories.usage.put(memory_id(1), tx.memories.get(memory_id(2)).usage)
    store.close()
    connection = apsw.Connection(str(path))
    connection.execute(done_behind_our_back)
    connection.close()

    store = SqliteStore.open(path)

    assert damaged(store)
    store.upkeep.repair(said_nothing)
    assert complaints(store) == []
    store.close()


@requirement("store.damage-reported")
def test_weights_that_are_not_what_was_written_are_named_and_not_used(home: Path) -> None:
    path = home / "holdfast.db"
    connection = apsw.Connection(str(path))
    connection.execute("""UPDATE tuning SET weights = '{"hop": 9}'""")
    connection.close()
    store = SqliteStore.open(path)

    with store.reading() as tx:
        assert tx.finding.tunings.of(DEFAULT_SPACE) is None
        assert store.left_out == ("the weights default 1 is not what was written.",)
    assert any("the weights default 1" in one for one in store.warnings)
    repair = store.upkeep.repair(said_nothing)

    assert repair.lost == ("weights default 1",)
    with store.reading() as tx:
        assert tx.finding.tunings.of(DEFAULT_SPACE) is None
    store.close()


@requirement("anchor.kept-with-span")
@requirement("store.damage-reported")
def test_a_lost_anchor_is_reported_and_the_span_is_there_without_it(home: Path) -> None:
    path = home / "holdfast.db"
    behind_our_back(path, "DELETE FROM span_anchor")
    store = SqliteStore.open(path)

    assert messages(store) == ["The anchor s_1 was written, but is missing."]
    with store.reading() as tx:
        assert tx.anchors.spans.get(a_span().id) == a_span()
    repair = store.upkeep.repair(said_nothing)

    assert repair.lost == ("anchor s_1",)
    assert complaints(store) == []
    with store.reading() as tx:
        assert tx.anchors.spans.get(a_span().id) == a_span()
    store.close()


@requirement("store.damage-reported")
def test_a_damaged_anchor_is_named_and_not_used(home: Path) -> None:
    path = home / "holdfast.db"
    flip(path, path.read_bytes().index(b"Tokens.rotate"))
    store = SqliteStore.open(path)

    with pytest.raises(StoreDamagedError, match="the anchor of s_1"), store.reading() as tx:
        tx.anchors.spans.get(a_span().id)
    assert messages(store) == ["The anchor s_1 is not what was written."]
    store.upkeep.repair(said_nothing)

    with store.reading() as tx:
        assert tx.anchors.spans.get(a_span().id) == a_span()
    store.close()


@requirement("store.damage-reported")
def test_a_lost_standpoint_is_reported_and_the_memory_is_there_without_it(home: Path) -> None:
    path = home / "holdfast.db"
    behind_our_back(path, "DELETE FROM standpoint WHERE subject IN ('m_005', 'i_1')")
    store = SqliteStore.open(path)

    assert sorted(messages(store)) == [
        "The standpoint i_1 was written, but is missing.",
        "The standpoint m_005 was written, but is missing.",
    ]
    assert read(store, memory_id(5)).memory.branch_point is None
    assert sorted(store.upkeep.repair(said_nothing).lost) == ["standpoint i_1", "standpoint m_005"]

    assert complaints(store) == []
    assert read(store, memory_id(7)).memory.branch_point == a_branch_point()
    with store.reading() as tx:
        points = tx.anchors.past.branch_points(str(HERE.repo), aside_only=True)
    assert points == (a_branch_point(), a_branch_point(head="9" * 40))
    store.close()


@requirement("store.damage-reported")
def test_a_damaged_standpoint_or_rewrite_is_named_and_not_used(home: Path) -> None:
    path = home / "holdfast.db"
    behind_our_back(path, "UPDATE standpoint SET is_aside = 0 WHERE subject = 'm_005'")
    behind_our_back(path, "UPDATE rewrite SET new = old")
    store = SqliteStore.open(path)

    with pytest.raises(StoreDamagedError, match="the standpoint of m_005"):
        read(store, memory_id(5))
    with store.reading() as tx:
        assert tx.anchors.past.rewrites(beyond=None, limit=9) == ()
        assert [one for one in store.left_out if "the rewrite" in one]
    store.upkeep.repair(said_nothing)

    assert complaints(store) == []
    assert read(store, memory_id(5)).memory.branch_point is None
    with store.reading() as tx:
        assert tx.anchors.past.rewrites(beyond=None, limit=9) == ()
    store.close()


def test_a_file_from_before_a_table_was_made_has_lost_nothing_of_it() -> None:
    old, new = apsw.Connection(":memory:"), apsw.Connection(":memory:")
    for script in load_scripts(MIGRATIONS)[:2]:
        old.execute(script).fetchall()
    migrate(new)

    assert rescue(old, Work(new, path="new", at=1), said_nothing).lost == []


@requirement("store.damage-reported")
def test_nothing_is_added_to_a_chain_whose_end_is_damaged(home: Path) -> None:
    path = home / "holdfast.db"
    store = SqliteStore.open(path)
    with store.reading() as tx:
        newest = bytes.fromhex(tx.diary.events.head().hash)
    store.close()
    flip(path, path.read_bytes().index(newest))

    store = SqliteStore.open(path)

    with pytest.raises(StoreDamagedError, match="event"):
        keep(store, numbered(77))
    store.close()


@requirement("store.damage-reported")
@pytest.mark.parametrize("value", [None, 7, "text", 0.5])
def test_what_damage_made_of_a_hash_is_no_hash(value: Value) -> None:
    assert as_hex(value) == ""


@requirement("store.derived-can-be-rebuilt")
@pytest.mark.parametrize(
    "done_behind_our_back",
    [
        "INSERT INTO memory_fts (memory_fts) VALUES ('delete-all')",
        "DELETE FROM memory_band WHERE seq = 5",
        "INSERT INTO memory_parts (seq, parts) VALUES (1, 'wrong')",
    ],
)
def test_a_damaged_index_is_made_anew(home: Path, done_behind_our_back: str) -> None:
    path = home / "holdfast.db"
    connection = apsw.Connection(str(path))
    connection.execute(done_behind_our_back)
    connection.close()
    store = SqliteStore.open(path)

    assert {finding.severity for finding in complaints(store)} == {Severity.WARNING}
    repair = store.upkeep.repair(said_nothing)

    assert repair.kept_damaged_file is None
    assert complaints(store) == []
    with store.reading() as tx:
        assert len(tx.finding.words.search(["walrus"], Selection(), limit=99)) > 1
    store.close()


def a_store_with_a_log(folder: Path) -> tuple[SqliteStore, list[MemoryRecord]]:
    """Return an open store whose last changes are only in the log of the database."""
    store = SqliteStore.open(folder / "holdfast.db")
    kept = [keep(store, numbered(n))[0] for n in range(5)]
    return store, kept


@requirement("store.older-file-noticed")
@pytest.mark.parametrize("cut", ["deleted", "truncated"])
def test_a_lost_log_is_noticed(tmp_path: Path, cut: str) -> None:
    store, _ = a_store_with_a_log(tmp_path)
    lost = tmp_path / "lost"
    lost.mkdir(mode=0o700)
    for name in ("holdfast.db", "holdfast.db-head"):
        shutil.copy(tmp_path / name, lost)
    if cut == "truncated":
        wal = (tmp_path / "holdfast.db-wal").read_bytes()
        (lost / "holdfast.db-wal").write_bytes(wal[: len(wal) * 3 // 5])
    store.close()

    after = SqliteStore.open(lost / "holdfast.db")

    assert "had been written" in after.warnings[0]
    assert damaged(after) == {"head"}
    after.close()


@requirement("store.older-file-noticed")
def test_an_older_file_in_place_is_noticed_until_somebody_says_that_they_know(
    tmp_path: Path,
) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(1))
    store.close()
    older = path.read_bytes()
    store = SqliteStore.open(path)
    keep(store, numbered(2))
    store.close()
    path.write_bytes(older)

    store = SqliteStore.open(path)
    assert store.warnings
    keep(store, numbered(3), numbered(4), numbered(5))
    store.close()

    store = SqliteStore.open(path)
    assert store.warnings, "the warning must outlive new changes"
    assert damaged(store) == {"head"}
    repair = store.upkeep.repair(said_nothing)
    assert repair.lost == ()
    assert store.warnings == ()
    assert complaints(store) == []
    with store.reading() as tx:
        assert "store.tail-lost" in {event.action for event in tx.diary.events.since(0, limit=99)}
    store.close()


@requirement("store.no-false-alarm")
def test_a_check_beside_writers_reports_no_loss(tmp_path: Path) -> None:
    path = tmp_path / "home" / "holdfast.db"
    store, other = SqliteStore.open(path), SqliteStore.open(path)
    keep(other, numbered(0))
    numbers = iter(range(1, 100))

    def write_beside(_done: int, _all: int) -> None:
        keep(other, numbered(next(numbers)))

    findings = store.upkeep.check(write_beside)

    assert next(numbers) > 5, "somebody must have written while the check was under way"
    assert [finding for finding in findings if finding.severity is Severity.DAMAGE] == []
    store.close()
    other.close()


@requirement("store.no-false-alarm")
def test_a_head_that_a_repair_has_not_written_yet_is_no_loss(tmp_path: Path) -> None:
    path = tmp_path / "home" / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(1))
    head = tmp_path / "home" / "holdfast.db-head"
    sound = head.read_bytes()
    elsewhere = SqliteStore.open(tmp_path / "elsewhere" / "holdfast.db")
    keep(elsewhere, numbered(1))
    elsewhere.close()
    engine = store.upkeep.engine

    with engine.turnstile.passed(1.0):
        # What a newcomer finds while a repair is between the new database and its head.
        head.write_bytes((tmp_path / "elsewhere" / "holdfast.db-head").read_bytes())
        newcomer = threading.Thread(target=lambda: opened.append(SqliteStore.open(path)))
        opened: list[SqliteStore] = []
        newcomer.start()
        newcomer.join(0.05)
        head.write_bytes(sound)
    newcomer.join()

    assert opened[0].warnings == ()
    opened[0].close()
    store.close()


def in_the_words(path: Path, harm: str) -> None:
    """Harm the blocks of the word index."""
    connection = apsw.Connection(str(path))
    chance = random.Random(3)  # noqa: S311 - the same harm in every run
    for number, block in connection.execute("SELECT id, block FROM memory_fts_data").fetchall():
        assert isinstance(block, bytes)
        harmed = chance.randbytes(len(block)) if harm == "random" else bytes(len(block))
        connection.execute("UPDATE memory_fts_data SET block = ? WHERE id = ?", (harmed, number))
    if harm == "gone":
        connection.execute("DELETE FROM memory_fts_data WHERE id > 10")
    connection.close()


@requirement("store.derived-damage-noticed")
@pytest.mark.parametrize("harm", ["random", "zero", "gone"])
def test_a_damaged_word_index_answers_the_same_and_is_rebuilt_by_a_write(
    tmp_path: Path, harm: str
) -> None:
    path = tmp_path / "home" / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, *(numbered(n, claim=f"the walrus sleeps in harbour {n}") for n in range(9)))
    before = hits(store, "walrus", "harbour")
    store.close()
    in_the_words(path, harm)

    store = SqliteStore.open(path)
    during = hits(store, "walrus", "harbour")
    warned = store.warnings
    keep(store, numbered(20, claim="an otter came"))
    store.close()

    assert during == before
    assert "word index" in warned[0]
    store = SqliteStore.open(path)
    assert hits(store, "walrus", "harbour") == before
    assert len(hits(store, "otter")) == 1
    assert (store.warnings, complaints(store)) == ((), [])
    store.close()


@requirement("store.derived-damage-noticed")
@pytest.mark.parametrize("harm", ["random", "zero", "gone"])
def test_a_write_mends_a_damaged_word_index_on_its_way(tmp_path: Path, harm: str) -> None:
    path = tmp_path / "home" / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(1, claim="the walrus sleeps"))
    store.close()
    in_the_words(path, harm)

    store = SqliteStore.open(path)
    keep(store, numbered(2, claim="the walrus wakes"))

    assert len(hits(store, "walrus")) == 2
    store.close()


@requirement("store.older-file-noticed")
def test_a_deleted_database_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(1))
    store.close()
    path.unlink()

    store = SqliteStore.open(path)

    assert "deleted or replaced" in store.warnings[0]
    keep(store, numbered(2))
    assert store.warnings
    store.upkeep.repair(said_nothing)
    assert store.warnings == ()
    keep(store, numbered(3))
    store.close()
    store = SqliteStore.open(path)
    assert store.warnings == ()
    store.close()


def test_a_missing_head_is_a_warning_and_made_anew_by_the_next_write(tmp_path: Path) -> None:
    path = tmp_path / "home" / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(1))
    (tmp_path / "home" / "holdfast.db-head").unlink()

    assert [(f.check, f.severity) for f in complaints(store)] == [("head", Severity.WARNING)]
    keep(store, numbered(2))

    assert complaints(store) == []
    store.close()


def test_a_torn_head_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "home" / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(1))
    keep(store, numbered(2))
    head = tmp_path / "home" / "holdfast.db-head"
    flip(head, 60)

    assert complaints(store) == []
    keep(store, numbered(3))
    flip(head, 512 + 60)

    assert complaints(store) == []
    store.close()


def test_the_check_says_what_is_open_to_others(tmp_path: Path) -> None:
    path = tmp_path / "home" / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(1))
    path.chmod(0o644)

    assert [finding.check for finding in complaints(store)] == ["permissions"]
    store.upkeep.repair(said_nothing)

    assert complaints(store) == []
    assert path.stat().st_mode & 0o777 == 0o600
    store.close()
