"""What a repository may keep below its folder of pages."""

from __future__ import annotations

KEPT = tuple(f".holdfast/{name}" for name in ("memory", "project_state.json", "sessions", "tasks"))
"""One of them means that the repository keeps pages: git keeps no empty folder, so a clone may
have the state of the project, and no page of memories yet."""
