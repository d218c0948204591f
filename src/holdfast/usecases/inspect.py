"""Inspect: the state of the memory for status, doctor and rebuild."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Status
from holdfast.domain.memory.selection import Selection
from holdfast.domain.review.curation import Severity
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import MOST_LISTED
from holdfast.usecases.recall.recalled_memories import answering
from holdfast.usecases.review.conflicts import open_conflicts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.place import Place
    from holdfast.domain.review.curation import HealthFinding, StoreFacts
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.recall.models import Embedder
    from holdfast.ports.store.store import Store
    from holdfast.usecases.anchors.checking import ViewPorts


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreStatus:
    """How much is remembered, what waits for a person, and where it is stored.

    The numbers are those of this checkout, or of everything if that was requested; ``elsewhere``
    counts the memories that they exclude.
    """

    place: Place
    facts: StoreFacts
    by_status: Mapping[Status, int]
    by_kind: Mapping[Kind, int]
    here: int
    expired: int
    pinned: int
    conflicts: int = 0
    elsewhere: int = 0
    embedding: str = ""
    """The embedding model; empty if memories are found by words only."""
    embedded: int = 0
    """The number of memories with a vector of that model."""
    answering: str = ""
    """The model that answers questions; an older one while the chosen one is incomplete."""
    full: tuple[str, ...] = ()
    """The sources from which no more candidates are taken until a person decides about some."""


def status(
    *,
    store: Store,
    clock: Clock,
    ports: ViewPorts,
    embedders: Sequence[Embedder] = (),
    everywhere: bool = False,
    heuristics: Heuristics,
) -> StoreStatus:
    """Return the state of the memory in this checkout, or of everything.

    The first embedder is the chosen one.
    """
    place, now = ports.surroundings.place(), clock.now()
    model = embedders[0].model.name if embedders else ""
    conflicts = open_conflicts(
        store=store,
        clock=clock,
        ports=ports,
        limit=MOST_LISTED,
        everywhere=everywhere,
        heuristics=heuristics,
    )
    with store.reading() as tx:
        count = tx.memories.count
        here = Selection(space=place.space, place=place, view=ports.view(tx))
        counted = Selection(space=place.space) if everywhere else here
        uses = tx.finding.meaning.models()
        read = {use.model.name: use.memories for use in uses}
        return StoreStatus(
            place=place,
            facts=store.upkeep.facts(),
            by_status={
                status: count(replace(counted, statuses=frozenset({status}))) for status in Status
            },
            by_kind={
                kind: many
                for kind in Kind
                if (many := count(replace(counted, kinds=frozenset({kind}))))
            },
            here=count(replace(here, recallable_at=now)),
            expired=count(replace(counted, expired_at=now, pinned=False)),
            pinned=count(replace(counted, pinned=True)),
            conflicts=len(conflicts),
            elsewhere=count(Selection(space=place.space)) - count(counted),
            embedding=model,
            embedded=read.get(model, 0),
            answering=answering(embedders, uses).model.name if embedders else "",
        )


def worst(findings: Sequence[HealthFinding]) -> HealthFinding | None:
    """Return the worst finding of a check, if there is any."""
    order = list(Severity)
    return max(findings, key=lambda finding: order.index(finding.severity), default=None)
