"""Answers: questions, kept bundles, ratings, and the weights learned from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.part_ports import hide_notes, means_of
from holdfast.app.performing import DRY_RUN, REHEARSAL, Part, performs
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from holdfast.domain.ids import BundleId
    from holdfast.domain.recall.question import Question
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.usecases.recall.learn import Learn, Lesson
    from holdfast.usecases.recall.recall import Replay


class AnswersPart(Part):
    """Answers questions, and learns the ranking weights."""

    @performs(Operation.READ)
    def recall(self, question: Question) -> Recalled:
        """Answer a question from memory, with explanations, inside its budget."""
        from holdfast.usecases.recall.recall import recall

        return recall(question, ports=means_of(self._holdfast))

    @performs(Operation.READ)
    def answer(self, question: Question) -> Recalled:
        """Answer a question without side effects: nothing is stored or counted."""
        from holdfast.usecases.recall.recall import answer

        return answer(question, ports=means_of(self._holdfast))

    @performs(Operation.READ)
    def replay(self, reference: str) -> Replay:
        """Ask a kept bundle's question again and compare the answers."""
        from holdfast.usecases.recall.recall import replay

        hide_notes(self._holdfast, reference)
        return replay(reference, ports=means_of(self._holdfast))

    @performs(Operation.READ)
    def shown(self, reference: str) -> Recalled:
        """Show a kept bundle with the current state of its memories."""
        from holdfast.usecases.recall.recall import shown

        hide_notes(self._holdfast, reference)
        return shown(reference, store=self._holdfast.store, clock=self._holdfast.clock)

    @performs(Operation.RECORD)
    def feedback(self, reference: str, *, good: bool) -> BundleId:
        """Record whether a bundle helped."""
        from holdfast.usecases.recall.rating import feedback

        return feedback(
            reference,
            good=good,
            origin=self.principal.origin,
            store=self._holdfast.store,
            clock=self._holdfast.clock,
        )

    @performs(Operation.CONFIGURE, REHEARSAL)
    def learn(self, wish: Learn) -> Lesson:
        """Learn the weights of this space from rated answers."""
        from holdfast.usecases.recall.learn import learn

        holdfast = self._holdfast
        return learn(
            wish, store=holdfast.store, clock=holdfast.clock, surroundings=holdfast.surroundings
        )

    @performs(Operation.CONFIGURE, DRY_RUN)
    def reset_weights(self, *, dry_run: bool = False) -> Lesson:
        """Set the weights of this space back to the defaults."""
        from holdfast.usecases.recall.learn import reset_weights

        holdfast = self._holdfast
        return reset_weights(
            dry_run=dry_run,
            store=holdfast.store,
            clock=holdfast.clock,
            surroundings=holdfast.surroundings,
        )

    @performs(Operation.CONFIGURE, DRY_RUN)
    def undo_weights(self, *, dry_run: bool = False) -> Lesson:
        """Set the weights of this space back to those before the last learning."""
        from holdfast.usecases.recall.learn import undo_weights

        holdfast = self._holdfast
        return undo_weights(
            dry_run=dry_run,
            store=holdfast.store,
            clock=holdfast.clock,
            surroundings=holdfast.surroundings,
        )
