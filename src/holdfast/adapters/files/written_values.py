"""Writes the values of an entry's frontmatter, so that YAML reads them back unchanged."""

from __future__ import annotations

import json
import re

_WORD = r"[^\W_][\w./@+-]*(?::[\w./@+-]+)*"
_PLAIN = re.compile(rf"{_WORD}(?: {_WORD})*", re.ASCII)
Value = str | tuple[str, ...]


def written(value: Value, style: str = "") -> str:
    """Return a value as it is written after the colon."""
    if isinstance(value, tuple):
        return "[" + ", ".join(written_item(one) for one in value) + "]"
    if style == "'" and "\n" not in value:
        return "'" + value.replace("'", "''") + "'"
    return _quoted(value) if style == '"' else written_item(value)


def written_item(text: str) -> str:
    """Return a text unquoted if YAML reads it unchanged, else in quotes."""
    if _PLAIN.fullmatch(text):
        return text
    # A pattern with backslashes stays as its author wrote it.
    is_raw = "\\" in text and "'" not in text and text.isascii() and text.isprintable()
    return f"'{text}'" if is_raw else _quoted(text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
