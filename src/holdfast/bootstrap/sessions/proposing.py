"""A proposer plug-in of another package, loaded when a conversation is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from holdfast.bootstrap.plugs.plugging import FAILURES, plugged_in
from holdfast.domain.lookup_errors import PlugInFailedError
from holdfast.domain.refusals import ProposerFailedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.sessions.proposal import Proposal
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.sessions.proposer import Proposer

_GROUP, _SETTING = "holdfast.proposer", "propose.using"


class PluggedProposer:
    """A proposer that is set by name; if it fails, the rules propose instead."""

    def __init__(self, name: str) -> None:
        self._wanted = name

    @property
    def name(self) -> str:
        """The proposer's name in the provenance."""
        return self._wanted

    def propose(self, transcript: Transcript, *, limit: int) -> Sequence[Proposal]:
        """Return the plug-in's proposals.

        Raises:
            ProposerFailedError: The plug-in is missing or fails.
        """
        try:
            made = cast("Proposer", plugged_in(_GROUP, self._wanted, setting=_SETTING)())
            return list(made.propose(transcript, limit=limit))
        except PlugInFailedError as error:
            raise ProposerFailedError(
                name=self._wanted, problem=f"does not answer. {error.args[0]}"
            ) from error
        except FAILURES as error:
            raise ProposerFailedError(name=self._wanted, problem=f"failed with: {error}") from error
