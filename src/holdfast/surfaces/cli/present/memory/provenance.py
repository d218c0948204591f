"""Print where a memory comes from, as a tree.

Print a place in a file.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType
from holdfast.domain.memory.anchor import Checked
from holdfast.surfaces.cli.present.memory.memory_lines import cite, fact_lines, said_by, status_word
from holdfast.surfaces.cli.present.memory.verdicts import show_changes
from holdfast.surfaces.cli.present.terminal.colour import Bold, Dim, Name, WholeName
from holdfast.surfaces.cli.present.terminal.table import Branch, one_line

if TYPE_CHECKING:
    from holdfast.domain.memory.anchor import Anchor, Sighting
    from holdfast.domain.memory.entry import Event
    from holdfast.domain.memory.evidence import Evidence, Span
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.surfaces.cli.present.terminal.output import Output
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


def span_page(output: Output, span: Span, sighting: Sighting) -> None:
    """Write a span with its anchor, and its current state."""
    anchor = span.anchor
    output.say(WholeName(span.id), "  ", Bold(one_line(span.reference)))
    fact_lines(
        output,
        [
            ("label", span.label),
            ("pinned", "yes" if span.pinned else ""),
            ("repository", span.repo),
            ("captured", f"{span.captured_at:%Y-%m-%d %H:%M} UTC"),
            ("hash", span.text_hash),
            ("symbol", None if anchor is None else anchor.symbol),
            ("read at", None if anchor is None else _read_at(anchor)),
            ("last touched by", None if anchor is None else anchor.touched_by),
            ("now", sighting.words),
        ],
    )
    show_changes(output, [Checked(reference=span.reference, span=span.id, sighting=sighting)])


def _read_at(anchor: Anchor) -> str | None:
    """Return the state of the repository in which the lines were read."""
    if anchor.head is None:
        return None
    tree = "as committed" if anchor.is_committed else "with changes that were not committed"
    on = "" if anchor.branch is None else f" on {anchor.branch}"
    return f"{anchor.head[:12]}{on}, {tree}"
