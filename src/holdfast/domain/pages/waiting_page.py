"""The page of candidates that wait for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.ids import MemoryId, SpanId
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.pages.page_entry import PAGE, evidence_words

_HEAD = """# Waiting for a person

Proposals that nobody decided about yet. This page is made from the store; decide with the
commands, not here.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionWords:
    """How the readers of the page decide: phrases with the ids they are about."""

    review: str = "review them"
    approve: str = "approve {memory}"
    reject: str = "reject {memory}"
    resolve: str = "resolve {memory} against {rival}"


IN_WORDS = DecisionWords()
"""How the readers decide where nobody knows their commands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingEntry:
    """One candidate, and the accepted memories that it contradicts."""

    record: MemoryRecord
    rivals: tuple[MemoryId, ...] = ()


def waiting_page(
    waiting: Sequence[WaitingEntry],
    *,
    spans: Mapping[SpanId, Span],
    more: int = 0,
    deciding: DecisionWords = IN_WORDS,
) -> str:
    """Return the page: each candidate with its claim, evidence and source, and how to decide."""
    if not waiting:
        return f"{_HEAD}\nNothing waits.\n"
    parts = [_HEAD, *(_section(one, spans, deciding) for one in waiting)]
    if more:
        parts.append(f"and {more:,} more: {deciding.review}\n")
    return "\n".join(parts)


def _section(one: WaitingEntry, spans: Mapping[SpanId, Span], deciding: DecisionWords) -> str:
    memory = one.record.memory
    quoted = "\n".join(f"> {line}".rstrip() for line in memory.claim.splitlines())
    source = " ".join(memory.source.split())
    said = f"{memory.origin.value}, {source}" if source else memory.origin.value
    reasons = [
        item.reference if PAGE in item.facts else evidence_words(item, spans)
        for item in one.record.evidence
    ]
    lines = [f"## {memory.id} ({memory.kind.value})", "", quoted, "", f"- said by: {said}"]
    lines += [f"- evidence: {' '.join(reason.split())}" for reason in reasons]
    for rival in one.rivals:
        resolve = deciding.resolve.format(memory=memory.id, rival=rival)
        lines.append(f"- contradicts: {rival}; {resolve}")
    approve = deciding.approve.format(memory=memory.id)
    lines.append(f"- decide: {approve} or {deciding.reject.format(memory=memory.id)}")
    return "\n".join(lines) + "\n"
