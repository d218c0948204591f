"""Renumbers the later of two entries that got one label."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.adapters.files.editing import edited
from holdfast.adapters.files.entries import ReadEntry, read_piece
from holdfast.adapters.files.page_text import cut
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence


_NUMBERED = re.compile(r"([A-Za-z]+-)([0-9]+)")


def relabelled(text: str, path: str) -> str:
    """Renumber the later of two entries with one label; its ``was`` key keeps the old label."""
    pieces = cut(text)
    read = [read_piece(piece, path) for piece in pieces]
    entries = [one for one in read if isinstance(one, ReadEntry) and one.entry.label]
    labels = [one.entry.label or "" for one in entries]
    if len(set(labels)) == len(labels):
        return text
    taken, fresh = set(labels), {}
    for one in sorted(entries, key=lambda one: one.entry.uid or ""):
        label = one.entry.label or ""
        if label in taken:
            taken.discard(label)
            continue
        free = _next_free(label, labels)
        wanted = replace(one.entry, label=free, was=(*one.entry.was, label))
        made = edited(one, wanted, path) if one.entry.uid and free else None
        if free and made is not None:
            labels.append(free)
            fresh[one.piece] = made
    return "".join(fresh.get(piece, piece.text) for piece in pieces)


def _next_free(label: str, labels: Sequence[str]) -> str | None:
    """Return the label with the next number after the highest of its prefix."""
    match = _NUMBERED.fullmatch(label)
    if match is None:
        return None
    found = [_NUMBERED.fullmatch(one) for one in labels]
    highest = max(int(one[2]) for one in found if one and one[1] == match[1])
    return f"{match[1]}{highest + 1:0{len(match[2])}d}"
