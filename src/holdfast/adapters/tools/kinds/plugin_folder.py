"""One folder that Claude Code, Codex and Copilot CLI each accept as a plug-in."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.tools.disk import store, text_of
from holdfast.adapters.tools.kinds.claude import EVENTS, grouped
from holdfast.adapters.tools.kinds.servers import NAME, server
from holdfast.domain.refusals import FolderTakenError, SettingsUnwritableError

if TYPE_CHECKING:
    from holdfast.adapters.tools.values import Places

_SKILLS = Path(__file__).with_name("plugin")
_ABOUT = (
    "Durable project memory: recalled with its evidence, proposed by agents, approved by people."
)
_SECONDS = 5
# Each tool has its own names for its tools that change files or run commands.
_CHANGING = "Bash|Edit|MultiEdit|Write|NotebookEdit|apply_patch|bash|edit|create"


def plugin_files(at: Places) -> dict[str, str]:
    """Return the files of the folder by their paths in it."""
    # Three tools run the same command line; the hook program detects which one called it.
    hooks = grouped(at, "auto", {**EVENTS, "PreToolUse": _CHANGING}, seconds=_SECONDS)
    by_event = {entry.path[-1]: [entry.value] for entry in hooks.entries}
    owner = {"name": "Holdfast"}
    files: dict[str, object] = {
        ".claude-plugin/marketplace.json": {
            "name": NAME,
            "owner": owner,
            "plugins": [{"name": NAME, "source": f"./{NAME}", "description": _ABOUT}],
        },
        f"{NAME}/.claude-plugin/plugin.json": {
            "name": NAME,
            "version": _version(),
            "description": _ABOUT,
            "author": owner,
        },
        f"{NAME}/hooks/hooks.json": {"description": _ABOUT, "hooks": by_event},
        f"{NAME}/.mcp.json": {"mcpServers": {NAME: server(at)}},
    }
    written = {path: json.dumps(held, indent=2) + "\n" for path, held in files.items()}
    for skill in ("recall", "propose"):
        text = (_SKILLS / f"{skill}.md").read_text(encoding="utf-8")
        written[f"{NAME}/skills/{skill}/SKILL.md"] = text
    return written


def write_folder(
    folder: Path, at: Places, *, is_dry: bool = False, is_forced: bool = False
) -> tuple[Path, ...]:
    """Write the folder; return the files that change.

    Raises:
        FolderTakenError: A different file exists, and ``is_forced`` is false.
        SettingsUnwritableError: The folder cannot be written.
    """
    wanted = {folder / path: text for path, text in plugin_files(at).items()}
    changed = [path for path, text in wanted.items() if text_of(path) != text]
    for path in changed:
        if path.exists() and not is_forced:
            raise FolderTakenError(str(path))
    for path in () if is_dry else changed:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            store(path, wanted[path], is_program=False)
        except OSError as error:
            raise SettingsUnwritableError(str(path), error.strerror) from error
    return tuple(changed)


def _version() -> str:
    try:
        return version("holdfast")
    except PackageNotFoundError:
        return "0"
