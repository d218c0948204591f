"""Quotes: the lines that a piece of evidence cites, for showing to people."""

from __future__ import annotations

from holdfast.domain.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Some lines of a file as they are now; ``more`` counts the lines that are not shown."""

    path: str
    first: int
    lines: tuple[str, ...]
    more: int = 0

    @property
    def reference(self) -> str:
        """The place in the usual notation: ``src/app.py:10-30``."""
        last = self.first + len(self.lines) + self.more - 1
        return f"{self.path}:{self.first}" + ("" if last == self.first else f"-{last}")


def cut_short(quote: Quote, most: int) -> Quote:
    """Return a quote with at most that many lines; the rest is counted in ``more``."""
    kept = quote.lines[:most]
    more = quote.more + len(quote.lines) - len(kept)
    return Quote(path=quote.path, first=quote.first, lines=kept, more=more)


def quote_json(quote: Quote) -> dict[str, object]:
    """Return a quote as JSON."""
    return {
        "ref": quote.reference,
        "path": quote.path,
        "first": quote.first,
        "lines": list(quote.lines),
        "more": quote.more,
    }
