"""A candidate on a page: the claim, its evidence with the cited lines, and what it contradicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from holdfast.domain.choices import EvidenceType
from holdfast.domain.memory.anchor import Verdict
from holdfast.domain.memory.decision import Offered, offer_of
from holdfast.domain.memory.evidence import cited_commit
from holdfast.domain.memory.lifetime import in_words
from holdfast.domain.recall.rendering import cut_short
from holdfast.domain.review.review import Risk
from holdfast.domain.review.shown import set_fields
from holdfast.domain.text.counting import counted
from holdfast.surfaces.tui.parts.code import coloured
from holdfast.surfaces.tui.parts.texts import (
    BAD,
    BOLD,
    DIM,
    GOOD,
    NAME,
    WARN,
    difference,
    fact,
    line,
    one_line,
    quoted,
    safe,
    styled,
)
from holdfast.usecases.memory.preparing import REMOVED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from holdfast.domain.memory.anchor import Checked
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.domain.recall.rendering import Quote
    from holdfast.usecases.review.conflicts import Conflict
    from holdfast.usecases.review.queued import WaitingCandidate

RISKS = {Risk.LOW: GOOD, Risk.MEDIUM: WARN, Risk.HIGH: BAD}
VERDICTS = {
    Verdict.FRESH: GOOD,
    Verdict.MOVED: GOOD,
    Verdict.DRIFTED: WARN,
    Verdict.ORPHANED: BAD,
    Verdict.UNVERIFIABLE: DIM,
}
_MOST_LINES = 40
_GAP = 3
_SIDE = 24


def candidate_page(item: WaitingCandidate, *, at: datetime, width: int) -> list[Content]:
    """Return everything that a decision about a candidate needs."""
    memory, risk = item.record.memory, item.danger.risk
    age = in_words(at - memory.created_at)
    return [
        line(
            (memory.kind.value, BOLD),
            f"  {memory.scope.value}  ",
            (f"{risk.value} risk", RISKS[risk]),
        ),
        line((f"{said_by(memory)}, {age} ago", DIM)),
        styled(""),
        *quoted(memory.claim),
        styled(""),
        *_cautions(item),
        *(fact(name, (one_line(value), WARN)) for name, value in set_fields(item.record)),
        *_about(item),
        *evidence_lines(item.record, item.checked),
        *quote_lines(item.quotes),
        *_changes(item.checked),
        *_replaces(item),
        *(shown for one in item.against.conflicts for shown in _conflict(item, one, width)),
        *(shown for one in item.advice for shown in _conflict(item, one, width)),
        *(fact("checked", one_line(f"{one.words}  ({one.text})")) for one in item.outcomes),
        styled(""),
        line((f"{memory.id}", DIM)),
    ]  # fmt: skip


def said_by(memory: Memory) -> str:
    """Return who proposed a memory."""
    through = f" through {one_line(memory.source)}" if memory.source else ""
    return f"{memory.origin.value}{through}"


def _cautions(item: WaitingCandidate) -> list[Content]:
    style = RISKS[item.danger.risk]
    shown = [fact("risk", (one_line(why), style)) for why in item.danger.why]
    shown += [fact("note", (mark, WARN)) for mark in item.marks]
    if removed := item.record.memory.metadata.get(REMOVED):
        shown.append(
            fact("hidden", (f"taken out before it was kept: {one_line(str(removed))}", WARN))
        )
    return shown


def _about(item: WaitingCandidate) -> list[Content]:
    offer = offer_of(item.record.memory)
    if offer is None:
        return []
    name = "supports" if offer.what is Offered.EVIDENCE else "forgets"
    claim = "which is gone" if item.about is None else one_line(item.about.memory.claim)
    return [fact(name, (offer.about, NAME), "  ", claim)]


def evidence_lines(record: MemoryRecord, checked: Iterable[Checked]) -> list[Content]:
    """Return every piece of evidence with its verdict."""
    said = {one.span or one.reference: one.sighting for one in checked}
    shown: list[Content] = []
    for item in record.evidence:
        sighting = said.get(item.span or item.reference)
        verdict = () if sighting is None else (
            "  ", (one_line(sighting.words), VERDICTS[sighting.verdict])
        )  # fmt: skip
        shown.append(
            fact("evidence", (item.type.value, DIM), " ", one_line(_named(item)), *verdict)
        )
    return shown


def _named(item: Evidence) -> str:
    """Return what evidence names; a commit with its day and subject if they are known."""
    return cited_commit(item) if item.type is EvidenceType.COMMIT else item.reference


def quote_lines(quotes: Iterable[Quote]) -> list[Content]:
    """Return the cited lines with their numbers, in the colours of their language."""
    shown: list[Content] = []
    for quote in quotes:
        short = cut_short(quote, _MOST_LINES)
        last = short.first + len(short.lines) - 1
        width = len(str(last))
        shown.append(
            line(("─── ", DIM), (one_line(quote.path), NAME), (f" {short.first}-{last}", DIM))
        )
        for number, code in enumerate(coloured(short.lines, quote.path), start=short.first):
            shown.append(line((f"{number:>{width}} │ ", DIM)) + code)
        if short.more:
            shown.append(styled(f"… {counted(short.more, 'more line')}", DIM))
    return shown


def _changes(checked: Iterable[Checked]) -> list[Content]:
    """Return how the cited lines changed since the proposal."""
    shown: list[Content] = []
    for one in checked:
        if one.sighting.change:
            shown.append(fact("changed", (one_line(one.reference), WARN)))
        for words in one.sighting.change:
            style = GOOD if words.startswith("+") else BAD if words.startswith("-") else DIM
            shown.append(styled(f"  {words}", style))
    return shown


def _replaces(item: WaitingCandidate) -> list[Content]:
    claim, torn = (
        item.record.memory.claim,
        {one.standing.memory.id for one in item.against.conflicts},
    )
    shown: list[Content] = []
    for old in item.against.rivals:
        if old.memory.id not in torn:
            shown.append(fact("replaces", (old.memory.id, NAME)))
            shown.append(Content("            ") + difference(old.memory.claim, claim))
    if item.known is not None:
        shown.append(fact("known as", (item.known.memory.id, NAME)))
    return shown


def _conflict(item: WaitingCandidate, conflict: Conflict, width: int) -> list[Content]:
    name, style = ("advice", WARN) if conflict.suspicion.is_advice else ("conflict", BAD)
    return [
        fact(
            name,
            (one_line(conflict.suspicion.reason), style),
            (f"  {conflict.suspicion.certainty}", DIM),
        ),
        *(fact("differs", (one_line(one.words), WARN)) for one in conflict.fields_alone),
        *beside(
            ("NEW", item.record.memory.claim),
            (f"ACCEPTED {conflict.standing.memory.id}", conflict.standing.memory.claim),
            width,
        ),
    ]


def beside(left: tuple[str, str], right: tuple[str, str], width: int) -> list[Content]:
    """Return two texts side by side, or below each other if there is no room."""
    half = (width - _GAP) // 2
    if half < _SIDE:
        texts = (left, right)
        return [row for head, text in texts for row in (styled(head, BOLD), *quoted(text))]
    columns = [
        [styled(head, BOLD).truncate(half, ellipsis=True), *_wrapped(text, half)]
        for head, text in (left, right)
    ]
    rows = max(map(len, columns))
    one, other = ([*column, *[Content("")] * (rows - len(column))] for column in columns)
    return [
        a.pad_right(half - a.cell_length) + Content.styled(" │ ", DIM) + b
        for a, b in zip(one, other, strict=True)
    ]


def _wrapped(text: str, width: int) -> Sequence[Content]:
    shown: list[Content] = []
    for row in safe(text).splitlines():
        shown += [one.rstrip() for one in Content(row).wrap(width)]
    return shown
