"""The manifest of promises, by what they are about."""

from __future__ import annotations

from itertools import groupby

from docs.generator.markdown import Page, code
from tests.requirements import REQUIREMENTS

_TITLES = {"mcp": "MCP", "cli": "The command line", "python": "The Python door"}


def promises() -> str:
    """Return the page of every promise."""
    page = Page("Promises")
    page.text(
        f"Holdfast makes {len(REQUIREMENTS)} promises.",
        "Each has at least one test that names it, and a test names only promises of this list.",
    )
    ordered = sorted(REQUIREMENTS.items(), key=lambda item: item[0].partition(".")[0])
    for noun, group in groupby(ordered, key=lambda item: item[0].partition(".")[0]):
        page.heading(_TITLES.get(noun, noun.capitalize()))
        page.table(["id", "promise"], [[code(name), said] for name, said in group])
    return page.written()
