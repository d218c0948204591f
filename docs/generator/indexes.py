"""Lists of pages, read from the headings of the pages."""

from __future__ import annotations

from pathlib import Path

from docs.generator.markdown import Page

DOCS = Path(__file__).parents[1]
UNUSED = (
    *(32, 48, 128, 131, 139, 142, 144, 145, 146, 148, 149, 151, 152),
    *(154, 155, 157, 158, 161, 167),
    *(174, 176, 177, 178, 180, 182, 183, 184, 185, 186, 190, 192, 193, 198),
)
"""Numbers of decisions that were never given to a page; a number is not given again."""


def decision_index() -> str:
    """Return the list of decisions."""
    page = Page("Decisions")
    page.text(
        "One page for each choice: the context, the decision, what lost and why, and what follows.",
        "A decision that is changed gets a new page, and the old one says so.",
    )
    rows = [
        [path.name[:4], f"[{_title(path).partition('. ')[2]}]({path.name})"]
        for path in sorted((DOCS / "decisions").glob("[0-9]*.md"))
    ]
    page.table(["number", "decision"], rows)
    unused = ", ".join(str(number) for number in UNUSED)
    page.text(f"These numbers were never given to a page: {unused}.")
    return page.written()


def reference_index(pages: dict[str, str]) -> str:
    """Return the list of reference pages."""
    page = Page("Reference")
    page.text("Every page here is written from the code, and a test fails when one is out of date.")
    links = (f"- [{text.splitlines()[0].lstrip('# ')}]({name})" for name, text in pages.items())
    page.text(*links)
    return page.written()


def _title(path: Path) -> str:
    return path.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
