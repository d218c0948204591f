"""The derived rows of one memory: subwords, near-duplicate sketch, citations, tags, names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import as_json
from holdfast.domain.memory.sketch import sketch
from holdfast.domain.recall.question import camel_parts

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.domain.memory.memory import Memory


def derive(sequence: int, memory: Memory, work: Work) -> str | None:
    """Write the derived rows of a memory; return its subwords for the keyword index."""
    from holdfast.domain.memory.naming import names_of
    from holdfast.domain.recall.threads import turn_of

    parts = parts_of(memory)
    if parts is not None:
        work.run("add_parts", sequence, parts)
    work.run_many("add_band", [(band, sequence) for band in sketch(memory.claim)])
    for evidence in memory.evidence:
        if evidence.span is not None:
            work.run("add_citation", evidence.span, sequence)
    for tag in memory.tags:
        work.run("add_tag", tag, sequence)
    for name in names_of(memory):
        work.run("add_name", name, sequence)
    if (turn := turn_of(memory)) is not None:
        work.run("add_turn_place", sequence, turn.thread, turn.number)
    return parts


def underive(sequence: int, memory: Memory, work: Work) -> None:
    """Remove the derived rows of a memory, except its index entry and its citations."""
    from holdfast.domain.memory.naming import names_of

    work.run("drop_bands", as_json(sketch(memory.claim)), sequence)
    work.run("drop_tags", as_json(memory.tags), sequence)
    work.run("drop_names", as_json(names_of(memory)), sequence)
    work.run("drop_turn_place", sequence)
    work.run("drop_parts", sequence)


def parts_of(memory: Memory) -> str | None:
    """Return the words inside the camelCase names of a memory; None if there are none."""
    texts = (memory.claim, memory.key or "", *memory.tags)
    parts = [part for text in texts for part in camel_parts(text)]
    return " ".join(parts) or None
