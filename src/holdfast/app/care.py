"""The health of a memory: what is wrong with it, and its score over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.part_ports import checkout_of, ids_here, oversees
from holdfast.app.performing import REHEARSAL, Part, performs
from holdfast.domain.memory.callers import Operation
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import timedelta

    from holdfast.app import Holdfast
    from holdfast.domain.review.curation import Concern, HealthPoint
    from holdfast.ports.health_log import HealthLog
    from holdfast.usecases.care.prune import Pruned
    from holdfast.usecases.care.prune_request import Prune, PrunePorts
    from holdfast.usecases.review.approve import Decided
    from holdfast.usecases.review.curate import Digest
    from holdfast.usecases.review.curating import Survey
    from holdfast.usecases.review.tidying import Tidied

_WAITING_SHOWN = 5
_MOST_PAIRS = 200


class Care(Part):
    """Curates an open memory; ``undo`` reverts its changes."""

    def __init__(self, holdfast: Holdfast, *, log: HealthLog) -> None:
        super().__init__(holdfast)
        self._log = log

    @performs(Operation.MAINTAIN)
    def survey(self) -> tuple[Survey, Sequence[HealthPoint]]:
        """Check everything and log the health score; return the findings and all scores."""
        from holdfast.usecases.review.curating import survey

        memory = self._holdfast
        found = survey(
            store=memory.store,
            clock=memory.clock,
            surroundings=memory.surroundings,
            verifier=memory.verifier,
            heuristics=memory.heuristics,
            read=memory.review.read_pairs(limit=_MOST_PAIRS),
        )
        before = self._log.points(found.health.place)
        self._log.add(found.health)
        return found, (*before, found.health)

    @performs(Operation.READ)
    def history(self) -> Sequence[HealthPoint]:
        """Return the health scores of this place, oldest first."""
        return self._log.points(self._holdfast.surroundings.place().repo or "")

    @performs(Operation.MAINTAIN)
    def digest(self, *, since: timedelta) -> Digest:
        """Return a page about what happened in the given time."""
        from holdfast.usecases.review.curate import digest
        from holdfast.usecases.review.queued import Review

        found, history = self.survey()
        queue = self._holdfast.review.review(Review(limit=_WAITING_SHOWN))
        return digest(found, queue, history, since=since)

    @performs(Operation.DECIDE)
    def tidy(self, concerns: Sequence[Concern], *, by: str) -> Tidied:
        """Fix the findings that can be fixed automatically."""
        from holdfast.usecases.review.tidying import tidy

        return tidy(
            concerns,
            by=by,
            store=self._holdfast.store,
            clock=self._holdfast.clock,
            heuristics=self._holdfast.heuristics,
        )

    @performs(Operation.DECIDE)
    def deprecate(self, references: Sequence[str], *, by: str, reason: str = "") -> Decided:
        """Deprecate accepted memories."""
        from holdfast.usecases.review.tidying import deprecate

        memory = self._holdfast
        return deprecate(
            ids_here(memory, references),
            by=by,
            reason=reason,
            store=memory.store,
            clock=memory.clock,
            heuristics=memory.heuristics,
        )

    @performs(Operation.DECIDE)
    def consolidate(
        self, references: Sequence[str], *, by: str, text: str | None = None
    ) -> Decided:
        """Replace several memories by one."""
        from holdfast.usecases.review.tidying import Consolidate, consolidate

        memory = self._holdfast
        return consolidate(
            Consolidate(references=ids_here(memory, references), by=by, text=text),
            store=memory.store,
            clock=memory.clock,
            checkout=checkout_of(memory),
            heuristics=memory.heuristics,
        )

    @performs(Operation.FORGET, REHEARSAL)
    def prune(self, wish: Prune) -> Pruned:
        """Deprecate memories that are due, and remove those whose grace period is over.

        Only a principal who sees the notes of agents is told about them.
        """
        from holdfast.usecases.care.prune import prune

        memory = self._holdfast
        shown = replace(wish, has_notes=wish.has_notes and oversees(memory))
        return prune(shown, ports=prune_ports(memory))


def prune_ports(memory: Holdfast) -> PrunePorts:
    """Return the ports of pruning, with the texts of the repository around the caller."""
    from holdfast.usecases.care.prune_request import PrunePorts

    attachments = memory.attachments
    notebook = None if attachments is None else attachments.notebook()
    return PrunePorts(
        store=memory.store,
        clock=memory.clock,
        surroundings=memory.surroundings,
        heuristics=memory.heuristics,
        policy=memory.prune_policy(),
        traces_of=memory.traces_of,
        pages=None if notebook is None else notebook.read(),
        documents=() if attachments is None else attachments.documents().passages(),
    )
