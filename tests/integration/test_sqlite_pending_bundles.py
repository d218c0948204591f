"""Bundles that are kept beside the store while another process holds the write lock."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import apsw
import pytest

from holdfast.adapters.sqlite.database import pending_bundles
from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions
from holdfast.app import Holdfast
from holdfast.domain.choices import Status
from holdfast.domain.errors import NoSuchError, StoreBusyError
from holdfast.domain.exchange.bundle_shape import bundle_json
from holdfast.domain.ids import AgentId, BundleId, MemoryId
from holdfast.domain.memory.memory import Standing, Tombstone
from holdfast.domain.memory.place import Place, SpaceId
from holdfast.domain.recall.bundle import OWN, Bundle, BundleItem, Reason
from holdfast.domain.recall.question import MOST_ITEMS, Question
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.usecases.recall.keeping import keep_bundle
from holdfast.usecases.recall.recalled_memories import NOT_CAUGHT_UP
from holdfast.usecases.recall.shared_keeping import SharedKeeping
from tests.builders import ADA, NOON, FixedClock, PlainSurroundings, WordCounter, a_bundle
from tests.contract.steps import keep, memory_id, numbered
from tests.requirements import requirement
from tests.usecases.reading import SmallReader
from tests.usecases.wishes import asked

FIRST, SECOND = BundleId("c_20261115T1200Z_000001"), BundleId("c_20261115T1201Z_000002")
WRONG: tuple[object, ...] = (None, "x", "\ud800", [], {}, [None], 1.5, -1, 2**70, True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "holdfast.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore.open(path, options=StoreOptions(wait_seconds=0.2))
    keep(opened, numbered(1))
    yield opened
    opened.close()


def bundle(name: BundleId = FIRST) -> Bundle:
    item = BundleItem(memory_id=memory_id(1), content_hash="0", score=1.0, tokens=1, reasons=())
    return a_bundle(id=name, items=(item,))


def written(text: str) -> bytes:
    """Return a file with a right checksum."""
    return f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}\n".encode()


def change(file: Path, changed: Callable[[Any], object]) -> None:
    """Change what a file says, with a right checksum."""
    saved = json.loads(file.read_text().split("\n")[1])
    changed(saved)
    file.write_bytes(written(json.dumps(saved)))


def places(shape: Any) -> Iterator[tuple[Any, Any]]:
    """Return every container in a JSON value with each of its keys or places."""
    keys = shape.keys() if isinstance(shape, dict) else range(len(shape))
    for key in keys:
        yield shape, key
        if isinstance(shape[key], dict | list):
            yield from places(shape[key])


def kept_beside_a_writer(store: SqliteStore, path: Path, *names: BundleId) -> Path:
    """Keep bundles while another program holds the write lock; return the folder they wait in."""
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    for name in names:
        keep_bundle(bundle(name), store=store)
    other.execute("ROLLBACK")
    other.close()
    return Path(f"{path}-pending")


def got(store: SqliteStore, name: BundleId) -> Bundle:
    with store.reading() as tx:
        return tx.bundles.get(name)


def given_times(store: SqliteStore) -> int:
    with store.reading() as tx:
        return tx.memories.get(memory_id(1)).usage.access_count


@requirement("store.readers-never-wait")
def test_a_bundle_is_found_while_it_waits_and_stored_by_the_next_writer(
    store: SqliteStore, path: Path
) -> None:
    folder = kept_beside_a_writer(store, path, FIRST)
    waiting, given_while_waiting = got(store, FIRST), given_times(store)

    keep(store, numbered(2))

    assert waiting == got(store, FIRST) == bundle()
    assert (given_while_waiting, given_times(store)) == (0, 1)
    assert not folder.exists()


@requirement("store.readers-never-wait")
def test_a_bundle_that_shares_a_commit_is_set_aside_too(store: SqliteStore, path: Path) -> None:
    keeping = SharedKeeping(store, nullcontext)
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    keeping.keep(bundle(FIRST))
    other.close()
    waiting = got(store, FIRST)
    keeping.keep(bundle(SECOND))

    assert waiting == got(store, FIRST) == bundle()
    assert given_times(store) == 2


@requirement("store.readers-never-wait")
def test_an_answer_beside_a_writer_says_which_memories_have_no_embedding(
    store: SqliteStore, path: Path
) -> None:
    holdfast = Holdfast(
        principal=ADA,
        store=store,
        clock=FixedClock(),
        counter=WordCounter(),
        surroundings=PlainSurroundings(),
        heuristics=ENGLISH,
        embedder=SmallReader(),
    )
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    beside = asked(holdfast, "Which claim?").bundle
    other.close()
    alone = asked(holdfast, "Which claim?").bundle

    assert NOT_CAUGHT_UP in beside.notes
    assert NOT_CAUGHT_UP not in alone.notes
    assert got(store, beside.id).notes == beside.notes


@requirement("encryption.whole-store")
def test_an_encrypted_store_sets_no_bundle_aside(store: SqliteStore, path: Path) -> None:
    Path(f"{path}-cipher").touch()

    with pytest.raises(StoreBusyError):
        kept_beside_a_writer(store, path, FIRST)

    assert not Path(f"{path}-pending").exists()


def test_waiting_bundles_are_listed_with_the_stored_ones(store: SqliteStore, path: Path) -> None:
    keep_bundle(bundle(FIRST), store=store)
    kept_beside_a_writer(store, path, SECOND)

    with store.reading() as tx:
        newest = [one.id for one in tx.bundles.page(beyond=None, limit=5)]
        older = [one.id for one in tx.bundles.page(beyond=SECOND, limit=5)]
        names = tx.names.starting("c_2026", limit=5)
        ends = [tx.names.ending("c_", one[-6:], limit=5) for one in (FIRST, SECOND)]

    assert newest == [SECOND, FIRST]
    assert older == [FIRST]
    assert names == (FIRST, SECOND)
    assert ends == [(FIRST,), (SECOND,)]


def test_a_bundle_that_was_stored_before_a_crash_is_not_counted_twice(
    store: SqliteStore, path: Path
) -> None:
    folder = kept_beside_a_writer(store, path, FIRST)
    file = folder / f"{FIRST}.json"
    content = file.read_bytes()
    keep(store, numbered(2))
    folder.mkdir()
    file.write_bytes(content)

    keep(store, numbered(3))

    assert given_times(store) == 1
    assert not folder.exists()


@pytest.mark.parametrize(
    "content",
    [b"", b"no checksum", b"\xff\xfe", b"0" * 64 + b"\n{}\n", written("null"), written("{}"),
     written("[" * 100_000), written("{"), written('{"store": 1}'), written("9" * 5_000)],
    ids=lambda content: repr(content[-12:]),
)  # fmt: skip
def test_a_damaged_file_is_no_bundle_and_is_removed(
    store: SqliteStore, path: Path, content: bytes
) -> None:
    folder = kept_beside_a_writer(store, path, FIRST)
    (folder / f"{FIRST}.json").write_bytes(content)

    with pytest.raises(NoSuchError):
        got(store, FIRST)
    keep(store, numbered(2))

    assert not folder.exists()


def test_no_wrong_field_disturbs_a_reader_or_keeps_other_bundles_waiting(
    store: SqliteStore, path: Path
) -> None:
    folder = kept_beside_a_writer(store, path, FIRST)
    file = folder / f"{FIRST}.json"
    right = json.loads(file.read_text().split("\n")[1])
    texts = []
    for inside, key in places(right):
        before = inside[key]
        for wrong in WRONG:
            inside[key] = wrong
            texts.append(json.dumps(right))
        inside[key] = before

    for text in texts:
        file.write_bytes(written(text))
        with store.reading() as tx:
            tx.bundles.page(beyond=None, limit=5)

    assert len(texts) > 300


@pytest.mark.parametrize(
    "wrong", [{"tokens": "x"}, {"items": None}, {"counter": "\ud800"}], ids=str
)
def test_a_bundle_with_a_wrong_field_is_dropped_and_the_others_are_stored(
    store: SqliteStore, path: Path, wrong: dict[str, object]
) -> None:
    folder = kept_beside_a_writer(store, path, FIRST, SECOND)
    change(folder / f"{FIRST}.json", lambda saved: saved["bundle"].update(wrong))

    keep(store, numbered(2))

    assert not folder.exists()
    assert got(store, SECOND) == bundle(SECOND)
    with pytest.raises(NoSuchError):
        got(store, FIRST)


def test_a_damaged_count_of_a_memory_keeps_no_bundle_waiting(
    store: SqliteStore, path: Path
) -> None:
    keep_bundle(bundle(FIRST), store=store)
    kept_beside_a_writer(store, path, SECOND)
    other = apsw.Connection(str(path))
    other.execute("UPDATE memory_usage SET access_count = 7")
    other.close()

    keep(store, numbered(2))

    assert not Path(f"{path}-pending").exists()
    assert got(store, SECOND) == bundle(SECOND)


@pytest.mark.parametrize(
    "changes",
    [
        {"id": SECOND},
        {"place": Place(space=SpaceId("other"))},
        {"items": bundle().items * (MOST_ITEMS + 1)},
        {"items": (replace(bundle().items[0], memory_id=MemoryId("m_999")),)},
        {"items": (replace(bundle().items[0], memory_id=memory_id(2)),)},
        {"items": (replace(bundle().items[0], memory_id=memory_id(3)),)},
    ],
    ids=["id", "space", "too many", "unknown", "candidate", "rejected"],
)
def test_a_bundle_that_this_store_cannot_have_given_is_damaged(
    store: SqliteStore, path: Path, changes: dict[str, Any]
) -> None:
    keep(store, numbered(2), standing=Standing(status=Status.CANDIDATE))
    keep(store, numbered(3), standing=Standing(status=Status.REJECTED))
    folder = kept_beside_a_writer(store, path, FIRST)
    forged = bundle_json(replace(bundle(), **changes))
    change(folder / f"{FIRST}.json", lambda saved: saved.update(bundle=forged))

    with store.reading() as tx:
        listed = tx.bundles.page(beyond=None, limit=5)
        names = tx.names.starting("c_2026", limit=5)
    keep(store, numbered(4))

    assert (listed, names) == ((), ())
    assert not folder.exists()
    for name in (FIRST, SECOND):
        with pytest.raises(NoSuchError):
            got(store, name)
    with store.reading() as tx:
        assert [tx.memories.get(memory_id(one)).usage.access_count for one in (1, 2, 3)] == [0] * 3


def test_what_the_writer_changed_or_the_asking_agent_wrote_is_no_damage(
    store: SqliteStore, path: Path
) -> None:
    keep(store, numbered(2), standing=Standing(status=Status.CANDIDATE))
    keep(store, numbered(3), numbered(4))
    given = bundle().items[0]
    own = replace(given, memory_id=memory_id(2), reasons=(Reason(leg=OWN, amount=0.0),))
    items = (given, own, *(replace(given, memory_id=memory_id(one)) for one in (3, 4)))
    question = Question(text="What did I propose?", agent=AgentId("ag_1"))
    waiting = a_bundle(id=FIRST, question=question, items=items)
    with store.writing(NOON) as tx:
        tx.memories.set_standing(memory_id(3), Standing(status=Status.SUPERSEDED))
        tombstone = Tombstone(memory_id=memory_id(4), forgotten_at=NOON, forgotten_by="a person")
        tx.memories.forget(tombstone)
    with store.reading() as tx:
        assert tx.bundles.set_aside(waiting)

    keep(store, numbered(5))

    assert got(store, FIRST) == waiting


def test_a_file_larger_than_any_bundle_is_neither_written_nor_read(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = kept_beside_a_writer(store, path, FIRST)
    large = folder / f"{FIRST}.json"
    with large.open("ab") as file:
        file.truncate(pending_bundles.MOST_BYTES + 1)
    with store.reading() as tx:
        with pytest.raises(NoSuchError):
            tx.bundles.get(FIRST)
        monkeypatch.setattr(pending_bundles, "MOST_BYTES", 100)
        is_written = tx.bundles.set_aside(bundle(SECOND))

    keep(store, numbered(2))

    assert not is_written
    assert not folder.exists()


def test_a_link_in_the_place_of_the_folder_or_of_a_file_is_not_followed(
    store: SqliteStore, path: Path
) -> None:
    folder = kept_beside_a_writer(store, path, FIRST, SECOND)
    outside = path.parent / "outside"
    outside.mkdir()
    (folder / f"{FIRST}.json").rename(outside / f"{FIRST}.json")
    (folder / f"{FIRST}.json").symlink_to(outside / f"{FIRST}.json")
    (outside / "c_old-1.unfinished").touch()
    os.utime(outside / "c_old-1.unfinished", (0, 0))
    keep(store, numbered(2))
    was_stored = not folder.exists()
    folder.symlink_to(outside)

    with store.reading() as tx:
        is_written = tx.bundles.set_aside(bundle(BundleId("c_20261115T1202Z_000003")))
    keep(store, numbered(3))

    assert was_stored
    assert not is_written
    with pytest.raises(NoSuchError):
        got(store, FIRST)
    names = sorted(one.name for one in outside.iterdir())
    assert names == [f"{FIRST}.json", "c_old-1.unfinished"]


def test_names_that_are_no_ids_are_no_bundles_and_pipes_and_folders_harm_nothing(
    store: SqliteStore, path: Path
) -> None:
    folder = kept_beside_a_writer(store, path, SECOND)
    os.mkfifo(folder / f"{FIRST}.json")
    (folder / "c_20261115T1159Z_000000.json").mkdir()
    (folder / "c_\udcff.json").touch()
    (folder / "notes.json").touch()
    with store.reading() as tx:
        listed = [one.id for one in tx.bundles.page(beyond=None, limit=5)]

    keep(store, numbered(2))

    assert listed == [SECOND]
    assert list(folder.iterdir()) == [folder / "c_20261115T1159Z_000000.json"]
    assert got(store, SECOND) == bundle(SECOND)


def test_bundles_of_another_store_are_not_taken_over(store: SqliteStore, path: Path) -> None:
    folder = kept_beside_a_writer(store, path, FIRST)
    store.close()
    for name in path.parent.glob("holdfast.db*"):
        if name != folder:
            name.unlink()

    other = SqliteStore.open(path)
    keep(other, numbered(1))

    with pytest.raises(NoSuchError):
        got(other, FIRST)
    other.close()


def test_no_reference_reaches_a_file_outside_the_folder(store: SqliteStore, path: Path) -> None:
    folder = kept_beside_a_writer(store, path, FIRST)
    (folder / f"{FIRST}.json").rename(path.parent / "outside.json")

    with pytest.raises(NoSuchError):
        got(store, BundleId("../outside"))


def test_where_too_many_wait_or_nothing_can_be_written_a_bundle_is_refused(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.reading() as tx:
        with monkeypatch.context() as patched:
            patched.setattr(pending_bundles, "MOST_PENDING", 0)
            too_many = tx.bundles.set_aside(bundle())
        Path(f"{path}-pending").write_bytes(b"a file in the place of the folder")
        no_folder = tx.bundles.set_aside(bundle())

    assert (too_many, no_folder) == (False, False)


def test_old_remains_of_a_killed_reader_are_removed(store: SqliteStore, path: Path) -> None:
    folder = kept_beside_a_writer(store, path, FIRST)
    old, new = folder / "c_old-1.unfinished", folder / "c_new-2.unfinished"
    old.write_bytes(b"")
    new.write_bytes(b"")
    os.utime(old, (0, NOON.timestamp() - 100_000_000))

    keep(store, numbered(2))

    assert list(folder.iterdir()) == [new]
