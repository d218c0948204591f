"""Which files a run of checks looks at, and what a person accepted to run."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from datetime import datetime


class ChangeRange(StrEnum):
    """The files of a run: all, or those of a change."""

    EVERYTHING = "everything"
    CHANGED = "changed"
    STAGED = "staged"
    SINCE = "since"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The files of a run; ``since`` is the revision that they are compared with."""

    kind: ChangeRange = ChangeRange.EVERYTHING
    since: str | None = None

    @property
    def is_whole(self) -> bool:
        """Tell whether every file is looked at."""
        return self.kind is ChangeRange.EVERYTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedCommand:
    """A command that a person accepted: its exact text, the repository, the clone, who and when."""

    mark: str
    command: str
    repo: str
    clone: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandEnd:
    """How a command ended; ``exit_code`` is None if a limit stopped it, and ``why`` says which."""

    exit_code: int | None
    output: str = ""
    why: str = ""
    is_offline: bool = False
