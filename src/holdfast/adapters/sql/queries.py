"""Named queries: the SQL is in .sql files, and Python code selects it by name."""

from __future__ import annotations

import os

# Defined instead of imported: a status line must not pay for importing typing.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import LiteralString

_NAME = "-- name: "
_INCLUDE = "-- include: "


def load_queries(folder: str) -> dict[str, LiteralString]:
    """Read every ``-- name: …`` block of every .sql file in a folder.

    A line ``-- include: other`` is replaced by the text of another block, so a condition that many
    queries share is written once.
    """
    texts: dict[str, str] = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".sql"):
            texts.update(_blocks(_read(folder, name)))
    return {name: _trusted(_included(text, texts)) for name, text in texts.items()}


def load_file(path: str) -> dict[str, LiteralString]:
    """Read the ``-- name: …`` blocks of one file."""
    folder, _, name = path.rpartition("/")
    texts = _blocks(_read(folder, name))
    return {name: _trusted(_included(text, texts)) for name, text in texts.items()}


def load_scripts(folder: str) -> list[LiteralString]:
    """Read the numbered scripts of a folder, in order; the first is number 1."""
    names = [name for name in sorted(os.listdir(folder)) if name.endswith(".sql")]
    return [_trusted(_read(folder, name)) for name in names]


def _read(folder: str, name: str) -> str:
    with open(f"{folder}/{name}", encoding="utf-8") as file:
        return file.read()


def _blocks(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for block in f"\n{text}".split(f"\n{_NAME}")[1:]:
        name, _, body = block.partition("\n")
        found[name.strip()] = body.strip()
    return found


def _included(text: str, texts: dict[str, str]) -> str:
    if _INCLUDE not in text:
        return text
    lines = [
        _included(texts[line.split(_INCLUDE)[1].strip()], texts) if _INCLUDE in line else line
        for line in text.splitlines()
    ]
    return "\n".join(lines)


def _trusted(text: str) -> LiteralString:
    """Mark SQL that is part of this package as a literal string for type checkers."""
    return text  # ty: ignore[invalid-return-type] - typing.cast would import typing
