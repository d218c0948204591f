"""Files for the tests that look for spans: readable, and each line its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdfast.domain.ids import SpanId
from holdfast.domain.memory.anchor import Anchor, anchored, text_hash
from holdfast.domain.memory.evidence import Span
from tests.builders import NOON

PATH = "src/app.py"


def function(name: str, *body: str, end: str = "    return None") -> list[str]:
    """A function with a gap after it."""
    return [f"def {name}(store):", *(f"    {line}" for line in body), end, "", ""]


FILE = [
    "import os",
    "",
    "",
    *function("open_ledger", "ledger = store.find('ledger')", "ledger.lock()"),
    *function("close_ledger", "store.flush_everything()", "store.unlock_the_ledger()"),
    *function("rotate_tokens", "for token in store.tokens:", "    token.rotate_now()"),
    *function("count_pages", "pages = store.all_pages()", end="    return len(pages)"),
]


def at(lines: Sequence[str], first: int, last: int, **changes: Any) -> Span:
    """The span that some lines of a file are, as it was read."""
    anchor: Anchor | None = anchored(lines, first, last)
    fields: dict[str, Any] = {
        "id": SpanId("s_1"),
        "repo": "repo_1",
        "path": PATH,
        "first": first,
        "last": last,
        "text_hash": text_hash(lines[first - 1 : last]),
        "captured_at": NOON,
        "anchor": anchor,
    }
    return Span(**(fields | changes))


def line_of(lines: Sequence[str], words: str) -> int:
    """The number of the first line that holds some words."""
    return next(number for number, line in enumerate(lines, 1) if words in line)
