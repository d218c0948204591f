"""The base of tools that store each conversation in its own file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from holdfast.adapters.transcripts.json_lines import no_one

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.sessions.transcripts import Tell


class OneConversation(ABC):
    """Reads files with one conversation each; subclasses implement ``heard``."""

    def read(self, path: str) -> Transcript:
        """Return the conversation of a file."""
        return self.heard(path, tell=no_one)

    def conversations(self, path: str, *, tell: Tell) -> Iterable[Transcript]:
        """Return the one conversation of a file."""
        return (self.heard(path, tell=tell),)

    @abstractmethod
    def heard(self, path: str, *, tell: Tell) -> Transcript:
        """Read the file, and report its unreadable parts to ``tell``."""
