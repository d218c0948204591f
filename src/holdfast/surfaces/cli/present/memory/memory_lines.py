"""Print a memory on one line, or in full."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.checks.check import CHECKS, checks_in
from holdfast.domain.choices import EvidenceType, Status
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.memory.anchor import Verdict
from holdfast.domain.memory.decision import AUTHOR
from holdfast.domain.memory.evidence import cited_commit
from holdfast.domain.memory.lifetime import in_words
from holdfast.domain.memory.link import alone_on
from holdfast.domain.memory.naming import evidence_origins
from holdfast.domain.text.counting import counted
from holdfast.domain.values import replace
from holdfast.surfaces.cli.present.memory.verdicts import show_changes
from holdfast.surfaces.cli.present.terminal.colour import (
    Bad,
    Bold,
    Dim,
    Good,
    Name,
    Styled,
    Warn,
    WholeName,
)
from holdfast.surfaces.cli.present.terminal.measuring import columns, terminal_width
from holdfast.surfaces.cli.present.terminal.table import folded, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.memory.anchor import BranchPoint, Checked
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.memory.remember import Remembered

QUOTE = "| "
"""The mark before every line that another author wrote."""
_INDENT = "  "
_FREE_TEXT = frozenset({EvidenceType.STATEMENT, EvidenceType.COMMAND, EvidenceType.QUERY})
_CITED_AGAIN = "cited again since"
_PLAIN = re.compile(r"[A-Za-z0-9/._@][\w./:@#?&=%+~,-]*")
_STATUS_STYLES: dict[Status, type[Styled]] = {
    Status.ACCEPTED: Good,
    Status.CANDIDATE: Warn,
    Status.REJECTED: Bad,
    Status.SUPERSEDED: Dim,
    Status.DEPRECATED: Dim,
    Status.NOTED: Dim,
}


def remembered_line(done: Remembered, *, at: datetime) -> list[str]:
    """Return a memory that was just remembered as one line: id, kind, key, evidence, lifetime.

    The evidence is the first that the request cited. Its lines were read a moment ago, so they are
    fresh without a check; a memory that was known already may have older evidence that is not.
    """
    record, memory = done.record, done.record.memory
    read = () if is_sensitive(memory) else done.cited
    first = (*read, *record.evidence)[0]
    cited = "evidence encrypted" if is_sensitive(memory) else cite(first)
    if first.span is not None and (read or not record.added_evidence):
        cited = f"{cited} ({Verdict.FRESH.value})"
    if len(record.evidence) > 1:
        cited = f"{cited} (+{len(record.evidence) - 1})"
    cells = [memory.kind.value, memory.key, cited, lifetime(record, at=at)]
    if record.standing.status is not Status.ACCEPTED:
        cells.append(record.standing.status.value)
    rest = "  ".join(one_line(cell) for cell in cells if cell)
    return [Name(memory.id), f"  {rest}"]


def cite(item: Evidence) -> str:
    """Return one item of evidence as people cite it; free text is put in quotation marks.

    The text cannot end the quotation, so it cannot imitate the words that the program adds after
    it.
    """
    if item.type is EvidenceType.COMMIT:
        named = cited_commit(replace(item, reference=_unmistakable(item.reference)))
        return f"{item.type.value}: {one_line(named)}"
    is_free = item.type in _FREE_TEXT
    shown = _in_quotation_marks(item.reference) if is_free else _unmistakable(item.reference)
    return shown if item.type.value in {"span", "url"} else f"{item.type.value}: {shown}"


def _unmistakable(text: str) -> str:
    """Return a plain name or address unchanged; quote text with blanks or special signs."""
    return text if _PLAIN.fullmatch(text) else _in_quotation_marks(text)


def _in_quotation_marks(text: str) -> str:
    return '"' + one_line(text).replace('"', "'") + '"'


def quoted_line(text: str) -> str:
    """Return another author's words on one line, marked as a quotation."""
    return f"{QUOTE}{one_line(text)}"


def claim_lines(output: Output, claim: str) -> None:
    """Write a claim with a mark before every line, so that none looks like program output."""
    width = terminal_width() - len(_INDENT) - len(QUOTE)
    for line in claim.splitlines() or [""]:
        is_long = output.is_terminal and columns(line) > width
        for piece in folded(line, width) if is_long else [line]:
            output.say(_INDENT, Dim(QUOTE), piece)


def said_by(memory: Memory) -> str:
    """Return the origin, the author and the source of a memory."""
    author = memory.metadata.get(AUTHOR)
    who = memory.origin.value + (f" {author}" if author else "")
    if not memory.source:
        return who
    return f"{who} through {_unmistakable(memory.source)}"


def lifetime(record: MemoryRecord, *, at: datetime) -> str:
    """Return how long a memory is still valid; empty if it never expires."""
    if record.standing.pinned:
        return "pinned"
    ends = record.memory.expires_at
    if ends is None:
        return ""
    if ends <= at:
        return f"expired {in_words(at - ends)} ago"
    return f"expires in {in_words(ends - at)}"


