"""Tells whether two commits that change equal lines change them in the same places of a file."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.objects import read_blobs

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from holdfast.adapters.git.lineage.commit_changes import Change, FileDiff, Hunk, Replacement
    from holdfast.adapters.git.reading.repository import Repository


class _Text:
    """The lines of a blob, and where each of them is."""

    def __init__(self, content: bytes) -> None:
        self.lines = content.split(b"\n")
        self._known: dict[tuple[bytes, ...], list[int]] = {(): []}

    @cached_property
    def places(self) -> Mapping[bytes, list[int]]:
        found: dict[bytes, list[int]] = {}
        for place, line in enumerate(self.lines):
            found.setdefault(line, []).append(place)
        return found

    def place_of(self, hunk: Hunk) -> tuple[int, int]:
        """Return how many places that a hunk fits are above its own, and how many below."""
        places = self._fitting(hunk.before())
        above = bisect_left(places, hunk.first)
        return above, len(places) - bisect_right(places, hunk.first)

    def _fitting(self, wanted: tuple[bytes, ...]) -> list[int]:
        """Return the lines at which some lines stand."""
        if wanted not in self._known:
            rarest = min(range(len(wanted)), key=lambda at: len(self.places.get(wanted[at], ())))
            starts = [place - rarest for place in self.places.get(wanted[rarest], ())]
            end = len(wanted)
            self._known[wanted] = [
                start + 1
                for start in starts
                if start >= 0 and tuple(self.lines[start : start + end]) == wanted
            ]
        return self._known[wanted]


class HunkPlaces:
    """Tells whether commits that change equal lines change them in the same places."""

    def __init__(
        self,
        repository: Repository,
        changes: Mapping[str, Change],
        pairs: Collection[Replacement],
    ) -> None:
        self._changes = changes
        wanted = {
            blob
            for pair in pairs
            for name, file in changes[pair.old].items()
            if file.old != changes[pair.new][name].old
            for blob in (file.old, changes[pair.new][name].old)
            if blob.strip("0")
        }
        found = read_blobs(repository, sorted(wanted))
        self._texts = {blob: _Text(content) for blob, content in found.items()}

    def are_same(self, pair: Replacement) -> bool:
        """Tell whether each hunk of the new commit is where that of the old one was."""
        new = self._changes[pair.new]
        return all(
            hunk.first == other.first
            if file.old == new[name].old
            else self._is_same_place(hunk, self._text(file), other, self._text(new[name]))
            for name, file in self._changes[pair.old].items()
            for hunk, other in zip(file.hunks, new[name].hunks, strict=True)
        )

    def _text(self, file: FileDiff) -> _Text:
        return self._texts.get(file.old) or _Text(b"")

    @staticmethod
    def _is_same_place(hunk: Hunk, text: _Text, other: Hunk, other_text: _Text) -> bool:
        """Tell whether two equal hunks change the same one of the places that they fit."""
        if hunk.before() != other.before():
            return True  # The lines around it changed, so the hunk fits no twin of the old place.
        (above, below), (other_above, other_below) = text.place_of(hunk), other_text.place_of(other)
        if above + below == other_above + other_below:
            return above == other_above
        if hunk.heading or other.heading:
            return hunk.heading == other.heading
        return above == other_above or below == other_below
