"""The lines of an export about one agent: itself, its cycles in order, and its namespaces."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.domain.agents.shapes import agent_json, cycle_json, index_json
from holdfast.domain.encryption.ciphertext import ciphertext_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from holdfast.domain.agents.agent import Agent
    from holdfast.domain.agents.cycle import AgentCycle
    from holdfast.domain.ids import AgentId
    from holdfast.ports.store.store import Transaction

EVERY = -1
"""The limit of a list that is read to its end."""
_PAGE = 500


def export_line(type_name: str, data: dict[str, object]) -> str:
    """Return one line of an export."""
    return json.dumps({"type": type_name, "data": data}, ensure_ascii=False)


def agent_lines(agent: Agent, *, tx: Transaction) -> Iterator[str]:
    """Return the lines of an agent; its memories come before them."""
    yield export_line("agent", agent_json(agent))
    for cycle in _oldest_first(agent.id, tx=tx):
        yield export_line("cycle", cycle_json(cycle))
    entries = tx.diary.agents.indexes.of(agent.id, namespaces=(), limit=EVERY)
    yield from (export_line("namespace", index_json(entry)) for entry in reversed(entries))


def ciphertext_lines(tx: Transaction, *, owners: Collection[str] | None = None) -> Iterator[str]:
    """Return the encrypted contents as they are, of all records or of these memories and agents.

    No key is needed; each line names the key that reads it.
    """
    beyond: str | None = None
    while found := tx.names.ciphertexts.page(beyond=beyond, limit=_PAGE):
        for one in found:
            if owners is None or one.record.partition(" ")[0] in owners:
                yield export_line("ciphertext", ciphertext_json(one))
        beyond = found[-1].record


def _oldest_first(agent_id: AgentId, *, tx: Transaction) -> Iterator[AgentCycle]:
    """Return the cycles by index; only a page of them is in memory at a time."""
    last = tx.diary.agents.cycles.last_index(agent_id)
    for start in range(1, last + 1, _PAGE):
        end = min(start + _PAGE, last + 1)
        found = tx.diary.agents.cycles.page(agent_id, before=end, limit=end - start)
        yield from (one for one in reversed(found) if one.index >= start)
