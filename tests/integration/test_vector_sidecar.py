"""The vector index: whatever happens to its files, the answers are those of the store."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import pickle
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from holdfast.adapters.sqlite.memory.embeddings import SqliteVectors, known_model
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.adapters.vectors import following, scanning, sidecar
from holdfast.adapters.vectors.header import HEAD_BYTES, read_header
from holdfast.adapters.vectors.sidecar import Sidecar
from holdfast.domain.choices import Kind
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.directions import question_bytes
from holdfast.domain.recall.finding import EmbeddingModel, Hit, Vector
from holdfast.domain.review.curation import Severity
from holdfast.ports.store.finding import VectorSource
from tests.builders import NOON, a_tombstone
from tests.contract.steps import keep, memory_id, numbered, said_nothing
from tests.requirements import requirement
from tests.rights import drop_root_rights

MODEL = EmbeddingModel(name="tiny@1", dimension=24)
COUNT = 120


def vector(seed: int) -> Vector:
    """A direction that chance chose, the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311 - the same vectors in every run
    numbers = [chance.gauss(0, 1) for _ in range(MODEL.dimension)]
    return Vector(model=MODEL, values=struct.pack(f"<{MODEL.dimension}f", *numbers))


def kept_numbers(seed: int) -> bytes:
    """The bytes of that direction as 8-bit numbers, as an index keeps them."""
    floats = np.frombuffer(vector(seed).values, "<f4")
    halves = (floats / np.sqrt(float((floats * floats).sum()))).astype(np.float16)
    rows, _ = scanning.quantised(halves.astype(np.float32)[None, :])
    return bytes(rows.tobytes())


def put(store: SqliteStore, seeds: dict[int, int]) -> None:
    with store.writing(NOON) as tx:
        tx.finding.meaning.put(
            MODEL, {memory_id(number): [vector(seed)] for number, seed in seeds.items()}
        )


def forget(store: SqliteStore, number: int) -> None:
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(number)))


def answers(store: SqliteStore, within: Selection | None = None) -> list[list[Hit]]:
    """What a few questions get."""
    with store.reading() as tx:
        return [
            list(tx.finding.meaning.search(vector(seed), within or Selection(), limit=12).hits)
            for seed in range(1_000, 1_006)
        ]


def truth(path: Path, within: Selection | None = None) -> list[list[Hit]]:
    """What they get from a store that reads every vector itself."""
    plain = SqliteStore.open(path)
    try:
        return answers(plain, within)
    finally:
        plain.close()


def opened(home: Path) -> SqliteStore:
    return SqliteStore.open(home / "holdfast.db", index=Sidecar)


def rows_file(home: Path) -> Path:
    return home / "holdfast.db-vectors-1.i8"


def names_file(home: Path) -> Path:
    return home / "holdfast.db-vectors-1.ids"


def sums_file(home: Path) -> Path:
    return home / "holdfast.db-vectors-1.sums"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with an index that has followed it."""
    home = tmp_path_factory.mktemp("filled")
    store = opened(home)
    kinds = [Kind.RULE if number % 9 == 0 else Kind.FACT for number in range(COUNT)]
    keep(store, *(numbered(number, kind=kinds[number]) for number in range(COUNT)))
    put(store, {number: number for number in range(COUNT)})
    answers(store)
    store.close()
    return home


@pytest.fixture
def home(filled: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "home"
    shutil.copytree(filled, copy)
    copy.chmod(0o700)
    return copy


@pytest.fixture
def store(home: Path) -> Iterator[SqliteStore]:
    store = opened(home)
    yield store
    store.close()


def builds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows whenever an index is made anew."""
    made: list[str] = []
    build = following.build

    def counted(place: str, source: VectorSource) -> None:
        made.append(place)
        build(place, source)

    monkeypatch.setattr(following, "build", counted)
    return made


