"""What each tool would read after an install: memory reaches it once, and nothing is hidden."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest

from holdfast.adapters.tools.disk import text_of
from holdfast.adapters.tools.fitting import TOOLS, plan
from holdfast.adapters.tools.known_pieces import find_instructions
from holdfast.adapters.tools.reading import FIRST_OF, files_read, first_file, imports_agents
from holdfast.adapters.tools.status import carries_memory, look_at
from holdfast.adapters.tools.values import ACTIVE, FileState, InstallScope, ToolPart
from holdfast.domain.refusals import SettingsUnreadableError
from holdfast.domain.text.managed import find_block
from tests.adapters.tool_files import EVERYTHING, Room
from tests.requirements import requirement

FILES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".clinerules/mine.md")
FEW = [set(some) for size in range(len(FILES) + 1) for some in itertools.combinations(FILES, size)]
ONLY_FILES = frozenset({ToolPart.INSTRUCTIONS})


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def ways(room: Room, tool: str) -> list[str]:
    """Return each way in which memory itself (not a pointer to it) reaches a tool."""
    found = look_at([TOOLS[tool]], room.at(), room.shop)[0]
    return [
        str(path)
        for part in found.parts
        for path in part.paths
        if part.part is ToolPart.HOOKS
        or (part.part is ToolPart.INSTRUCTIONS and carries_memory(TOOLS[tool], path))
    ]


def pointers(room: Room, tool: str) -> list[str]:
    """Return the files a tool reads that say where memory is; an import is for two tools only."""
    return [
        path.name
        for path in files_read(tool, room.root)
        if (block := find_block(path.read_text(encoding="utf-8"))) and "## Project" in block.body
    ]


@requirement("adapters.told-once")
@pytest.mark.parametrize("parts", [frozenset(), ONLY_FILES, EVERYTHING], ids=len)
@pytest.mark.parametrize("files", FEW, ids=lambda some: "+".join(sorted(some)) or "none")
def test_every_tool_is_told_once_whatever_files_there_are(
    room: Room, files: set[str], parts: frozenset[ToolPart]
) -> None:
    for name in files:
        room.write(name, "Mine.\n")

    room.install(parts=parts)

    for tool in TOOLS:
        told = ways(room, tool)
        # Cline has a file for each event of one and the same hook.
        assert len({Path(way).parent if "/.cline/" in way else way for way in told}) <= 1
        assert len(pointers(room, tool)) <= 1
        if parts == frozenset():
            assert told or pointers(room, tool), tool


@requirement("adapters.hides-no-file")
@pytest.mark.parametrize("files", FEW, ids=lambda some: "+".join(sorted(some)) or "none")
def test_no_tool_loses_a_file_it_read_before(room: Room, files: set[str]) -> None:
    for name in files:
        room.write(name, "Mine.\n")
    before = {tool: set(files_read(tool, room.root)) for tool in TOOLS}

    room.install(parts=EVERYTHING)

    for tool, read in before.items():
        assert read <= set(files_read(tool, room.root)), tool


@requirement("adapters.hides-no-file")
def test_a_tool_that_reads_only_agents_is_left_out_where_a_new_one_would_hide_claude(
    room: Room,
) -> None:
    room.write("CLAUDE.md", "Mine.\n")

    wanted = plan([TOOLS["codex"]], ONLY_FILES, room.at())

    assert wanted.put == ()
    assert "would hide CLAUDE.md" in wanted.left[0].reason


@pytest.mark.parametrize("first", [*FIRST_OF, None])
def test_zed_is_told_in_the_one_file_it_reads(room: Room, first: str | None) -> None:
    later = FIRST_OF[FIRST_OF.index(first) :] if first else ()
    for name in later:
        room.write(name, "Mine.\n")

    assert first_file(room.root) == room.root / (first or "AGENTS.md")
    room.install("zed")

    held = [name for name in FIRST_OF if room.path(name).exists()]
    blocks = [name for name in held if "holdfast:begin" in room.text(name)]
    assert blocks == [first or "AGENTS.md"]


def test_claude_imports_memory_where_it_has_a_file_of_its_own(room: Room) -> None:
    room.write("CLAUDE.md", "# Mine\n")

    room.install("claude", parts=ONLY_FILES)

    assert f"\n@{ACTIVE}\n" in room.text("CLAUDE.md")
    assert room.path(ACTIVE).exists()


def test_claude_is_not_told_twice_where_its_file_brings_agents_in(room: Room) -> None:
    room.write("CLAUDE.md", "@AGENTS.md\n")
    room.write("AGENTS.md", "# Mine\n")

    room.install("claude", parts=ONLY_FILES)

    assert room.text("CLAUDE.md") == "@AGENTS.md\n"
    assert "for claude" in room.text("AGENTS.md")
    assert not imports_agents(room.root / "nothing.md")


def test_codex_reads_an_override_instead(room: Room) -> None:
    room.write("AGENTS.override.md", "# Mine\n")

    room.install("codex", parts=ONLY_FILES)

    assert files_read("codex", room.root) == (room.root / "AGENTS.override.md",)
    assert "for codex" in room.text("AGENTS.override.md")


def test_a_file_of_its_own_goes_when_a_tool_shares_a_block(room: Room) -> None:
    room.install("windsurf")
    assert room.path(".windsurf/rules/holdfast.md").exists()
    room.write("AGENTS.md", "# Mine\n")

    room.install("zed")
    room.install("windsurf")

    assert not room.path(".windsurf").exists()
    assert "for windsurf, zed" in room.text("AGENTS.md")


def test_hooks_in_two_places_and_a_plug_in_are_warned_of(room: Room) -> None:
    room.install("claude")
    room.install("claude", scope=InstallScope.USER)
    text = room.text("~/.claude/settings.json")
    plugin = '"enabledPlugins": {"holdfast@holdfast": true},'
    room.write("~/.claude/settings.json", text.replace("{", f"{{{plugin}", 1))

    found = look_at([TOOLS["claude"]], room.at(), room.shop)[0]

    assert "told in 3 ways" in found.notes[0]
    assert "the plug-in" in found.notes[0]


def test_cursor_is_said_to_run_the_hooks_of_claude_too(room: Room) -> None:
    room.install("claude", "cursor")

    found = look_at([TOOLS["cursor"]], room.at(), room.shop)[0]

    assert "Claude Code's hooks" in found.notes[0]


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("", "not trusted yet"),
        ('[hooks.state."{path}:stop:0:0"]\ntrusted_hash = "1"\n', "were trusted"),
        ("broken = ", "cannot be read"),
    ],
)
def test_codex_is_said_to_trust_or_not_to(room: Room, config: str, said: str) -> None:
    room.install("codex")
    path = room.path(".codex/hooks.json")
    room.write("~/.codex/config.toml", config.replace("{path}", str(path)))

    found = look_at([TOOLS["codex"]], room.at(), room.shop)[0]

    assert said in found.notes[0]


def test_the_state_of_each_part_is_told(room: Room) -> None:
    room.install("codex", "zed")
    room.write(".codex/hooks.json", room.text(".codex/hooks.json").replace("5", "6"))
    room.write(".mcp.json", "{broken")
    room.write("~/.claude/settings.json", "[1]")

    codex, claude, zed = look_at(
        [TOOLS["codex"], TOOLS["claude"], TOOLS["zed"]], room.at(), room.shop
    )

    assert {one.part: one.state for one in codex.parts} == {
        ToolPart.INSTRUCTIONS: FileState.ABSENT,
        ToolPart.HOOKS: FileState.EDITED,
        ToolPart.MCP: FileState.INSTALLED,
        ToolPart.STATUSLINE: FileState.ABSENT,
    }
    assert {one.state for one in claude.parts} == {FileState.ABSENT}
    assert zed.parts[0].scopes == (InstallScope.PRIVATE,)


@requirement("files.evil-repository")
@pytest.mark.parametrize("source", ["/dev/zero", "pipe"])
def test_instructions_that_are_no_plain_file_are_not_read(room: Room, source: str) -> None:
    os.mkfifo(room.root / "pipe")
    for name in ("AGENTS.md", "CLAUDE.md", ".mcp.json"):
        (room.root / name).symlink_to(source if source[0] == "/" else room.root / source)

    assert not imports_agents(room.root / "CLAUDE.md")
    assert not find_instructions(TOOLS["claude"], room.at())
    assert look_at(list(TOOLS.values()), room.at(), room.shop)
    with pytest.raises(SettingsUnreadableError):
        text_of(room.root / ".mcp.json")
