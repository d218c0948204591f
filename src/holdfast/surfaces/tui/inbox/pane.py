"""The tab Inbox: single keys decide about candidates."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from textual.binding import Binding

from holdfast.domain.errors import HoldfastError
from holdfast.domain.text.counting import counted
from holdfast.surfaces.tui.inbox import deciding
from holdfast.surfaces.tui.inbox.listing import InboxList, MadeDecision
from holdfast.surfaces.tui.inbox.shelf import forgets, is_risky, name_of
from holdfast.surfaces.tui.parts.texts import (
    BOLD,
    DIM,
    GOOD,
    WARN,
    fact,
    lines,
    one_line,
    quoted,
    styled,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import ClassVar

    from textual.binding import BindingType

    from holdfast.domain.ids import MemoryId
    from holdfast.surfaces.tui.inbox.deciding import Deciding
    from holdfast.usecases.review.approve import Decided
    from holdfast.usecases.review.queued import WaitingCandidate

_MERGED = "Make one claim of these"


class InboxPane(InboxList):
    """The candidates, and the decisions about them; decisions are carried out in their order."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "approve", "approve"),
        Binding("x", "reject", "reject"),
        Binding("X", "reject_because", "reject with a reason", show=False),
        Binding("e", "edit", "edit"),
        Binding("E", "edit_outside", "edit in $EDITOR", show=False),
        Binding("m", "merge", "merge"),
        Binding("u", "undo", "undo"),
        Binding("space", "mark", "mark"),
        Binding("s", "skip", "skip", show=False),
        Binding("asterisk", "mark_all", "mark all, or none", show=False),
        Binding("d", "mark_repeated", "mark what is already said", show=False),
        Binding("exclamation_mark", "mark_risky", "mark what has a high risk", show=False),
        Binding("o", "open", "open the cited file in $EDITOR", show=False),
        Binding("g", "graph", "show in Graph", show=False),
        Binding("r", "reload", "read again", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._order = asyncio.Lock()

    def _meant(self) -> list[WaitingCandidate]:
        """Return what a deciding key is about; nothing if the caller may not decide."""
        if not self.ui.may_decide():
            return []
        items = self.shelf.meant(self.rows.at)
        if not items and self.shelf.items:
            self.ui.tell("It is being decided already.", WARN)
        return items

    def action_approve(self) -> None:
        """Accept what is marked, or the current candidate."""
        items = self._meant()
        if len(items) == 1:
            self._approve_one(items[0])
        elif items:
            self._approve_several(items)

    def _approve_one(self, item: WaitingCandidate) -> None:
        if forgets(item):
            self._ask_to_forget(item)
        elif item.against.conflicts:
            self._ask_to_resolve(item)
        else:
            self._decide([item], deciding.approving([item], by=self.ui.desk.user), "accepted")

    def _approve_several(self, items: Sequence[WaitingCandidate]) -> None:
        """Accept several in one decision; what needs a question of its own stays in the list."""
        plain = [
            one for one in items if not (forgets(one) or one.against.conflicts or one.is_unfounded)
        ]
        left = len(items) - len(plain)
        if left:
            self.ui.tell(f"{left:,} left: each needs a decision of its own", WARN)
        if not plain:
            return
        work = deciding.approving(plain, by=self.ui.desk.user)
        risky = sum(map(is_risky, plain))
        if not risky:
            self._decide(plain, work, "accepted")
            return
        question = f"Accept {counted(len(plain), 'candidate')}, {risky:,} of them with a high risk?"
        self.ui.confirm(question, lambda: self._decide(plain, work, "accepted"))

    def _ask_to_resolve(self, item: WaitingCandidate) -> None:
        olds = [one.standing.memory.claim for one in item.against.conflicts]
        asked = "an accepted memory. Which one stays?"
        if len(olds) > 1:
            asked = f"{len(olds)} accepted memories. Which stay?"
        question = lines(
            [
                styled(f"It contradicts {asked}", BOLD),
                fact("new", one_line(item.record.memory.claim)),
                *(fact("old", one_line(old)) for old in olds),
            ]
        )

        keys = {key: words for key, (_, words) in deciding.WAYS.items()}
        self.ui.choose(question, keys, lambda key: self._resolve(item, deciding.WAYS[key][0]))

    def _resolve(self, item: WaitingCandidate, way: str, *, text: str = "") -> None:
        work = deciding.resolving(item, way, by=self.ui.desk.user, text=text)
        self._decide([item], work, f"resolved: {way}")

    def _ask_to_forget(self, item: WaitingCandidate) -> None:
        claim = "" if item.about is None else item.about.memory.claim
        self.ui.confirm(
            "Forget this memory permanently? This cannot be undone.",
            lambda: self._forget(item),
            *quoted(claim),
        )

    def action_reject(self) -> None:
        """Reject what is marked, or the current candidate; a conflict keeps the old memory."""
        if items := self._meant():
            self._reject(items)

    def _reject(self, items: Sequence[WaitingCandidate], *, reason: str = "") -> None:
        if len(items) == 1 and items[0].against.conflicts and not reason:
            self._resolve(items[0], deciding.KEEPS_OLD)
            return
        work = deciding.rejecting(items, by=self.ui.desk.user, reason=reason)
        self._decide(items, work, "rejected")

    def action_reject_because(self) -> None:
        """Reject with a reason."""
        if items := self._meant():
            self.ui.ask_line("Why?", lambda reason: self._reject(items, reason=reason))

    def action_edit(self) -> None:
        """Change the text here, and accept the new text."""
        for item in self._one_to_edit():
            claim, reword = item.record.memory.claim, partial(self._reword, item)
            self.ui.change_text("Accept it in these words", claim, reword)

    def action_edit_outside(self) -> None:
        """Change the text in the person's editor, and accept the new text."""
        for item in self._one_to_edit():
            text = self.ui.in_editor(item.record.memory.claim)
            if text is not None:
                self._reword(item, text)

    def _one_to_edit(self) -> list[WaitingCandidate]:
        current = self.current()
        if not current or not self.ui.may_decide():
            return []
        if name_of(current[0]) in self.shelf.deciding:
            self.ui.tell("It is being decided already.", WARN)
            return []
        return current

    def _reword(self, item: WaitingCandidate, text: str) -> None:
        self._decide([item], deciding.rewording(item, text, by=self.ui.desk.user), "edited")

    def action_merge(self) -> None:
        """Make one claim of the marked candidates, or of this one and the memory beside it."""
        items = self._meant()
        if len(items) > 1:
            names = [name_of(one) for one in items]
            self._ask_to_join(items, names, [one.record.memory.claim for one in items])
        elif items:
            self._merge_one(items[0])

    def _merge_one(self, item: WaitingCandidate) -> None:
        claim, by = item.record.memory.claim, self.ui.desk.user
        if item.against.conflicts:
            other = item.against.conflicts[0].standing.memory.claim
            self.ui.change_text(
                _MERGED,
                f"{claim}\n\n{other}",
                lambda text: self._resolve(item, deciding.MERGES, text=text),
            )
        elif item.known is not None:
            names = (item.known.memory.id, name_of(item))
            self._decide([item], deciding.joining(names, by=by, text=None), "merged")
        elif item.against.rivals or item.advice:
            rivals = (*item.against.rivals, *(one.standing for one in item.advice))
            old = rivals[0].memory
            self._ask_to_join([item], [old.id, name_of(item)], [old.claim, claim])
        else:
            self.ui.tell("Mark two candidates with space to merge them.", WARN)

    def _ask_to_join(
        self, items: Sequence[WaitingCandidate], names: Sequence[MemoryId], claims: Sequence[str]
    ) -> None:
        """Ask for the words of the merged memory; those of the first one keep it."""

        def changed(text: str) -> None:
            words = None if text.strip() == claims[0].strip() else text
            work = deciding.joining(names, by=self.ui.desk.user, text=words)
            self._decide(items, work, "merged")

        self.ui.change_text(_MERGED, "\n\n".join(claims), changed)

    def _decide(self, items: Sequence[WaitingCandidate], work: Deciding, done: str) -> None:
        """Begin a decision: its candidates cannot be decided again, and the next one is current."""
        at = min((self.shelf.place_of(name_of(one)) or 0 for one in items), default=0)
        self.shelf.begin(items)
        self.show(at=self.shelf.next_free(self.rows.at))
        self.decide(partial(self._decided, items, work, done, at))

    async def _decided(
        self, items: Sequence[WaitingCandidate], work: Deciding, done: str, at: int
    ) -> None:
        async with self._order:
            try:
                decided = await self.ui.lane.ask(work)
            except HoldfastError as error:
                self.ui.refuse(error)
                await self._read_again(items)
                return
        self.ui.count(decided.decision)
        self._take_out(items, decided, done, at)

    def _take_out(
        self, items: Sequence[WaitingCandidate], decided: Decided, done: str, at: int
    ) -> None:
        left = {one.candidate.memory.id for one in decided.left}
        gone = [one for one in items if name_of(one) not in left]
        self.shelf.give_back(items)
        if decided.decision is not None:
            names = tuple(name_of(one) for one in gone)
            self.made.append(MadeDecision(decision=decided.decision, names=names, at=at))
        self._drop(gone)
        many = "" if len(gone) == 1 else f"{len(gone):,} candidates "
        rest = f", {len(left):,} left: they contradict accepted memories" if left else ""
        self.ui.tell(f"{many}{done}{rest}  (u: undo)", GOOD)

    def _drop(self, gone: Sequence[WaitingCandidate]) -> None:
        """Take rows out of the list; the row that is current stays current."""
        current = self.current()
        self.total -= len(gone)
        self.shelf.remove(gone)
        place = self.shelf.place_of(name_of(current[0])) if current else None
        self.show(at=self.rows.at if place is None else place)

    def _forget(self, item: WaitingCandidate) -> None:
        self.shelf.begin([item])
        self.decide(partial(self._forgotten, item))

    async def _forgotten(self, item: WaitingCandidate) -> None:
        async with self._order:
            gone = await self.ui.ask(deciding.forgetting(item, by=self.ui.desk.user))
        if gone is None:
            await self._read_again([item])
            return
        self.ui.forgotten.append(gone)
        self.shelf.give_back([item])
        self._drop([item])
        self.ui.tell("forgotten")

    async def _read_again(self, items: Sequence[WaitingCandidate]) -> None:
        """Show candidates as they are now; those that somebody decided meanwhile are taken out."""
        self.shelf.give_back(items)
        for item in items:
            try:
                queue = await self.ui.lane.ask(deciding.reviewing([name_of(item)]))
            except HoldfastError:
                self._drop([item])
                continue
            for one in queue.items:
                self.shelf.replace(one)
        self.show()

    def action_undo(self) -> None:
        """Undo the last decision since the UI was opened."""
        if self.ui.may_decide():
            self.decide(self._undo)

    async def _undo(self) -> None:
        from holdfast.usecases.review.undo import Undo

        async with self._order:
            if not self.made:
                self.ui.tell("Nothing was decided here yet.", DIM)
                return
            last = self.made[-1]
            wish = Undo(by=self.ui.desk.user, reference=last.decision.id)
            taken = await self.ui.ask(lambda memory: memory.review.undo(wish))
            if taken is None:
                return
            self.made.pop()
            queue = await self.ui.ask(deciding.reviewing(last.names))
        if queue is not None:
            self.total += len(queue.items)
            self.shelf.put_back(queue.items, last.at)
            self.show(at=last.at)
        self.ui.tell(f"taken back: {last.decision.action.value}", GOOD)
