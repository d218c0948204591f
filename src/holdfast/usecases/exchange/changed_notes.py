"""Find the memory whose note was changed: the new note proposes to replace it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.choices import LIVE, LinkKind
from holdfast.domain.memory.selection import Selection, near_form
from holdfast.usecases.anchors.verify import every

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import SpaceId
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.exchange.foreign_links import Pair

_LEAST_SHARED = 0.7
"""The share of words that two wordings of one line have in common."""


def replaced_notes(
    new: Sequence[MemoryRecord],
    read: Sequence[MemoryRecord],
    *,
    space: SpaceId,
    tx: Transaction,
) -> list[Pair]:
    """Pair each new memory with the one of the same file whose note is gone and says nearly it.

    ``read`` are all memories whose notes the import has read. A new memory that comes equally near
    to two others replaces neither; new memories of other files do not matter.
    """
    there = {one.memory.id for one in read}
    by_source: dict[str, list[MemoryRecord]] = defaultdict(list)
    for one in new:
        by_source[one.memory.source].append(one)
    pairs: list[Pair] = []
    for source, records in by_source.items():
        wanted = Selection(space=space, source=source, statuses=LIVE)
        old = _Notes([one for one in every(wanted, tx=tx) if one.memory.id not in there])
        own = _Notes(records)
        for note in own.notes:
            nearest = old.nearest(note)
            if nearest is not None and own.nearest(nearest) is note:
                pairs.append((note.record, nearest.record, LinkKind.SUPERSEDES))
    return pairs


class _Note(NamedTuple):
    """A memory and its words."""

    record: MemoryRecord
    words: frozenset[str]

    def is_beside(self, other: _Note) -> bool:
        """Return whether two notes belong to the same repository."""
        return self.record.memory.repo == other.record.memory.repo

    def share(self, other: _Note) -> float:
        """Return the share of words that two notes have in common."""
        return 2 * len(self.words & other.words) / (len(self.words) + len(other.words))


class _Notes:
    """The notes of one file, found by their words, so that few of them are compared."""

    def __init__(self, records: Sequence[MemoryRecord]) -> None:
        self.notes = [_Note(one, frozenset(near_form(one.memory.claim).split())) for one in records]
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
