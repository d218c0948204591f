"""Decide about one candidate with a single key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.decision import Offered, offer_of
from holdfast.surfaces.cli.editor import edited, open_at
from holdfast.surfaces.cli.present.terminal.colour import Warn
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.cli.walk.keys import Keyboard
from holdfast.usecases.review.approve import Approve, Reject
from holdfast.usecases.review.queued import Review
from holdfast.usecases.review.resolve import ResolutionWay, Resolve
from holdfast.usecases.review.rewording import Edit

if TYPE_CHECKING:
    from holdfast.app.curation import Curation
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.review.approve import Decided
    from holdfast.usecases.review.queued import WaitingCandidate


DECIDING = {
    "a": "approve: accept it as it is shown",
    "r": "reject: optionally with a reason",
    "n": "new: it replaces the memory that it contradicts",
    "k": "keep: keep the accepted memory, and reject this one",
    "b": "both: accept both",
    "e": "edit: reword it in your editor, and accept the new text",
    "m": "merge: make one claim of this and another memory",
    "f": "forget: remove the memory permanently; this cannot be undone",
}
FORGET = "f"
_OFFERED = {Offered.EVIDENCE: ("a", "r"), Offered.FORGETTING: (FORGET, "r")}
_PLAIN = ("a", "r", "e", "m")
_TORN = ("n", "k", "b", "e", "m")
_ADVISED = ("a", "r", "n", "b", "e", "m")
_TAKE_ALL = {ResolutionWay.SUPERSEDE, ResolutionWay.KEEP_OLD}
_WAYS = {"n": ResolutionWay.SUPERSEDE, "k": ResolutionWay.KEEP_OLD, "b": ResolutionWay.KEEP_BOTH}


def decides(item: WaitingCandidate) -> tuple[str, ...]:
    """Return the keys that decide about a candidate; a conflict is resolved, not approved.

    If only a model suspects a conflict, the candidate may be resolved or approved.
    """
    offer = offer_of(item.record.memory)
    if offer is not None:
        return _OFFERED[offer.what]
    if item.against.conflicts:
        return _TORN
    return _ADVISED if item.advice else _PLAIN


def _again(name: MemoryId) -> Review:
    return Review(references=(name,), limit=1, reads_pairs=True)


def review_again(items: list[WaitingCandidate], place: int, curation: Curation) -> None:
    """Replace a candidate in the list by its current state.

    Raises:
        AlreadyDecidedError: Somebody decided about it meanwhile.
    """
    name = items[place].record.memory.id
    [items[place]] = curation.review(_again(name)).items


def opened(item: WaitingCandidate, context: CommandContext) -> None:
    """Open the first cited file at its lines.

    Raises:
        UsageError: No file is cited, or no editor could be started.
    """
    if not item.quotes:
        raise UsageError(problem="It cites no lines that can be opened here.")
    quote = item.quotes[0]
    open_at(context.machine.project.root() / quote.path, quote.first)


def forget_proposed(item: WaitingCandidate, context: CommandContext, keyboard: Keyboard) -> bool:
    """Forget the memory that a proposal names, after confirmation; return whether it was done."""
    from holdfast.surfaces.cli.forgetting import forget_now
    from holdfast.usecases.memory.forget import Forget

    offer = offer_of(item.record.memory)
    if offer is None:
        return False
    context.output.complain(Warn(f"Forget {offer.about} permanently? [y/N]"))
    context.output.flush()
    if keyboard.key().lower() != "y":
        context.output.note("Nothing was changed.")
        return False
    reason = f"proposed by {item.record.memory.source or item.record.memory.origin.value}"
    forget_now([Forget(reference=offer.about, by=context.user, reason=reason)], context)
    return True


class WalkDecision:
    """Decides about one candidate; a decision only counts for the text that was shown."""

    def __init__(
        self,
        item: WaitingCandidate,
        curation: Curation,
        context: CommandContext,
        keyboard: Keyboard,
    ) -> None:
        self.item = item
        self.name = item.record.memory.id
        self.curation = curation
        self.context = context
        self.keyboard = keyboard

    def decide(self, key: str) -> Decided:
        """Perform the decision of a key."""
        if key == "a":
            wish = Approve(
                references=(self.name,), by=self.context.user, shown={self.name: self.item.shown}
            )
            return self.curation.approve(wish)
        if key == "r":
            reason = self._asked("why? (Enter for no reason) ")
            return self.curation.reject(
                Reject(references=(self.name,), by=self.context.user, reason=reason)
            )
        if key == "e":
            return self._edit()
        return self._merge() if key == "m" else self._resolve(_WAYS[key])

    def _asked(self, question: str) -> str:
        self.context.output.complain(Warn(question))
        self.context.output.flush()
        return self.keyboard.line()

    def _edit(self) -> Decided:
        words = edited(self.item.record.memory.claim)
        wish = Edit(
            reference=self.name, claim=words, by=self.context.user, shown_hash=self.item.shown
        )
        return self.curation.edit(wish)

    def _resolve(self, way: ResolutionWay, *, text: str = "") -> Decided:
        return self.curation.resolve(
            Resolve(
                reference=self.name,
                other=self.item.opponent(takes_all=way in _TAKE_ALL),
                way=way,
                by=self.context.user,
                text=text,
                shown_hash=self.item.shown,
            )
        )

    def _merge(self) -> Decided:
        """Merge two claims into one in the editor; a claim that is left unchanged is kept."""
        other = self._other()
        text = edited(f"{self.item.record.memory.claim}\n\n{other.memory.claim}")
        if self.item.against.conflicts or (self.item.advice and not self.item.against.rivals):
            return self._resolve(ResolutionWay.MERGE, text=text)

        both = (other.memory.id, self.name)
        is_said = text.strip() == other.memory.claim.strip()
        return self.context.holdfast.care.consolidate(
            both, by=self.context.user, text=None if is_said else text
        )

    def _other(self) -> MemoryRecord:
        if self.item.against.rivals:
            return self.item.against.rivals[0]
        if self.item.advice:
            return self.item.advice[0].standing
        known = self.item.known
        usual = "" if known is None else f" (Enter: {known.memory.id})"
        words = self._asked(f"merge with which memory?{usual} ")
        if not words and known is not None:
            return known
        if not words:
            raise UsageError(problem="Name the memory by its id, its label or its key.")
        return self.context.holdfast.memories.explain(words).record
