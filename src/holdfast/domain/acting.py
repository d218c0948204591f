"""Who types: a person, or a tool that runs commands in a person's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

AGENTS = {
    "CLAUDECODE": "Claude Code",
    "CODEX_SANDBOX": "Codex",
    "CODEX_SANDBOX_NETWORK_DISABLED": "Codex",
    "GEMINI_CLI": "Gemini CLI",
    "COPILOT_CLI": "Copilot CLI",
    "CURSOR_AGENT": "Cursor",
    "OPENCODE": "OpenCode",
    "CLINE_ACTIVE": "Cline",
    "HOLDFAST_AGENT": "an agent",
}
"""What coding agents leave in the environment of the commands they run."""
ORIGIN_VARIABLE = "HOLDFAST_ORIGIN"
_OFF = frozenset({"", "0", "false", "no"})


def acting_agent(environment: Mapping[str, str]) -> str:
    """Return which agent runs this command, as far as the environment tells; else nothing.

    An agent that hides it is not found out this way: it keeps honest programs honest.
    """
    for variable, name in AGENTS.items():
        if environment.get(variable, "").lower() not in _OFF:
            return name
    origin = environment.get(ORIGIN_VARIABLE, "human").strip().lower()
    return "" if origin in {"human", ""} else f"{ORIGIN_VARIABLE}={origin}"
