"""How each program is started without a person and without a network, against our model."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

KEY = "not-a-key-but-long-enough-to-look-like-one"
MODEL = "fake-model"


@dataclass(frozen=True, kw_only=True)
class Stage:
    """Where a program runs: its home, the repository, and where the model listens."""

    home: Path
    repository: Path
    model: str
    modules: Path

    @property
    def plugin(self) -> Path:
        """Where the plug-in folder is written, for those that take one."""
        return self.home / "holdfast-plugin"

    @property
    def environment(self) -> dict[str, str]:
        """What every program sees: nothing of the person who runs this."""
        node = self.modules / "node" / "bin"
        path = f"{node}:{self.modules / '.bin'}:{os.environ['PATH']}"
        return {"PATH": path, "HOME": str(self.home), "LANG": "C.UTF-8", "TERM": "dumb"}

    def write(self, name: str, text: str) -> None:
        """Write one of the program's own files into its home."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@dataclass(frozen=True, kw_only=True)
class Program:
    """A program: what it needs in its home, its words, and its variables."""

    tool: str
    command: Callable[[Stage, str], list[str]]
    prepare: Callable[[Stage], None] = lambda _stage: None
    variables: Callable[[Stage], dict[str, str]] = lambda _stage: {}
    install: Callable[[Stage], list[list[str]]] = lambda _stage: []
    """What a person would type to connect it; words that begin with 'holdfast' are ours."""
    own_file: str = ""
    skips: frozenset[str] = frozenset()
    is_left_alone: bool = False
    """Whether Holdfast is gone when the program starts: its settings name a missing program."""


def _prepare_claude(stage: Stage) -> None:
    project = {"hasTrustDialogAccepted": True, "enabledMcpjsonServers": ["holdfast"]}
    held = {
        "hasCompletedOnboarding": True,
        "customApiKeyResponses": {"approved": [KEY[-20:]]},
        "projects": {str(stage.repository): project},
    }
    stage.write(".claude.json", json.dumps(held))


def _claude_variables(stage: Stage) -> dict[str, str]:
    return {
        "ANTHROPIC_BASE_URL": stage.model,
        "ANTHROPIC_API_KEY": KEY,
        "DISABLE_TELEMETRY": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "ENABLE_TOOL_SEARCH": "false",
    }


def _prepare_codex(stage: Stage) -> None:
    lines = (
        f'model = "{MODEL}"\nmodel_provider = "fake"\n\n'
        '[model_providers.fake]\nname = "fake"\n'
        f'base_url = "{stage.model}/v1"\nwire_api = "responses"\n\n'
        f'[projects."{stage.repository}"]\ntrust_level = "trusted"\n'
    )
    stage.write(".codex/config.toml", lines)


def _prepare_gemini(stage: Stage) -> None:
    held = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    stage.write(".gemini/settings.json", json.dumps(held))
    stage.write(".gemini/trustedFolders.json", json.dumps({str(stage.repository): "TRUST_FOLDER"}))


def _prepare_opencode(stage: Stage) -> None:
    options = {"baseURL": f"{stage.model}/v1", "apiKey": KEY}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": options,
        "models": {MODEL: {"name": MODEL}},
    }
    held = {"provider": {"fake": provider}, "model": f"fake/{MODEL}", "autoupdate": False}
    stage.write(".config/opencode/opencode.json", json.dumps(held))


def _installed(tool: str, *more: str) -> list[str]:
    return ["holdfast", "adapters", "install", tool, *more]


def _plugged(stage: Stage) -> list[str]:
    return ["holdfast", "adapters", "plugin", str(stage.plugin)]


def _told_by_files(tool: str) -> list[list[str]]:
    """Return how a tool is connected without its hooks, by a file that it reads."""
    return [["holdfast", "init", "--files"], _installed(tool, "--with", "instructions,mcp")]


def _claude_command(*more: str) -> list[str]:
    return ["claude", *more, "--output-format", "stream-json", "--verbose", "-p"]


