"""Continues after the hook has answered, in a detached process that the tool does not wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.sessions.hooking import Occasion

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
        from holdfast.adapters.processes.starting import start_detached

        try:
            start_detached([*program, *words])
        except (OSError, ValueError):  # ValueError: the transcript's path holds a null character
            return False
        return True
