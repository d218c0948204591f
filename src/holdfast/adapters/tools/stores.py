"""Finds out which store an installed command of Holdfast uses."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING

from holdfast.adapters.tools.disk import text_of
from holdfast.adapters.tools.writing import MisfitError
from holdfast.domain.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.adapters.tools.values import ToolPiece

_RUNS = re.compile(r"\bholdfast\b(?s:.*)\b(?:hook|mcp|status)\b")
# The value of an option in a shell command, or in a list of strings.
_VALUE = r"""(?:"\s*,\s*("(?:[^"\\]|\\.)*")|\s+('[^']*'|[^\s"']+))"""
_OPTIONS = tuple(
    (name, re.compile(name + _VALUE)) for name in ("--home", "--space", "--store", "--tenant")
)


def store_of(piece: ToolPiece) -> tuple[str, ...] | None:
    """Return the options that name the store in the installed command of a piece.

    No options mean the usual store; None means that no command of Holdfast is there.
    """
    try:
        text = text_of(piece.path)
        seen = None if text is None else piece.writing.seen(text)
    except (HoldfastError, MisfitError):
        return None
    return None if seen is None else store_named(seen.words)


def store_named(words: str) -> tuple[str, ...] | None:
    """Return the options that name the store in a text; None if it does not run Holdfast."""
    if not _RUNS.search(words):
        return None
    return tuple(word for name, said in _OPTIONS for word in _option(name, said, words))


def _option(name: str, said: re.Pattern[str], words: str) -> tuple[str, ...]:
    found = said.search(words)
    if found is None:
        return ()
    listed, typed = found.groups()
    return name, json.loads(listed) if listed else shlex.split(typed)[0]
