"""The published JSON Schemas of every request and every answer."""

from __future__ import annotations

from holdfast.surfaces.wire.schema import (
    agents,
    answers,
    decisions,
    encryption,
    memory_service,
    program,
    remotes,
    roles,
    rule_checks,
    service,
    tasks,
    work,
    workspaces,
)
from holdfast.surfaces.wire.schema.agent_tools import BY_AGENT_TOOL
from holdfast.surfaces.wire.schema.nouns import NOUNS
from holdfast.surfaces.wire.schema.requests import BY_TOOL, batch_line
from holdfast.surfaces.wire.schema.words import (
    TEXT,
    TRUTH,
    WHOLE,
    Json,
    list_of,
    map_of,
    maybe,
    object_of,
    one_of,
)

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_FACT: Json = {"type": ["string", "number", "boolean", "null"]}
_NOUNS: dict[str, Json] = {
    **NOUNS,
    **agents.NOUNS,
    **roles.NOUNS,
    "provenance": answers.PROVENANCE,
    "service-memory": memory_service.MEMORY,
    "task": object_of(tasks.TASK),
}

ANSWERS: dict[str, list[Json]] = {
    **answers.ANSWERS,
    **decisions.ANSWERS,
    **program.ANSWERS,
    **rule_checks.ANSWERS,
    **work.ANSWERS,
    **workspaces.ANSWERS,
    **agents.ANSWERS,
    **service.ANSWERS,
    **tasks.ANSWERS,
    **remotes.ANSWERS,
    **encryption.answers(answers.FORGOTTEN),
    **roles.ANSWERS,
}
"""Each answer of every verb that has one."""

REQUESTS: dict[str, Json] = {
    "remember": batch_line(),
    **BY_TOOL,
    **BY_AGENT_TOOL,
    **tasks.BY_TOOL,
    **memory_service.REQUESTS,
}
"""Each request that is sent as JSON: a line of a batch, the arguments of a tool, a call."""

ERROR = object_of(
    {
        "error": object_of(
            {
                "code": TEXT,
                "family": one_of(
                    ["invalid", "not-found", "conflict", "stale", "unavailable", "bug"]
                ),
                "message": TEXT,
                "advice": TEXT,
                "exit_code": WHOLE,
                "facts": map_of({"anyOf": [_FACT, list_of(_FACT)]}),
            }
        )
    }
)
"""The error that every verb writes to stderr when it is refused."""

HELP = [
    object_of({"verbs": map_of(TEXT)}),
    object_of(
        {
            "verb": TEXT,
            "group": TEXT,
            "summary": TEXT,
            "description": TEXT,
            "usage": TEXT,
            "examples": list_of(TEXT),
            "options": list_of(
                object_of(
                    {
                        "names": list_of(TEXT),
                        "meaning": TEXT,
                        "value": maybe(TEXT),
                        "choices": list_of(TEXT),
                        "default": maybe(TEXT),
                        "required": TRUTH,
                        "repeatable": TRUTH,
                    }
                )
            ),
        }
    ),
]
"""The answer of ``help``: all verbs, or one."""

UNANSWERED = {
    "mcp": "it speaks MCP on stdin and stdout; its tools have schemas of their own",
    "ui": "it draws on a terminal; the other verbs answer the same in JSON",
    "serve": "it answers over HTTP; the OpenAPI document describes its answers",
    "web": "it prints a link, and answers a browser",
}
"""Verbs without an answer of their own, each with the reason."""


def described() -> dict[str, Json]:
    """Return every schema by its name: answers, requests, the error, and the nouns."""
    found = {f"answer.{verb.replace(' ', '-')}": _any_of(ANSWERS[verb]) for verb in ANSWERS}
    found["answer.help"] = _any_of(HELP)
    found["answer.version"] = object_of({"version": TEXT})
    found |= {f"answer.{name}": shape for name, shape in memory_service.ANSWERS.items()}
    found |= {f"request.{name}": shape for name, shape in REQUESTS.items()}
    found["kept-here"] = remotes.KEPT_HERE
    return {**dict(sorted(found.items())), "error": ERROR, **dict(sorted(_NOUNS.items()))}


def schema_of(name: str) -> Json:
    """Return one schema, complete in itself."""
    return {"$schema": DIALECT, "$ref": f"#/$defs/{name}", "$defs": described()}


def document() -> Json:
    """Return the published document: every schema under ``$defs``."""
    return {
        "$schema": DIALECT,
        "title": "Holdfast: what requests and answers look like",
        "$defs": described(),
    }


def _any_of(shapes: list[Json]) -> Json:
    return shapes[0] if len(shapes) == 1 else {"anyOf": shapes}
