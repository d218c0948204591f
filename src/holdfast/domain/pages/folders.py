"""What a repository may keep below its folder of pages."""

from __future__ import annotations

MARKS = (".holdfast/config.toml", ".holdfast/project_state.json")
"""Files that git keeps, and that only a repository with pages has."""
PAGES = (".holdfast/memory", ".holdfast/tasks")
"""The folders of pages that git keeps."""
PRIVATE_PAGES = frozenset({"candidates.md"})
"""Pages that are written for this machine only."""
