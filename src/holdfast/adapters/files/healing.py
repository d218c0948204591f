"""Merges a page again that git left with conflict markers."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from holdfast.adapters.files.page_text import PieceKind, cut, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.ports.anchors.clone import Stages
from holdfast.adapters.files.merging import merge_pages

_MARKER = re.compile(r"(?:<{7}|\|{7}|>{7})(?: |$)|={7}$")


def healed(content: bytes, stages: Stages | None, path: str) -> bytes | None:
    """Return the page as Holdfast's merge produces it; None if it must stay unchanged.

    It stays unchanged if it has no conflict, if git no longer has the three versions, or if a
    person has begun to resolve it.
    """
    text = content.decode("utf-8", "surrogateescape")
    if stages is None or not has_conflict(text) or not _is_untouched(text, stages):
        return None
    return merge_pages(stages.base, stages.ours, stages.theirs, path=path).content


def has_conflict(text: str) -> bool:
    """Return whether a page has conflict markers."""
    return any(piece.kind is PieceKind.CONFLICT for piece in cut(text))


def _is_untouched(text: str, stages: Stages) -> bool:
    """Return whether a conflicted page is still as git left it.

    Then every line is from one of the sides, and every line that only one side has is in it. A
    person who resolved anything has removed lines or written others.
    """
    here = _counted(line for line in _bare_lines(text) if not _MARKER.match(line))
    base, ours, theirs = (
        _counted(_bare_lines(side.decode("utf-8", "surrogateescape")))
        for side in (stages.base, stages.ours, stages.theirs)
    )
    return not (here - (base + ours + theirs)) and not (((ours | theirs) - base) - here)


def _bare_lines(text: str) -> list[str]:
    return [line.rstrip("\r\n") for line in lines_of(text)]


def _counted(lines: Iterable[str]) -> Counter[str]:
    return Counter(line for line in lines if line.strip())
