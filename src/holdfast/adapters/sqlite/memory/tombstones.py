"""Forgetting a memory, and its tombstone.

Removes words from the keyword index so that no byte of them stays.

The index removes a word itself. Its inner nodes also keep prefixes of some words for lookups, and
these stay. A prefix reveals a forgotten word only if no other word has that prefix; then the next
scrub rewrites the index.

The derived rows of one memory: subwords, near-duplicate sketch, citations, tags, names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from holdfast.adapters.sqlite.database.rows import (
    Row,
    Value,
    as_json,
    checked,
    millis,
    moment_of,
    sealed,
)
from holdfast.adapters.sqlite.database.terms import tokens_of
from holdfast.adapters.sqlite.memory.embeddings import remove_vectors
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import Tombstone
from holdfast.domain.memory.sketch import sketch
from holdfast.domain.recall.question import inner_words

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.domain.memory.memory import Memory, MemoryRecord


_RESIDUE = "residue"
_MAIN_INDEX = "0"
_LAST_LETTER = "\U0010ffff"


def remove_words(sequence: int, work: Work) -> None:
    """Remove a memory's words from the index, and note whether prefixes of them stay."""
    row = work.row("text_of", sequence) or ()
    words = {word for tokens in tokens_of(filter(None, row), work.connection) for word in tokens}
    work.changed_words = True
    work.run("unindex_memory", sequence)
    beginnings = {
        cast("bytes", term).decode("utf-8", "ignore").removeprefix(_MAIN_INDEX)
        for (term,) in work.rows("separators")
    }
    suspects = [
        word[:end] for word in words for end in range(1, len(word) + 1) if word[:end] in beginnings
    ]
    if suspects and _belongs_to_nobody(suspects, work):
        work.set_meta(_RESIDUE, "words")


def write_anew_if_needed(work: Work) -> None:
    """Rewrite the index if it keeps prefixes of forgotten words."""
    if work.meta(_RESIDUE) is not None:
        work.run("write_words_anew")
        work.drop_meta(_RESIDUE)


def _belongs_to_nobody(beginnings: list[str], work: Work) -> bool:
    work.run("make_vocabulary")
    return any(
        work.row("any_word_between", beginning, beginning + _LAST_LETTER) is None
        for beginning in beginnings
    )


def derive(sequence: int, memory: Memory, work: Work) -> str | None:
    """Write the derived rows of a memory; return its subwords for the keyword index."""
    from holdfast.domain.memory.naming import names_of
    from holdfast.domain.recall.finding import turn_of

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
    """Return the words inside the words of a memory, such as camelCase; None if there are none."""
    texts = (memory.claim, memory.key or "", *memory.tags)
    parts = [part for text in texts for part in inner_words(text)]
    return " ".join(parts) or None


TOMBSTONE = "tombstone"


def remove_memory(record: MemoryRecord, tombstone: Tombstone, *, work: Work) -> None:
    """Remove a memory and the rows that only it needs; leave the tombstone."""
    sequence = record.sequence
    remove_words(sequence, work)
    underive(sequence, record.memory, work)
    remove_vectors(sequence, work)
    spans = work.rows("spans_cited_only_by", {"seq": sequence})
    work.rows("drop_links_of", {"id": tombstone.memory_id})
    work.run("drop_indexes_about", tombstone.memory_id)
    for name in ("citations", "evidence", "usage", "standing", "memory"):
        work.run(f"drop_{name}", sequence)
    work.row("drop_standpoint", tombstone.memory_id)
    if work.row("decisions_about", tombstone.memory_id) is not None:
        from holdfast.adapters.sqlite.memory.decisions import forget_decisions

        forget_decisions(tombstone.memory_id, work=work)
    for (span_id,) in spans:
        work.row("drop_anchor", span_id)
        work.run("drop_span", span_id)
        work.record("span.forgotten", span_id)
    work.run("drop_ciphertext", tombstone.memory_id)
    work.run("drop_documents_of", tombstone.memory_id)
    work.run("empty_replies_about", tombstone.memory_id)
    work.run("add_tombstone", *grave_values(tombstone))
    work.record("memory.forgotten", tombstone.memory_id)
    work.forgotten.append(tombstone)


def grave_values(tombstone: Tombstone) -> tuple[Value, ...]:
    """Return the row of a tombstone, sealed."""
    values = (
        tombstone.memory_id,
        millis(tombstone.forgotten_at),
        tombstone.forgotten_by,
        tombstone.reason,
    )
    return sealed(TOMBSTONE, values)


def tombstone_of(row: Row, *, path: str) -> Tombstone:
    """Return the tombstone of a row, checked."""
    checked(TOMBSTONE, row, path=path, name=f"of {row[0]}")
    return Tombstone(
        memory_id=MemoryId(row[0]),
        forgotten_at=moment_of(row[1]),
        forgotten_by=row[2],
        reason=row[3],
    )


def grave_of(memory_id: MemoryId, *, work: Work) -> Tombstone | None:
    """Return the tombstone of a forgotten memory, or None."""
    row = work.row("tombstone", memory_id)
    return None if row is None else tombstone_of(row, path=work.path)
