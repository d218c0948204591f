"""Inspect: how the memory is doing — status, doctor, rebuild."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Status
from holdfast.domain.health import Severity
from holdfast.domain.selection import Selection
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.health import Finding, StoreFacts
    from holdfast.domain.place import Place
    from holdfast.ports.clock import Clock
    from holdfast.ports.embedder import Embedder
    from holdfast.ports.store import Store
    from holdfast.ports.surroundings import Surroundings


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """How much is remembered, what waits for a person, and where it is kept."""

    place: Place
    facts: StoreFacts
    by_status: Mapping[Status, int]
    by_kind: Mapping[Kind, int]
    here: int
    expired: int
    pinned: int
    embedding: str = ""
    """The model that reads meaning; empty where memories are found by words only."""
    embedded: int = 0
    """How many memories that model has read."""


def status(
    *, store: Store, clock: Clock, surroundings: Surroundings, embedder: Embedder | None = None
) -> State:
    """Return the state of the memory, seen from here."""
    place = surroundings.place()
    model = "" if embedder is None else embedder.model.name
    with store.reading() as tx:
        count = tx.memories.count
        read = {use.model.name: use.memories for use in tx.finding.meaning.models()}
        return State(
            place=place,
            facts=store.upkeep.facts(),
            by_status={
                status: count(Selection(space=place.space, statuses=frozenset({status})))
                for status in Status
            },
            by_kind={
                kind: many
                for kind in Kind
                if (many := count(Selection(space=place.space, kinds=frozenset({kind}))))
            },
            here=count(Selection(place=place, recallable_at=clock.now())),
            expired=count(Selection(space=place.space, expired_at=clock.now(), pinned=False)),
            pinned=count(Selection(space=place.space, pinned=True)),
            embedding=model,
            embedded=read.get(model, 0),
        )


def worst(findings: Sequence[Finding]) -> Finding | None:
    """Return the worst finding of a check, if there is any."""
    order = list(Severity)
    return max(findings, key=lambda finding: order.index(finding.severity), default=None)
