"""The proposer that is set, and the transcripts that it reads.

A proposer plug-in of another package, loaded when a conversation is read.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.bootstrap.plugs.plugging import PlugIn
from holdfast.domain.errors import UnavailableError
from holdfast.domain.lookup_errors import PlugInFailedError
from holdfast.domain.refusals import ProposerFailedError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from holdfast.domain.sessions.session import Proposal
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.recall.models import TokenCounter
    from holdfast.ports.sessions.proposer import Proposer


__all__ = [
    "proposer",
    "run_page_of",
]
_USING = "propose.using"
_RULES, _OPENAI, _ANTHROPIC = "rules", "openai", "anthropic"


def run_page_of(label: str, folder: Path) -> Path | None:
    """Return the page with the summary of a run; None if there is none."""
    from holdfast.bootstrap.sessions.transcripts import project_root

    page = project_root(folder) / ".holdfast" / "runs" / label / "summary.md"
    is_label = label.isascii() and label.replace("-", "").isalnum()
    return page if is_label and page.is_file() and not page.is_symlink() else None


def proposer(using: str | None, *, home: Path | None, counter: TokenCounter) -> Proposer | None:
    """Return the proposer of that name, else the one that is set; None means the rules alone."""
    from holdfast.adapters.machine.settings import SettingsFile, settings_file

    kept = SettingsFile(settings_file() if home is None else home / "config.toml")
    wanted = using or kept.value(_USING)[0]
    if wanted == _RULES:
        return None
    if wanted not in {_OPENAI, _ANTHROPIC}:
        return PluggedProposer(wanted)
    from holdfast.adapters.proposing.model import ModelAccess, ModelProposer

    names = ("url", "model", "key_env", "tokens", "timeout")
    url, model, key_env, tokens, timeout = (kept.value(f"propose.{name}")[0] for name in names)
    asking = ModelAccess(
        protocol=wanted,
        url=url,
        model=model,
        key=os.environ.get(key_env or f"{wanted.upper()}_API_KEY", ""),
        tokens=int(tokens),
        timeout=float(timeout),
    )
    return ModelProposer(asking, count=counter.count)


_GROUP, _SETTING = "holdfast.proposer", "propose.using"
_ADVICE = "Repair or remove that package"


class PluggedProposer:
    """A proposer that is set by name; if it fails, the rules propose instead."""

    def __init__(self, name: str) -> None:
        self._plug_in: PlugIn[Proposer] = PlugIn(_GROUP, name, setting=_SETTING)

    @property
    def name(self) -> str:
        """The proposer's name in the provenance."""
        return self._plug_in.name

    def propose(self, transcript: Transcript, *, limit: int) -> Sequence[Proposal]:
        """Return the plug-in's proposals.

        Raises:
            ProposerFailedError: The plug-in is missing or fails.
        """
        try:
            return self._plug_in.asked(
                lambda made: _proposals(made.propose(transcript, limit=limit))
            )
        except ProposerFailedError:
            raise
        except UnavailableError as error:
            problem = error.problem if isinstance(error, PlugInFailedError) else error.message
            raise ProposerFailedError(
                name=self.name, problem=f"failed: {problem}", advice=_ADVICE
            ) from error


def _proposals(found: Sequence[Proposal]) -> list[Proposal]:
    from holdfast.domain.sessions.session import Proposal

    proposals = list(found)
    for one in proposals:
        if not isinstance(one, Proposal):
            not_one = f"{type(one).__name__} instead of a Proposal"
            raise TypeError(not_one)
    return proposals
