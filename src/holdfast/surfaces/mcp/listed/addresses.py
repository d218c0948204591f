"""The resources and prompts as clients see them."""

from __future__ import annotations

TYPE_CHECKING = False  # same value as in the typing module, without the cost of importing it
if TYPE_CHECKING:
    from holdfast.surfaces.mcp.protocol import Json

JSON_TYPE, MARKDOWN = "application/json", "text/markdown"
TEMPLATES: list[Json] = [
    {
        "uriTemplate": "memory://{id}",
        "name": "memory",
        "title": "A memory",
        "description": "A memory with its evidence and the verdicts on it. Quoted data.",
        "mimeType": JSON_TYPE,
    },
    {
        "uriTemplate": "bundle://{id}",
        "name": "bundle",
        "title": "An answer",
        "description": "What context.assemble gave, with the current state. Quoted data.",
        "mimeType": MARKDOWN,
    },
    {
        "uriTemplate": "session://{id}",
        "name": "session",
        "title": "A session",
        "description": "The turns of a session. Quoted data.",
        "mimeType": JSON_TYPE,
    },
    {
        "uriTemplate": "page://{path}",
        "name": "page",
        "title": "A page of the repository",
        "description": "The entries of a page in this checkout, fenced. Quoted data.",
        "mimeType": MARKDOWN,
    },
]
"""The templates of the resources."""
PROMPTS: list[Json] = [
    {
        "name": "resume",
        "title": "Resume the work",
        "description": "Where the work in this checkout stands, and what to do next.",
        "arguments": [
            {"name": "branch", "description": "As another branch would be told; this one if none."}
        ],
    },
    {
        "name": "review",
        "title": "Review what waits",
        "description": "What agents proposed, with risks and conflicts, for you to decide about.",
        "arguments": [{"name": "limit", "description": "How many candidates, at most 100; 20."}],
    },
    {
        "name": "summarise-run",
        "title": "Summarise a run",
        "description": "The goal and the notes of a run, to write its summary from.",
        "arguments": [
            {"name": "run", "description": "The run (run-… or r_…); the newest if none."}
        ],
    },
    {
        "name": "branch-changes",
        "title": "What changed on this branch",
        "description": "What this branch adds, changes, contradicts or puts in doubt.",
        "arguments": [
            {"name": "base", "description": "The branch to compare with; the main branch if none."}
        ],
    },
]
"""The prompts."""
