"""The site of the documents: every page is on it, and no link is broken."""

from __future__ import annotations

import json
import re
from pathlib import Path

from docs.site import DOCS, build
from tests.requirements import requirement

FETCHED = re.compile(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=[\"']?https?://")


@requirement("docs.build-as-a-site")
def test_the_site_has_every_page_search_and_nothing_from_elsewhere(tmp_path: Path) -> None:
    site = tmp_path / "site"

    assert build(site) == 0

    pages = {path.relative_to(DOCS).with_suffix("") for path in DOCS.rglob("*.md")}
    built = {path.relative_to(site).with_suffix("") for path in site.rglob("*.html")}
    named = {Path(*one.parts[:-1], "index") if one.name == "README" else one for one in pages}
    assert named <= built
    found = json.dumps(json.loads((site / "search.json").read_text(encoding="utf-8")))
    assert "Undo a decision" in found or "undo a decision" in found
    for page in site.rglob("*.html"):
        assert FETCHED.search(page.read_text(encoding="utf-8")) is None, page
