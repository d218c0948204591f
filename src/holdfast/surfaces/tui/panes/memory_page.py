"""A memory on a page: its claim, status, verdict, evidence, sources and history."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.errors import HoldfastError
from holdfast.domain.memory.lifetime import in_words
from holdfast.domain.text.counting import counted
from holdfast.domain.values import dataclass
from holdfast.surfaces.tui.inbox.page import VERDICTS, evidence_lines, quote_lines, said_by
from holdfast.surfaces.tui.parts.texts import (
    BAD,
    BOLD,
    DIM,
    GOOD,
    NAME,
    WARN,
    fact,
    line,
    one_line,
    quoted,
    styled,
)

if TYPE_CHECKING:
    from textual.content import Content

    from holdfast.app import Holdfast
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.rendering import Quote
    from holdfast.usecases.anchors.verify import CheckedMemory
    from holdfast.usecases.memory.browse import Provenance

STATUSES = {
    Status.ACCEPTED: GOOD,
    Status.CANDIDATE: WARN,
    Status.REJECTED: BAD,
    Status.SUPERSEDED: DIM,
    Status.DEPRECATED: DIM,
    Status.NOTED: DIM,
}
_MOST_EVENTS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDetails:
    """What is read about one memory when it is looked at."""

    chain: Provenance
    checked: CheckedMemory | None
    quotes: tuple[Quote, ...]
    at: datetime


def details_of(memory: Holdfast, name: MemoryId) -> MemoryDetails:
    """Read everything about a memory; outside a repository its evidence is not checked."""
    chain = memory.memories.explain(name)
    try:
        [checked] = memory.evidence.checks_of([chain.record])
        quotes = memory.evidence.quotes(checked)
    except HoldfastError:
        return MemoryDetails(chain=chain, checked=None, quotes=(), at=memory.now())
    return MemoryDetails(chain=chain, checked=checked, quotes=quotes, at=memory.now())


def first_lines(record: MemoryRecord) -> list[Content]:
    """Return what is known about a memory without reading more."""
    memory, standing = record.memory, record.standing
    pinned = ("  pinned", NAME) if standing.pinned else ""
    return [
        line((memory.kind.value, BOLD), "  ", memory.scope.value, "  ",
             (standing.status.value, STATUSES[standing.status]), pinned),
        line((said_by(memory), DIM)),
        styled(""),
        *quoted(memory.claim),
        styled(""),
    ]  # fmt: skip


def memory_page(found: MemoryDetails) -> list[Content]:
    """Return everything about a memory."""
    record = found.chain.record
    memory, standing, usage = record.memory, record.standing, record.usage
    checked = found.checked
    shown = first_lines(record)
    if checked is not None and checked.evidence:
        shown.append(fact("verdict", (checked.verdict.value, VERDICTS[checked.verdict])))
    facts = [
        ("key", memory.key),
        ("label", standing.label),
        ("tags", ", ".join(memory.tags)),
        ("repo", memory.repo),
        ("decided", _decision(record)),
        ("replaced by", standing.superseded_by),
        ("ends", None if memory.expires_at is None else f"{memory.expires_at:%Y-%m-%d %H:%M} UTC"),
        ("age", in_words(found.at - memory.created_at)),
        ("given", f"{counted(usage.access_count, 'time')}, {usage.good} good, {usage.bad} bad"),
    ]
    shown += [fact(name, one_line(value)) for name, value in facts if value]
    shown += evidence_lines(record, () if checked is None else checked.evidence)
    shown += quote_lines(found.quotes)
    shown += _chain_lines(found.chain)
    return [*shown, styled(""), line((record.memory.id, DIM))]


def _decision(record: MemoryRecord) -> str:
    standing = record.standing
    if standing.decided_by is None:
        return ""
    why = f": {standing.reason}" if standing.reason else ""
    return f"by {standing.decided_by}{why}"


def _chain_lines(chain: Provenance) -> list[Content]:
    """Return what a memory came from, what it replaced, and its history."""
    shown = [
        fact("from", (one.record.memory.id, NAME), "  ", one_line(one.record.memory.claim))
        for one in chain.derived_from
    ]
    shown += [
        fact("replaced", (one.memory.id, NAME), "  ", one_line(one.memory.claim))
        for one in chain.replaced
    ]
    events = chain.events[-_MOST_EVENTS:]
    shown += [
        fact("" if place else "history", (_moment(event.at_millis), DIM), "  ", event.action)
        for place, event in enumerate(events)
    ]
    return shown


def _moment(millis: int) -> str:
    return f"{datetime.fromtimestamp(millis / 1000, UTC):%Y-%m-%d %H:%M}"
