"""Measures writes and keyword recall as the store grows: 10k, 100k, 1M memories."""

from __future__ import annotations

import itertools
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import holdfast
from benchmarks.corpus import Corpus
from benchmarks.figures import Figure, cpu_milliseconds
from benchmarks.meaning import RARE, with_meaning
from holdfast.domain.choices import Retrieval
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.question import terms_of
from holdfast.domain.values import replace
from holdfast.surfaces.python.api import MemoryStore

_BATCH = 500
_QUESTIONS = 60
_TARGETS = {10_000: 2.0, 100_000: 5.0, 1_000_000: 20.0}
_MEMORY_CAP_MB = 600.0
_WRITES = 60
_WRITE_TARGET = 5.0


class Growth:
    """One store that is filled step by step and measured at each step."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._corpus = Corpus()
        self._stream = self._corpus.memories()
        self._held = 0
        self._sample: list[str] = []

    def up_to(self, size: int) -> list[Figure]:
        """Fill the store up to a size and measure there."""
        added = size - self._held
        wall = cpu = 0.0
        with holdfast.open(home=self._home, folder=self._home.parent) as memory:
            while self._held < size:
                claims = list(itertools.islice(self._stream, min(_BATCH, size - self._held)))
                clocks = time.perf_counter(), time.process_time()
                few = claims[: len(claims) // 100]
                memory.remember_all(few, scope="global", because="made for measuring", tags=[RARE])
                rest = claims[len(few) :]
                memory.remember_all(rest, scope="global", because="made for measuring")
                wall += time.perf_counter() - clocks[0]
                cpu += time.process_time() - clocks[1]
                self._sample = (self._sample + claims[:2])[-2 * _QUESTIONS :]
                self._held += len(claims)
        ingest = Figure(
            name=f"batch ingest up to {size:,}",
            value=added / wall,
            unit="memories/s",
            at_least=2_000,
            note=f"{added / cpu:,.0f}/s of CPU, {_BATCH} in a batch, synchronous=FULL",
        )
        questions = [self._corpus.stop_heavy_question(one) for one in self._sample]
        figures = [ingest, *_measured(self._home, size, questions), *self._writes(size)]
        return [*figures, *with_meaning(self._home, size, questions)]

    def _writes(self, size: int) -> list[Figure]:
        """Measure single claims: those that share few words with the store, and those of its words.

        The second kind has rivals that share several words, so more is read and compared for it.
        """
        foreign = list(itertools.islice(Corpus(seed=13).memories(), 2 * _WRITES))
        own = list(itertools.islice(self._stream, 2 * _WRITES))
        done = "screened, compared with other claims, indexed, durable"
        return [
            Figure(
                name=f"warm remember{of} at {size:,}",
                value=_warm_writes(self._home, claims),
                unit="ms CPU",
                at_most=_WRITE_TARGET,
                note=f"median of {_WRITES} claims that {share} with the store: {done}",
            )
            for of, share, claims in (
                ("", "share few words", foreign),
                (" in the store's words", "share many words", own),
            )
        ]


def _measured(home: Path, size: int, questions: list[str]) -> list[Figure]:
    with holdfast.open(home=home, folder=home.parent) as opened:
        memory = MemoryStore(replace(opened.app, retrieval=Retrieval.WORDS))
        memory.recall(questions[0])
        search = statistics.median(_search(memory, text) for text in questions[:_QUESTIONS])
        whole = statistics.median(
            cpu_milliseconds(lambda text=text: memory.recall(text))  # type: ignore[misc]
            for text in questions[:_QUESTIONS]
        )
    resident = _resident_megabytes(home, questions[0])
    return [
        Figure(
            name=f"keyword search at {size:,}",
            value=search,
            unit="ms CPU",
            at_most=_TARGETS.get(size),
            note=f"median of {_QUESTIONS} stop-heavy questions",
        ),
        Figure(
            name=f"whole recall at {size:,}",
            value=whole,
            unit="ms CPU",
            note="by words: search, rank, pack, count tokens, keep the bundle durably",
        ),
        Figure(
            name=f"resident memory of a recall at {size:,}",
            value=resident,
            unit="MB",
            at_most=_MEMORY_CAP_MB,
        ),
    ]


def _warm_writes(home: Path, claims: list[str]) -> float:
    """Return the CPU time of one claim of a person that is stored by itself."""
    with holdfast.open(home=home, folder=home.parent, as_="person", name="ada") as memory:
        took = [
            cpu_milliseconds(
                lambda claim=claim: memory.remember(claim, scope="global", because="measuring")  # type: ignore[misc]
            )
            for claim in claims
        ]
    return statistics.median(took[_WRITES:])


def _search(memory: MemoryStore, text: str) -> float:
    place = memory.app.surroundings.place()
    within = Selection(space=place.space, place=place, recallable_at=memory.app.clock.now())

    def work() -> None:
        with memory.app.store.reading() as tx:
            tx.finding.words.search(terms_of(text), within, limit=20)

    return cpu_milliseconds(work)


def _resident_megabytes(home: Path, question: str) -> float:
    program = (
        "import sys, resource, holdfast\n"
        "with holdfast.open(home=sys.argv[1], folder=sys.argv[1]) as memory:\n"
        "    memory.recall(sys.argv[2])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program, str(home), question],
        env={**os.environ, "HOLDFAST_RECALL_RETRIEVAL": "words"},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(answer.stdout)


def single_writes(home: Path, count: int) -> list[Figure]:
    """Measure single durable writes in a warm process, next to the disk's own fsync."""
    stream = Corpus(seed=11).memories()
    sync = _fsync_milliseconds(home, count)
    with holdfast.open(home=home, folder=home.parent) as memory:
        memory.remember(next(stream), scope="global", because="warm up")
        walls = []
        for claim in itertools.islice(stream, count):
            started = time.perf_counter()
            memory.remember(claim, scope="global", because="made for measuring")
            walls.append((time.perf_counter() - started) * 1000)
    wall = statistics.median(walls)
    return [
        Figure(
            name="single durable remember beyond fsync",
            value=max(0.0, wall - sync),
            unit="ms",
            at_most=10.0,
            note=f"median {wall:.2f} ms, the disk's own fsync {sync:.2f} ms, {count} writes",
        )
    ]


def _fsync_milliseconds(folder: Path, count: int) -> float:
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / "fsync-probe"
    took = []
    with probe.open("wb", buffering=0) as file:
        for _ in range(count):
            started = time.perf_counter()
            file.write(b"x" * 4096)
            os.fdatasync(file.fileno())
            took.append((time.perf_counter() - started) * 1000)
    probe.unlink()
    return statistics.median(took)
