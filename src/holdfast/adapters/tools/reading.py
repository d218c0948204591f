"""Finds the instruction files each tool reads, so that a pointer to memory is read exactly once.

Creating a file can hide another one: several tools read only the first they find. So a file is
created only if it hides no other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.tools.disk import known_text

if TYPE_CHECKING:
    from pathlib import Path

AGENTS = "AGENTS.md"
CLAUDE = "CLAUDE.md"
GEMINI = "GEMINI.md"
# Zed reads the first of these that it finds, and nothing else.
FIRST_OF = (
    ".rules",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    ".github/copilot-instructions.md",
    "AGENT.md",
    AGENTS,
    CLAUDE,
    GEMINI,
)
_ALL_OF: dict[str, tuple[str, ...]] = {
    "claude": (CLAUDE, ".claude/rules/holdfast.md"),
    "codex": (AGENTS,),
    "copilot": (
        ".github/copilot-instructions.md",
        AGENTS,
        CLAUDE,
        GEMINI,
        ".github/instructions/holdfast.instructions.md",
    ),
    "gemini": (GEMINI,),
    "opencode": (AGENTS,),
    "cursor": (AGENTS, ".cursorrules", ".cursor/rules/holdfast.mdc"),
    "cline": (
        AGENTS,
        ".cursorrules",
        ".windsurfrules",
        ".clinerules/holdfast.md",
        ".cline/rules/holdfast.md",
    ),
    "windsurf": (AGENTS, ".windsurfrules", ".windsurf/rules/holdfast.md"),
    "zed": (),
    "aider": (),
}
_FALLBACKS: dict[str, tuple[tuple[str, str], ...]] = {
    # The second file is read only if the first does not exist.
    "claude": ((CLAUDE, AGENTS),),
    "opencode": ((AGENTS, CLAUDE),),
}
_OVERRIDES: dict[str, tuple[str, str]] = {"codex": (AGENTS, "AGENTS.override.md")}


def files_read(tool: str, root: Path) -> tuple[Path, ...]:
    """Return the instruction files at a project's root that a tool reads now."""
    if tool == "zed":
        return tuple([root / name for name in FIRST_OF if (root / name).is_file()][:1])
    names = [name for name in _ALL_OF[tool] if (root / name).is_file()]
    for first, second in _FALLBACKS.get(tool, ()):
        if not (root / first).is_file() and (root / second).is_file():
            names.append(second)
    plain, instead = _OVERRIDES.get(tool, ("", ""))
    if instead and (root / instead).is_file():
        names = [instead if name == plain else name for name in names] or [instead]
    return tuple(root / name for name in names)


def agents_file(tool: str, root: Path) -> Path | str:
    """Return the file that a tool reads as AGENTS.md, or why it must not be created."""
    override = _OVERRIDES.get(tool, ("", ""))[1]
    if override and (root / override).is_file():
        return root / override
    path = root / AGENTS
    if path.is_file():
        return path
    hidden = _hidden_by_agents(root)
    if hidden:
        return (
            f"it reads {AGENTS}, which is not there; a new one would hide {hidden} from other"
            " tools. Make one yourself, then install again"
        )
    return path


def _hidden_by_agents(root: Path) -> str:
    return next((name for name in (CLAUDE, GEMINI) if (root / name).is_file()), "")


def first_file(root: Path) -> Path:
    """Return the one file that Zed reads: the first that exists, or a new AGENTS.md."""
    found = files_read("zed", root)
    return found[0] if found else root / AGENTS


def imports_agents(path: Path) -> bool:
    """Return whether a CLAUDE.md imports AGENTS.md, so that its content is read."""
    lines = known_text(path).splitlines()
    return any(line.strip() in {f"@{AGENTS}", f"@./{AGENTS}"} for line in lines)