def test_an_index_that_is_whole_is_used_as_it_is(
    home: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = builds(monkeypatch)

    assert answers(store) == truth(home / "holdfast.db")
    assert made == []


@requirement("files.no-pipe-hangs-a-verb")
@pytest.mark.parametrize("ending", [".i8", ".ids", ".sums", ".new.i8", ".new.ids", ".new.sums"])
def test_a_pipe_in_place_of_a_file_is_replaced(home: Path, ending: str) -> None:
    path = home / f"holdfast.db-vectors-1{ending}"
    path.unlink(missing_ok=True)
    rows_file(home).unlink(missing_ok=True)
    os.mkfifo(path)
    store = opened(home)

    found = answers(store)
    store.close()

    assert found == truth(home / "holdfast.db")
    assert not path.is_fifo()
    assert rows_file(home).is_file()


def torn_header(home: Path) -> None:
    """Tear the slot that was written last; the one before is older."""
    with rows_file(home).open("r+b") as file:
        header = read_header(file.fileno())
        assert header is not None
        file.seek(header.generation % 2 * 2_048 + 60)
        file.write(b"\xff")


def both_headers_torn(home: Path) -> None:
    with rows_file(home).open("r+b") as file:
        file.write(b"\xee" * HEAD_BYTES)


def no_header(home: Path) -> None:
    rows_file(home).write_bytes(b"")


def truncated_rows(home: Path) -> None:
    os.truncate(rows_file(home), rows_file(home).stat().st_size - 1)


def truncated_names(home: Path) -> None:
    os.truncate(names_file(home), names_file(home).stat().st_size - 1)


def rows_deleted(home: Path) -> None:
    rows_file(home).unlink()


def names_deleted(home: Path) -> None:
    names_file(home).unlink()


def everything_deleted(home: Path) -> None:
    for path in home.glob("*-vectors-*"):
        path.unlink()


def foreign_file(home: Path) -> None:
    rows_file(home).write_bytes(random.Random(3).randbytes(9_000))  # noqa: S311


def names_of_another(home: Path) -> None:
    """Names that belong to other rows: of two files that were put there, one did not make it."""
    raw = bytearray(names_file(home).read_bytes())
    raw[0] ^= 1
    names_file(home).write_bytes(raw)


def half_built(home: Path) -> None:
    """What somebody leaves who died while making the index anew."""
    rows_file(home).rename(home / "holdfast.db-vectors-1.new.i8")


def flipped_owner(home: Path) -> None:
    """The highest bit of whose row it is: a row of a memory with an immense number."""
    raw = bytearray(names_file(home).read_bytes())
    raw[24 + 6] ^= 4
    names_file(home).write_bytes(raw)


def flipped_scale(home: Path) -> None:
    raw = bytearray(names_file(home).read_bytes())
    raw[24 * 5 + 18] ^= 0x40
    names_file(home).write_bytes(raw)


def random_rows(home: Path) -> None:
    raw = bytearray(rows_file(home).read_bytes())
    raw[HEAD_BYTES:] = random.Random(5).randbytes(len(raw) - HEAD_BYTES)  # noqa: S311
    rows_file(home).write_bytes(raw)


def flipped_row(home: Path) -> None:
    raw = bytearray(rows_file(home).read_bytes())
    raw[HEAD_BYTES + 77] ^= 0x40
    rows_file(home).write_bytes(raw)


def flipped_sum(home: Path) -> None:
    raw = bytearray(sums_file(home).read_bytes())
    raw[-1] ^= 1
    sums_file(home).write_bytes(raw)


def sums_deleted(home: Path) -> None:
    sums_file(home).unlink()


def folder_instead(home: Path) -> None:
    names_file(home).unlink()
    names_file(home).mkdir(mode=0o700)


HARMS = [
    flipped_owner,
    flipped_scale,
    random_rows,
    flipped_row,
    flipped_sum,
    sums_deleted,
    folder_instead,
    torn_header,
    both_headers_torn,
    no_header,
    truncated_rows,
    truncated_names,
    rows_deleted,
    names_deleted,
    everything_deleted,
    foreign_file,
    names_of_another,
    half_built,
]


@requirement("meaning.index-heals-itself")
@pytest.mark.parametrize("harm", HARMS)
def test_a_harmed_index_changes_no_answer(home: Path, harm: object) -> None:
    assert callable(harm)
    harm(home)

    store = opened(home)

    assert answers(store) == truth(home / "holdfast.db")
    put(store, {3: 2_000, 4: 2_001})
    forget(store, 5)
    assert answers(store) == truth(home / "holdfast.db")
    store.close()


@requirement("meaning.index-heals-itself")
@pytest.mark.parametrize("harm", [harm for harm in HARMS if harm is not truncated_rows])
def test_an_index_harmed_under_an_open_store_changes_no_answer(
    home: Path, store: SqliteStore, harm: object
) -> None:
    answers(store)
    assert callable(harm)
    harm(home)

    assert answers(store) == truth(home / "holdfast.db")


UNSOUND = [flipped_owner, flipped_scale, random_rows, flipped_row, flipped_sum, folder_instead]


@requirement("store.derived-damage-noticed")
@pytest.mark.parametrize("harm", UNSOUND)
def test_damage_of_the_index_is_reported_noticed_and_mended(home: Path, harm: object) -> None:
    assert callable(harm)
    harm(home)
    store = opened(home)

    reported = {one.check for one in store.upkeep.check(said_nothing) if one.severity == "warning"}
    answers(store)
    noticed = store.warnings
    afterwards = opened(home)
    answers(afterwards)

    assert "index" in reported
    assert "was damaged" in noticed[0]
    assert afterwards.warnings == ()
    assert {one.severity for one in afterwards.upkeep.check(said_nothing)} <= {"ok", "note"}
    store.close()
    afterwards.close()


@requirement("store.derived-damage-noticed")
@pytest.mark.parametrize("harm", UNSOUND)
def test_a_repair_removes_a_damaged_index(home: Path, harm: object) -> None:
    assert callable(harm)
    harm(home)
    store = opened(home)

    repair = store.upkeep.repair(said_nothing)

    assert any("vector index" in action for action in repair.actions)
    assert answers(store) == truth(home / "holdfast.db")
    store.close()


@requirement("store.derived-damage-noticed")
def test_a_damaged_vector_in_the_store_is_left_out_and_noticed(
    home: Path, store: SqliteStore
) -> None:
    with store.writing(NOON) as tx:
        tx.work.connection.execute(
            "UPDATE embedding SET vectors = zeroblob(length(vectors)) WHERE place & 0xFFFF = 4"
        )

    found = {hit.sequence for hits in answers(store) for hit in hits}

    assert 4 not in found
    assert "doctor --repair" in store.warnings[0]
    assert home.exists()


def test_a_foreign_index_is_made_anew(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = opened(tmp_path / "other")
    keep(other, *(numbered(number) for number in range(COUNT)))
    put(other, {number: number + 500 for number in range(COUNT)})
    answers(other)
    other.close()
    for path in (tmp_path / "other").glob("*-vectors-*"):
        shutil.copy(path, home)
    made = builds(monkeypatch)

    store = opened(home)

    assert answers(store) == truth(home / "holdfast.db")
    assert len(made) == 1
    store.close()


def restore(copy: Path, home: Path) -> None:
    """Put an older database back, as a person would; the index stays."""
    for path in home.glob("holdfast.db*"):
        if "vectors" not in path.name:
            path.unlink()
    for path in copy.glob("holdfast.db*"):
        if "vectors" not in path.name:
            shutil.copy(path, home)


@requirement("meaning.index-heals-itself")
@pytest.mark.parametrize("later", [0, 5, 19, 20, 40])
def test_an_older_database_that_gave_the_same_numbers_again_is_noticed(
    filled: Path, home: Path, later: int
) -> None:
    store = opened(home)
    put(store, {number: number + 3_000 for number in range(20)})
    answers(store)
    store.upkeep.scrub()
    store.close()
    restore(filled, home)

    store = opened(home)
    put(store, {number: number + 4_000 for number in range(later)})

    assert answers(store) == truth(home / "holdfast.db")
    store.close()


def _index(home: Path, turns: int) -> None:
    for _ in range(turns):
        store = opened(home)
        for within in (Selection(), Selection(kinds=frozenset({Kind.RULE}))):
            assert answers(store, within)
        store.close()


def _write(home: Path, seed: int, turns: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same work in every run
    store = opened(home)
    for turn in range(turns):
        put(store, {chance.randrange(COUNT): seed * 1_000 + turn + each for each in range(30)})
        if turn % 3 == 0:
            store.upkeep.scrub()
    store.close()


@requirement("meaning.index-heals-itself")
def test_many_processes_follow_at_once(home: Path) -> None:
    fork = multiprocessing.get_context("fork")
    workers = [fork.Process(target=_index, args=(home, 12)) for _ in range(2)]
    workers += [fork.Process(target=_write, args=(home, seed, 12)) for seed in (7, 8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert [worker.exitcode for worker in workers] == [0, 0, 0, 0]
    store = opened(home)
    assert answers(store) == truth(home / "holdfast.db")
    store.close()


def test_while_somebody_writes_the_index_the_store_answers(home: Path, store: SqliteStore) -> None:
    expected = truth(home / "holdfast.db")
    with (home / "holdfast.db-vectors-1.lock").open("r+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)

        assert answers(store) == expected


def test_an_index_that_is_far_behind_follows_and_one_a_little_behind_does_not(
    home: Path, store: SqliteStore
) -> None:
    answers(store)
    before = rows_file(home).stat().st_size
    put(store, {1: 5_000})
    assert answers(store) == truth(home / "holdfast.db")
    assert rows_file(home).stat().st_size == before

    put(store, {number: number + 5_000 for number in range(30)})
    assert answers(store) == truth(home / "holdfast.db")
    assert rows_file(home).stat().st_size == before + 30 * MODEL.dimension


@requirement("forget.leaves-no-bytes")
@pytest.mark.parametrize("index", [Sidecar, None])
def test_no_byte_of_a_forgotten_vector_stays_in_any_file(
    home: Path, index: type[Sidecar] | None
) -> None:
    canary = 77
    traces = (kept_numbers(canary), vector_halves(canary))
    assert [path for path in files_with(home, traces) if "vectors" in path]
    store = SqliteStore.open(home / "holdfast.db", index=index)
    (home / "holdfast.db-vectors-1.new.i8").write_bytes(traces[0])
    with rows_file(home).open("ab") as file:
        file.write(traces[0])

    forget(store, canary)
    store.upkeep.scrub()

    assert files_with(home, traces) == []
    assert answers(store) == truth(home / "holdfast.db")
    store.close()
    assert files_with(home, traces) == []


def vector_halves(seed: int) -> bytes:
    numbers = struct.unpack(f"<{MODEL.dimension}f", vector(seed).values)
    length = sum(number * number for number in numbers) ** 0.5
    return struct.pack(f"<{MODEL.dimension}e", *(number / length for number in numbers))


def files_with(home: Path, traces: tuple[bytes, ...]) -> list[str]:
    return [
        path.name
        for path in sorted(home.iterdir())
        if any(trace in path.read_bytes() for trace in traces)
    ]


@requirement("forget.leaves-no-bytes")
def test_the_index_of_a_dropped_model_goes_with_the_next_scrub(
    home: Path, store: SqliteStore
) -> None:
    with store.writing(NOON) as tx:
        tx.finding.meaning.drop(MODEL.name)

    store.upkeep.scrub()

    assert list(home.glob("*-vectors-*")) == []
    assert files_with(home, (kept_numbers(3), vector_halves(3))) == []


def test_a_rebuild_keeps_the_vectors_and_a_repair_of_them_drops_only_what_is_not_whole(
    home: Path, store: SqliteStore
) -> None:
    before = answers(store)

    store.upkeep.rebuild(said_nothing)

    assert answers(store) == before
    with store.writing(NOON) as tx:
        tx.work.connection.execute(
            "UPDATE embedding SET vectors = zeroblob(48) WHERE place = (1 << 40) + 4"
        )
        tx.work.connection.execute(
            "UPDATE embedding SET place = (1 << 40) + 999 WHERE place = (1 << 40) + 5"
        )
        tx.work.connection.execute("DELETE FROM embedding_change WHERE seq = 6")
    warned = [f for f in store.upkeep.check(said_nothing) if f.severity is Severity.WARNING]
    assert [finding.check for finding in warned] == ["vectors"]
    store.upkeep.repair(said_nothing)
    assert [f for f in store.upkeep.check(said_nothing) if f.severity is Severity.WARNING] == []
    with store.reading() as tx:
        bare = tx.finding.meaning.lacking(MODEL.name, beyond=None, limit=9)
    assert [record.sequence for record in bare] == [4, 5]
    assert answers(store) == truth(home / "holdfast.db")


@requirement("store.damage-reported")
def test_a_rescued_store_brings_its_vectors_along(home: Path) -> None:
    expected = truth(home / "holdfast.db")
    store = opened(home)
    with store.writing(NOON) as tx:
        tx.work.connection.execute("UPDATE memory SET value = 'other' WHERE seq = 9")

    repair = store.upkeep.repair(said_nothing)

    assert repair.lost == (memory_id(8),)
    lost = [[hit for hit in hits if hit.sequence != 9] for hits in expected]
    found = answers(store)
    assert [hits[: len(some)] for hits, some in zip(found, lost, strict=True)] == lost
    assert found == truth(home / "holdfast.db")
    store.close()


READ_WITHOUT_RIGHTS = """
import pickle, sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from tests.integration.test_vector_sidecar import answers, opened
store = opened(Path(sys.argv[1]))
sys.stdout.buffer.write(pickle.dumps(answers(store)))
store.close()
"""


@pytest.mark.parametrize("harm", [None, everything_deleted, both_headers_torn])
def test_where_nothing_can_be_written_the_answers_are_the_same(harm: object) -> None:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name) / "home"
        store = opened(home)
        keep(store, *(numbered(number) for number in range(60)))
        put(store, {number: number for number in range(60)})
        answers(store)
        put(store, {number: number + 100 for number in range(30)})
        store.close()
        expected = truth(home / "holdfast.db")
        if callable(harm):
            harm(home)
        for path in (Path(name), home, *home.iterdir()):
            path.chmod(0o555 if path.is_dir() else 0o444)
        before = sorted((path.name, path.stat().st_mtime_ns) for path in home.iterdir())

        done = subprocess.run(
            [sys.executable, "-c", READ_WITHOUT_RIGHTS, str(home), *sys.path],
            preexec_fn=drop_root_rights,
            capture_output=True,
            check=True,
        )

        assert pickle.loads(done.stdout) == expected  # noqa: S301 - written by our own child
        assert sorted((p.name, p.stat().st_mtime_ns) for p in home.iterdir()) == before
        home.chmod(0o755)


def test_numpy_alone_gives_the_same_answers(
    home: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = answers(store)
    store.close()
    monkeypatch.setattr(scanning, "_way", lambda: scanning.plain_dots)

    alone = opened(home)

    assert answers(alone) == expected
    alone.close()


def test_both_ways_to_multiply_give_exactly_the_same() -> None:
    chance = np.random.default_rng(5)
    for dimension in (3, 384, 1_536):
        rows = chance.integers(-127, 128, (5_000, dimension)).astype(np.int8)
        question = chance.integers(-127, 128, dimension).astype(np.int8)
        exact = rows.astype(np.int64) @ question.astype(np.int64)

        assert (scanning.plain_dots(rows, question) == exact.astype(np.float32)).all()
        assert (scanning.dots(rows, question) == exact.astype(np.float32)).all()


def test_the_largest_are_found_wherever_they_stand() -> None:
    chance = np.random.default_rng(6)
    for size in (0, 1, 63, 64, 65, 1_000, 20_001):
        scores = chance.normal(size=size).astype(np.float32)
        for limit in (1, 7, 64):
            expected = np.argsort(-scores, kind="stable")[:limit]

            assert scanning.largest(scores, limit).tolist() == expected.tolist()


def test_what_is_not_committed_goes_into_no_file(home: Path, store: SqliteStore) -> None:
    answers(store)
    before = (rows_file(home).read_bytes(), names_file(home).read_bytes())

    with store.writing(NOON) as tx:
        tx.finding.meaning.put(MODEL, {memory_id(n): [vector(n + 6_000)] for n in range(40)})
        hits = tx.finding.meaning.search(vector(6_007), Selection(), limit=1).hits

    assert [hit.sequence for hit in hits] == [8]
    assert (rows_file(home).read_bytes(), names_file(home).read_bytes()) == before
    assert answers(store) == truth(home / "holdfast.db")
    assert (rows_file(home).read_bytes(), names_file(home).read_bytes()) != before


@requirement("forget.leaves-no-bytes")
def test_a_scrub_cuts_off_what_somebody_who_died_has_left(home: Path, store: SqliteStore) -> None:
    trace = kept_numbers(9_999)
    with rows_file(home).open("ab") as file:
        file.write(trace)

    store.upkeep.scrub()

    assert files_with(home, (trace,)) == []
    assert answers(store) == truth(home / "holdfast.db")


def test_an_index_names_nobody_whom_the_transaction_does_not_see(
    home: Path, store: SqliteStore
) -> None:
    index = Sidecar(str(home / "holdfast.db-vectors-1"))
    question = question_bytes(vector(77), MODEL)
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(77)))
        known = known_model(MODEL.name, tx.work)
        assert known is not None
        source = SqliteVectors(known, tx.work)

        everyone = index.nearest(question, source, among=None, limit=COUNT + 9)
        some = index.nearest(question, source, among=[3, 78, 79, 9_999], limit=9)

    assert sorted(sequence for sequence, _ in everyone.found) == [
        sequence for sequence in range(1, COUNT + 1) if sequence != 78
    ]
    assert everyone.is_all
    assert {sequence for sequence, _ in some.found} == {3, 79}
    index.close()
    index.close()


@requirement("meaning.exact")
def test_the_cosines_of_a_scan_are_never_off_by_more_than_the_slack(
    home: Path, store: SqliteStore
) -> None:
    index = Sidecar(str(home / "holdfast.db-vectors-1"))
    with store.reading() as tx:
        known = known_model(MODEL.name, tx.work)
        assert known is not None
        source = SqliteVectors(known, tx.work)
        for seed in range(50):
            question = question_bytes(vector(seed + 20_000), MODEL)
            near = index.nearest(question, source, among=None, limit=COUNT)
            exact = index.likeness(question, source.vectors(range(1, COUNT + 1)))

            assert max(abs(exact[number] - about) for number, about in near.found) <= near.slack
    index.close()


def test_on_a_full_disk_the_answers_are_the_same_and_the_files_no_longer(
    home: Path, store: SqliteStore
) -> None:
    answers(store)
    size = rows_file(home).stat().st_size
    put(store, {number: number + 8_000 for number in range(30)})
    expected = truth(home / "holdfast.db")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (HEAD_BYTES + 10, hard))
    try:
        found = answers(store)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert found == expected
    assert rows_file(home).stat().st_size == size
    assert list(home.glob("*.new.*")) == []
    assert last_change(home) == COUNT
    assert answers(store) == expected
    assert last_change(home) == COUNT + 30


def last_change(home: Path) -> int:
    with rows_file(home).open("rb") as file:
        header = read_header(file.fileno())
    assert header is not None
    return header.last.number


@requirement("forget.leaves-no-bytes")
def test_a_scrub_that_is_kept_waiting_removes_the_files(
    home: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sidecar, "_SCRUB_SECONDS", 0.01)
    traces = (kept_numbers(5), vector_halves(5))
    forget(store, 5)
    with (home / "holdfast.db-vectors-1.lock").open("r+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        store.upkeep.scrub()

    assert files_with(home, traces) == []
    assert answers(store) == truth(home / "holdfast.db")


def test_a_lock_whose_file_was_removed_is_taken_anew(home: Path, store: SqliteStore) -> None:
    answers(store)
    (home / "holdfast.db-vectors-1.lock").unlink()
    put(store, {number: number + 8_500 for number in range(30)})

    assert answers(store) == truth(home / "holdfast.db")
    assert (home / "holdfast.db-vectors-1.lock").exists()
