"""Decrypt sensitive records for those who may read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.encryption.ciphertext import cycle_record, directives_record
from holdfast.domain.encryption.errors import NoCiphertextError
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.encryption.sensitive import (
    is_sensitive_agent,
    proposal_with_text,
    result_with_text,
    with_text,
)
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.domain.agents.agent import Agent
    from holdfast.domain.agents.cycle import AgentCycle
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.encryption.ciphering import Cipher
    from holdfast.ports.store.store import Store, Transaction

    OpenCipher = Callable[[], Cipher]

PROPOSAL, RESULT = "proposal", "result"
"""The parts of a cycle that are encrypted, each by itself."""


def decrypted(record: MemoryRecord, *, store: Store, cipher: OpenCipher) -> MemoryRecord:
    """Return a memory with its text; one that is not sensitive is returned as it is.

    Raises:
        NoSuchError: The memory is not in this store.
        KeyMissingError: The key is not available here.
        CiphertextDamagedError: The ciphertext was changed, or belongs to another record.
        NoCiphertextError: There is no ciphertext.
    """
    if not is_sensitive(record.memory):
        return record
    with store.reading() as tx:
        tx.memories.get(record.memory.id)
        text = _text(record.memory.id, tx=tx, cipher=cipher)
    return replace(record, memory=with_text(record.memory, text))


def decrypted_agent(agent: Agent, *, tx: Transaction, cipher: OpenCipher) -> Agent:
    """Return an agent with its directives."""
    if not is_sensitive_agent(agent):
        return agent
    return replace(agent, directives=_text(directives_record(agent.id), tx=tx, cipher=cipher))


def decrypted_cycle(
    cycle: AgentCycle, agent: Agent, *, tx: Transaction, cipher: OpenCipher
) -> AgentCycle:
    """Return a cycle with the content of its proposal and its result."""
    if not is_sensitive_agent(agent):
        return cycle
    proposal, result = cycle.proposal, cycle.result
    if proposal is not None:
        name = cycle_record(agent.id, cycle.index, PROPOSAL)
        proposal = proposal_with_text(_text(name, tx=tx, cipher=cipher))
    if result is not None:
        name = cycle_record(agent.id, cycle.index, RESULT)
        result = result_with_text(_text(name, tx=tx, cipher=cipher))
    return replace(cycle, proposal=proposal, result=result)


def _text(record: str, *, tx: Transaction, cipher: OpenCipher) -> str:
    ciphertext = tx.names.ciphertexts.get(record)
    if ciphertext is None:
        raise NoCiphertextError(record)
    return cipher().decrypt(ciphertext)
