"""``python -m docs.site``: build the documents as a site with search, into ``.site``.

The pages are copied first, with the links that leave the site as plain text, so that the strict
build refuses every other broken link. The site fetches nothing from elsewhere.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from docs.shell import ROOT

DOCS = ROOT / "docs"
SITE = ROOT / ".site"
SECTIONS = {
    "Learn": "tutorial",
    "Do": "how-to",
    "Understand": "explanation",
    "Look up": "reference",
    "Decisions": "decisions",
}
COPIED = (".md", ".svg", ".png", ".json")
_OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+(?:training|README|CHANGELOG|deploy)[^)]*\)")
_SETTINGS = """\
site_name: Holdfast
docs_dir: docs
site_dir: site
use_directory_urls: false
theme:
  name: material
  font: false
  palette:
    - {media: "(prefers-color-scheme: light)", scheme: default, primary: teal}
    - {media: "(prefers-color-scheme: dark)", scheme: slate, primary: teal}
  features: [navigation.indexes, navigation.top, content.code.copy, search.highlight]
plugins: [search]
markdown_extensions: [attr_list, tables, {toc: {permalink: true}}, pymdownx.highlight,
  pymdownx.superfences]
nav:
"""


def navigation() -> list[str]:
    """Return the lines of the navigation: the overview of a section comes first."""
    lines = ["  - Start: README.md"]
    for title, folder in SECTIONS.items():
        pages = sorted(DOCS.glob(f"{folder}/*.md"), key=lambda one: (one.name != "README.md", one))
        lines += [f"  - {title}:", *(f"      - {folder}/{page.name}" for page in pages)]
    return [*lines, "  - Benchmarks: benchmarks.md"]


def prepare(folder: Path) -> None:
    """Copy the pages and pictures into a folder, and write the settings beside them."""
    for path in DOCS.rglob("*"):
        if path.suffix not in COPIED or not path.is_file():
            continue
        copy = folder / "docs" / path.relative_to(DOCS)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            text = _OUTSIDE.sub(r"\1", path.read_text(encoding="utf-8"))
            copy.write_text(text, encoding="utf-8")
        else:
            shutil.copyfile(path, copy)
    settings = _SETTINGS + "\n".join(navigation()) + "\n"
    (folder / "mkdocs.yml").write_text(settings, encoding="utf-8")


def build(site: Path) -> int:
    """Build the site; return the exit code of the builder."""
    with tempfile.TemporaryDirectory(prefix="holdfast-site-") as name:
        folder = Path(name)
        prepare(folder)
        done = subprocess.run(
            [sys.executable, "-m", "zensical", "build", "--strict"], cwd=folder, check=False
        )
        if done.returncode == 0:
            shutil.rmtree(site, ignore_errors=True)
            shutil.copytree(folder / "site", site)
    return done.returncode


if __name__ == "__main__":
    sys.exit(build(SITE))
