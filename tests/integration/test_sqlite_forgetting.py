"""Forgetting: no byte stays in any file, and it works when nothing else can be written."""

from __future__ import annotations

import errno
import itertools
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.adapters.sqlite.database.files import RESERVE_BYTES
from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions
from holdfast.domain.choices import EvidenceType
from holdfast.domain.errors import ForgottenError, NoSuchError, StoreFullError, StoreUnreadableError
from holdfast.domain.ids import SpanId
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing
from tests.builders import NOON, a_branch_point, a_reason, a_span, a_tombstone, an_anchor
from tests.contract.steps import keep, memory_id, numbered, read, said_nothing
from tests.requirements import requirement


def forget(store: SqliteStore, number: int) -> None:
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(number)))


def files_with(folder: Path, text: str) -> list[str]:
    """Return the files that hold the text, as written or as an index would keep it."""
    forms = (text.encode(), text.lower().encode(), text.encode("utf-16-le"))
    return [
        path.name
        for path in sorted(folder.rglob("*"))
        if path.is_file() and any(form in path.read_bytes() for form in forms)
    ]


@requirement("forget.leaves-no-bytes")
def test_a_forgotten_claim_leaves_no_byte_in_any_file(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "holdfast.db")
    canary = "HunterTwoXyzzy"
    for n in range(30):
        keep(store, numbered(n, claim=f"ordinary memory {n} " * 5))
    span = a_span(path=f"{canary}.py", anchor=an_anchor(symbol=f"{canary}.rotate", branch=canary))
    with store.writing(NOON) as tx:
        tx.anchors.spans.put(span)
    secret = numbered(
        99,
        claim=f"The password is {canary} and the stem is xyzzyfications.",
        key=f"key-{canary}-KEY",
        tags=(f"tag-{canary}",),
        evidence=(a_reason(reference=f"{canary} said so", span=span.id),),
        metadata={"note": canary},
        branch_point=a_branch_point(branch=f"feature/{canary}"),
    )
    keep(store, secret, standing=Standing(label=f"L-{canary}", reason=canary))
    with store.writing(NOON) as tx:
        tx.anchors.reasons.add(secret.id, a_reason(reference=f"again {canary}"))
        tx.links.put(Link(src=secret.id, dst=memory_id(1), kind="supports"))
    keep(store, numbered(100))
    assert files_with(tmp_path, canary)

    forget(store, 99)
    store.upkeep.scrub()

    for trace in (canary, "xyzzyfic", "hunter", "Xyzzy"):
        assert files_with(tmp_path, trace) == []
    store.close()
    assert files_with(tmp_path, canary) == []


@requirement("forget.leaves-no-bytes")
def test_the_beginnings_of_words_that_the_index_keeps_go_too(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "holdfast.db")
    words = {n: f"canaryword{'abcdefghij'[n // 10]}{'klmnopqrst'[n % 10]}vw" for n in range(100)}
    for start in range(0, 100, 20):
        many = " ".join(f"filler{start}x{k}" for k in range(200))
        keep(store, *(numbered(n, claim=f"{words[n]} {many}") for n in range(start, start + 20)))

    for n in range(0, 100, 3):
        forget(store, n)
    store.upkeep.scrub()

    assert [n for n in range(0, 100, 3) if files_with(tmp_path, words[n])] == []
    assert [f.message for f in store.upkeep.check(said_nothing) if f.severity == "damage"] == []
    store.close()


def test_a_log_that_somebody_reads_is_not_said_to_be_empty(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "holdfast.db", options=StoreOptions(wait_seconds=0.1))
    keep(store, numbered(1))
    reader = SqliteStore.open(tmp_path / "holdfast.db")
    with reader.reading() as tx:
        tx.memories.get(memory_id(1))
        forget(store, 1)

        with pytest.raises(StoreUnreadableError, match="keeps reading"):
            store.upkeep.scrub()

    store.upkeep.scrub()
    assert files_with(tmp_path, "Claim 1") == []
    reader.close()
    store.close()


