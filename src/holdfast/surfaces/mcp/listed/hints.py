"""Hints to clients about what a tool does, and the entry of a tool in the list."""

from __future__ import annotations

TYPE_CHECKING = False  # same value as in the typing module, without the cost of importing it
if TYPE_CHECKING:
    from holdfast.surfaces.mcp.protocol import Json

READS: Json = {"readOnlyHint": True, "openWorldHint": False}
"""It changes nothing."""
ADDS: Json = {
    "readOnlyHint": False,
    "destructiveHint": False,
    "idempotentHint": False,
    "openWorldHint": False,
}
"""It only adds; each call adds again."""
SETS: Json = {**ADDS, "idempotentHint": True}
"""It sets something; a second call changes nothing more."""
REMOVES: Json = {**SETS, "destructiveHint": True}
"""It removes something; a second call changes nothing more."""


def entry(
    name: str,
    title: str,
    description: str,
    *,
    takes: Json,
    hints: Json,
    gives: Json | None = None,
) -> Json:
    """Return a tool as clients list it; one that gives Markdown has no output schema."""
    found: Json = {
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": takes,
        "outputSchema": gives,
        "annotations": hints,
    }
    return {field: value for field, value in found.items() if value is not None}
