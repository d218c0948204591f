"""Keep the page of open candidates up to date with the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Scope, Status
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.pages.waiting_page import IN_WORDS, DecisionWords, WaitingEntry, waiting_page

if TYPE_CHECKING:
    from holdfast.domain.ids import MemoryId
    from holdfast.ports.pages.files import Notebook
    from holdfast.ports.store.store import Store
    from holdfast.usecases.pages.sync_register import Here

WAITING_PAGE = "memory/candidates.md"
_MOST = 200


def write_waiting(
    notebook: Notebook, *, store: Store, here: Here, deciding: DecisionWords = IN_WORDS
) -> bool:
    """Write the page of open candidates in this checkout; tell whether it changed."""
    wanted = Selection(
        place=here.place,
        scopes=frozenset({Scope.REPO}),
        statuses=frozenset({Status.CANDIDATE}),
        view=here.view,
    )
    with store.reading() as tx:
        found = tx.memories.find(wanted, Page(limit=_MOST, oldest_first=True))
        many = tx.memories.count(wanted)
        names = [one.memory.id for one in found]
        noted = [
            link
            for link in (tx.links.among(names) if names else ())
            if link.kind == LinkKind.CONTRADICTS
        ]
        known = tx.memories.get_many(link.dst for link in noted)
        rivals: dict[MemoryId, list[MemoryId]] = {}
        there = [one for one in noted if one.dst in known]
        for link in [one for one in there if not here.view.hides(known[one.dst].memory)]:
            rivals.setdefault(link.src, []).append(link.dst)
        spans = tx.anchors.spans.read(
            {item.span for one in found for item in one.evidence if item.span is not None}
        )
    waiting = [
        WaitingEntry(record=one, rivals=tuple(sorted(rivals.get(one.memory.id, ()))))
        for one in found
    ]
    text = waiting_page(waiting, spans=spans, more=many - len(found), deciding=deciding)
    return notebook.write_generated(WAITING_PAGE, text)