def test_spans_that_only_the_forgotten_memory_cites_go_with_it(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "holdfast.db")

    def cites(*numbers: int) -> tuple[object, ...]:
        return tuple(
            a_reason(type=EvidenceType.SPAN, reference=f"a.py:{n}", span=SpanId(f"s_{n}"))
            for n in numbers
        )

    with store.writing(NOON) as tx:
        for n in range(4):
            tx.anchors.spans.put(a_span(id=SpanId(f"s_{n}"), pinned=n == 3))
    keep(store, numbered(1, evidence=cites(0, 1, 3)), numbered(2, evidence=cites(1, 2)))

    forget(store, 1)

    with store.reading() as tx:
        assert [span.id for span in tx.anchors.spans.page(beyond=None, limit=9)] == [
            "s_1",
            "s_2",
            "s_3",
        ]
        with pytest.raises(NoSuchError):
            tx.anchors.spans.get(SpanId("s_0"))
    store.close()


def _fill_and_forget(path: Path, answer: str) -> None:
    """Let no file grow, write until that fails, and forget."""
    store = SqliteStore.open(path)
    keep(store, *(numbered(n, claim="word " * 400 + str(n)) for n in range(30)))
    store.upkeep.scrub()
    # Less than the log takes before it is first moved: the log may not grow, the database may.
    # Where neither may, giving up the reserve helps on a full disk, and nothing under a limit.
    largest = path.stat().st_size + 256 * 1024
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    said = "wrote everything"
    try:
        for n in range(100, 1000):
            keep(store, numbered(n, claim=os.urandom(4000).hex()))
    except StoreFullError:
        said = "full"
    forget(store, 7)
    Path(answer).write_text(said, encoding="utf-8")
    store.close()


@requirement("store.full-disk-can-forget")
def test_a_memory_can_be_forgotten_when_no_file_may_grow(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    answer = tmp_path / "answer"
    process = multiprocessing.get_context("fork").Process(
        target=_fill_and_forget, args=(path, str(answer))
    )

    process.start()
    process.join()

    assert process.exitcode == 0
    assert answer.read_text(encoding="utf-8") == "full"
    store = SqliteStore.open(path)
    with pytest.raises(ForgottenError):
        read(store, memory_id(7))
    assert read(store, memory_id(8)).memory.id == memory_id(8)
    assert [f.message for f in store.upkeep.check(said_nothing) if f.severity == "damage"] == []
    store.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 4 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount, unmount = shutil.which("mount"), shutil.which("umount")
    if os.geteuid() or mount is None or unmount is None:
        pytest.skip("only root can mount a small disk")
    made = subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)],
        check=False,
        capture_output=True,
    )
    if made.returncode:
        pytest.skip("no disk can be mounted here")
    yield disk
    subprocess.run([unmount, "--lazy", str(disk)], check=True)


def keep_until_full(store: SqliteStore) -> int:
    """Keep large memories from number 100 on; return the first that did not fit."""
    for n in itertools.count(100):
        try:
            keep(store, numbered(n, claim=os.urandom(20_000).hex()))
        except StoreFullError:
            return n
    raise AssertionError


def use_up(disk: Path) -> None:
    """Leave not a block free."""
    with (disk / "ballast").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError as error:
            assert error.errno == errno.ENOSPC  # noqa: PT017 - the loop has no other end


@requirement("store.full-disk-can-forget")
def test_a_memory_can_be_forgotten_on_a_full_disk(small_disk: Path) -> None:
    path = small_disk / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(0), numbered(1))
    last = keep_until_full(store)
    use_up(small_disk)

    forget(store, 100)
    store.upkeep.scrub()

    assert read(store, memory_id(0)).memory.id == memory_id(0)
    assert read(store, memory_id(101)).memory.id == memory_id(101)
    with pytest.raises(ForgottenError):
        read(store, memory_id(100))
    for n in range(101, last):
        forget(store, n)
        store.upkeep.scrub()
    (small_disk / "ballast").unlink()
    keep(store, numbered(2))
    assert (small_disk / "holdfast.db-reserve").stat().st_size == RESERVE_BYTES
    store.close()
