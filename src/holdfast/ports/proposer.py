"""Who reads a conversation and says what of it should be remembered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.proposal import Proposal
from holdfast.domain.transcript import Transcript


class Proposer(Protocol):
    """Reads a conversation. Whatever it says becomes a candidate at most, and may be left out.

    Plug-ins offer one under the entry point group ``holdfast.proposer``: a function that is
    given nothing and returns one.
    """

    @property
    def name(self) -> str:
        """What it is called in the provenance of what it proposes."""
        ...

    def propose(self, transcript: Transcript, *, limit: int) -> Sequence[Proposal]:
        """Return what should be remembered, the best first, and no more than the limit.

        Each proposal must quote the turn it names, sign for sign; one that does not is dropped.

        Raises:
            ProposerFailedError: It cannot be asked, or its answer makes no sense.
        """
        ...
