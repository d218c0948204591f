"""What Holdfast writes into a file: a block, a whole file, or entries in JSON.

A text under edit that records which of its characters were added.
"""

from __future__ import annotations

from typing import Protocol

from holdfast.domain.text.managed import CommentStyle, find_block, managed, room_for, without_block
from holdfast.domain.values import dataclass, replace


class MisfitError(ValueError):
    """The file cannot take Holdfast's text; ``line`` is the place of the problem."""

    def __init__(self, *, problem: str, line: int = 1) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnText:
    """Holdfast's text found in a file: its words, its line, and whether its hash matches.

    ``is_untouched`` is None if the file has no hash to compare.
    """

    words: str
    line: int
    is_untouched: bool | None = None
    owners: tuple[str, ...] = ()


class Writing(Protocol):
    """One text of Holdfast in a file that may belong to another program."""

    @property
    def words(self) -> str:
        """Return the wanted text, to be compared with the text in the file."""
        ...

    def seen(self, text: str) -> OwnText | None:
        """Return Holdfast's text in a file, or None.

        Raises:
            MisfitError: The text cannot be parsed.
        """
        ...

    def put(self, draft: TextDraft, *, is_new: bool) -> None:
        """Add it to a text, or to a new file, by insertions only.

        Raises:
            MisfitError: It cannot be added without changing existing text.
        """
        ...

    def take(self, draft: TextDraft) -> bool:
        """Remove it from a text; return whether nothing that anybody wrote is left."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedBlock:
    """Lines between Holdfast's markers at the end of a text."""

    body: str
    comment: CommentStyle = CommentStyle.MARKUP
    owners: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Return the lines."""
        return self.body.strip("\n")

    def seen(self, text: str) -> OwnText | None:
        """Return the current lines between the markers."""
        block = find_block(text)
        if block is None:
            return None
        return OwnText(
            words=block.body,
            line=block.line,
            is_untouched=block.is_untouched,
            owners=block.owners,
        )

    def put(self, draft: TextDraft, *, is_new: bool) -> None:
        """Add the lines at the end, or update them in place."""
        block = managed(self.body, comment=self.comment, owners=self.owners)
        there = find_block(draft.text)
        if there is not None:
            newline = "\r\n" if "\r\n" in draft.text else "\n"
            draft.cut(there.start, there.end)
            draft.insert(there.start, block.replace("\n", newline))
            return
        draft.insert(len(draft.text), room_for(block, None if is_new else draft.text))

    def take(self, draft: TextDraft) -> bool:
        """Remove the lines; return whether nothing else was in the file."""
        block = find_block(draft.text)
        left = draft.text if block is None else without_block(draft.text, block)
        if left is None or block is None:
            if left is None:
                draft.cut(0, len(draft.text))
            return left is None
        # The same text, but cut so that the draft still tracks what was added.
        start = _same_start(draft.text, left)
        draft.cut(start, start + len(draft.text) - len(left))
        return False

    def shared_with(self, owners: tuple[str, ...]) -> MarkedBlock:
        """Return the block for these tools."""
        return replace(self, owners=owners)


def _same_start(text: str, left: str) -> int:
    for place, (one, other) in enumerate(zip(text, left, strict=False)):
        if one != other:
            return place
    return len(left)


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A file of Holdfast's own: a head that its format requires, and lines between markers."""

    body: str
    comment: CommentStyle
    head: str = ""
    is_program: bool = False

    @property
    def words(self) -> str:
        """Return the whole file."""
        return f"{self.head}{managed(self.body, comment=self.comment)}\n"

    def seen(self, text: str) -> OwnText | None:
        """Return the current file, whoever wrote it."""
        block = find_block(text)
        if block is None:
            return OwnText(words=text, line=1) if text.strip() else None
        around = text[: block.start] + text[block.end :].removeprefix("\n")
        is_ours = block.is_untouched and (around == self.head or not around.strip())
        return OwnText(words=text, line=block.line, is_untouched=is_ours)

    def put(self, draft: TextDraft, *, is_new: bool) -> None:
        """Write the file."""
        draft.cut(0, len(draft.text))
        draft.insert(0, self.words)

    def take(self, draft: TextDraft) -> bool:
        """Remove the file."""
        draft.cut(0, len(draft.text))
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Placeholder:
    """A placeholder until another part of Holdfast writes the file; any other text stays."""

    words: str

    def seen(self, text: str) -> OwnText | None:
        """Return the file as it is."""
        return OwnText(words=text, line=1)

    def put(self, draft: TextDraft, *, is_new: bool) -> None:
        """Write the file, unless it exists."""
        if is_new:
            draft.insert(0, self.words)

    def take(self, draft: TextDraft) -> bool:
        """Remove the file."""
        draft.cut(0, len(draft.text))
        return True


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
