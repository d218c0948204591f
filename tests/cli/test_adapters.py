from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from holdfast.bootstrap.machine.tools import TOOLS
from tests.cli.clones import Clone
from tests.cli.program import UNHURRIED, Program
from tests.requirements import requirement


@pytest.fixture
def tools(program: Program, repository: Path) -> Program:
    """A program that sees no coding tool of whoever runs the tests."""
    git = shutil.which("git")
    assert git is not None
    only_git = program.home.parent / "bin"
    only_git.mkdir()
    (only_git / "git").symlink_to(git)
    return Program(home=program.home, folder=repository, extra={"PATH": str(only_git)})


def snapshot(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
    }


@requirement("adapters.no-trace")
def test_every_tool_is_connected_shown_and_let_go(tools: Program) -> None:
    before = snapshot(tools.folder)
    planned = tools("adapters", "install", *TOOLS, "--dry-run").well()
    assert "would be installed  claude hooks" in planned.out
    assert snapshot(tools.folder) == before

    said = tools("adapters", "install", *TOOLS).well()
    assert "installed  codex mcp" in said.out
    assert "type /hooks" in said.err
    assert "Nothing to do" in tools("adapters", "install", *TOOLS).well().err
    shown = tools("adapters", "status", "--json").well().json["tools"]
    by_tool = {one["tool"]: one for one in shown}
    assert list(by_tool) == list(TOOLS)
    assert by_tool["claude"]["parts"]["hooks"]["state"] == "installed"
    assert by_tool["claude"]["parts"]["hooks"]["scopes"] == ["private"]
    assert by_tool["claude"]["last_hook"] is None
    table = tools("adapters", "status").well()
    assert "codex\t.codex\t-\tinstalled (private)" in table.out
    assert "not trusted yet" in table.err

    assert "removed  zed instructions" in tools("adapters", "remove").well().out
    assert snapshot(tools.folder) == before
    assert "no tool is connected" in tools("adapters", "remove").well().err


def test_without_a_name_the_tools_found_here_are_connected(tools: Program) -> None:
    refused = tools("adapters", "install")
    assert refused.code == 3
    assert "Name a tool: holdfast adapters install TOOL" in refused.err
    (tools.folder / ".gemini").mkdir()
    (tools.folder / "CLAUDE.md").write_text("# Mine\n", encoding="utf-8")

    changed = tools("adapters", "install", "--json").well().json["changes"]

    assert {one["tool"] for one in changed} == {"claude", "gemini"}


def test_only_the_parts_named_are_installed(tools: Program) -> None:
    changed = tools("adapters", "install", "gemini", "--with", "mcp", "--json").well().json

    assert [(one["part"], one["done"]) for one in changed["changes"]] == [("mcp", "installed")]
    assert tools("adapters", "install", "gemini", "--with", "soap").code == 2
    assert "'soap' is not a part" in tools("adapters", "install", "--with", "soap").err


def test_an_unknown_tool_is_refused_with_those_there_are(tools: Program) -> None:
    refused = tools("adapters", "install", "emacs")

    assert refused.code == 2
    assert "claude, codex, copilot" in refused.err


@requirement("adapters.edits-are-kept")
def test_an_edited_block_is_refused_with_its_place(tools: Program) -> None:
    tools("adapters", "install", "zed").well()
    path = tools.folder / "AGENTS.md"
    path.write_text(path.read_text(encoding="utf-8").replace("known traps", "my traps"), "utf-8")

    refused = tools("adapters", "remove")

    assert refused.code == 4
    assert f"{path}:1: the text that Holdfast wrote there was edited by hand" in refused.err
    tools("adapters", "remove", "--force").well()
    assert not path.exists()


def test_for_all_projects_of_a_person(tools: Program) -> None:
    tools("adapters", "install", "copilot", "--user").well()

    held = json.loads((tools.home / ".copilot" / "mcp-config.json").read_bytes())
    assert held["mcpServers"]["holdfast"]["args"][-1] == "mcp"
    assert "--home" in held["mcpServers"]["holdfast"]["args"]
    tools("adapters", "remove", "--user").well()
    assert not (tools.home / ".copilot").exists()


# Python runs this when it starts. A hook line that was installed cannot be given more time
# otherwise, and on a busy machine it would give up after a second.
MORE_TIME = "from holdfast.surfaces.hook import program; program.DEADLINE_SECONDS = 600.0\n"


