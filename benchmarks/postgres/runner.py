"""``python -m benchmarks.postgres.runner``: fill one design, ask it, and print the figures."""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Sequence
from typing import Any, Protocol, cast
from uuid import uuid4

import psycopg

from benchmarks.corpus import Corpus
from benchmarks.cpu import cpu_seconds
from benchmarks.postgres.copied import LateIndex
from benchmarks.postgres.designs import Copying, Design, Vectors, design
from benchmarks.postgres.material import TOP, Tenant, tenants

_BATCH = 500
_WARMING = 20
_KEPT = 2_000
ADDED, LATE, COPIED = "added", "late", "copied"
"""How the rows come into the tables: as usual, with the vector index at the end, or by a copy."""
THERE, NEW = "there", "new"
"""Whether an earlier run has filled them."""


class Answering(Design, Protocol):
    """A design that also answers questions in words."""

    def keep(self, tenant: str, texts: Sequence[str]) -> None:
        """Keep texts without vectors."""

    def recall(self, tenant: str, question: str, vector: Vectors | None = None) -> None:
        """Answer a question, also by its vector if there is one, and keep the answer."""


class Unfiltered(Design, Protocol):
    """A design that also searches the rows of all tenants."""

    def anywhere(self, question: Vectors) -> None:
        """Ask for the ten nearest rows of all tenants."""


class Clock:
    """Wall time, and the CPU time of this process and of the server, since it was made."""

    def __init__(self, server: int) -> None:
        self._server = server
        self._began = self._now()

    def _now(self) -> tuple[float, float, float]:
        return time.perf_counter(), time.process_time(), cpu_seconds(self._server)

    def spent(self, times: int) -> dict[str, float]:
        """Return milliseconds for each of so many pieces of work."""
        spent = [
            1_000 * (now - then) / times for now, then in zip(self._now(), self._began, strict=True)
        ]
        return dict(zip(("wall_ms", "client_ms", "server_ms"), spent, strict=True))


def main() -> None:
    """Measure the design that the words name."""
    name, address, owner, server, rows, questions, filled, how = sys.argv[1:]
    made = tenants(int(rows), int(questions), with_texts=how != COPIED)
    opened = design(name, address)
    opened.prepare([tenant.name for tenant in made])
    figures: dict[str, Any] = {}
    if filled != THERE:
        if how == COPIED:
            figures["copy"] = _copied(cast("Copying", opened), made, owner, int(server))
        else:
            late = LateIndex(owner) if how == LATE else None
            figures["insert"] = _filled(opened, made, int(server), late)
        _settle(owner)
    figures["tenants"] = {tenant.name: _asked(opened, tenant, int(server)) for tenant in made}
    if hasattr(opened, "anywhere"):
        figures["unfiltered"] = _unfiltered(cast("Unfiltered", opened), made[0], int(server))
    if hasattr(opened, "recall") and made[0].texts:
        answering = cast("Answering", opened)
        figures["recall"] = _recalled(answering, made[0], int(server), by_meaning=False)
        figures["hybrid"] = _recalled(answering, made[0], int(server), by_meaning=True)
        figures["bare"] = _kept(answering, made[0].texts, int(server))
    sys.stdout.write(json.dumps(figures) + "\n")


def _filled(
    design: Design, made: list[Tenant], server: int, late: LateIndex | None
) -> dict[str, float]:
    clock = Clock(server)
    for tenant in made:
        for first in range(0, len(tenant.texts), _BATCH):
            part = slice(first, first + _BATCH)
            design.add(tenant.name, first, tenant.texts[part], tenant.vectors[part])
    if late is not None:
        late.build()
    return clock.spent(sum(len(tenant.texts) for tenant in made))


def _copied(
    design: Copying, made: list[Tenant], owner: str, server: int
) -> dict[str, dict[str, float]]:
    rows = sum(len(tenant.vectors) for tenant in made)
    index, clock = LateIndex(owner), Clock(server)
    for tenant in made:
        design.copy(owner, tenant.name, tenant.vectors)
    spent = {"copy": clock.spent(rows)}
    clock = Clock(server)
    index.build()
    return spent | {"index": clock.spent(rows)}


def _settle(owner: str) -> None:
    """Do at once what the server does by itself within minutes of a large load."""
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute("VACUUM (ANALYZE)")


def _asked(design: Design, tenant: Tenant, server: int) -> dict[str, float]:
    # A server that was just started has no row in its memory.
    for question in tenant.questions:
        design.nearest(tenant.name, question)
    found, walls = 0, []
    clock = Clock(server)
    for question, answer in zip(tenant.questions, tenant.answers, strict=True):
        began = time.perf_counter()
        found += len(answer & set(design.nearest(tenant.name, question)))
        walls.append(1_000 * (time.perf_counter() - began))
    recall = found / (TOP * len(tenant.answers))
    spent = clock.spent(len(tenant.answers))
    return spent | {
        "rows": len(tenant.vectors),
        "recall": recall,
        "median": statistics.median(walls),
    }


def _unfiltered(design: Unfiltered, tenant: Tenant, server: int) -> dict[str, float]:
    """Ask the questions of a tenant about the rows of all."""
    for question in tenant.questions:
        design.anywhere(question)
    clock = Clock(server)
    for question in tenant.questions:
        design.anywhere(question)
    return clock.spent(len(tenant.questions))


def _kept(design: Answering, texts: Sequence[str], server: int) -> dict[str, float]:
    """Fill a new tenant without vectors; the first batch is not counted."""
    bare = f"bare {uuid4()}"
    design.prepare([bare])
    design.keep(bare, texts[:_BATCH])
    rest = texts[_BATCH : _BATCH + _KEPT]
    clock = Clock(server)
    for first in range(0, len(rest), _BATCH):
        design.keep(bare, rest[first : first + _BATCH])
    return clock.spent(len(rest))


def _recalled(
    design: Answering, tenant: Tenant, server: int, *, by_meaning: bool
) -> dict[str, float]:
    corpus = Corpus()
    many = len(tenant.questions)
    questions = [corpus.stop_heavy_question(text) for text in tenant.texts[:many]]
    vectors = tenant.questions if by_meaning else [None] * many
    asked = list(zip(questions, vectors, strict=False))
    for question, vector in asked[:_WARMING]:
        design.recall(tenant.name, question, vector)
    clock = Clock(server)
    for question, vector in asked:
        design.recall(tenant.name, question, vector)
    return clock.spent(len(asked))


if __name__ == "__main__":
    main()
