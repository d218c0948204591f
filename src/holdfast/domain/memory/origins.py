"""The origin of each piece of evidence: the memory's own, unless the evidence records another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.memory import MemoryRecord

_ORIGINS = {origin.value: origin for origin in Origin}
BY, SOURCE = "by", "source"
"""Facts of evidence: its origin and source, where they differ from the memory's."""


def evidence_origins(record: MemoryRecord) -> tuple[Origin, ...]:
    """Return the origin of each piece of a record's evidence, in order.

    Evidence that was added later without an origin was added by a person.
    """
    own = len(record.memory.evidence)
    return tuple(
        _noted(item) or (record.memory.origin if place < own else Origin.HUMAN)
        for place, item in enumerate(record.evidence)
    )


def signed(record: MemoryRecord) -> tuple[Evidence, ...]:
    """Return a record's evidence with its origin recorded, so that another memory can hold it.

    A person's evidence stays as it is.
    """
    return tuple(
        item if origin is Origin.HUMAN else sign(item, origin=origin, source=record.memory.source)
        for item, origin in zip(record.evidence, evidence_origins(record), strict=True)
    )


def sign(item: Evidence, *, origin: Origin, source: str) -> Evidence:
    """Record who gave evidence, so that answers show it and a revert of the source finds it."""
    said = {SOURCE: source} if source and SOURCE not in item.facts else {}
    return replace(item, facts={**item.facts, BY: origin.value, **said})


def unsigned(item: Evidence) -> Evidence:
    """Return evidence without a recorded origin, because callers must not set it themselves."""
    facts = {name: value for name, value in item.facts.items() if name not in {BY, SOURCE}}
    return replace(item, facts=facts)


def _noted(item: Evidence) -> Origin | None:
    return _ORIGINS.get(item.facts.get(BY, ""))
