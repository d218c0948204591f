"""A repair of a file with damaged trees: rows that no tree leads to are found in their pages."""

from __future__ import annotations

import random
from contextlib import closing, suppress
from io import BytesIO
from pathlib import Path

import apsw
import pytest

from holdfast.adapters.sqlite.care.carving import RawPages, carve, shapes
from holdfast.adapters.sqlite.database.work import Work
from holdfast.adapters.sqlite.derived.migrations import migrate
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.domain.choices import Origin, Status
from holdfast.domain.errors import ForgottenError, StoreDamagedError
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing
from holdfast.domain.review.curation import Repair, Severity
from holdfast.usecases.memory.forget import Forget, forget
from tests.builders import NOON, FixedClock, a_session, a_tombstone, a_turn
from tests.contract.steps import keep, memory_id, numbered, read, said_nothing
from tests.requirements import requirement

MEMORIES = 60
PAGE = 4096
LONG = 7  # its claim is longer than a page
GONE = 20
BAD = frozenset({Severity.DAMAGE, Severity.WARNING})


def claim_of(number: int) -> str:
    words = f"The queue of service {number} is drained by its owner before each deploy."
    return " ".join([words] * (90 if number == LONG else 4))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a closed store whose tables have several pages each."""
    path = tmp_path / "holdfast.db"
    with closing(SqliteStore.open(path)) as store:
        for start in range(0, MEMORIES, 10):
            keep(store, *(numbered(n, claim=claim_of(n)) for n in range(start, start + 10)))
        with store.writing(NOON) as tx:
            tx.memories.set_standing(memory_id(3), Standing(label="D-1"))
            tx.memories.forget(a_tombstone(memory_id=memory_id(GONE)))
            for n in range(MEMORIES - 1):
                if GONE not in {n, n + 1}:
                    tx.links.put(Link(src=memory_id(n), dst=memory_id(n + 1), kind="supports"))
    return path


def roots_of(path: Path) -> dict[str, int]:
    """Return the number of the page at the top of the tree of each table."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    rows = connection.execute("SELECT name, rootpage FROM sqlite_schema").fetchall()
    connection.close()
    return {str(name): int(str(page)) for name, page in rows}


def overwrite(path: Path, *pages: int, content: bytes) -> None:
    with path.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * PAGE)
            file.write(content)


def overwrite_roots(path: Path, *tables: str, content: bytes) -> None:
    roots = roots_of(path)
    overwrite(path, *(roots[table] for table in tables), content=content)


def repaired(store: SqliteStore) -> Repair:
    repair = store.upkeep.repair(said_nothing)
    wrong = [finding for finding in store.upkeep.check(said_nothing) if finding.severity in BAD]
    assert wrong == []
    return repair


@requirement("store.repair-searches-pages")
@pytest.mark.parametrize("content", [bytes(PAGE), b"\x9d" * PAGE, bytes(range(256)) * 16])
def test_a_lost_top_of_a_tree_costs_no_row_below_it(path: Path, content: bytes) -> None:
    overwrite_roots(path, "memory", "event", "memory_link", content=content)

    with closing(SqliteStore.open(path)) as store:
        repair = repaired(store)

        assert (repair.rescued, repair.lost, repair.missing) == (MEMORIES - 1, (), 0)
        for n in (3, LONG):
            assert read(store, memory_id(n)).memory.claim == claim_of(n)
        assert read(store, memory_id(3)).standing.label == "D-1"
        with store.reading() as tx:
            assert len(tx.links.page(beyond=None, limit=99)) == MEMORIES - 3


@requirement("store.repair-searches-pages")
def test_a_tree_that_leads_in_a_circle_is_named_and_repaired(path: Path) -> None:
    root = roots_of(path)["memory"]
    content = bytearray(path.read_bytes()[(root - 1) * PAGE : root * PAGE])
    first_cell = int.from_bytes(content[12:14], "big")
    content[8:12] = content[first_cell : first_cell + 4]  # the last child is the first one again
    overwrite(path, root, content=bytes(content))

    with closing(SqliteStore.open(path)) as store:
        found = {one.check for one in store.upkeep.check(said_nothing) if one.severity in BAD}
        repair = repaired(store)

    assert "rows" in found
    assert (repair.rescued, repair.lost) == (MEMORIES - 1, ())


