"""Every tool, every scope, files of people in every odd form: installed, and gone again."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.adapters.tools.fitting import TOOLS
from holdfast.adapters.tools.json_text import read_json
from holdfast.adapters.tools.values import InstallScope, ToolPart
from holdfast.domain.refusals import (
    EditedByHandError,
    LeadsElsewhereError,
    SettingsChangedError,
    SettingsUnreadableError,
    SettingsUnwritableError,
)
from tests.adapters.tool_files import EVERYTHING, ODD_FILES, Room
from tests.requirements import requirement


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@requirement("adapters.no-trace")
@pytest.mark.parametrize("scope", InstallScope)
@pytest.mark.parametrize("parts", [frozenset(), EVERYTHING, frozenset(ToolPart)], ids=len)
@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("files", [{}, ODD_FILES], ids=["bare", "odd"])
def test_a_tool_leaves_no_trace(
    room: Room, tool: str, files: dict[str, str], parts: frozenset[ToolPart], scope: InstallScope
) -> None:
    for name, text in files.items():
        room.write(name, text)
    before = room.snapshot()

    room.install(tool, parts=parts, scope=scope)
    room.remove(tool, scope=scope)

    assert room.snapshot() == before


@requirement("adapters.no-trace")
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=30,
)
@given(data=st.data())
def test_any_files_any_tools_in_any_order_leave_no_trace(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    room = Room(tmp_path_factory.mktemp("room"))
    for name in data.draw(st.sets(st.sampled_from(sorted(ODD_FILES)))):
        room.write(name, ODD_FILES[name])
    before = room.snapshot()
    steps = st.lists(
        st.tuples(st.sampled_from(sorted(TOOLS)), st.sampled_from(InstallScope)), max_size=5
    )
    parts = st.sampled_from(
        [frozenset(), EVERYTHING, frozenset({ToolPart.MCP}), frozenset(ToolPart)]
    )

    for tool, scope in data.draw(steps):
        room.install(tool, scope=scope, parts=data.draw(parts))
    for tool in data.draw(st.permutations(sorted(TOOLS))):
        room.remove(tool)
    room.remove(scope=InstallScope.USER)

    assert room.snapshot() == before


@requirement("adapters.idempotent")
@pytest.mark.parametrize("scope", InstallScope)
@pytest.mark.parametrize("files", [{}, ODD_FILES], ids=["bare", "odd"])
def test_a_second_install_changes_nothing(
    room: Room, files: dict[str, str], scope: InstallScope
) -> None:
    for name, text in files.items():
        room.write(name, text)

    assert room.install(scope=scope)
    after = room.snapshot()

    assert room.install(scope=scope) == []
    assert room.snapshot() == after


@requirement("adapters.others-stay")
def test_what_the_person_set_is_read_as_before(room: Room) -> None:
    for name, text in ODD_FILES.items():
        room.write(name, text)

    room.install(parts=EVERYTHING)
    room.install(parts=EVERYTHING, scope=InstallScope.USER)

    codex = tomllib.loads(room.text(".codex/config.toml"))
    assert codex["model"] == "m"
    assert codex["mcp_servers"]["other"] == {"command": "x"}
    assert codex["mcp_servers"]["holdfast"]["args"][-1] == "mcp"
    local = json.loads(room.text(".claude/settings.local.json"))
    assert local["statusLine"] == {"type": "command", "command": "mine"}
    assert local["hooks"]["Stop"][0]["hooks"][0]["command"] == "say done"
    assert "// Zed settings" in room.text("~/.config/zed/settings.json")
    zed = read_json(room.text("~/.config/zed/settings.json")).value
    assert isinstance(zed, dict)
    assert list(zed) == ["vim_mode", "context_servers"]
    assert room.text(".aider.conf.yml").splitlines()[-1] == (
        "read: [CONVENTIONS.md, .holdfast/context/active.md]  # ours"
    )


def test_words_added_beside_ours_stay_when_ours_are_removed(room: Room) -> None:
    room.write("AGENTS.md", "# Mine\n")
    room.install("zed", "gemini")
    path = room.path("AGENTS.md")
    path.write_text("First.\n" + path.read_text(encoding="utf-8") + "Last.\n", encoding="utf-8")
    held = json.loads(room.text(".gemini/settings.json"))
    room.write(".gemini/settings.json", json.dumps({"theme": "light", **held}, indent=4))

    room.remove()

    assert room.text("AGENTS.md") == "First.\n# Mine\nLast.\n"
    assert json.loads(room.text(".gemini/settings.json")) == {"theme": "light"}


@requirement("adapters.edits-are-kept")
@pytest.mark.parametrize(
    ("tool", "file", "ours", "mine"),
    [
        ("zed", "AGENTS.md", "a person approves it.", "nobody needs to."),
        ("codex", ".codex/config.toml", "startup_timeout_sec = 10", "startup_timeout_sec = 60"),
        ("codex", ".codex/hooks.json", '"timeout": 5', '"timeout": 60'),
        ("windsurf", ".windsurf/rules/holdfast.md", "a person approves it.", "nobody needs to."),
        ("windsurf", ".windsurf/rules/holdfast.md", "trigger: always_on", "trigger: manual"),
        ("opencode", ".opencode/plugin/holdfast.js", "timeout: 3000", "timeout: 30000"),
    ],
)
def test_what_a_person_edited_is_refused_with_its_place_and_kept(
    room: Room, tool: str, file: str, ours: str, mine: str
) -> None:
    room.install(tool)
    text = room.text(file)
    assert ours in text
    room.write(file, text.replace(ours, mine, 1))
    before = room.snapshot()

    with pytest.raises(EditedByHandError, match=rf"{file}:\d+: .*edited by hand"):
        room.install(tool)
    with pytest.raises(EditedByHandError):
        room.remove(tool)
    assert room.snapshot() == before

    room.install(tool, is_forced=True)
    assert room.text(file) == text
    room.write(file, text.replace(ours, mine, 1))
    room.remove(tool, is_forced=True)
    assert not room.path(file).exists()


@requirement("adapters.edits-are-kept")
@pytest.mark.parametrize(
    ("tool", "file", "text"),
    [
        ("claude", ".mcp.json", '{"mcpServers": {"holdfast": {"command": "docker"}}}'),
        ("codex", ".codex/config.toml", '[mcp_servers.holdfast]\ncommand = "mine"\n'),
        ("windsurf", ".windsurf/rules/holdfast.md", "My own words.\n"),
    ],
)
def test_what_a_person_wrote_under_our_name_is_left(
    room: Room, tool: str, file: str, text: str
) -> None:
    room.write(file, text)

    room.install(tool)
    assert room.text(file) == text
    room.remove(tool)

    assert room.text(file) == text


def test_a_status_line_of_the_person_is_left(room: Room) -> None:
    name = ".claude/settings.local.json"
    room.write(name, '{"statusLine": {"type": "command", "command": "mine"}}')

    assert room.install("claude", parts=frozenset({ToolPart.STATUSLINE})) == []
    assert "mine" in room.text(name)


def test_the_status_line_shows_the_badge(room: Room) -> None:
    room.install("claude", parts=frozenset({ToolPart.STATUSLINE}))

    line = json.loads(room.text(".claude/settings.local.json"))["statusLine"]
    assert line["command"].endswith("-m holdfast status --badge")


@requirement("adapters.all-or-nothing")
@pytest.mark.parametrize(
    ("file", "text"),
    [
        (".claude/settings.local.json", "{broken"),
        (".codex/config.toml", "a = \n"),
        (".codex/config.toml", "mcp_servers = {}\n"),
        (".cursor/hooks.json", '{"hooks": 1}'),
        (".aider.conf.yml", "read: [a\n"),
        (".aider.conf.yml", "- a\n"),
        (".aider.conf.yml", "read:\n  a: 1\n"),
    ],
)
def test_a_file_that_cannot_be_added_to_changes_nothing_anywhere(
    room: Room, file: str, text: str
) -> None:
    room.write(file, text)
    before = room.snapshot()

    with pytest.raises(SettingsUnreadableError, match=rf"cannot add its entries at .*{file}:\d+"):
        room.install()

    assert room.snapshot() == before


@pytest.mark.parametrize("content", [b"\xff\xfe{}", b"x" * (8 * 1024 * 1024 + 1)])
def test_a_file_that_is_no_text_is_refused(room: Room, content: bytes) -> None:
    path = room.write("AGENTS.md", "")
    path.write_bytes(content)

    with pytest.raises(SettingsUnreadableError):
        room.install("zed")

    assert path.read_bytes() == content


def test_a_folder_in_a_files_place_is_refused(room: Room) -> None:
    room.path(".mcp.json").mkdir()

    with pytest.raises(SettingsUnreadableError, match="not a regular file"):
        room.install("claude")


def test_a_link_out_of_the_project_is_not_followed(room: Room) -> None:
    outside = room.write("~/notes.md", "private\n")
    room.path("AGENTS.md").symlink_to(outside)

    with pytest.raises(LeadsElsewhereError, match="outside the project"):
        room.install("zed")

    assert outside.read_text(encoding="utf-8") == "private\n"


def test_a_link_inside_the_project_is_written_through_and_stays_a_link(room: Room) -> None:
    room.write("AGENTS.md", "# Both\n")
    room.path("CLAUDE.md").symlink_to("AGENTS.md")
    before = room.snapshot()

    room.install("claude", "codex", parts=frozenset({ToolPart.INSTRUCTIONS}))
    assert room.text("AGENTS.md").count("holdfast:begin") == 1
    assert room.path("CLAUDE.md").is_symlink()
    room.remove()

    assert room.snapshot() == before
    assert room.path("CLAUDE.md").is_symlink()


def test_a_block_stays_for_the_other_tools_it_is_for(room: Room) -> None:
    room.write("AGENTS.md", "# Mine\n")
    room.install("zed", "windsurf", "codex", parts=frozenset({ToolPart.INSTRUCTIONS}))
    assert "for codex, windsurf, zed -->" in room.text("AGENTS.md")

    room.remove("windsurf")
    assert "for codex, zed -->" in room.text("AGENTS.md")
    assert room.path(".holdfast/context/active.md").exists()
    room.remove("zed")
    room.remove("codex")

    assert room.text("AGENTS.md") == "# Mine\n"
    assert not room.path(".holdfast").exists()


def test_an_install_in_another_form_is_renewed(room: Room) -> None:
    room.write("AGENTS.md", "# Mine\n")
    room.install("zed", "codex")

    changed = room.install("codex", scope=InstallScope.PROJECT)

    assert [one.done for one in changed] == ["renewed", "renewed"]
    assert "/opt/holdfast" not in room.text(".codex/hooks.json")
    room.remove()
    assert room.text("AGENTS.md") == "# Mine\n"
    assert not room.path(".codex").exists()


def test_shared_hooks_take_the_place_of_private_ones(room: Room) -> None:
    room.install("claude")

    room.install("claude", scope=InstallScope.PROJECT)

    assert not room.path(".claude/settings.local.json").exists()
    command = json.loads(room.text(".claude/settings.json"))["hooks"]["Stop"][0]["hooks"][0]
    assert command["command"] == (
        "command -v holdfast >/dev/null 2>&1 && holdfast hook claude Stop || true"
    )


@requirement("adapters.all-or-nothing")
def test_a_file_that_cannot_be_written_undoes_those_before_it(room: Room) -> None:
    room.path(".cursor/.hooks.json.new-holdfast").mkdir(parents=True)
    before = room.snapshot()

    with pytest.raises(SettingsUnwritableError, match="hooks.json cannot be written"):
        room.install("claude", "cursor")

    assert room.snapshot() == before


def test_a_file_keeps_its_rights_and_a_hook_can_be_run(room: Room) -> None:
    path = room.write(".mcp.json", "{}")
    path.chmod(0o600)

    room.install("claude", "cline")

    assert path.stat().st_mode & 0o777 == 0o600
    assert room.path(".cline/hooks/TaskStart").stat().st_mode & 0o777 == 0o755


def test_a_lost_ledger_costs_exactness_but_not_the_removal(tmp_path: Path, room: Room) -> None:
    room.write("AGENTS.md", "# Mine\n")
    room.write(".mcp.json", '{"mcpServers": {"other": {"command": "x"}}}\n')
    before = room.snapshot()
    room.install()
    (tmp_path / "store" / "adapters.json").write_text("{broken", encoding="utf-8")

    room.remove()

    after = room.snapshot()
    assert {name: held for name, held in after.items() if held is not None} == before | {}


def test_new_files_of_one_person_are_kept_out_of_git(tmp_path: Path) -> None:
    room = Room(tmp_path, has_git=True)
    room.write(".git/info/exclude", "*.log\n")
    before = room.snapshot()

    room.install("claude", "aider", "gemini")
    lines = room.text(".git/info/exclude").splitlines()
    assert lines[0] == "*.log"
    assert lines[3:-1] == [
        "/.claude/settings.local.json",
        "/.mcp.json",
        "/.gemini/settings.json",
        "/.aider.conf.yml",
        "/.holdfast/context/active.md",
    ]
    own = ["/.gemini/settings.json", "/.holdfast/context/active.md"]
    room.install("claude", "aider", scope=InstallScope.PROJECT)
    assert room.text(".git/info/exclude").splitlines()[3:-1] == own
    room.remove("gemini", parts=frozenset({ToolPart.HOOKS}))
    assert room.text(".git/info/exclude").splitlines()[3:-1] == own
    room.remove()

    assert room.snapshot() == before


def test_a_change_by_another_program_at_the_same_moment_is_noticed(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = room.write(".mcp.json", "{}")

    def meanwhile(*_given: object, **_named: object) -> list[object]:
        path.write_text('{"other": 1}', encoding="utf-8")
        return []

    monkeypatch.setattr(room.shop, "_excluding", meanwhile)

    with pytest.raises(SettingsChangedError):
        room.install("claude")

    assert path.read_text(encoding="utf-8") == '{"other": 1}'
