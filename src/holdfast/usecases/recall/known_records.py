"""The records and links that one search has read; each is read once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind
from holdfast.domain.ids import MemoryId, is_short
from holdfast.domain.memory.selection import Page
from holdfast.domain.recall.question import references_in
from holdfast.domain.recall.weighing import link_ends
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.selection import Selection
    from holdfast.ports.recall.searched import Searched

# Chosen by hand.
_MOST_PINNED = 10
_MOST_LABELLED = 400
_MOST_WITH_ONE_NAME = 8
_MEMORY_PREFIX = "m_"


class KnownRecords:
    """What a search knows of the store.

    ``within`` is what may be found, ``given`` what may be given at the question's place and time.
    """

    def __init__(self, question: str, within: Selection, tx: Searched, *, given: Selection) -> None:
        self.question = question
        self.within = within
        self.given = given
        self.tx = tx
        self.records: dict[int, MemoryRecord] = {}
        self.stored: dict[MemoryId, MemoryRecord] = {}
        self.links: dict[MemoryId, list[Link]] = {}

    def linked(
        self, sources: Sequence[MemoryRecord], links: Sequence[Link]
    ) -> dict[int, dict[int, tuple[str, float]]]:
        """Return whom each source is linked to, with the kind and the score of the link."""
        ends = {one.sequence: link_ends(one.memory.id, links) for one in sources}
        names = dict.fromkeys(name for own in ends.values() for name in own)
        if missing := [name for name in names if name not in self.stored]:
            self.stored |= self.tx.memories.get_many(missing)
        known = {name: self.stored[name] for name in names if name in self.stored}
        others = {name: other for name, other in known.items() if self.within.takes(other)}
        return {
            one.sequence: {
                others[name].sequence: (f"{link.kind} {one.memory.id}", link.score)
                for name, link in ends[one.sequence].items()
                if name in others
            }
            for one in sources
        }

    def pinned(self) -> Sequence[MemoryRecord]:
        """Return the pinned memories; every question gets them."""
        return self.tx.memories.find(replace(self.within, pinned=True), Page(limit=_MOST_PINNED))

    def referenced(self) -> Iterator[MemoryRecord]:
        """Return the memories whose id, whole or shortened, or label the question contains."""
        names = references_in(self.question)
        if not names:
            return
        labels = frozenset((*names, *map(str.upper, names)))
        within = replace(self.within, labels=labels)
        labelled = self.tx.memories.find(within, Page(limit=_MOST_LABELLED))
        ids = {name: self._ids(name) for name in names}
        known = self.tx.memories.get_many([one for own in ids.values() for one in own])
        for name in names:
            bearing = [one for one in labelled if one.standing.label in {name, name.upper()}]
            yield from bearing[:_MOST_WITH_ONE_NAME]
            meant = [known[one] for one in ids[name] if one in known]
            yield from (one for one in meant if self.within.takes(one))

    def _ids(self, name: str) -> tuple[MemoryId, ...]:
        """Return the ids that a word of a question may mean, whole or as an answer shortens it."""
        if not name.startswith(_MEMORY_PREFIX):
            return ()
        if not is_short(name):
            return (MemoryId(name),)
        letters = name.removeprefix(_MEMORY_PREFIX)
        ending = self.tx.names.ending(_MEMORY_PREFIX, letters, limit=_MOST_WITH_ONE_NAME)
        return tuple(map(MemoryId, ending))

    def read(self, sequences: Sequence[int]) -> list[MemoryRecord]:
        """Return the records in the requested order, each read at most once."""
        missing = [sequence for sequence in sequences if sequence not in self.records]
        if missing:
            read = self.tx.finding.around.read(missing)
            self.stored |= {record.memory.id: record for record in read}
            seen = map(self.given.view.seen, read)
            self.records |= {record.sequence: record for record in seen}
        return [self.records[one] for one in sequences if one in self.records]

    def links_of(self, names: Sequence[MemoryId]) -> list[Link]:
        """Return the links that touch these memories, strongest first.

        The links of all memories that were read are requested with the first ones.
        """
        if any(name not in self.links for name in names):
            read = (record.memory.id for record in self.records.values())
            missing = [one for one in dict.fromkeys([*names, *read]) if one not in self.links]
            self.links |= {name: [] for name in missing}
            for link in self.tx.links.among(missing):
                for end in {link.src, link.dst} & set(missing):
                    self.links[end].append(link)
        found = {(one.src, one.dst, one.kind): one for name in names for one in self.links[name]}
        return sorted(found.values(), key=lambda one: (-one.score, one.src, one.dst, one.kind))

    def superseded(self, found: Sequence[Link]) -> dict[MemoryId, MemoryId]:
        """Return which hits a link supersedes; a candidate supersedes none."""
        links = [one for one in found if one.kind == LinkKind.SUPERSEDES]
        newer = self.tx.memories.get_many({link.src for link in links})
        return {
            link.dst: link.src
            for link in reversed(links)
            if link.src in newer and self.given.takes(newer[link.src])
        }
