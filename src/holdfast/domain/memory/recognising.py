"""Recognise the principal behind a process by its environment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId

if TYPE_CHECKING:
    from collections.abc import Mapping
from holdfast.domain.memory.callers import Principal, PrincipalKind

AGENTS = {
    "CLAUDECODE": "Claude Code",
    "CLAUDE_CODE": "Claude Code",
    "CLAUDE_CODE_ENTRYPOINT": "Claude Code",
    "CODEX_CI": "Codex",
    "CODEX_SANDBOX": "Codex",
    "CODEX_SANDBOX_NETWORK_DISABLED": "Codex",
    "CODEX_THREAD_ID": "Codex",
    "GEMINI_CLI": "Gemini CLI",
    "COPILOT_CLI": "Copilot CLI",
    "CURSOR_AGENT": "Cursor",
    "OPENCODE": "OpenCode",
    "OPENCODE_CLIENT": "OpenCode",
    "CLINE_ACTIVE": "Cline",
    "ROO_ACTIVE": "Roo Code",
    "QWEN_CODE": "Qwen Code",
    "ANTIGRAVITY_AGENT": "Antigravity",
    "AUGMENT_AGENT": "Augment",
    "AMP_THREAD_ID": "Amp",
    "AMP_CURRENT_THREAD_ID": "Amp",
    "GOOSE_TERMINAL": "Goose",
    "CRUSH": "Crush",
    "PI_CODING_AGENT": "Pi",
    "OPENCLAW_SHELL": "OpenClaw",
    "TRAE_AI_SHELL_ID": "Trae",
    "COPILOT_AGENT_SESSION_ID": "Copilot CLI",
    "AI_AGENT": "an agent",
    "HOLDFAST_AGENT": "an agent",
}
"""The variables that coding agents set in the environment of the commands they run."""
VALUES = {
    "AGENT": {
        "amp": "Amp",
        "crush": "Crush",
        "goose": "Goose",
        "opencode": "OpenCode",
        "1": "an agent",
    },
    "CURSOR_EXTENSION_HOST_ROLE": {"agent-exec": "Cursor"},
}
"""Variables that other programs set too; only these values mean an agent."""
ORIGIN_VARIABLE = "HOLDFAST_ORIGIN"
SERVICE_WORD = "service"
_OFF = frozenset({"", "0", "false", "no"})
_WORDS = {
    SERVICE_WORD: (PrincipalKind.SERVICE, Origin.TOOL),
    "tool": (PrincipalKind.TOOL, Origin.TOOL),
    "repo": (PrincipalKind.TOOL, Origin.REPO),
    "web": (PrincipalKind.TOOL, Origin.WEB),
}
_UNKNOWN = (PrincipalKind.AGENT, Origin.AGENT)


def principal_of(
    environment: Mapping[str, str], *, space: SpaceId = DEFAULT_SPACE, user: str = ""
) -> Principal:
    """Return the principal that runs this process; ``user`` is the name of a person.

    An agent that hides its variables is treated as a person. The check guides honest programs; it
    is no protection against a dishonest one.
    """
    word = environment.get(ORIGIN_VARIABLE, "").strip().lower()
    kind, origin = _WORDS.get(word, _UNKNOWN)
    if name := _agent_of(environment):
        return Principal.of(PrincipalKind.AGENT, space=space, name=name, origin=origin)
    if word in {"human", ""}:
        return Principal.of(PrincipalKind.PERSON, space=space, name=user)
    return Principal.of(kind, space=space, name=f"{ORIGIN_VARIABLE}={word}", origin=origin)


def _agent_of(environment: Mapping[str, str]) -> str | None:
    """Return the name of the agent whose variables are set; an empty value, 0 or no is not set."""
    said = {name: value.strip().lower() for name, value in environment.items()}
    for variable, agent in AGENTS.items():
        if said.get(variable, "") not in _OFF:
            return agent
    named = (agents.get(said.get(variable, "")) for variable, agents in VALUES.items())
    return next((agent for agent in named if agent is not None), None)
