"""What is written for each tool, whole: a change of it shows, and must be meant.

``HOLDFAST_WRITE_GOLDEN=1 python -m pytest tests/adapters/test_tools_golden.py`` writes them anew.
"""

from __future__ import annotations

import os
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from holdfast.adapters.tools.fitting import TOOLS
from holdfast.adapters.tools.kinds.plugin_folder import plugin_files
from holdfast.adapters.tools.values import InstallScope, ToolPart
from tests.adapters.tool_files import EVERYTHING, Room
from tests.requirements import requirement

GOLDEN = Path(__file__).parent / "golden"
CASES = {
    "private": (InstallScope.PRIVATE, frozenset[ToolPart]()),
    "project": (InstallScope.PROJECT, EVERYTHING),
    "user": (InstallScope.USER, EVERYTHING),
}


def shown(room: Room) -> str:
    """Return every file with its path above it."""
    parts = []
    for folder, name in ((room.root, "."), (room.home, "~")):
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            text = path.read_text(encoding="utf-8")
            parts.append(f"==> {name}/{path.relative_to(folder)}\n{text}")
    return "\n".join(parts) or "nothing\n"


def compare(name: str, text: str) -> None:
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("HOLDFAST_WRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_gets_just_these_files(tmp_path: Path, tool: str, case: str) -> None:
    room = Room(tmp_path)
    scope, parts = CASES[case]

    room.install(tool, scope=scope, parts=parts)

    compare(f"{tool}-{case}", shown(room))


@requirement("adapters.never-depended-on")
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_starts_and_works_without_holdfast(tmp_path: Path, tool: str, case: str) -> None:
    """Tools have words for a server or hook that they must not do without; we use none."""
    room = Room(tmp_path)
    scope, parts = CASES[case]

    room.install(tool, scope=scope, parts=parts)

    words = shown(room).casefold()
    for demand in ("required", "failclosed", "fail_closed", "mandatory"):
        assert demand not in words
    for path in (*room.root.rglob("config.toml"), *room.home.rglob("config.toml")):
        server = tomllib.loads(path.read_text(encoding="utf-8"))["mcp_servers"]["holdfast"]
        assert set(server) == {"command", "args", "startup_timeout_sec"}


def test_the_plug_in_folder_has_just_these_files(tmp_path: Path) -> None:
    files = plugin_files(Room(tmp_path).at(InstallScope.PROJECT))

    text = "\n".join(f"==> {path}\n{text}" for path, text in files.items())
    compare("plugin", text.replace(version("holdfast"), "VERSION"))


def test_the_rule_of_windsurf_is_short_enough_for_it(tmp_path: Path) -> None:
    room = Room(tmp_path)

    room.install("windsurf")

    assert len(room.text(".windsurf/rules/holdfast.md")) < 12_000