_NO_HOOKS = frozenset({"proposed"})
_CODEX = Program(
    tool="codex",
    command=lambda _stage, prompt: [
        *("codex", "exec", "--dangerously-bypass-hook-trust", "--json", prompt),
    ],
    prepare=_prepare_codex,
    variables=lambda stage: {"CODEX_HOME": str(stage.home / ".codex")},
    install=lambda _stage: [_installed("codex")],
)
_COPILOT = Program(
    tool="copilot",
    command=lambda _stage, prompt: [
        *("copilot", "-p", prompt, "--allow-all-tools", "--trust-folder"),
        *("--output-format", "json"),
    ],
    variables=lambda stage: {
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": f"{stage.model}/v1",
        "COPILOT_PROVIDER_API_KEY": KEY,
        "COPILOT_MODEL": MODEL,
        "COPILOT_AUTO_UPDATE": "false",
    },
    install=lambda _stage: [
        _installed("copilot"),
        _installed("copilot", "--user", "--with", "mcp"),
    ],
)
_CLAUDE = Program(
    tool="claude",
    command=lambda _stage, prompt: [
        *_claude_command("--allowedTools", "mcp__holdfast__memory_create"),
        prompt,
    ],
    prepare=_prepare_claude,
    variables=_claude_variables,
    install=lambda _stage: [_installed("claude")],
)
_GEMINI = Program(
    tool="gemini",
    command=lambda _stage, prompt: [
        *("gemini", "-p", prompt, "--approval-mode", "yolo", "--output-format", "json"),
    ],
    prepare=_prepare_gemini,
    variables=lambda stage: {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": stage.model},
    install=lambda _stage: [_installed("gemini")],
)
_OPENCODE = Program(
    tool="opencode",
    command=lambda _stage, prompt: ["opencode", "run", prompt, "--format", "json"],
    prepare=_prepare_opencode,
    variables=lambda _stage: {
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
    },
    install=lambda _stage: [_installed("opencode")],
)
PROGRAMS: dict[str, Program] = {
    "claude": _CLAUDE,
    "codex": _CODEX,
    "gemini": _GEMINI,
    "opencode": _OPENCODE,
    "copilot": _COPILOT,
    "claude-files": replace(
        _CLAUDE,
        own_file="CLAUDE.md",
        install=lambda _stage: _told_by_files("claude"),
        skips=_NO_HOOKS,
    ),
    "gemini-files": replace(
        _GEMINI,
        own_file="GEMINI.md",
        install=lambda _stage: _told_by_files("gemini"),
        skips=_NO_HOOKS,
    ),
    "opencode-files": replace(
        _OPENCODE, install=lambda _stage: _told_by_files("opencode"), skips=_NO_HOOKS
    ),
    "claude-plugin": replace(
        _CLAUDE,
        command=lambda stage, prompt: [
            *_claude_command(
                *("--plugin-dir", str(stage.plugin / "holdfast")),
                *("--allowedTools", "mcp__plugin_holdfast_holdfast__memory_create"),
            ),
            prompt,
        ],
        install=lambda stage: [
            _plugged(stage),
            ["claude", "plugin", "validate", str(stage.plugin / "holdfast")],
        ],
    ),
    "codex-plugin": replace(
        _CODEX,
        install=lambda stage: [
            _plugged(stage),
            ["codex", "plugin", "marketplace", "add", str(stage.plugin)],
            ["codex", "plugin", "add", "holdfast@holdfast"],
        ],
    ),
    "codex-left": replace(_CODEX, is_left_alone=True),
    "copilot-plugin": replace(
        _COPILOT,
        command=lambda stage, prompt: [
            *("copilot", "-p", prompt, "--allow-all-tools", "--trust-folder"),
            *("--plugin-dir", str(stage.plugin / "holdfast"), "--output-format", "json"),
        ],
        install=lambda stage: [_plugged(stage)],
    ),
}
