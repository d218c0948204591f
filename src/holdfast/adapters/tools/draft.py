"""A text being added to, which knows which of its characters were added."""

from __future__ import annotations

Span = tuple[int, int]


class Draft:
    """A file's text; what is put into it can be told from what was there.

    With the places of what was put into it before, nothing else can be cut out of it.
    """

    def __init__(self, text: str = "", spans: tuple[Span, ...] | None = None) -> None:
        self.text = text
        self._is_known = spans is not None
        self._ours = bytearray(len(text))
        for start, end in spans or ():
            self._ours[start:end] = b"\1" * (end - start)

    def may_cut(self, at: int) -> bool:
        """Tell whether what stands at a place may be ours."""
        return not self._is_known or self._ours[at] == 1

    def insert(self, at: int, words: str) -> None:
        """Add words at a place."""
        self.text = self.text[:at] + words + self.text[at:]
        self._ours[at:at] = b"\1" * len(words)

    def cut(self, start: int, end: int) -> None:
        """Take away what stands between two places, as far as it may be ours."""
        kept = [at for at in range(start, end) if not self.may_cut(at)]
        self.text = self.text[:start] + "".join(self.text[at] for at in kept) + self.text[end:]
        self._ours[start:end] = bytes(len(kept))

    def spans(self) -> tuple[Span, ...]:
        """Return from where to where the text was added."""
        found: list[Span] = []
        start = self._ours.find(b"\1")
        while start >= 0:
            end = self._ours.find(b"\0", start)
            end = len(self._ours) if end < 0 else end
            found.append((start, end))
            start = self._ours.find(b"\1", end)
        return tuple(found)


def without(text: str, spans: tuple[Span, ...]) -> str:
    """Return a text without what stands between these places."""
    kept, last = [], 0
    for start, end in spans:
        kept.append(text[last:start])
        last = end
    return "".join(kept) + text[last:]
