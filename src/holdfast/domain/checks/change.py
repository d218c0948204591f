"""Which files a run of checks looks at, and what a person accepted to run."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

_SHOWN = 3


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


NAMED = "supervise "
"""How the text of a named command begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedCommand:
    """A command that a person accepted: its exact text, the repository, the clone, who and when.

    The text is part of a memory, so only its hash, ``mark``, is kept, and ``command`` is empty
    when it is read again. With ``is_named``, a person named the command for the executor of runs:
    it is in no memory, and its text is kept.
    ``clone`` is the path of the clone, and ``clone_id`` its random id, which a new clone at the
    same path does not have. ``files`` are the hashes of the scripts that the text names, by path.
    """

    mark: str
    command: str
    repo: str
    clone: str
    by: str
    at: datetime
    clone_id: str = ""
    is_named: bool = False
    files: Mapping[str, str] = field(default_factory=dict)


def changed_since(accepted: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Return in words which files of a command changed since it was accepted; empty if none."""
    names = sorted(name for name in {**accepted, **now} if accepted.get(name) != now.get(name))
    if not names:
        return ""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more} changed since a person accepted the command"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandEnd:
    """How a command ended; ``exit_code`` is None if a limit stopped it, and ``why`` says which."""

    exit_code: int | None
    output: str = ""
    why: str = ""
    is_offline: bool = False
