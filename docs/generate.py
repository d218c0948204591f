"""``python -m docs.generate``: write the pages that are made from the code."""

from __future__ import annotations

import sys
from pathlib import Path

from docs.generator.agent_tools import agent_tools
from docs.generator.callers import callers
from docs.generator.choices import choices
from docs.generator.command_line import command_line
from docs.generator.errors import errors_page
from docs.generator.http_routes import FILE as OPENAPI
from docs.generator.http_routes import http_routes, openapi_file
from docs.generator.indexes import decision_index, reference_index
from docs.generator.json_shapes import json_shapes
from docs.generator.promises import promises
from docs.generator.python_door import python_door
from docs.generator.schemas import FILE, schema_file, schemas
from docs.generator.settings import settings
from docs.generator.store import store
from docs.generator.task_picture import FILE as PICTURE
from docs.generator.task_picture import task_picture

DOCS = Path(__file__).parent


def generated_pages() -> dict[Path, str]:
    """Return every generated page by its path."""
    reference = {
        "command-line.md": command_line(),
        "mcp-tools.md": agent_tools(),
        "python.md": python_door(),
        "http.md": http_routes(),
        "callers.md": callers(),
        "settings.md": settings(),
        "errors.md": errors_page(),
        "choices.md": choices(),
        "json.md": json_shapes(),
        "schemas.md": schemas(),
        "store.md": store(),
        "promises.md": promises(),
    }
    pages = {DOCS / "reference" / name: text for name, text in reference.items()}
    pages[DOCS / "reference" / FILE] = schema_file()
    pages[DOCS / "reference" / OPENAPI] = openapi_file()
    pages[DOCS / "reference" / "README.md"] = reference_index(reference)
    pages[DOCS / "decisions" / "README.md"] = decision_index()
    pages[DOCS / "how-to" / PICTURE] = task_picture()
    return pages


def main() -> None:
    """Write the pages and name those that changed."""
    for path, text in generated_pages().items():
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"wrote {path.relative_to(DOCS.parent)}\n")


if __name__ == "__main__":
    main()
