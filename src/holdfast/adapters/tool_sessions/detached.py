"""Starts Holdfast again in a detached process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.sessions.hook_calls import HookEvent

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
        from holdfast.adapters.processes.running import start_detached

        try:
            start_detached([*self._at(hook_call), *words])
        except (OSError, ValueError):  # ValueError: the transcript's path holds a null character
            return False
        return True

    def keep_turns(self, hook_call: HookCall, *, prompts: int) -> bool:
        """Start storing the turns of a session; return whether that was started."""
        from holdfast.adapters.processes.spawning import spawn_detached

        words = ["hook", "keep", hook_call.tool, hook_call.session]
        words += ["ended", str(prompts)] if hook_call.happening is HookEvent.END else []
        try:
            spawn_detached([*self._at(hook_call), *words])
        except (OSError, ValueError):
            return False
        return True

    def _at(self, hook_call: HookCall) -> list[str]:
        """Return the program, told to work in the folder of a call."""
        folder = ["--folder", hook_call.folder] if hook_call.folder else []
        return [*self._program, *folder]
