"""Pages that a merge without our driver left with its markers, made anew from the three sides."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from holdfast.adapters.files.cutting import PieceKind, cut, lines_of
from holdfast.adapters.files.merging import merge_pages

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.ports.versions import Stages

_MARKER = re.compile(r"(?:<{7}|\|{7}|>{7})(?: |$)|={7}$")


def healed(content: bytes, stages: Stages | None, path: str) -> bytes | None:
    """Return the page as our own merge makes it; none where it must stay as it is.

    That is where there is no conflict in it, where git does not have the sides any more, and
    where a person has begun to put it right.
    """
    text = content.decode("utf-8", "surrogateescape")
    if stages is None or not has_conflict(text) or not _is_untouched(text, stages):
        return None
    return merge_pages(stages.base, stages.ours, stages.theirs, path=path).content


def has_conflict(text: str) -> bool:
    """Tell whether a merge left its markers in a page."""
    return any(piece.kind is PieceKind.CONFLICT for piece in cut(text))


def _is_untouched(text: str, stages: Stages) -> bool:
    """Tell whether a page is still as git left it.

    Every line of it is from one of the sides, and every line that a side has of its own is in
    it: a person who decided anything has taken some away, or written others.
    """
    here = _counted(line for line in _plain(text) if not _MARKER.match(line))
    base, ours, theirs = (
        _counted(_plain(side.decode("utf-8", "surrogateescape")))
        for side in (stages.base, stages.ours, stages.theirs)
    )
    return not (here - (base + ours + theirs)) and not (((ours | theirs) - base) - here)


def _plain(text: str) -> list[str]:
    return [line.rstrip("\r\n") for line in lines_of(text)]


def _counted(lines: Iterable[str]) -> Counter[str]:
    return Counter(line for line in lines if line.strip())
