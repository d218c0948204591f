"""Continues after the hook has answered, in a detached process that the tool does not wait for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.hooking import Occasion

_STANDARD = (0, 1, 2)
_READABLE = frozenset({"claude", "codex", "gemini", "copilot", "opencode"})
_ONE_FILE = frozenset({"opencode"})  # it stores all sessions in one place, and names none
_USUAL_PLACE = "-"


class DetachedProcess:
    """Starts Holdfast again in a detached process, without input and output."""

    def __init__(self, program: Sequence[str]) -> None:
        self._program = program

    def propose(self, occasion: Occasion) -> bool:
        """Start proposing candidates from a transcript; return whether that was started."""
        path = occasion.transcript or (_USUAL_PLACE if occasion.tool in _ONE_FILE else "")
        if occasion.tool not in _READABLE or not path:
            return False
        words = ["hook", "propose", occasion.tool, occasion.session, path]
        program = [*self._program]
        if occasion.folder:
            program += ["--folder", occasion.folder]
        actions = [(os.POSIX_SPAWN_OPEN, end, os.devnull, os.O_RDWR, 0) for end in _STANDARD]
        try:
            os.posix_spawn(
                program[0], [*program, *words], os.environ, file_actions=actions, setsid=True
            )
        except (OSError, NotImplementedError):
            return False
        return True
