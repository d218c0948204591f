"""Find the memory whose note was changed: the new note proposes to replace it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.choices import LIVE
from holdfast.domain.memory.selection import Selection, near_form
from holdfast.usecases.anchors.verify import every

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.domain.memory.place import SpaceId
    from holdfast.ports.store.store import Transaction

_LEAST_SHARED = 0.7
"""The share of words that two wordings of one line have in common."""


def replaced_notes(
    new: Sequence[Memory],
    read: Collection[MemoryId],
    *,
    space: SpaceId,
    tx: Transaction,
) -> list[tuple[Memory, MemoryRecord]]:
    """Pair each new memory with the one of the same file whose note is gone and says nearly it.

    ``read`` are all memories whose notes the import has read. A new memory that comes equally near
    to two others replaces neither; new memories of other files do not matter.
    """
    by_source: dict[str, list[Memory]] = defaultdict(list)
    for one in new:
        by_source[one.source].append(one)
    pairs: list[tuple[Memory, MemoryRecord]] = []
    for source, memories in by_source.items():
        wanted = Selection(space=space, source=source, statuses=LIVE)
        known = {one.memory.id: one for one in every(wanted, tx=tx) if one.memory.id not in read}
        old, own = _Notes([one.memory for one in known.values()]), _Notes(memories)
        for note in own.notes:
            nearest = old.nearest(note)
            if nearest is not None and own.nearest(nearest) is note:
                pairs.append((note.memory, known[nearest.memory.id]))
    return pairs


class _Note(NamedTuple):
    """A memory and its words."""

    memory: Memory
    words: frozenset[str]

    def is_beside(self, other: _Note) -> bool:
        """Return whether two notes belong to the same repository."""
        return self.memory.repo == other.memory.repo

    def share(self, other: _Note) -> float:
        """Return the share of words that two notes have in common."""
        return 2 * len(self.words & other.words) / (len(self.words) + len(other.words))


class _Notes:
    """The notes of one file, found by their words, so that few of them are compared."""

    def __init__(self, memories: Sequence[Memory]) -> None:
        self.notes = [_Note(one, frozenset(near_form(one.claim).split())) for one in memories]
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, note in enumerate(self.notes):
            for word in note.words:
                self._places[word].append(place)

    def nearest(self, note: _Note) -> _Note | None:
        """Return the note of the same place with the nearest words; None if none is near, or two.

        The rarest words are looked up first, until the notes without them are too far.
        """
        found: set[int] = set()
        least, count = _LEAST_SHARED, len(note.words)
        for missing, word in enumerate(sorted(note.words, key=self._frequency)):
            most = count - missing
            if 2 * most / (count + most) < least:
                break
            for place in self._places.get(word, ()):
                one = self.notes[place]
                share = note.share(one) if one.is_beside(note) else 0.0
                if share > least:
                    found, least = {place}, share
                elif share == least:
                    found.add(place)
        return self.notes[found.pop()] if len(found) == 1 else None

    def _frequency(self, word: str) -> int:
        return len(self._places.get(word, ()))