@requirement("store.repair-searches-pages")
def test_what_was_forgotten_stays_forgotten_without_any_tree(path: Path) -> None:
    overwrite_roots(path, "memory", "event", "tombstone", content=bytes(PAGE))

    with closing(SqliteStore.open(path)) as store:
        repaired(store)

        with pytest.raises(ForgottenError):
            read(store, memory_id(GONE))


@requirement("store.repair-searches-pages")
def test_writes_that_are_only_in_the_log_of_the_database_are_found(path: Path) -> None:
    kept = path.with_name("kept")
    kept.mkdir(mode=0o700)
    with closing(SqliteStore.open(path)) as store:
        keep(store, numbered(MEMORIES, claim="Written after the last checkpoint."))
        for name in ("holdfast.db", "holdfast.db-wal", "holdfast.db-head"):
            (kept / name).write_bytes((path.parent / name).read_bytes())
    roots = roots_of(path)
    overwrite(kept / "holdfast.db", roots["memory"], roots["event"], content=bytes(PAGE))

    with closing(SqliteStore.open(kept / "holdfast.db")) as store:
        repair = repaired(store)

        assert (repair.missing, repair.changes_missing) == (0, 0)
        assert read(store, memory_id(MEMORIES)).memory.claim.startswith("Written after")


@requirement("store.repair-searches-pages")
def test_a_lost_header_beside_a_lost_tree_costs_no_row(path: Path) -> None:
    memory = roots_of(path)["memory"]
    overwrite(path, 1, memory, content=b"\x9d" * PAGE)

    with closing(SqliteStore.open(path)) as store:
        repair = repaired(store)

        assert (repair.rescued, repair.lost, repair.missing) == (MEMORIES - 1, (), 0)
        assert read(store, memory_id(LONG)).memory.claim == claim_of(LONG)


@requirement("store.repair-searches-pages")
def test_a_log_that_names_a_page_far_beyond_the_file_costs_no_time(path: Path) -> None:
    number = (2**32 - 1).to_bytes(4)
    log = bytes(32) + number + number + bytes(16 + PAGE)

    with path.open("rb") as file:
        pages = RawPages(file, BytesIO(log))

        assert len(list(pages.numbers())) == path.stat().st_size // PAGE + 1


@requirement("store.repair-searches-pages")
def test_a_row_whose_pages_never_end_is_left_out(path: Path) -> None:
    local, per_page = 489, PAGE - 4
    size = as_varint(local + per_page * 10**9)
    cell = size + b"\x01" + bytes(local) + (2).to_bytes(4)
    leaf = bytes([13, 0, 0, 0, 1, 0, 0, 0, 0, 10]) + cell
    itself = (2).to_bytes(4)
    pages = RawPages(BytesIO(bytes(PAGE) + itself.ljust(PAGE, b"\0") + leaf.ljust(PAGE, b"\0")))

    with closing(apsw.Connection(":memory:")) as empty:
        migrate(empty)

        assert list(carve(pages, shapes(Work(empty, path="")))) == []


def as_varint(number: int) -> bytes:
    """Return a number as SQLite stores it: seven bits in each byte, and one that says go on."""
    parts = [number & 0x7F]
    while number := number >> 7:
        parts.append(number & 0x7F | 0x80)
    return bytes(reversed(parts))


@requirement("store.repair-searches-pages")
def test_a_decision_that_was_replaced_does_not_return(path: Path) -> None:
    before = path.read_bytes()
    with closing(SqliteStore.open(path)) as store, store.writing(NOON) as tx:
        tx.memories.set_standing(memory_id(3), Standing(status=Status.REJECTED))
        tx.memories.set_standing(memory_id(4), Standing(status=Status.REJECTED))
    # Pages with the earlier state at the end of the file, as a lost write can leave it.
    with path.open("ab") as file:
        file.write(before)
    overwrite_roots(path, "memory_standing", content=bytes(PAGE))

    with closing(SqliteStore.open(path)) as store:
        repaired(store)

        for n in (3, 4):
            assert read(store, memory_id(n)).standing.status is Status.CANDIDATE


