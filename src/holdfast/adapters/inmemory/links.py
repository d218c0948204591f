"""The links between memories of the in-memory store, and their names."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain

from holdfast.adapters.inmemory.ciphertexts import InMemoryCiphertexts
from holdfast.adapters.inmemory.documents import InMemoryDocuments
from holdfast.adapters.inmemory.state import InMemoryState, LinkName
from holdfast.domain.choices import LinkKind
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Tombstone


@dataclass(frozen=True, slots=True)
class InMemoryNames:
    """Completes abbreviated ids, and holds the tombstones of forgotten memories."""

    state: InMemoryState

    @property
    def ciphertexts(self) -> InMemoryCiphertexts:
        """The encrypted contents of sensitive records."""
        return InMemoryCiphertexts(self.state)

    @property
    def documents(self) -> InMemoryDocuments:
        """The records of frameworks."""
        return InMemoryDocuments(self.state)

    def starting(self, prefix: str, *, limit: int) -> Sequence[str]:
        """Return the ids of every type with a prefix, in order; forgotten memories included."""
        return self.ending(prefix, "", limit=limit)

    def ending(self, prefix: str, letters: str, *, limit: int) -> Sequence[str]:
        """Return the ids with a prefix that end with these letters; forgotten ones included."""
        state = self.state
        ids: chain[str] = chain(
            *(state.memories, state.tombstones, state.sessions),
            *(state.bundles, state.spans, state.runs, state.decisions, state.tasks),
            *(state.workspaces, state.snapshots, state.agents),
        )
        found = {name for name in ids if name.startswith(prefix) and name.endswith(letters)}
        return tuple(sorted(found)[:limit])

    def tombstone(self, memory_id: MemoryId) -> Tombstone | None:
        """Return the tombstone of a forgotten memory, or None."""
        return self.state.tombstones.get(memory_id)

    def tombstones(self, *, beyond: str, limit: int) -> Sequence[Tombstone]:
        """Return tombstones in the order of their ids, starting after ``beyond``."""
        after = sorted(name for name in self.state.tombstones if name > beyond)
        return tuple(self.state.tombstones[name] for name in after[:limit])

    def bury(self, tombstone: Tombstone) -> None:
        """Store a tombstone; another one of that memory is replaced."""
        self.state.moment()
        if self.state.tombstones.get(tombstone.memory_id) != tombstone:
            self.state.tombstones[tombstone.memory_id] = tombstone
            self.state.record("tombstone.buried", tombstone.memory_id, tombstone)


def _name(link: Link) -> LinkName:
    return (link.src, link.dst, link.kind)


def _subject(link: Link) -> str:
    return " ".join(_name(link))


@dataclass(frozen=True, slots=True)
class InMemoryLinks:
    """The links between memories."""

    state: InMemoryState

    def put(self, link: Link) -> None:
        """Write a link, or its new score."""
        self.state.moment()
        for end in (link.src, link.dst):
            if end not in self.state.memories:
                raise NoSuchError(noun="memory", reference=end)
        self.state.links[_name(link)] = link
        self.state.record("link.put", _subject(link), link)

    def touching(self, memory_id: MemoryId) -> Sequence[Link]:
        """Return the links from and to a memory, strongest first."""
        links = [link for link in self.state.links.values() if memory_id in {link.src, link.dst}]
        return tuple(sorted(links, key=lambda link: (-link.score, _name(link))))

    def among(self, memory_ids: Collection[MemoryId]) -> Sequence[Link]:
        """Return the links that touch any of these memories."""
        wanted = set(memory_ids)
        links = [link for link in self.state.links.values() if wanted & {link.src, link.dst}]
        return tuple(sorted(links, key=lambda link: (-link.score, _name(link))))

    def remove(self, link: Link) -> bool:
        """Remove a link; return whether it existed."""
        self.state.moment()
        if self.state.links.pop(_name(link), None) is None:
            return False
        self.state.record("link.removed", _subject(link))
        return True

    def page(self, *, beyond: Link | None, limit: int) -> Sequence[Link]:
        """Return links ordered by their ends and kind, starting after ``beyond``."""
        names = sorted(self.state.links)
        if beyond is not None:
            names = [name for name in names if name > _name(beyond)]
        return tuple(self.state.links[name] for name in names[:limit])

    def contradictions(self, *, beyond: Link | None, limit: int) -> Sequence[Link]:
        """Return the links of kind ``contradicts``, ordered by their ends."""
        after = ("", "") if beyond is None else (beyond.src, beyond.dst)
        names = sorted(
            name
            for name in self.state.links
            if name[2] == LinkKind.CONTRADICTS and name[:2] > after
        )
        return tuple(self.state.links[name] for name in names[:limit])
