"""Continues after the hook has answered, in a detached process that the tool does not wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.sessions.hook_calls import HookCall

_READABLE = frozenset({"claude", "codex", "gemini", "copilot", "opencode"})
_ONE_FILE = frozenset({"opencode"})  # it stores all sessions in one place, and names none
_USUAL_PLACE = "-"


class DetachedProcess:
    """Starts Holdfast again in a detached process, without input and output."""

    def __init__(self, program: Sequence[str]) -> None:
        self._program = program

    def propose(self, hook_call: HookCall) -> bool:
        """Start proposing candidates from a transcript; return whether that was started."""
        path = hook_call.transcript or (_USUAL_PLACE if hook_call.tool in _ONE_FILE else "")
        if hook_call.tool not in _READABLE or not path:
            return False
        words = ["hook", "propose", hook_call.tool, hook_call.session, path]
        program = [*self._program]
        if hook_call.folder:
            program += ["--folder", hook_call.folder]
        from holdfast.adapters.processes.starting import start_detached

        try:
            start_detached([*program, *words])
        except (OSError, ValueError):  # ValueError: the transcript's path holds a null character
            return False
        return True
