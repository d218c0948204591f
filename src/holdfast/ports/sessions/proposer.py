"""The port for plug-ins that propose memories from a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.sessions.session import Proposal
from holdfast.domain.sessions.transcript import Transcript


class Proposer(Protocol):
    """Reads a conversation. Its proposals become candidates at most, and may be dropped.

    Plug-ins offer one under the entry point group ``holdfast.proposer``: a function without
    arguments that returns a proposer.
    """

    @property
    def name(self) -> str:
        """The name in the provenance of its proposals."""
        ...

    def propose(self, transcript: Transcript, *, limit: int) -> Sequence[Proposal]:
        """Return the proposed memories, best first, and no more than the limit.

        Each proposal must quote the turn it names, character by character; otherwise it is dropped.

        Raises:
            ProposerFailedError: It cannot be reached, or its answer cannot be parsed.
        """
        ...
