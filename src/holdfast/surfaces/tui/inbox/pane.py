"""The tab Inbox: candidates, one page about each, and single keys that decide."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.binding import Binding

from holdfast.domain.errors import HoldfastError
from holdfast.domain.values import dataclass, replace
from holdfast.surfaces.tui.inbox import deciding
from holdfast.surfaces.tui.inbox.page import RISKS, candidate_page
from holdfast.surfaces.tui.inbox.shelf import Shelf, forgets, is_risky, name_of
from holdfast.surfaces.tui.parts.dialogs import AskLine, EditText, KeyChoice, confirmation
from holdfast.surfaces.tui.parts.pane import Pane
from holdfast.surfaces.tui.parts.texts import (
    BOLD,
    DIM,
    GOOD,
    WARN,
    fact,
    line,
    lines,
    one_line,
    quoted,
    styled,
)
from holdfast.usecases.naming import MOST_LISTED
from holdfast.usecases.review.resolve import ResolutionWay
from holdfast.usecases.review.undo import Undo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime
    from typing import ClassVar

    from textual.binding import BindingType
    from textual.content import Content

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.decision import Decision
    from holdfast.surfaces.tui.inbox.deciding import Deciding
    from holdfast.usecases.review.approve import Decided
    from holdfast.usecases.review.review import WaitingCandidate

_PAGE = 60
"""How many candidates are read at first; the list reads more when its end is near."""
_NEAR_END = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeDecision:
    """A decision of this sitting, and where its candidates stood."""

    decision: Decision
    names: tuple[MemoryId, ...]
    at: int


class InboxPane(Pane):
    """The candidates that wait for a person, the most valuable first."""

    title = "Inbox"
    nothing = "No candidates are waiting here."
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
        self.shelf = Shelf()
        self.made: list[MadeDecision] = []
        self._total = 0
        self._limit = _PAGE
        self._read_at: datetime
        self._order = asyncio.Lock()

    async def load(self) -> None:
        """Read the candidates."""
        wish = replace(self.ui.desk.wish, limit=min(self._limit, MOST_LISTED))
        found = await self.ui.ask(lambda memory: (memory.review.review(wish), memory.now()))
        if found is None:
            self.rows.say_when_empty("The candidates could not be read.")
            return
        queue, self._read_at = found
        self._total = queue.total
        self.shelf.fill(queue.items)
        self.rows.say_when_empty(self.nothing)
        self._show()
        if queue.notes:
            self.ui.tell(queue.notes[0], DIM)

    def _show(self, *, at: int | None = None) -> None:
        self.rows.show(len(self.shelf.items), at=at)
        self._head()
        if not self.shelf.items:
            self.show_page([styled("Everything is decided. u takes the last decision back.", DIM)])

    def _head(self) -> None:
        shelf = self.shelf
        more = max(0, self._total - len(shelf.items))
        words = [f"{len(shelf.items) + more:,} waiting"]
        words += [f"{len(shelf.marked):,} marked"] if shelf.marked else []
        words += [f"{len(self.made):,} decided"] if self.made else []
        self.show_heading(line(("  ".join(words), DIM)))

    def draw(self, index: int) -> Content:
        """Return the row of a candidate: marks, risk, kind, claim."""
        item = self.shelf.items[index]
        memory, name = item.record.memory, name_of(item)
        marked = "●" if name in self.shelf.marked else "…" if name in self.shelf.deciding else " "
        risk = item.danger.risk
        return line(
            (marked, BOLD),
            (f" {risk.value:<6} ", RISKS[risk]),
            (f"{_signs(item, self.shelf):<3}", WARN),
            (f"{memory.kind.value:<11.11} ", DIM),
            one_line(memory.claim),
        )

    def write_page(self) -> None:
        """Write the page about the current candidate, and read more if the end is near."""
        if not self.shelf.items:
            return
        item = self.shelf.items[self.rows.at]
        self.show_page(candidate_page(item, at=self._read_at, width=self.page_width))
        is_near = self.rows.at + _NEAR_END >= len(self.shelf.items)
        if (
            is_near
            and len(self.shelf.items) < min(self._total, MOST_LISTED)
            and self._limit <= len(self.shelf.items)
        ):
            self._limit += _PAGE
            self.reload()

    def action_reload(self) -> None:
        """Read the candidates again."""
        self.reload()

    def action_skip(self) -> None:
        """Decide later."""
        self.rows.action_move(1)

    def action_mark(self) -> None:
        """Mark the current candidate for a decision about several, and go to the next one."""
        self._mark(name_of(one) for one in self.shelf.items[self.rows.at : self.rows.at + 1])
        self.rows.action_move(1)

    def action_mark_all(self) -> None:
        """Mark every candidate of the list, or none."""
        self._mark(name_of(one) for one in self.shelf.items)

    def action_mark_repeated(self) -> None:
        """Mark those that say what is known, or what a candidate above them says."""
        self._mark(self.shelf.repeated, none="No candidate repeats another one or a memory.")

    def action_mark_risky(self) -> None:
        """Mark those with a high risk."""
        risky = [name_of(one) for one in self.shelf.items if is_risky(one)]
        self._mark(risky, none="No candidate has a high risk.")

    def _mark(self, names: Iterable[MemoryId], *, none: str = "") -> None:
        found = list(names)
        if not found and none:
            self.ui.tell(none, DIM)
        self.shelf.mark(found)
        self.rows.refresh()
        self._head()

    def action_open(self) -> None:
        """Open the first cited file at its lines."""
        quotes = [one for item in self._current() for one in item.quotes]
        if quotes:
            self.ui.open_file(quotes[0].path, quotes[0].first)
        else:
            self.ui.tell("It cites no lines that can be opened here.", WARN)

    def action_graph(self) -> None:
        """Show the neighbours of the current candidate."""
        for item in self._current():
            self.ui.show_graph(name_of(item))

    def _current(self) -> list[WaitingCandidate]:
        return self.shelf.items[self.rows.at : self.rows.at + 1]

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
        plain = [one for one in items if not forgets(one) and not one.against.conflicts]
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
        question = f"Accept {len(plain):,} candidates, {risky:,} of them with a high risk?"
        self._confirmed(question, lambda: self._decide(plain, work, "accepted"))

    def _confirmed(self, question: str, work: Callable[[], None], *more: Content) -> None:
        def answered(key: str | None) -> None:
            if key == "y":
                work()
            else:
                self.ui.tell("Nothing was changed.", DIM)

        self.ui.push_screen(confirmation(question, *more), answered)

    def _ask_to_resolve(self, item: WaitingCandidate) -> None:
        conflict = item.against.conflicts[0]
        question = lines(
            [
                styled("It contradicts an accepted memory. Which one stays?", BOLD),
                fact("new", one_line(item.record.memory.claim)),
                fact("old", one_line(conflict.standing.memory.claim)),
            ]
        )

        def answered(key: str | None) -> None:
            if key in deciding.WAYS:
                self._resolve(item, deciding.WAYS[key][0])

        keys = {key: words for key, (_, words) in deciding.WAYS.items()}
        self.ui.push_screen(KeyChoice(question, keys), answered)

    def _resolve(self, item: WaitingCandidate, way: ResolutionWay, *, text: str = "") -> None:
        work = deciding.resolving(item, way, by=self.ui.desk.user, text=text)
        self._decide([item], work, f"resolved: {way.value}")

    def _ask_to_forget(self, item: WaitingCandidate) -> None:
        claim = "" if item.about is None else item.about.memory.claim
        self._confirmed(
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
            self._resolve(items[0], ResolutionWay.KEEP_OLD)
            return
        work = deciding.rejecting(items, by=self.ui.desk.user, reason=reason)
        self._decide(items, work, "rejected")

    def action_reject_because(self) -> None:
        """Reject with a reason."""
        items = self._meant()

        def answered(reason: str | None) -> None:
            if reason is not None:
                self._reject(items, reason=reason)

        if items:
            self.ui.push_screen(AskLine("Why is it rejected?"), answered)

    def action_edit(self) -> None:
        """Change the text here, and accept the new text."""
        for item in self._one_to_edit():
            claim = item.record.memory.claim
            screen = EditText("Accept it in these words", claim, outside=self.ui.in_editor)
            self.ui.push_screen(screen, lambda text, item=item: self._reword(item, text))

    def action_edit_outside(self) -> None:
        """Change the text in the person's editor, and accept the new text."""
        for item in self._one_to_edit():
            self._reword(item, self.ui.in_editor(item.record.memory.claim))

    def _one_to_edit(self) -> list[WaitingCandidate]:
        current = self._current()
        if not current or not self.ui.may_decide():
            return []
        if name_of(current[0]) in self.shelf.deciding:
            self.ui.tell("It is being decided already.", WARN)
            return []
        return current

    def _reword(self, item: WaitingCandidate, text: str | None) -> None:
        if text is None:
            self.ui.tell("Nothing was changed.", DIM)
            return
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

            def answered(text: str | None) -> None:
                if text is not None:
                    self._resolve(item, ResolutionWay.MERGE, text=text)

            self._ask_for_text(f"{claim}\n\n{other}", answered)
        elif item.known is not None:
            names = (item.known.memory.id, name_of(item))
            self._decide([item], deciding.joining(names, by=by, text=None), "merged")
        elif item.against.rivals:
            old = item.against.rivals[0].memory
            self._ask_to_join([item], [old.id, name_of(item)], [old.claim, claim])
        else:
            self.ui.tell("Mark two candidates with space to merge them.", WARN)

    def _ask_to_join(
        self, items: Sequence[WaitingCandidate], names: Sequence[MemoryId], claims: Sequence[str]
    ) -> None:
        """Ask for the words of the merged memory; those of the first one keep it."""

        def answered(text: str | None) -> None:
            if text is not None:
                words = None if text.strip() == claims[0].strip() else text
                work = deciding.joining(names, by=self.ui.desk.user, text=words)
                self._decide(items, work, "merged")

        self._ask_for_text("\n\n".join(claims), answered)

    def _ask_for_text(self, text: str, answered: Callable[[str | None], None]) -> None:
        title = "Make one claim of these"
        self.ui.push_screen(EditText(title, text, outside=self.ui.in_editor), answered)

    def _decide(self, items: Sequence[WaitingCandidate], work: Deciding, done: str) -> None:
        """Begin a decision: its candidates cannot be decided again, and the next one is current."""
        at = min((self.shelf.place_of(name_of(one)) or 0 for one in items), default=0)
        self.shelf.begin(items)
        self.rows.show(len(self.shelf.items), at=self.shelf.next_free(self.rows.at))
        self.run_worker(self._decided(items, work, done, at), group="decide")

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
        current = self._current()
        self._total -= len(gone)
        self.shelf.remove(gone)
        place = self.shelf.place_of(name_of(current[0])) if current else None
        self._show(at=self.rows.at if place is None else place)

    def _forget(self, item: WaitingCandidate) -> None:
        self.shelf.begin([item])
        self.run_worker(self._forgotten(item), group="decide")

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
                queue = await self.ui.lane.ask(deciding.reading([name_of(item)]))
            except HoldfastError:
                self._drop([item])
                continue
            for one in queue.items:
                self.shelf.replace(one)
        self._show()

    def action_undo(self) -> None:
        """Take the last decision of this sitting back."""
        if self.ui.may_decide():
            self.run_worker(self._undo(), group="decide")

    async def _undo(self) -> None:
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
            queue = await self.ui.ask(deciding.reading(last.names))
        if queue is not None:
            self._total += len(queue.items)
            self.shelf.put_back(queue.items, last.at)
            self._show(at=last.at)
        self.ui.tell(f"taken back: {last.decision.action.value}", GOOD)


def _signs(item: WaitingCandidate, shelf: Shelf) -> str:
    """Return signs for a conflict, a repetition and changed evidence."""
    signs = (
        ("≠", bool(item.against.conflicts)),
        ("=", name_of(item) in shelf.repeated),
        ("~", bool(item.marks) and item.known is None),
    )
    return "".join(sign for sign, is_so in signs if is_so)
