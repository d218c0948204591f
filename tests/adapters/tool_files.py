"""Files of people and programs, as odd as they come, and a place to install tools into."""

from __future__ import annotations

from pathlib import Path

from holdfast.adapters.tools.fitting import TOOLS, plan, removal
from holdfast.adapters.tools.installer import ToolInstaller
from holdfast.adapters.tools.values import FileChange, InstallScope, Places, ToolPart

PROGRAM = ("/opt/holdfast/bin/python", "-P", "-m", "holdfast")
EVERYTHING = frozenset({ToolPart.INSTRUCTIONS, ToolPart.HOOKS, ToolPart.MCP})

# By path; "~/" is the person's home. Comments, tabs, CRLF, no newline at the end, own hooks.
ODD_FILES: dict[str, str] = {
    "AGENTS.md": "# Rules\n\nNever push on Fridays.",
    "CLAUDE.md": "# Claude\r\n\r\nUse tabs.\r\n",
    "GEMINI.md": "\n",
    ".claude/settings.json": '{\n\t"model": "big", // the one we pay for\n\t"hooks": {}\n}\n',
    ".claude/settings.local.json": (
        '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]},'
        ' "statusLine": {"type": "command", "command": "mine"}}'
    ),
    ".mcp.json": '{"mcpServers": {}}',
    ".codex/config.toml": '# mine\nmodel = "m"\n\n[mcp_servers.other]\ncommand = "x"\n',
    ".codex/hooks.json": "{ }",
    ".gemini/settings.json": '{\n    "theme": "dark",\n}\n',
    ".github/copilot-instructions.md": "Be brief.\n",
    "opencode.jsonc": '{\n  // instructions of ours\n  "instructions": ["docs/*.md"]\n}\n',
    ".cursor/hooks.json": '{"version": 1, "hooks": {"stop": [{"command": "mine"}]}}',
    ".cursor/mcp.json": "{\n}\n",
    ".windsurf/rules/mine.md": "---\ntrigger: manual\n---\nMine.\n",
    ".clinerules/mine.md": "Mine.\n",
    ".aider.conf.yml": "# aider\nmodel: big\nread: [CONVENTIONS.md]  # ours\n",
    "~/.claude/settings.json": '{"theme":"dark"}',
    "~/.codex/config.toml": "",
    "~/.copilot/mcp-config.json": '{"mcpServers":{"a":{"command":"b"}}}\n',
    "~/.config/zed/settings.json": '// Zed settings\n{\n  "vim_mode": true, // yes\n}\n',
    "~/.gemini/settings.json": "{}",
}


class Room:
    """A project and a home to install into, with a ledger of its own."""

    def __init__(self, folder: Path, *, has_git: bool = False) -> None:
        self.root, self.home = folder / "project", folder / "home"
        for one in (self.root, self.home):
            one.mkdir()
        self.exclude = self.root / ".git" / "info" / "exclude" if has_git else None
        self.shop = ToolInstaller(store=folder / "store", root=self.root, exclude=self.exclude)

    def at(self, scope: InstallScope = InstallScope.PRIVATE) -> Places:
        """Return the places for a scope."""
        return Places(
            root=self.root,
            home=self.home,
            config=self.home / ".config",
            codex=self.home / ".codex",
            program=PROGRAM,
            context="# Nothing yet\n",
            scope=scope,
        )

    def path(self, name: str) -> Path:
        """Return the file of a name; ``~/`` is the home."""
        return self.home / name[2:] if name.startswith("~/") else self.root / name

    def write(self, name: str, text: str) -> Path:
        """Write a file of the person."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def text(self, name: str) -> str:
        """Return what a file holds."""
        return self.path(name).read_bytes().decode()

    def snapshot(self) -> dict[str, bytes | None]:
        """Return every file with its bytes, and every folder."""
        return {
            str(path.relative_to(folder.parent)): None if path.is_dir() else path.read_bytes()
            for folder in (self.root, self.home)
            for path in sorted(folder.rglob("*"))
        }

    def install(
        self,
        *names: str,
        parts: frozenset[ToolPart] = frozenset(),
        scope: InstallScope = InstallScope.PRIVATE,
        is_forced: bool = False,
    ) -> list[FileChange]:
        """Install tools (none named: all); return what changed, not what was left."""
        tools = [TOOLS[name] for name in names or TOOLS]
        wanted = plan(tools, parts, self.at(scope))
        changed = self.shop.change(
            put=wanted.put,
            take=wanted.take,
            is_forced=is_forced,
            is_private=scope is InstallScope.PRIVATE,
        )
        return [one for one in changed if one.done != "left"]

    def remove(
        self,
        *names: str,
        parts: frozenset[ToolPart] = frozenset(),
        scope: InstallScope = InstallScope.PRIVATE,
        is_forced: bool = False,
    ) -> list[FileChange]:
        """Remove tools (none named: all); return what changed."""
        tools = [TOOLS[name] for name in names or TOOLS]
        wanted = removal(tools, parts, self.at(scope))
        return list(self.shop.change(put=(), take=wanted.take, is_forced=is_forced))
