"""Encrypt the directives, proposals and results of a sensitive agent, and read them back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.encryption.ciphertext import cycle_record, directives_record
from holdfast.domain.encryption.sensitive import (
    ENCRYPTED,
    SENSITIVE,
    is_sensitive_agent,
    proposal_text,
    proposal_without_text,
    result_text,
    result_without_text,
)
from holdfast.domain.errors import BadFieldError
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.encryption.keeping import refuse_removed, writing_cipher
from holdfast.usecases.encryption.reading import (
    PROPOSAL,
    RESULT,
    decrypted_agent,
    decrypted_cycle,
)

if TYPE_CHECKING:
    from holdfast.domain.agents.agent import Agent
    from holdfast.domain.agents.cycle import ActionProposal, ActionResult, AgentCycle
    from holdfast.ports.encryption.ciphering import Cipher, KeyRing
    from holdfast.ports.store.store import Transaction

_ONLY_NEW = (
    "can be chosen only when an agent is created: the texts of this one are in clear. Give the"
    " sensitive one another name, or delete this one."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCipher:
    """Writes and reads the texts of one agent; of one that is not sensitive, as they are."""

    cipher: Cipher | None
    keys: KeyRing | None

    def put_agent(self, agent: Agent, *, tx: Transaction) -> None:
        """Write an agent with its directives."""
        if self.cipher is None:
            tx.diary.agents.names.put(agent)
            return
        refuse_removed(self.cipher, self.keys)
        tx.diary.agents.names.put(replace(agent, directives=ENCRYPTED))
        name = directives_record(agent.id)
        tx.names.ciphertexts.put(self.cipher.encrypt(name, agent.directives))

    def propose(
        self, agent: Agent, index: int, proposal: ActionProposal, *, tx: Transaction
    ) -> None:
        """Write the proposal of a cycle."""
        if self.cipher is None:
            tx.diary.agents.cycles.propose(agent.id, index, proposal)
            return
        refuse_removed(self.cipher, self.keys)
        tx.diary.agents.cycles.propose(agent.id, index, proposal_without_text(proposal))
        name = cycle_record(agent.id, index, PROPOSAL)
        tx.names.ciphertexts.put(self.cipher.encrypt(name, proposal_text(proposal)))

    def finish(self, agent: Agent, index: int, result: ActionResult, *, tx: Transaction) -> None:
        """Write the result of a cycle."""
        if self.cipher is None:
            tx.diary.agents.cycles.finish(agent.id, index, result)
            return
        refuse_removed(self.cipher, self.keys)
        tx.diary.agents.cycles.finish(agent.id, index, result_without_text(result))
        name = cycle_record(agent.id, index, RESULT)
        tx.names.ciphertexts.put(self.cipher.encrypt(name, result_text(result)))

    def read_agent(self, agent: Agent, *, tx: Transaction) -> Agent:
        """Return an agent with its directives."""
        cipher = self.cipher
        return agent if cipher is None else decrypted_agent(agent, tx=tx, cipher=lambda: cipher)

    def read_cycle(self, cycle: AgentCycle, agent: Agent, *, tx: Transaction) -> AgentCycle:
        """Return a cycle with the content of its proposal and its result."""
        cipher = self.cipher
        if cipher is None:
            return cycle
        return decrypted_cycle(cycle, agent, tx=tx, cipher=lambda: cipher)


def cipher_for(agent: Agent, keys: KeyRing | None) -> AgentCipher:
    """Return what writes and reads the texts of an agent.

    Raises:
        NoKeyError: The agent is sensitive, and there is no key here to encrypt with.
    """
    cipher = writing_cipher(keys) if is_sensitive_agent(agent) else None
    return AgentCipher(cipher=cipher, keys=keys)


def marked_sensitive(agent: Agent, *, is_known: bool, wanted: bool) -> Agent:
    """Return an agent that is sensitive, if that is wanted or it was before.

    Raises:
        BadFieldError: The agent exists, and its texts are in clear.
    """
    if is_sensitive_agent(agent) or not wanted:
        return agent
    if is_known:
        raise BadFieldError(field="sensitivity", problem=_ONLY_NEW)
    return replace(agent, config={**agent.config, SENSITIVE: True})