@requirement("store.repair-searches-pages")
def test_pages_of_noise_give_no_row(path: Path) -> None:
    chance = random.Random(7)  # noqa: S311 - the same noise in every run
    noise = bytearray(chance.randbytes(PAGE))
    noise[0] = 13
    overwrite_roots(path, "memory", content=bytes(noise))
    with path.open("ab") as file:
        for _ in range(20):
            file.write(bytes([13, 0, 0, 4, 0]) + chance.randbytes(PAGE - 5))

    with closing(SqliteStore.open(path)) as store:
        with suppress(StoreDamagedError):
            keep(store, numbered(99))

        assert repaired(store).missing == 0


def overwrite_page_of(path: Path, claim: str) -> None:
    raw = path.read_bytes()
    overwrite(path, raw.index(claim.encode()) // PAGE + 1, content=bytes(PAGE))


@requirement("store.damaged-takes-no-writes")
def test_a_store_that_was_found_damaged_takes_no_more_writes(path: Path) -> None:
    overwrite_page_of(path, claim_of(30))
    with closing(SqliteStore.open(path)) as store:
        with pytest.raises(StoreDamagedError):
            read(store, memory_id(30))

        with pytest.raises(StoreDamagedError, match="malformed"):
            keep(store, numbered(MEMORIES))


@requirement("store.damaged-takes-no-writes")
def test_a_store_that_was_found_damaged_still_forgets(path: Path) -> None:
    overwrite_page_of(path, claim_of(30))
    with closing(SqliteStore.open(path)) as store:
        with pytest.raises(StoreDamagedError):
            read(store, memory_id(30))

        with store.writing(NOON) as tx:
            tx.memories.forget(a_tombstone(memory_id=memory_id(1)))

        with pytest.raises(ForgottenError):
            read(store, memory_id(1))


@requirement("store.damaged-takes-no-writes")
def test_a_store_that_another_process_repaired_takes_writes_again(path: Path) -> None:
    overwrite_page_of(path, claim_of(30))
    with closing(SqliteStore.open(path)) as store, closing(SqliteStore.open(path)) as other:
        with pytest.raises(StoreDamagedError):
            read(store, memory_id(30))
        repaired(other)

        assert keep(store, numbered(MEMORIES))


def read_after_a_repair(store: SqliteStore, other: SqliteStore) -> None:
    with store.reading() as tx:
        repaired(other)
        tx.memories.get(memory_id(30))


@requirement("store.damaged-takes-no-writes")
def test_damage_of_a_file_that_was_replaced_meanwhile_refuses_no_write(path: Path) -> None:
    overwrite_page_of(path, claim_of(30))
    with closing(SqliteStore.open(path)) as store, closing(SqliteStore.open(path)) as other:
        with pytest.raises(StoreDamagedError):
            read_after_a_repair(store, other)

        assert keep(store, numbered(MEMORIES))


@requirement("store.damaged-takes-no-writes")
def test_damage_of_a_copy_that_was_read_in_place_of_the_file_refuses_no_write(path: Path) -> None:
    sound = path.read_bytes()
    overwrite_page_of(path, claim_of(30))
    with closing(apsw.Connection(str(path))) as holder:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        holder.execute("BEGIN IMMEDIATE")
        store = SqliteStore.open(path)
        with pytest.raises(StoreDamagedError):
            read(store, memory_id(30))
        holder.execute("ROLLBACK")
    path.write_bytes(sound)

    assert keep(store, numbered(MEMORIES))
    store.close()


@requirement("store.damaged-takes-no-writes")
def test_a_store_that_was_found_damaged_forgets_what_a_session_repeats(path: Path) -> None:
    with closing(SqliteStore.open(path)) as store, store.writing(NOON) as tx:
        tx.sessions.put(a_session())
        tx.sessions.add_turn(a_turn(id=0, query=claim_of(1)))
    overwrite_roots(path, "sqlite_autoindex_rewrite_1", content=bytes(PAGE))
    with closing(SqliteStore.open(path)) as store:
        with pytest.raises(StoreDamagedError), store.reading() as tx:
            tx.anchors.past.rewrites(beyond=None, limit=1)

        forget(Forget(reference="m_001"), origin=Origin.HUMAN, store=store, clock=FixedClock())

        with pytest.raises(ForgottenError):
            read(store, memory_id(1))
        with store.reading() as tx:
            assert claim_of(1) not in tx.sessions.turns(a_session().id)[0].query
