"""A branch and the moves in its reflog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.refs import (
    moves,
)
from holdfast.adapters.git.reading.repository import ask_git_bytes

if TYPE_CHECKING:
    from holdfast.adapters.git.reading.refs import Move
    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.memory.anchor import BranchPoint


_RESET = ("reset:", "branch: Reset to ")
_FROM_REMOTE = "branch: Created from refs/remotes/"
_MOST_RESETS = 4
_NAMES = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv")


class OwnBranch:
    """A branch and the moves in its reflog, oldest first."""

    def __init__(self, repository: Repository, name: str) -> None:
        self._repository = repository
        self._log = moves(repository, name)
        self._redone: dict[Move, bool] = {}

    def stood_at(self, commit: str) -> bool:
        """Return whether the branch may have pointed to a commit; a full reflog can disprove it."""
        return not self._is_made_here() or any(move.new == commit for move in self._log)

    def keeps(self, point: BranchPoint, target: str) -> bool:
        """Return whether a point belongs to the branch, whose tip is now ``target``.

        That is so if the branch pointed to it, and was not reset to other work since.
        """
        if point.head == target:
            return True
        places = [place for place, move in enumerate(self._log) if move.new == point.head]
        if not places:
            is_cut = not self._log or bool(self._log[0].old.strip("0"))
            return is_cut or (point.is_shared and not self._is_made_here())
        # Nothing was committed after the last move, so nothing replaced the work.
        since = self._log[places[-1] + 1 : -1]
        return all(self._is_redone(move, target) for move in since if move.why.startswith(_RESET))

    def _is_made_here(self) -> bool:
        """Return whether the reflog starts with the creation of the branch in this repository."""
        if not self._log or self._log[0].old.strip("0"):
            return False
        return not self._log[0].why.startswith(_FROM_REMOTE)

    def _is_redone(self, reset: Move, target: str) -> bool:
        """Return whether the commits after a reset change all files that those before it changed.

        That is how people squash commits by hand: ``git reset --soft``, then ``git commit``.
        """
        if reset not in self._redone:
            if len(self._redone) >= _MOST_RESETS:
                return True
            before = self._changed(reset.new, reset.old)
            after = self._changed(reset.new, target)
            self._redone[reset] = before is None or after is None or before <= after
        return self._redone[reset]

    def _changed(self, base: str, end: str) -> frozenset[bytes] | None:
        status, words, _ = ask_git_bytes(self._repository, *_NAMES, f"{base}...{end}", "--")
        return frozenset(filter(None, words.split(b"\0"))) if status == 0 else None
