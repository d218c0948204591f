"""Mark the memories of a text for agents that another visible memory contradicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind
from holdfast.domain.recall.resolution import disputed, resolve, suspected

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.selection import Selection
    from holdfast.domain.recall.ranking import Scored
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.recall.recalled_memories import RecallPorts


def with_disputes(
    scored: Sequence[Scored], within: Selection, *, tx: Transaction, ports: RecallPorts
) -> tuple[Scored, ...]:
    """Return the memories in the same order, with a note on each that is part of a conflict.

    The other side of a conflict is named even if it is not among them, if ``within`` takes it.
    """
    if not scored:
        return ()
    given = {item.record.memory.id for item in scored}
    links = tx.links.among(sorted(given))
    open_links = [link for link in links if link.kind == LinkKind.CONTRADICTS]
    ends = {end for link in open_links for end in (link.src, link.dst)} - given
    others = tx.memories.get_many(ends).values() if ends else ()
    beside = {record.memory.id for record in others if within.takes(record)}
    found = resolve(
        scored, {}, slots=ports.wording.one_slot, amending=lambda _texts, _talks: (), links=links
    )
    rivals = suspected(found, ports.judge.judged)
    return disputed(scored, links, rivals=rivals, beside=beside)
