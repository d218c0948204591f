"""A text under edit that records which of its characters were added."""

from __future__ import annotations

Span = tuple[int, int]


class TextDraft:
    """A file's text under edit; added text is tracked separately from the original.

    If the spans of earlier additions are given, nothing else can be cut out of it.
    """

    def __init__(self, text: str = "", spans: tuple[Span, ...] | None = None) -> None:
        self.text = text
        self._is_known = spans is not None
        self._ours = bytearray(len(text))
        for start, end in spans or ():
            self._ours[start:end] = b"\1" * (end - start)

    def may_cut(self, at: int) -> bool:
        """Return whether the text at a position may have been added by Holdfast."""
        return not self._is_known or self._ours[at] == 1

    def insert(self, at: int, words: str) -> None:
        """Insert text at a position."""
        self.text = self.text[:at] + words + self.text[at:]
        self._ours[at:at] = b"\1" * len(words)

    def cut(self, start: int, end: int) -> None:
        """Remove the text between two positions, except what Holdfast cannot have added."""
        kept = [at for at in range(start, end) if not self.may_cut(at)]
        self.text = self.text[:start] + "".join(self.text[at] for at in kept) + self.text[end:]
        self._ours[start:end] = bytes(len(kept))

    def spans(self) -> tuple[Span, ...]:
        """Return the ranges of added text."""
        found: list[Span] = []
        start = self._ours.find(b"\1")
        while start >= 0:
            end = self._ours.find(b"\0", start)
            end = len(self._ours) if end < 0 else end
            found.append((start, end))
            start = self._ours.find(b"\1", end)
        return tuple(found)


def without(text: str, spans: tuple[Span, ...]) -> str:
    """Return a text without these ranges."""
    kept, last = [], 0
    for start, end in spans:
        kept.append(text[last:start])
        last = end
    return "".join(kept) + text[last:]
