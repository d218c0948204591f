"""What is made from one memory: the words inside its names, its sketch, its citations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.question import camel_parts
from holdfast.domain.sketch import sketch

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.work import Work
    from holdfast.domain.memory import Memory


def derive(sequence: int, memory: Memory, work: Work) -> str | None:
    """Write what a memory gives by itself; return the words inside its names for the index."""
    parts = parts_of(memory)
    if parts is not None:
        work.run("add_parts", sequence, parts)
    for band in sketch(memory.claim):
        work.run("add_band", band, sequence)
    for evidence in memory.evidence:
        if evidence.span is not None:
            work.run("add_citation", evidence.span, sequence)
    return parts


def parts_of(memory: Memory) -> str | None:
    """Return the words inside the camelCase names of a memory; None where there are none."""
    texts = (memory.claim, memory.key or "", *memory.tags)
    parts = [part for text in texts for part in camel_parts(text)]
    return " ".join(parts) or None
