"""The tab Memory: every memory by scope, kind and status; create, edit, pin and forget."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from textual.binding import Binding

from holdfast.domain.choices import Kind, Scope, Status
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.text.counting import counted
from holdfast.surfaces.tui.panes.memory_page import (
    STATUSES,
    details_of,
    first_lines,
    memory_page,
)
from holdfast.surfaces.tui.parts.texts import DIM, NAME, WARN, line, one_line, quoted, styled
from holdfast.surfaces.tui.parts.undoing import UndoingPane
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.browse import Browse
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.memory.preparing import Remember
from holdfast.usecases.review.rewording import Edit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from enum import StrEnum
    from typing import ClassVar, TypeVar

    from textual.binding import BindingType
    from textual.content import Content

    from holdfast.app import Holdfast
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.selection import Cursor
    from holdfast.surfaces.tui.panes.memory_page import MemoryDetails
    from holdfast.usecases.memory.browse import MemoryListing
    from holdfast.usecases.memory.forget import Forgotten
    from holdfast.usecases.review.approve import Decided

    Choice = TypeVar("Choice", bound=StrEnum)

_PAGE = 100
"""How many memories are read at once; the list reads more when its end is near."""
_NEAR_END = 40
_PLACE = re.compile(r"\S+:\d+(?:-\d+)?|https?://\S+|(?:commit|command|query|job|turn):.+")
"""Evidence that names a place; everything else is the person's own word."""
_SOURCE = "ui"