def test_the_hook_lines_that_are_installed_can_be_run(tools: Program, tmp_path: Path) -> None:
    tools("init").well()
    tools("remember", "--kind", "rule", "--because", "agreed", "Never push on Fridays.").well()
    tools("adapters", "install", "claude").well()
    held = json.loads((tools.folder / ".claude" / "settings.local.json").read_bytes())
    line = held["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    said = {"session_id": "s1", "cwd": str(tools.folder), "source": "startup"}

    patient = tmp_path / "patient"
    patient.mkdir()
    (patient / "sitecustomize.py").write_text(MORE_TIME, encoding="utf-8")

    paths = f"{patient}:{tools.environment['PYTHONPATH']}"
    done = tools.bash(f"echo '{json.dumps(said)}' | {line}", PYTHONPATH=paths)

    context = done.well().json["hookSpecificOutput"]["additionalContext"]
    assert "Never push on Fridays." in context
    shown = tools("adapters", "status", "claude", "--json").well().json["tools"][0]
    assert shown["last_hook"] is not None
    assert "claude\t.claude\t-\tinstalled (private)" in tools("adapters", "status").well().out


def test_a_shared_hook_says_nothing_where_the_program_is_missing(tools: Program) -> None:
    tools("adapters", "install", "claude", "--project").well()
    held = json.loads((tools.folder / ".claude" / "settings.json").read_bytes())
    line = held["hooks"]["Stop"][0]["hooks"][0]["command"]

    done = tools.bash(f"unset -f holdfast; {line}")

    assert (done.code, done.out, done.err) == (0, "", "")


def test_a_hook_that_failed_is_shown(tools: Program) -> None:
    tools("init").well()
    tools.start("hook", "codex", "Stop", stdin=b"no json", program=UNHURRIED)

    assert "a hook failed" in tools("adapters", "status").well().err


def test_the_plug_in_folder_is_written_once(tools: Program) -> None:
    said = tools("adapters", "plugin", "plugin", "--project", "--json").well().json
    assert len(said["written"]) == 6
    assert "as it should be" in tools("adapters", "plugin", "plugin", "--project").well().err
    skill = tools.folder / "plugin" / "holdfast" / "skills" / "recall" / "SKILL.md"
    skill.write_text("mine", encoding="utf-8")

    refused = tools("adapters", "plugin", "plugin", "--project")

    assert refused.code == 4
    assert str(skill) in refused.err
    assert (
        "would be written"
        in tools("adapters", "plugin", "plugin", "--project", "--dry-run", "--force").well().out
    )
    tools("adapters", "plugin", "plugin", "--project", "--force").well()
    assert skill.read_text(encoding="utf-8").startswith("---\nname: recall")


def test_a_plug_in_folder_that_cannot_be_made_is_refused(tools: Program) -> None:
    (tools.folder / "plugin").write_text("a file", encoding="utf-8")

    refused = tools("adapters", "plugin", "plugin")

    assert refused.code in {2, 6}
    assert "Traceback" not in refused.err


def test_the_active_context_is_collected_where_there_are_pages(tools: Program) -> None:
    tools("init").well()
    tools("remember", "--kind", "rule", "--because", "agreed", "Never push on Fridays.").well()
    active = tools.folder / ".holdfast" / "context" / "active.md"
    tools("adapters", "install", "aider").well()
    assert "Nothing was collected" in active.read_text(encoding="utf-8")

    tools("init", "--files").well()
    tools("adapters", "install", "zed").well()

    assert "Never push on Fridays." in active.read_text(encoding="utf-8")
    tools("adapters", "remove").well()
    assert "Never push on Fridays." in active.read_text(encoding="utf-8")


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "objects" not in path.parts
    }


@requirement("adapters.any-store")
@pytest.mark.parametrize("name", ["claude", "codex", "gemini", "opencode", "cursor", "cline"])
def test_what_another_space_installed_is_shown_and_removed(tools: Program, name: str) -> None:
    settings = tools.folder / ".claude" / "settings.local.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text('{"model": "opus"}', encoding="utf-8")
    before = files_of(tools.folder)
    tools("--space", "cust", "adapters", "install", name, "--with", "hooks").well()

    shown = tools("adapters", "status", name).well()
    removed = tools("adapters", "remove").well()

    assert "installed" in shown.out
    assert "--space cust" in shown.err
    assert f"{name} hooks" in removed.out
    assert "Nothing to do" not in removed.err
    assert files_of(tools.folder) == before


@requirement("adapters.any-store")
def test_a_tool_that_serves_another_space_is_not_called_your_own(tools: Program) -> None:
    tools("--space", "cust", "adapters", "install", "claude").well()

    refused = tools("adapters", "install", "claude").well()

    assert "--space cust" in refused.err
    assert "did not write" not in refused.err


@requirement("adapters.any-store")
@pytest.mark.parametrize("scope", [(), ("--project",)])
def test_what_another_home_installed_is_removed(
    tools: Program, tmp_path: Path, scope: tuple[str, ...]
) -> None:
    before = files_of(tools.folder)
    other = str(tmp_path / "the other home")
    tools("--home", other, "adapters", "install", "claude", *scope).well()
    assert files_of(tools.folder) != before

    dry = tools("adapters", "remove", "--dry-run").well()
    removed = tools("adapters", "remove", "claude").well()

    assert "would be removed" in dry.out
    assert "claude mcp" in removed.out
    assert removed.err == ""
    assert files_of(tools.folder) == before


def test_the_command_for_ones_own_servers_can_be_copied_as_it_is_printed(tools: Program) -> None:
    done = tools("adapters", "install", "claude", "--user", "--dry-run").well()

    assert "'claude mcp add -s user holdfast -- holdfast mcp' adds it." in done.err


@requirement("adapters.any-store")
def test_a_server_of_the_same_name_that_holdfast_did_not_write_stays(tools: Program) -> None:
    path = tools.folder / ".mcp.json"
    mine = '{"mcpServers": {"holdfast": {"command": "my-server", "args": ["--port", "1"]}}}'
    path.write_text(mine, encoding="utf-8")

    done = tools("adapters", "remove").well()

    assert path.read_text(encoding="utf-8") == mine
    assert done.err.count("claude mcp") == 1
    assert "holdfast did not write" in done.err
    assert "--force removes it" in done.err


@requirement("adapters.private-stays-out-of-git")
def test_a_file_that_git_tracks_gets_no_path_of_this_machine(tools: Program) -> None:
    clone = Clone(tools)
    settings = tools.folder / "opencode.json"
    settings.write_text('{"theme": "dark"}\n', encoding="utf-8")
    clone.commit("Choose a theme")

    said = tools("adapters", "install", "opencode", "aider").well()

    assert "opencode mcp: git tracks this file" in said.err
    assert "--project" in said.err
    assert clone.git("status", "--short", "--untracked-files=all") == ""
    tools("adapters", "install", "opencode", "--project").well()
    assert '"holdfast"' in settings.read_text(encoding="utf-8")
    assert str(tools.home) not in settings.read_text(encoding="utf-8")
