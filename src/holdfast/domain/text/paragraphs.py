"""Split a document into paragraphs."""

from __future__ import annotations

import re

from holdfast.domain.values import dataclass

_PARAGRAPH = re.compile(r"(?<![^\n])(?:[^\S\n]*+\S[^\n]*+(?:\n|\Z))+")
_BULLET = re.compile(r"\n(?=\s*(?:[-*+]|\d+[.)])\s)")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentParagraph:
    """A paragraph of a document: its file, its first line there and its text."""

    path: str
    line: int
    text: str

    @property
    def reference(self) -> str:
        """The place in the usual notation: ``README.md:12``."""
        return f"{self.path}:{self.line}"


def paragraphs(path: str, text: str) -> list[DocumentParagraph]:
    """Return the paragraphs of a document; each list item is a paragraph of its own."""
    found: list[DocumentParagraph] = []
    line = counted = 0
    for block in _PARAGRAPH.finditer(text):
        at = block.start()
        for part in _BULLET.split(block[0]):
            line, counted = line + text.count("\n", counted, at), at
            found.append(DocumentParagraph(path=path, line=line + 1, text=part.strip()))
            at += len(part) + 1
    return found
