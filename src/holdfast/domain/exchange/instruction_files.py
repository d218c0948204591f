"""The instruction files for coding agents in a project, for all tools."""

from __future__ import annotations

NAMES = ("CLAUDE.md", "AGENTS.md", "AGENTS.override.md", "AGENT.md", "GEMINI.md", "CONVENTIONS.md")
"""File names that may occur in any folder."""
SINGLE_FILES = (
    *(".cursorrules", ".windsurfrules", ".clinerules", ".rules", ".roorules"),
    ".github/copilot-instructions.md",
)
"""Files with a fixed path."""
FOLDERS = {
    ".claude/rules": (".md",),
    ".clinerules": (".md", ".txt"),
    ".cursor/rules": (".mdc",),
    ".github/instructions": (".instructions.md",),
    ".roo/rules": (".md", ".txt"),
    ".windsurf/rules": (".md",),
}
"""Folders of instruction files, and the endings of their names."""