def status_word(status: Status) -> str:
    """Return a status in its colour."""
    return _STATUS_STYLES[status](status.value)


def memory_page(
    output: Output, record: MemoryRecord, *, at: datetime, checked: Sequence[Checked] = ()
) -> None:
    """Write a memory with everything that is stored about it."""
    memory, standing, usage = record.memory, record.standing, record.usage
    name, kind = WholeName(memory.id), Bold(memory.kind.value)
    output.say(name, "  ", kind, "  ", status_word(standing.status))
    output.say()
    claim_lines(output, memory.claim)
    output.say()
    place = " ".join(word for word in (memory.repo, memory.branch) if word)
    ends = memory.expires_at
    facts = [
        ("key", memory.key),
        ("label", standing.label),
        ("scope", f"{memory.scope.value}  {place}".strip()),
        ("written at", written_at(memory.branch_point)),
        ("branch", _branch(memory)),
        ("origin", f"{memory.origin.value} (trust: {memory.trust.value})"),
        ("author", str(memory.metadata.get(AUTHOR, ""))),
        ("source", _unmistakable(memory.source) if memory.source else ""),
        ("tags", ", ".join(memory.tags)),
        ("created", f"{memory.created_at:%Y-%m-%d %H:%M} UTC"),
        ("lifetime", lifetime(record, at=at) or "does not expire"),
        ("ends", None if ends is None else f"{ends:%Y-%m-%d %H:%M} UTC"),
        ("importance", f"{memory.importance:g} (weight {memory.weight:g})"),
        ("superseded by", Name(standing.superseded_by or "")),
        ("decided", _decision(record)),
        ("used", f"{counted(usage.access_count, 'time')}, {usage.good} good, {usage.bad} bad"),
        ("metadata", _facts(memory)),
        ("hash", memory.content_hash),
        *(("check", text) for text in checks_in(memory.metadata)),
    ]
    said = verdicts_by_name(checked)
    fact_lines(
        output,
        [*facts, *(("evidence", line) for line in cited_lines(record, said))],
    )
    show_changes(output, checked)


def _facts(memory: Memory) -> str:
    """Return the metadata on one line; checks and the author have lines of their own."""
    facts = memory.metadata.items()
    return ", ".join(f"{name}={value}" for name, value in facts if name not in {CHECKS, AUTHOR})


def _branch(memory: Memory) -> str:
    """Return the branch that a memory is limited to; empty for the main branch."""
    branch = alone_on(memory)
    return f"{branch}, and wherever its work has arrived" if branch else ""


def written_at(point: BranchPoint | None) -> str:
    """Return the commit and branch that were checked out; empty if unknown."""
    if point is None:
        return ""
    return point.head[:12] if point.branch is None else f"{point.head[:12]} on {point.branch}"


def verdicts_by_name(checked: Sequence[Checked]) -> dict[str, str]:
    """Return the verdict on each checked item of evidence, by its id."""
    return {one.span or one.reference: one.sighting.words for one in checked}


def cited_lines(record: MemoryRecord, said: Mapping[str, str]) -> list[str]:
    """Return every item of evidence, with its author if that is not the memory's author."""
    if is_sensitive(record.memory):
        return ["encrypted"]
    own = record.memory.origin
    said = _cited_again(record.evidence, said) | dict(said)
    return [
        cite_with_verdict(item, said) + ("" if origin is own else f" (from {origin.value})")
        for item, origin in zip(record.evidence, evidence_origins(record), strict=True)
    ]


def _cited_again(evidence: Iterable[Evidence], said: Mapping[str, str]) -> dict[str, str]:
    """Return words for the spans without a verdict, because later evidence cites their place."""
    spans = {item.span: item.reference.rpartition(":")[0] for item in evidence if item.span}
    checked = {path for span, path in spans.items() if span in said}
    return {span: _CITED_AGAIN for span, path in spans.items() if path in checked}


def cite_with_verdict(item: Evidence, said: Mapping[str, str]) -> str:
    """Return one item of evidence as people cite it, with its verdict if it was checked."""
    words = said.get(item.span or item.reference, "")
    return f"{cite(item)} — {words}" if words else cite(item)


def _decision(record: MemoryRecord) -> str:
    standing = record.standing
    if standing.decided_by is None:
        return ""
    when = "" if standing.decided_at is None else f" on {standing.decided_at:%Y-%m-%d}"
    why = f": {standing.reason}" if standing.reason else ""
    return f"by {standing.decided_by}{when}{why}"


def fact_lines(output: Output, facts: list[tuple[str, str | None]]) -> None:
    """Write named facts, one per line, without the empty ones."""
    known = [(name, value) for name, value in facts if value]
    width = max((len(name) for name, _ in known), default=0)
    for name, value in known:
        head, rest = f"{name:>{width}}  ", [type(value)(one_line(value))]
        output.say(Dim(head), *output.fitting(rest, indent=" " * len(head)))
