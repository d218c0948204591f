"""Finds the transcripts of each tool."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_FILES = 20_000
_NOT_OF_A_NAME = re.compile(r"[^A-Za-z0-9]")
_ENDINGS = {
    "claude": (".jsonl",),
    "codex": (".jsonl", ".jsonl.zst"),
    "gemini": (".jsonl", ".json"),
    "copilot": (".jsonl",),
    "opencode": (".db",),
    "aider": (".md",),
    "chat": (".jsonl", ".json"),
}
_STARTS = {"codex": "rollout-", "gemini": "session-", "copilot": "events."}


def shelves(tool: str, *, person: Path, root: Path, is_everywhere: bool) -> list[Path]:
    """Return the folders or the file in which a tool stores its transcripts.

    Claude Code has a folder for each folder it was started in, named after it.
    """
    match tool:
        case "claude":
            projects = _moved("CLAUDE_CONFIG_DIR", person / ".claude") / "projects"
            return [projects] if is_everywhere else _of_project(projects, root)
        case "codex":
            return [_moved("CODEX_HOME", person / ".codex") / "sessions"]
        case "gemini":
            return [person / ".gemini" / "tmp"]
        case "copilot":
            return [person / ".copilot" / "session-state"]
        case "opencode":
            return [_moved("XDG_DATA_HOME", person / ".local" / "share") / "opencode/opencode.db"]
        case _:
            # Other programs write conversations wherever they want.
            return [root / ".aider.chat.history.md"] if tool == "aider" else []


def _of_project(projects: Path, root: Path) -> list[Path]:
    """Return Claude Code's folders for a project and for the folders beneath it."""
    name = _NOT_OF_A_NAME.sub("-", str(root))
    beneath = sorted(projects.glob(f"{name}-*"))
    return [projects / name, *(path for path in beneath if path.is_dir())]


def transcripts_in(place: Path, tool: str) -> list[str]:
    """Return the transcripts in a folder, oldest first; a file is returned itself.

    No symbolic link is followed, so nothing outside the folder is read. Claude Code's subagent
    transcripts are left out.
    """
    if place.is_file():
        return [str(place.absolute())]
    found = sorted(_fitting(place.absolute(), tool), key=_age)
    return [str(path) for path in found]


def _fitting(folder: Path, tool: str) -> Iterator[Path]:
    count = 0
    for held, folders, names in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if name != "subagents")
        for name in sorted(names):
            path = Path(held) / name
            fits = name.endswith(_ENDINGS[tool]) and name.startswith(_STARTS.get(tool, ""))
            if fits and path.is_file() and not path.is_symlink():
                yield path
                count += 1
                if count >= _MOST_FILES:
                    return


def _age(path: Path) -> tuple[float, str]:
    try:
        return path.stat().st_mtime, str(path)
    except OSError:
        return 0.0, str(path)


def _moved(variable: str, usual: Path) -> Path:
    """Return the folder that a variable names; only an absolute path counts."""
    wanted = os.environ.get(variable, "")
    return Path(wanted) if wanted.startswith("/") else usual