class MemoryPane(UndoingPane):
    """The memories that reach this place, the newest first."""

    title = "Memory"
    nothing = "No such memories."
    nothing_decided = "Nothing was decided in this tab yet; p again unpins."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "create", "new"),
        Binding("e", "edit", "edit"),
        Binding("p", "pin", "pin"),
        Binding("D", "forget", "forget"),
        Binding("u", "undo", "undo"),
        Binding("f", "filter_words", "filter"),
        Binding("c", "next_kind", "kind"),
        Binding("s", "next_scope", "scope", show=False),
        Binding("v", "next_status", "status", show=False),
        Binding("o", "open", "open the cited file in $EDITOR", show=False),
        Binding("g", "graph", "show in Graph", show=False),
        Binding("r", "reload", "read again", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.records: list[MemoryRecord] = []
        self._details: MemoryDetails | None = None
        self._words = ""
        self._kind: Kind | None = None
        self._scope: Scope | None = None
        self._status: Status | None = Status.ACCEPTED
        self._beyond: Cursor | None = None
        self._total = 0
        self._sought: MemoryId | None = None

    async def load(self) -> None:
        """Read the first memories of the selection."""
        found = await self.ui.ask(lambda memory: self._browse(memory, None))
        if found is None:
            return
        self.records = list(found.records)
        self._keep(found)
        self.rows.say_when_empty(self.nothing)
        self.rows.show(len(self.records), at=self._place_of_sought())
        if not self.records:
            self.show_page([styled("c, s and v change the kind, scope and status.", DIM)])

    async def _load_more(self, beyond: Cursor) -> None:
        found = await self.ui.ask(lambda memory: self._browse(memory, beyond))
        if found is not None:
            self.records += found.records
            self._keep(found)
            self.rows.show(len(self.records))

    def _keep(self, found: MemoryListing) -> None:
        self._beyond, self._total = found.beyond, found.total
        chosen = [one.value for one in (self._kind, self._scope, self._status) if one is not None]
        chosen += [f"“{self._words}”"] if self._words else []
        self.show_heading(
            line(
                (counted(self._total, "memory", "memories"), DIM),
                "  ",
                (one_line(", ".join(chosen)), NAME),
            )
        )

    def _browse(self, memory: Holdfast, beyond: Cursor | None) -> MemoryListing:
        selection = Selection(
            space=memory.principal.space,
            place=memory.place(),
            kinds=_only(self._kind),
            scopes=_only(self._scope),
            statuses=_only(self._status),
        )
        page = Page(limit=_PAGE, beyond=beyond)
        return memory.memories.browse(Browse(selection=selection, query=self._words, page=page))

    def _place_of_sought(self) -> int:
        places = [at for at, one in enumerate(self.records) if one.memory.id == self._sought]
        return places[0] if places else 0

    def look_at(self, memory_id: MemoryId) -> None:
        """Make a memory the current one, whatever its kind, scope and status."""
        self._sought = memory_id
        self._words, self._kind, self._scope, self._status = "", None, None, None
        self.load_in_background(partial(self._find, memory_id))

    async def _find(self, memory_id: MemoryId) -> None:
        """Read the list; a memory that is not on its first page is shown on top."""
        await self.load()
        if all(one.memory.id != memory_id for one in self.records):
            found = await self.ui.ask(lambda memory: memory.memories.explain(memory_id))
            if found is not None:
                self.records.insert(0, found.record)
                self.rows.show(len(self.records), at=0)

    def draw(self, index: int) -> Content:
        """Return the row of a memory."""
        record = self.records[index]
        memory, status = record.memory, record.standing.status
        is_usual = status is Status.ACCEPTED
        return line(
            ("▲" if record.standing.pinned else " ", NAME),
            (f"{memory.kind.value:<11.11} ", DIM),
            ("" if is_usual else f"{status.value} ", STATUSES[status]),
            one_line(memory.claim),
        )

    def write_page(self) -> None:
        """Write what is known about the current memory, and read the rest."""
        if not self.records:
            return
        record = self.records[self.rows.at]
        found = self._details
        if found is not None and found.chain.record.memory.id == record.memory.id:
            self.show_page(memory_page(found))
            self.load_colours(found.quotes)
        else:
            self.show_page(first_lines(record))
            self.load_in_background(partial(self._look, record.memory.id), group="look")
        is_near = self.rows.at + _NEAR_END >= len(self.records)
        if is_near and self._beyond is not None and len(self.records) < self._total:
            beyond, self._beyond = self._beyond, None
            self.load_in_background(partial(self._load_more, beyond))

    async def _look(self, name: MemoryId) -> None:
        self._details = await self.ui.ask(lambda memory: details_of(memory, name))
        current = self._current()
        if self._details is not None and current and current[0].memory.id == name:
            self.write_page()

    def _current(self) -> Sequence[MemoryRecord]:
        return self.records[self.rows.at : self.rows.at + 1]

    def _mine(self) -> Sequence[MemoryRecord]:
        """Return the current memory, if the caller may decide about it."""
        return self._current() if self.ui.may_decide() else ()

    def action_reload(self) -> None:
        """Read the memories again."""
        self._details = None
        self.reload()

    def action_next_kind(self) -> None:
        """Show the next kind."""
        self._kind = _after(self._kind, tuple(Kind))
        self.reload()

    def action_next_scope(self) -> None:
        """Show the next scope."""
        self._scope = _after(self._scope, tuple(Scope))
        self.reload()

    def action_next_status(self) -> None:
        """Show the next status."""
        self._status = _after(self._status, tuple(Status))
        self.reload()

    def action_filter_words(self) -> None:
        """Show the memories with some words."""

        def typed(words: str) -> None:
            self._words = words
            self.reload()

        self.ui.ask_line("Only memories with these words", typed, value=self._words)

    def action_open(self) -> None:
        """Open the first cited file at its lines."""
        if self._details is not None and self._details.quotes:
            quote = self._details.quotes[0]
            self.ui.open_file(quote.path, quote.first)
        else:
            self.ui.tell("It cites no lines that can be opened here.", WARN)

    def action_graph(self) -> None:
        """Show the neighbours of the current memory."""
        for record in self._current():
            self.ui.show_graph(record.memory.id)

    def action_create(self) -> None:
        """Ask for a claim, its kind and its evidence, and keep it."""
        if self.ui.may_decide():
            self.ui.change_text("A new memory", "", self._ask_for_kind)

    def _ask_for_kind(self, claim: str) -> None:
        def typed(word: str) -> None:
            known = [one for one in Kind if one.value == word]
            if known:
                self._ask_for_evidence(claim, known[0])
            else:
                self.ui.tell(f"There is no kind '{word}': {', '.join(Kind)}.", WARN)

        self.ui.ask_line(f"Its kind: {', '.join(Kind)}", typed, value=Kind.FACT.value)

    def _ask_for_evidence(self, claim: str, kind: Kind) -> None:
        def typed(evidence: str) -> None:
            self.decide(partial(self._create, claim, kind, evidence))

        self.ui.ask_line("Its evidence: src/app.py:10-30, a URL, or your own words", typed)

    async def _create(self, claim: str, kind: Kind, evidence: str) -> None:
        is_place = _PLACE.fullmatch(evidence) is not None
        grounds = Grounds(places=(evidence,)) if is_place else Grounds(because=evidence or None)

        def keep(memory: Holdfast) -> MemoryRecord:
            wish = Remember(
                claim=claim,
                kind=kind,
                grounds=grounds,
                origin=memory.principal.origin,
                source=_SOURCE,
                by=self.ui.desk.user,
            )
            return memory.memories.remember(wish).record

        record = await self.ui.ask(keep)
        if record is not None:
            self.ui.decisions += 1
            self.ui.tell(f"kept as {record.memory.id}")
            self.look_at(record.memory.id)

    def action_edit(self) -> None:
        """Change the words of the current memory; the new words replace it."""
        for record in self._mine():
            self.ui.change_text("In other words", record.memory.claim, partial(self._edit, record))

    def _edit(self, record: MemoryRecord, text: str) -> None:
        if text.strip() == record.memory.claim.strip():
            self.ui.tell("Nothing was changed.", DIM)
        else:
            self.decide(partial(self._reword, record, text))

    async def _reword(self, record: MemoryRecord, text: str) -> None:
        memory = record.memory
        wish = Edit(
            reference=memory.id,
            claim=text,
            by=self.ui.desk.user,
            shown_hash=memory.content_hash,
        )
        self._note(await self.ui.ask(lambda holdfast: holdfast.review.edit(wish)))

    def _note(self, decided: Decided | None) -> None:
        if decided is not None and decided.decision is not None:
            self.decisions.append(decided.decision.id)
            self.ui.count(decided.decision)
            self.ui.tell("edited  (u: undo)")
            self.look_at(decided.records[0].memory.id)

    def action_pin(self) -> None:
        """Pin the current memory, or unpin it."""
        for record in self._mine():
            self.decide(partial(self._pin, record))

    async def _pin(self, record: MemoryRecord) -> None:
        name, is_pinned = record.memory.id, record.standing.pinned
        found = await self.ui.ask(lambda memory: memory.memories.pin(name, pinned=not is_pinned))
        if found is not None:
            self.ui.decisions += 1
            self._details = None
            self.records = [found if one.memory.id == name else one for one in self.records]
            self.rows.show(len(self.records))
            self.ui.tell("unpinned  (p: pin)" if is_pinned else "pinned  (p: unpin)")

    def action_forget(self) -> None:
        """Forget the current memory permanently, after a question."""
        for record in self._mine():
            question = "Forget this memory permanently? This cannot be undone."
            forget = partial(self._begin_to_forget, record)
            self.ui.confirm(question, forget, *quoted(record.memory.claim))

    def _begin_to_forget(self, record: MemoryRecord) -> None:
        self.decide(partial(self._forget, record))

    async def _forget(self, record: MemoryRecord) -> None:
        wish = Forget(reference=record.memory.id, by=self.ui.desk.user)
        gone: Forgotten | None = await self.ui.ask(lambda memory: memory.memories.forget(wish))
        if gone is not None:
            self.ui.forgotten.append(gone)
            self.ui.tell(gone.not_yet or "forgotten")
            self.action_reload()


def _only(chosen: Choice | None) -> frozenset[Choice]:
    return frozenset() if chosen is None else frozenset({chosen})


def _after(chosen: Choice | None, choices: Sequence[Choice]) -> Choice | None:
    """Return the next choice; after the last one comes none."""
    order: list[Choice | None] = [None, *choices]
    return order[(order.index(chosen) + 1) % len(order)]
