"""Decisions of people about memories, one method per verb."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.part_ports import (
    checker_of,
    checkout_of,
    id_here,
    ids_here,
    pair_ports,
    view_ports,
)
from holdfast.app.performing import REHEARSAL, Part, performs, when
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.callers import Operation
from holdfast.domain.review_errors import NoConflictError
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.decision import Decision
    from holdfast.ports.judge import Judge
    from holdfast.ports.store.upkeep import Progress
    from holdfast.usecases.review.approve import Approve, Decided, Reject
    from holdfast.usecases.review.conflicts import Conflict
    from holdfast.usecases.review.judging import JudgedConflicts
    from holdfast.usecases.review.pair_reading import PairReadings
    from holdfast.usecases.review.queued import Queue, Review
    from holdfast.usecases.review.resolve import Resolve
    from holdfast.usecases.review.revert import Revert, Reverted
    from holdfast.usecases.review.rewording import Edit
    from holdfast.usecases.review.undo import Undo


_FORGETS = when(lambda wish: wish.forgets, Operation.FORGET, "forgetting")


class Curation(Part):
    """Review, decide, and undo."""

    @performs(Operation.READ)
    def review(self, wish: Review) -> Queue:
        """Return the candidates that wait for a person, the most valuable first."""
        from holdfast.usecases.review.pair_reading import with_readings
        from holdfast.usecases.review.review import review, with_outcomes

        memory = self._holdfast
        queue = review(
            replace(wish, most_waiting=memory.most_waiting),
            store=memory.store,
            clock=memory.clock,
            surroundings=memory.surroundings,
            verifier=memory.verifier,
            heuristics=memory.heuristics,
        )
        if wish.reads_pairs:
            queue = with_readings(queue, ports=pair_ports(memory))
        return with_outcomes(queue, checker_of(memory))

    @performs(Operation.DECIDE)
    def auto_accept(self) -> Decided:
        """Accept candidates of low risk, if a person's setting allows it."""
        from holdfast.usecases.review.auto_accepting import auto_accept

        memory = self._holdfast
        return auto_accept(
            store=memory.store,
            clock=memory.clock,
            surroundings=memory.surroundings,
            verifier=memory.verifier,
            heuristics=memory.heuristics,
        )

    @performs(Operation.DECIDE)
    def approve(self, wish: Approve) -> Decided:
        """Accept candidates, all of them or none."""
        from holdfast.usecases.review.approve import approve_all

        memory = self._holdfast
        named = {id_here(memory, name): shown for name, shown in wish.shown.items()}
        return approve_all(
            replace(wish, references=ids_here(memory, wish.references), shown=named),
            store=memory.store,
            clock=memory.clock,
            checkout=checkout_of(memory),
            heuristics=memory.heuristics,
        )

    @performs(Operation.DECIDE)
    def reject(self, wish: Reject) -> Decided:
        """Reject candidates, all of them or none."""
        from holdfast.usecases.review.approve import reject_all

        memory = self._holdfast
        return reject_all(
            replace(wish, references=ids_here(memory, wish.references)),
            store=memory.store,
            clock=memory.clock,
            heuristics=memory.heuristics,
        )

    @performs(Operation.DECIDE, REHEARSAL)
    def edit(self, wish: Edit) -> Decided:
        """Change the text of a memory, and accept the new text."""
        from holdfast.usecases.review.rewording import edit

        memory = self._holdfast
        return edit(
            replace(wish, reference=id_here(memory, wish.reference)),
            store=memory.store,
            clock=memory.clock,
            checkout=checkout_of(memory),
            heuristics=memory.heuristics,
        )

    @performs(Operation.READ)
    def conflicts(self, *, limit: int = 50, everywhere: bool = False) -> Sequence[Conflict]:
        """Return the conflicts that nobody has resolved, the newest first."""
        from holdfast.usecases.review.conflicts import open_conflicts

        memory = self._holdfast
        return open_conflicts(
            store=memory.store,
            clock=memory.clock,
            ports=view_ports(memory),
            limit=limit,
            everywhere=everywhere,
            heuristics=memory.heuristics,
        )

    @performs(Operation.READ)
    def read_pairs(
        self, *, limit: int = 50, everywhere: bool = False, progress: Progress | None = None
    ) -> PairReadings:
        """Return the newest pairs that a model reads as contradicting; nothing is stored."""
        from holdfast.usecases.review.pair_reading import read_newest

        ports = pair_ports(self._holdfast, progress)
        return read_newest(ports=ports, limit=limit, everywhere=everywhere)

    @performs(Operation.MAINTAIN)
    def judge(self, judge: Judge, *, limit: int = 50) -> JudgedConflicts:
        """Let a plug-in add suspicions about candidates, and withdraw some."""
        from holdfast.usecases.review.judging import judge_conflicts

        memory = self._holdfast
        return judge_conflicts(
            judge=judge,
            store=memory.store,
            clock=memory.clock,
            ports=view_ports(memory),
            limit=limit,
            heuristics=memory.heuristics,
        )

    @performs(Operation.DECIDE)
    def resolve(self, wish: Resolve) -> Decided:
        """Resolve a conflict between two claims."""
        from holdfast.usecases.review.pair_reading import refuse_suspected
        from holdfast.usecases.review.resolve import resolve

        memory = self._holdfast
        other = None if wish.other is None else id_here(memory, wish.other)
        try:
            return resolve(
                replace(wish, reference=id_here(memory, wish.reference), other=other),
                store=memory.store,
                clock=memory.clock,
                checkout=checkout_of(memory),
                heuristics=memory.heuristics,
            )
        except NoConflictError as error:
            if other is None:
                refuse_suspected(MemoryId(error.memory_id), ports=pair_ports(memory))
            raise

    @performs(Operation.DECIDE, REHEARSAL)
    def undo(self, wish: Undo) -> Sequence[Decision]:
        """Undo decisions."""
        from holdfast.usecases.review.undo import undo

        memory = self._holdfast
        name = None if wish.reference is None else id_here(memory, wish.reference)
        named = replace(wish, reference=name)
        return undo(named, store=memory.store, clock=memory.clock, surroundings=memory.surroundings)

    @performs(Operation.READ)
    def decisions(self, *, limit: int = 20, everywhere: bool = False) -> Sequence[Decision]:
        """Return the newest decisions about memories here, or about any."""
        from holdfast.usecases.review.undo import decisions

        memory = self._holdfast
        return decisions(
            limit=limit,
            store=memory.store,
            surroundings=memory.surroundings,
            everywhere=everywhere,
        )

    @performs(Operation.DECIDE, REHEARSAL, _FORGETS)
    def revert(self, wish: Revert) -> Reverted:
        """Undo everything that came from one source."""
        from holdfast.usecases.review.revert import revert

        memory = self._holdfast
        return revert(
            wish,
            store=memory.store,
            clock=memory.clock,
            surroundings=memory.surroundings,
            heuristics=memory.heuristics,
            traces_of=memory.traces_of,
        )
