"""Review candidates one by one: each is shown, and one key decides about it.

What each key of the step-by-step review does to a candidate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.cli.advising.advice import worded
from holdfast.surfaces.cli.person import is_at_terminal
from holdfast.surfaces.cli.present.review.decided import show_decided
from holdfast.surfaces.cli.present.review.review import waiting_entry
from holdfast.surfaces.cli.present.terminal.colour import Bad, Bold, Dim, Good, Name, Warn
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.cli.walk.deciding import (
    DECIDING,
    FORGET,
    WalkDecision,
    decides,
    forget_proposed,
    opened,
    review_again,
)
from holdfast.surfaces.cli.walk.keys import Keyboard
from holdfast.usecases.review.undo import Undo

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.app.curation import Curation
    from holdfast.domain.memory.decision import Decision
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.review.approve import Decided
    from holdfast.usecases.review.queued import Queue, WaitingCandidate


_MOVING = {
    "s": "skip: decide later (Space too)",
    "p": "previous: go back to the one before",
    "o": "open the cited file at its lines in your editor",
    "u": "undo the last decision of this walk",
    "?": "help: show these keys",
    "q": "quit; what is decided stays decided",
}

_OTHER_KEYS = "It cannot be approved or rejected: choose one of the keys below."


def walk(queue: Queue, curation: Curation, context: CommandContext) -> int:
    """Ask about each candidate; return how many decisions remain at the end.

    Raises:
        UsageError: There is no terminal to ask at.
    """
    if not is_at_terminal(context):
        raise UsageError(
            problem="--walk needs a terminal, and there is none."
            " 'holdfast review' lists what waits, and 'holdfast approve ID' decides."
        )
    return Walk(queue, curation, context).run()


class Walk:
    """Steps through the queue, forward and back, and keeps the decisions made so far."""

    def __init__(self, queue: Queue, curation: Curation, context: CommandContext) -> None:
        self.queue = queue
        self.items = list(queue.items)
        self.curation = curation
        self.context = context
        self.keyboard = Keyboard()
        self.at = 0
        self.direction = 1
        self.decided: dict[int, Decision] = {}
        self.forgotten = 0

    def run(self) -> int:
        """Ask until the queue ends or the person stops; then print a summary."""
        self.context.output.note(Dim("one key decides; ? shows all keys"))
        try:
            while self.at < len(self.items):
                if self._still_waits() and not self._ask():
                    break
        finally:
            self._sum_up()
        return len(self.decided) + self.forgotten

    def _still_waits(self) -> bool:
        """Read the candidate again; return whether nobody decided about it meanwhile."""
        try:
            review_again(self.items, self.at, self.curation)
        except HoldfastError:
            self.at += self.direction
            if self.at < 0:
                self.at, self.direction = 0, 1
            return False
        self.direction = 1
        return True

    def _ask(self) -> bool:
        """Show the candidate and handle keys; return whether the review continues."""
        self.keyboard.drop_typed_ahead()
        self._show()
        return self._step()

    def _show(self) -> None:
        output, item = self.context.output, self.items[self.at]
        output.say()
        beyond = self.queue.total - len(self.items)
        more = f", {beyond:,} more wait beyond --limit" if beyond else ""
        output.say(Bold(f"{self.at + 1} of {len(self.items)}"), Dim(more))
        waiting_entry(output, item, at=self.context.holdfast.now(), with_commands=False)

    def _step(self) -> bool:
        """Handle keys until one moves on; return whether the review continues."""
        item = self.items[self.at]
        keys = decides(item)
        while True:
            self._prompt(keys)
            key = self.keyboard.key().lower()
            if key in {"q", ""}:
                return False
            if key in keys:
                if self._forget(item) if key == FORGET else self._decide(key, item):
                    return True
            elif self._moves(key):
                return True
            elif key in {"a", "r"}:
                self.context.output.note(Warn(_OTHER_KEYS))

    def _prompt(self, keys: tuple[str, ...]) -> None:
        words = [DECIDING[key].partition(":")[0] for key in keys]
        told = "  ".join(f"[{key}] {word}" for key, word in zip(keys, words, strict=True))
        self.context.output.complain(Warn(f"{told}  [s] skip  [u] undo  [?] help  [q] quit"))
        self.context.output.flush()

    def _moves(self, key: str) -> bool:
        """Handle a key that decides nothing; return whether another candidate is next."""
        if key in {"s", " "}:
            self.at += 1
            return True
        if key == "p":
            self.at, self.direction = max(self.at - 1, 0), -1
            return True
        if key == "u":
            return self._undo()
        if key == "o":
            self._try(lambda: opened(self.items[self.at], self.context))
        elif key == "?":
            self._help()
        return False

    def _decide(self, key: str, item: WaitingCandidate) -> bool:
        deciding = WalkDecision(item, self.curation, self.context, self.keyboard)
        made: list[Decided] = []
        self._try(lambda: made.extend([deciding.decide(key)]))
        if not made:
            return False
        [decided] = made
        show_decided(self.context.output, decided)
        if decided.decision is not None:
            self.decided[self.at] = decided.decision
        self.at += 1
        return True

    def _forget(self, item: WaitingCandidate) -> bool:
        gone: list[bool] = []
        self._try(lambda: gone.append(forget_proposed(item, self.context, self.keyboard)))
        if gone != [True]:
            return False
        self.forgotten += 1
        self.at += 1
        return True

    def _try(self, act: Callable[[], None]) -> None:
        """Perform an action; if it is refused, print why and ask the person again."""
        try:
            act()
        except HoldfastError as error:
            self.context.output.complain(Bad(worded(error)))

    def _undo(self) -> bool:
        if not self.decided:
            self.context.output.note("Nothing was decided in this walk.")
            return False
        place = list(self.decided)[-1]
        return self._take_back(place)

    def _take_back(self, place: int) -> bool:
        wish = Undo(by=self.context.user, reference=self.decided[place].id)
        done: list[object] = []
        self._try(lambda: done.extend(self.curation.undo(wish)))
        if not done:
            return False
        del self.decided[place]
        self.context.output.note(Good("taken back"))
        self.at = place
        return True

    def _help(self) -> None:
        keys = decides(self.items[self.at])
        for key, words in [*((key, DECIDING[key]) for key in keys), *_MOVING.items()]:
            self.context.output.note("  ", Name(key), f"  {words}")

    def _sum_up(self) -> None:
        output, many = self.context.output, len(self.decided) + self.forgotten
        output.note(Dim(f"{many:,} of {self.queue.total:,} decided"))
        for place, decision in self.decided.items():
            claim = self.items[place].record.memory.id
            output.note("  ", Dim(f"{decision.action.value} {claim}: holdfast undo {decision.id}"))
