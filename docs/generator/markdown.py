"""The few pieces of Markdown that generated pages are made of."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

NOTICE = "<!-- Written by `make docs` from the code; change the code, not this page. -->"


@dataclass(slots=True)
class Page:
    """A page that grows from top to bottom."""

    title: str
    parts: list[str] = field(default_factory=list)

    def text(self, *sentences: str) -> None:
        """Add a paragraph, one sentence per line."""
        self.parts.append("\n".join(sentences))

    def heading(self, words: str, *, level: int = 2) -> None:
        """Begin a section."""
        self.parts.append(f"{'#' * level} {words}")

    def code(self, text: str, language: str = "") -> None:
        """Add text that is shown as it is."""
        self.parts.append(f"```{language}\n{text.rstrip()}\n```")

    def json(self, value: object) -> None:
        """Add a value as JSON."""
        self.code(json.dumps(value, indent=2, ensure_ascii=False), "json")

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Add a table; cells are kept on one line."""
        lines = [_row(heads), _row(["---"] * len(heads)), *(_row(row) for row in rows)]
        self.parts.append("\n".join(lines))

    def written(self) -> str:
        """Return the page as it stands in its file."""
        return "\n\n".join([f"# {self.title}", NOTICE, *self.parts]) + "\n"


def code(text: str) -> str:
    """Return a word as code, or nothing for nothing."""
    return f"`{text}`" if text else ""


def sentence(text: str) -> str:
    """Return words as a sentence: a capital at the start, a full stop at the end."""
    words = " ".join(text.split())
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "?", "!")) else ".")


def sentences(text: str) -> list[str]:
    """Return a paragraph as one sentence per line."""
    broken = " ".join(text.split()).replace(". ", ".\n").replace("? ", "?\n")
    return broken.split("\n")


def _row(cells: Sequence[str]) -> str:
    flat = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(flat)} |"
