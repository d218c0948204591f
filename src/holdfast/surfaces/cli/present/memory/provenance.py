"""Print where a memory comes from, as a tree."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType
from holdfast.surfaces.cli.present.memory.memory_lines import cite, said_by, status_word
from holdfast.surfaces.cli.present.terminal.colour import Bold, Dim, Name
from holdfast.surfaces.cli.present.terminal.table import one_line
from holdfast.surfaces.cli.present.terminal.tree import Branch

if TYPE_CHECKING:
    from holdfast.domain.memory.event import Event
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.usecases.memory.browse import Provenance


def provenance_tree(chain: Provenance) -> Branch:
    """Return the chain behind a memory, from the claim to its sources."""
    memory = chain.record.memory
    said = f"said by {said_by(memory)}"
    said += f" on {memory.created_at:%Y-%m-%d %H:%M} UTC; trust: {memory.trust.value}"
    branches = [Branch([Dim(said)])]
    branches += [_evidence(item, chain) for item in chain.record.evidence]
    branches += [
        Branch([Dim("derived from "), *parent.line], parent.branches)
        for parent in map(provenance_tree, chain.derived_from)
    ]
    branches += [Branch([Dim("derived from "), Name(gone), "  forgotten"]) for gone in chain.gone]
    branches += [Branch([Dim("replaced "), *_head(old)]) for old in chain.replaced]
    if successor := chain.record.standing.superseded_by:
        branches.append(Branch([Dim("superseded by "), Name(successor)]))
    if chain.events:
        events = [Branch([_event(event)]) for event in chain.events]
        branches.append(Branch([Dim("history")], events))
    return Branch(_head(chain.record), branches)


def _head(record: MemoryRecord) -> list[str]:
    memory = record.memory
    return [
        Name(memory.id),
        "  ",
        Bold(memory.kind.value),
        "  ",
        status_word(record.standing.status),
        "  ",
        one_line(memory.claim),
    ]


def _evidence(item: Evidence, chain: Provenance) -> Branch:
    branches: list[Branch] = []
    for span in chain.spans:
        if span.id == item.span:
            when = f"{span.captured_at:%Y-%m-%d %H:%M} UTC"
            facts = f"  read {when}, text {span.text_hash[:12]}"
            branches.append(Branch([Name(span.id), Dim(facts)]))
    if item.type is EvidenceType.BUNDLE:
        for bundle in chain.bundles:
            if bundle.id == item.reference:
                branches.append(Branch([Dim("asked: "), one_line(bundle.question.text)]))
                branches += [Branch([Dim("gave "), Name(it.memory_id)]) for it in bundle.items]
    facts = "  ".join(f"{name}={value}" for name, value in item.facts.items())
    return Branch([Dim("evidence "), cite(item), Dim(f"  {facts}" if facts else "")], branches)


def _event(event: Event) -> str:
    when = datetime.fromtimestamp(event.at_millis / 1000, UTC)
    return f"{when:%Y-%m-%d %H:%M} UTC  {event.action}  (event {event.sequence:,})"
