"""What comes in from conversations: proposals that become candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.ports.documents import Documents
    from holdfast.ports.proposer import Proposer
    from holdfast.usecases.propose import Propose, Proposed


class Intake:
    """Reads conversations for an open memory, with the proposer that was chosen."""

    def __init__(
        self,
        memory: Holdfast,
        *,
        proposer: Proposer | None = None,
        documents: Documents | None = None,
    ) -> None:
        self._memory = memory
        self._proposer = proposer
        self._documents = documents

    def propose(self, wish: Propose) -> Proposed:
        """Keep what a conversation decided as candidates."""
        from holdfast.domain.junk import objection
        from holdfast.usecases.propose import Reading, propose

        memory = self._memory
        return propose(
            wish,
            store=memory.store,
            clock=memory.clock,
            surroundings=memory.surroundings,
            witness=memory.witness,
            reading=Reading(proposer=self._proposer, documents=self._documents, objects=objection),
        )
