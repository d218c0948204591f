"""Who gave each piece of evidence: the memory's own origin, unless another is noted with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from holdfast.domain.evidence import Evidence
    from holdfast.domain.memory import MemoryRecord

_ORIGINS = {origin.value: origin for origin in Origin}
BY, SOURCE = "by", "source"
"""Facts of evidence: the origin and the source of whoever gave it, where it is not its memory's."""


def evidence_origins(record: MemoryRecord) -> tuple[Origin, ...]:
    """Return the origin of each piece of a record's evidence, in order.

    Evidence that was added later and names nobody was added by a person.
    """
    own = len(record.memory.evidence)
    return tuple(
        _noted(item) or (record.memory.origin if place < own else Origin.HUMAN)
        for place, item in enumerate(record.evidence)
    )


def signed(record: MemoryRecord) -> tuple[Evidence, ...]:
    """Return a record's evidence so that it keeps its origin behind another memory.

    A person's evidence stays as it is.
    """
    return tuple(
        item if origin is Origin.HUMAN else sign(item, origin=origin, source=record.memory.source)
        for item, origin in zip(record.evidence, evidence_origins(record), strict=True)
    )


def sign(item: Evidence, *, origin: Origin, source: str) -> Evidence:
    """Note who gave evidence, so that answers say so and a revert of that source finds it."""
    said = {SOURCE: source} if source and SOURCE not in item.facts else {}
    return replace(item, facts={**item.facts, BY: origin.value, **said})


def unsigned(item: Evidence) -> Evidence:
    """Return evidence without a note of who gave it: nobody notes that of themselves."""
    facts = {name: value for name, value in item.facts.items() if name not in {BY, SOURCE}}
    return replace(item, facts=facts)


def _noted(item: Evidence) -> Origin | None:
    return _ORIGINS.get(item.facts.get(BY, ""))
