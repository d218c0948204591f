"""Who runs this process, as far as its environment tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.callers import PERSON, Caller, CallerKind
from holdfast.domain.choices import Origin

if TYPE_CHECKING:
    from collections.abc import Mapping

AGENTS = {
    "CLAUDECODE": "Claude Code",
    "CLAUDE_CODE": "Claude Code",
    "CODEX_SANDBOX": "Codex",
    "CODEX_SANDBOX_NETWORK_DISABLED": "Codex",
    "CODEX_THREAD_ID": "Codex",
    "GEMINI_CLI": "Gemini CLI",
    "COPILOT_CLI": "Copilot CLI",
    "CURSOR_AGENT": "Cursor",
    "OPENCODE": "OpenCode",
    "CLINE_ACTIVE": "Cline",
    "AI_AGENT": "an agent",
    "HOLDFAST_AGENT": "an agent",
}
"""What coding agents leave in the environment of the commands they run."""
ORIGIN_VARIABLE = "HOLDFAST_ORIGIN"
SERVICE_WORD = "service"
_OFF = frozenset({"", "0", "false", "no"})
_WORDS = {
    SERVICE_WORD: (CallerKind.SERVICE, Origin.TOOL),
    "tool": (CallerKind.TOOL, Origin.TOOL),
    "repo": (CallerKind.TOOL, Origin.REPO),
    "web": (CallerKind.TOOL, Origin.WEB),
}
_UNKNOWN = (CallerKind.AGENT, Origin.AGENT)


def caller_of(environment: Mapping[str, str]) -> Caller:
    """Return who runs this process, and the origin of what they say.

    An agent that hides its variables is taken for a person: this keeps honest programs honest.
    """
    word = environment.get(ORIGIN_VARIABLE, "").strip().lower()
    kind, origin = _WORDS.get(word, _UNKNOWN)
    for variable, name in AGENTS.items():
        if environment.get(variable, "").strip().lower() not in _OFF:
            return Caller(kind=CallerKind.AGENT, name=name, origin=origin)
    if word in {"human", ""}:
        return PERSON
    return Caller(kind=kind, name=f"{ORIGIN_VARIABLE}={word}", origin=origin)
