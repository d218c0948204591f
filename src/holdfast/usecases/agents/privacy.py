"""What an agent notes is its own: other agents do not see it, nor the answers it got."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.errors import AmbiguousError, NoSuchError, NotFoundError
from holdfast.domain.values import replace
from holdfast.usecases.memory.browse import MemoryListing
from holdfast.usecases.naming import bundle_id, memory_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.domain.agents.cycle import AgentState
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.memory.browse import Browse, Provenance

_EVERY_OTHER = frozenset(Status) - {Status.NOTED}
NO_RECORDS = MemoryListing(records=(), total=0)


def refuse_notes(references: Iterable[str], *, store: Store) -> None:
    """Return if no reference names a note, or an answer to an agent.

    Raises:
        NoSuchError: One does; for this caller it does not exist.
    """
    with store.reading() as tx:
        for reference in references:
            noun = _noun_of_private(reference, tx=tx)
            if noun:
                raise NoSuchError(noun=noun, reference=reference[:80])


def _noun_of_private(reference: str, *, tx: Transaction) -> str:
    try:
        if reference.startswith("m_"):
            record = tx.memories.get(memory_id(tx, reference))
            return "memory" if record.standing.status is Status.NOTED else ""
        if reference.startswith("c_"):
            bundle = tx.bundles.get(bundle_id(tx, reference))
            return "bundle" if bundle.question.agent is not None else ""
    except (NotFoundError, AmbiguousError):
        return ""  # the verb itself says so
    return ""


def without_notes(wish: Browse) -> Browse | None:
    """Return the request without notes; None if it asks for nothing else."""
    wanted = (wish.selection.statuses or _EVERY_OTHER) - {Status.NOTED}
    if not wanted:
        return None
    return replace(wish, selection=replace(wish.selection, statuses=wanted))


def public_links(
    found: Sequence[tuple[Link, MemoryRecord]],
) -> Sequence[tuple[Link, MemoryRecord]]:
    """Return the neighbours that are no notes."""
    return [(link, end) for link, end in found if end.standing.status is not Status.NOTED]


def public_chain(chain: Provenance) -> Provenance:
    """Return where a memory comes from, without notes and answers to agents."""
    return replace(
        chain,
        bundles=tuple(one for one in chain.bundles if one.question.agent is None),
        derived_from=tuple(
            public_chain(one)
            for one in chain.derived_from
            if one.record.standing.status is not Status.NOTED
        ),
    )


def public_state(state: AgentState) -> AgentState:
    """Return the name and the counts of an agent, without its directives and configuration."""
    return replace(state, agent=replace(state.agent, directives="", config={}))
