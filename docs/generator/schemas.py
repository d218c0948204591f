"""The JSON Schemas of every request and answer: one file, and a page that lists what is in it."""

from __future__ import annotations

import json

from docs.generator.markdown import Page, code
from holdfast.surfaces.wire.schema.published import described, document

FILE = "schemas/holdfast.json"


def schema_file() -> str:
    """Return the published schema as text."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


def schemas() -> str:
    """Return the page that lists what the schema describes."""
    page = Page("JSON Schemas")
    page.text(
        f"[`{FILE}`]({FILE}) is a JSON Schema (2020-12) of every answer and every request.",
        "Each stands under `$defs` by its name, so that a validator can be pointed at one of them:",
        '`{"$ref": "holdfast.json#/$defs/answer.recall"}`.',
        "Objects have the fields that are described and no others.",
        "A test holds the real output of every verb and every MCP tool against it.",
    )
    for title, start, words in (
        ("Answers", "answer.", "What a verb writes to stdout with `--json`."),
        ("Requests", "request.", "What a line of a batch or the arguments of an MCP tool may say."),
        ("Errors", "error", "What a verb writes to stderr with `--json` when it is refused."),
        ("Nouns", "", "What answers and exports are made of."),
    ):
        page.heading(title)
        names = [name for name in described() if _title(name) == title]
        page.text(words, ", ".join(code(name) for name in names if name.startswith(start)) + ".")
    return page.written()


def _title(name: str) -> str:
    titles = {"answer": "Answers", "request": "Requests", "error": "Errors"}
    return titles.get(name.partition(".")[0], "Nouns")
