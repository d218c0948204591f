"""The list of the Inbox: candidates, one page about each, and marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass, replace
from holdfast.surfaces.tui.inbox.page import RISKS, candidate_page
from holdfast.surfaces.tui.inbox.shelf import CandidateShelf, is_risky, name_of
from holdfast.surfaces.tui.parts.pane import Pane
from holdfast.surfaces.tui.parts.texts import BOLD, DIM, WARN, line, one_line, styled
from holdfast.usecases.naming import MOST_LISTED
from holdfast.usecases.review.queued import Review

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from textual.content import Content

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.usecases.review.queued import WaitingCandidate

_PAGE = 60
"""How many candidates are read at first; the list reads more when its end is near."""
_FIRST = 2
"""How many are read in full before anything else, so that the first ones are there at once."""
_NEAR_END = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeDecision:
    """A decision since the UI was opened, and where its candidates stood."""

    decision: Decision
    names: tuple[MemoryId, ...]
    at: int


class InboxList(Pane):
    """The candidates that wait for a person, the most valuable first."""

    title = "Inbox"
    nothing = "No candidates are waiting here."

    def __init__(self) -> None:
        super().__init__()
        self.shelf = CandidateShelf()
        self.made: list[MadeDecision] = []
        self.total = 0
        self._coming: tuple[MemoryRecord, ...] = ()
        self._limit = _PAGE
        self._notes: tuple[str, ...] = ()
        self._first: tuple[int, ...] = (_FIRST,)
        self._read_at: datetime

    async def load(self) -> None:
        """Read the candidates."""
        for limit in (*self._first, min(self._limit, MOST_LISTED)):
            if not await self._load(limit):
                break
            await self.painted()
        else:
            self._first = ()
        await self._advise()

    async def _load(self, limit: int) -> bool:
        """Read some candidates; return whether more of them wait."""
        wish = replace(self.ui.desk.wish or Review(), limit=limit, also=max(0, _PAGE - limit))
        found = await self.ui.ask(lambda memory: (memory.review.review(wish), memory.now()))
        if found is None:
            self.rows.say_when_empty("The candidates could not be read.")
            return False
        queue, self._read_at = found
        current = self.current()
        self.total = queue.total
        self.shelf.fill(queue.items)
        self._coming = queue.after
        self.rows.say_when_empty(self.nothing)
        self.show(at=self.shelf.place_of(name_of(current[0])) if current else None)
        self._notes = queue.notes
        if queue.notes:
            self.ui.tell(queue.notes[0], DIM)
        return queue.total > len(queue.items)

    async def _advise(self) -> None:
        """Let a model read the candidates that are shown already, and add what it suspects."""
        if not self.shelf.items:
            return
        limit = len(self.shelf.items)
        wish = replace(self.ui.desk.wish or Review(), limit=limit, reads_pairs=True)
        found = await self.ui.ask(
            lambda memory: None if memory.pair_reader is None else memory.review.review(wish),
            is_slow=True,
        )
        new = () if found is None else [one for one in found.notes if one not in self._notes]
        if new:
            self.ui.tell(new[0], DIM)
        advice = {} if found is None else {name_of(one): one.advice for one in found.items}
        if any(advice.values()):
            self.shelf.items = [
                replace(one, advice=advice.get(name_of(one), ())) for one in self.shelf.items
            ]
            self.show(at=self.rows.at)

    def show(self, *, at: int | None = None) -> None:
        """Show the rows as they are now."""
        self.rows.show(len(self.shelf.items), at=at, coming=len(self._coming))
        self.show_counts()
        if not self.shelf.items:
            self.show_page([styled("Everything is decided. u takes the last decision back.", DIM)])

    def show_counts(self) -> None:
        """Show how many wait, are marked and are decided."""
        shelf = self.shelf
        more = max(0, self.total - len(shelf.items))
        words = [f"{len(shelf.items) + more:,} waiting"]
        words += [f"{len(shelf.marked):,} marked"] if shelf.marked else []
        words += [f"{len(self.made):,} decided"] if self.made else []
        self.show_heading(line(("  ".join(words), DIM)))

    def draw(self, index: int) -> Content:
        """Return the row of a candidate: marks, risk, kind, claim; of one to come, in short."""
        if index >= len(self.shelf.items):
            memory = self._coming[index - len(self.shelf.items)].memory
            return line((f"{'…':>8}    {memory.kind.value:<11.11} {one_line(memory.claim)}", DIM))
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
        self.load_colours(item.quotes)
        is_near = self.rows.at + _NEAR_END >= len(self.shelf.items)
        if (
            is_near
            and len(self.shelf.items) < min(self.total, MOST_LISTED)
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
        self.show_counts()

    def action_open(self) -> None:
        """Open the first cited file at its lines."""
        quotes = [one for item in self.current() for one in item.quotes]
        if quotes:
            self.ui.open_file(quotes[0].path, quotes[0].first)
        else:
            self.ui.tell("It cites no lines that can be opened here.", WARN)

    def action_graph(self) -> None:
        """Show the neighbours of the current candidate."""
        for item in self.current():
            self.ui.show_graph(name_of(item))

    def current(self) -> list[WaitingCandidate]:
        """Return the current candidate; nothing if the list is empty."""
        return self.shelf.items[self.rows.at : self.rows.at + 1]


def _signs(item: WaitingCandidate, shelf: CandidateShelf) -> str:
    """Return signs for a conflict, advice, a repetition, changed evidence."""
    signs = (
        ("≠", bool(item.against.conflicts)),
        ("?", bool(item.advice)),
        ("=", name_of(item) in shelf.repeated),
        ("~", bool(item.marks) and item.known is None),
    )
    return "".join(sign for sign, is_so in signs if is_so)
