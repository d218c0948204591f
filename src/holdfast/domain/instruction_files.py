"""The files of a project that people write for coding agents, whichever tool reads them."""

from __future__ import annotations

NAMES = ("CLAUDE.md", "AGENTS.md", "AGENTS.override.md", "AGENT.md", "GEMINI.md", "CONVENTIONS.md")
"""Those that may stand in any folder."""
SINGLE_FILES = (
    *(".cursorrules", ".windsurfrules", ".clinerules", ".rules", ".roorules"),
    ".github/copilot-instructions.md",
)
"""Those that stand in one place."""
FOLDERS = {
    ".claude/rules": (".md",),
    ".clinerules": (".md", ".txt"),
    ".cursor/rules": (".mdc",),
    ".github/instructions": (".instructions.md",),
    ".roo/rules": (".md", ".txt"),
    ".windsurf/rules": (".md",),
}
"""Folders of them, and how their names end."""
