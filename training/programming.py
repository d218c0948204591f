"""Pools about programs: docstring and function, heading and section, subject and message."""

from __future__ import annotations

import ast
import re
import subprocess
from typing import TYPE_CHECKING

from training.pools import Ask, Pool
from training.rules import about_function, about_section

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from random import Random

DOCUMENTED = (
    "fastapi/fastapi",
    "celery/celery",
    "python/mypy",
    "pallets/click",
    "encode/httpx",
    "prometheus/prometheus",
    "pola-rs/polars",
    "scrapy/scrapy",
)
_PAGE = re.compile(r"\.(md|rst|txt)$")
_TRANSLATED = re.compile(r"docs/(?!en)[a-z]{2}(-[a-z]+)?/")
_MARKDOWN_HEADING = re.compile(r"^#{1,4} +(.+?)(?: *\{.*\})? *$", re.MULTILINE)
_RST_HEADING = re.compile(r"^([^\n]{4,80})\n[=\-~^\"]{4,}\s*$", re.MULTILINE)
_TRAILERS = re.compile(r"^(Signed-off-by|Co-authored-by|\(cherry).*$", re.MULTILINE)
_OTHER = re.compile(r"test|holdfast|site-packages")
_MOST_FUNCTIONS, _MOST_OF_A_FILE, _LARGEST_FILE, _FUNCTION_POOL = 16_000, 12, 300_000, 2000
_MOST_PAGES, _SECTION_POOL, _MOST_COMMITS = 160, 700, 700
_SHORTEST_CODE, _LONGEST_CODE = 60, 1500
_SHORTEST_SECTION, _LONGEST_SECTION = 120, 1200
_SHORTEST_MESSAGE, _LONGEST_MESSAGE = 150, 1000


class Clone:
    """A git clone, read without a work tree."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def files(self, *under: str) -> list[str]:
        """Return the paths of the newest commit, below a folder if one is named."""
        return self._git("ls-tree", "-r", "--name-only", "HEAD", *under).split("\n")

    def text(self, path: str) -> str:
        """Return the content of a file of the newest commit; empty if it is not there."""
        return self._git("show", f"HEAD:{path}")

    def messages(self) -> list[tuple[str, str]]:
        """Return subject and body of the newest commits."""
        log = self._git("log", "-n", "3000", "--no-merges", "--format=%s%x00%b%x01")
        parts = (entry.strip().partition("\x00") for entry in log.split("\x01"))
        return [(subject, _TRAILERS.sub("", body).strip()) for subject, _, body in parts]

    def _git(self, *words: str) -> str:
        done = subprocess.run(["git", "-C", self._folder, *words], capture_output=True, check=False)
        return done.stdout.decode("utf-8", "replace")


def docstrings(packages: list[Path], chance: Random) -> Iterator[Pool]:
    """Yield functions without their docstrings, each asked for by its docstring's first line."""
    files = [path for folder in packages for path in folder.rglob("*.py")
             if not _OTHER.search(str(path.relative_to(folder)))
             and path.stat().st_size < _LARGEST_FILE]  # fmt: skip
    chance.shuffle(files)
    found: list[tuple[str, str]] = []
    for path in files:
        if len(found) > _MOST_FUNCTIONS:
            break
        found += _functions(path)
    chance.shuffle(found)
    for start in range(0, len(found), _FUNCTION_POOL):
        part = found[start : start + _FUNCTION_POOL]
        asks = [Ask(about_function(summary, chance), [n]) for n, (summary, _) in enumerate(part)]
        yield Pool("docstring", f"f{start}", [code for _, code in part], asks)


def _functions(path: Path) -> list[tuple[str, str]]:
    try:
        source = path.read_text()
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    rows, found = source.split("\n"), []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (one := _pair(node, rows)):
            found.append(one)
            if len(found) == _MOST_OF_A_FILE:
                break
    return found


def _pair(node: ast.FunctionDef | ast.AsyncFunctionDef, rows: list[str]) -> tuple[str, str] | None:
    said = ast.get_docstring(node)
    if not said or len(node.body) < 2:
        return None
    summary = re.split(r"\n\s*\n|(?<=\.)\s", said.strip())[0].replace("\n", " ").strip().rstrip(".")
    if not 4 <= len(summary.split()) <= 25 or not summary.isascii():
        return None
    code = source_of(node, rows).replace(source_of(node.body[0], rows), "", 1)
    return (summary, code) if _SHORTEST_CODE < len(code) < _LONGEST_CODE else None


def source_of(node: ast.stmt, rows: list[str]) -> str:
    """Return the source of a statement from the lines of its file."""
    found = rows[node.lineno - 1 : node.end_lineno]
    return "\n".join(found)[node.col_offset :]


def documentation(clones: Path, chance: Random) -> Iterator[Pool]:
    """Yield sections asked for by their heading, and messages of commits by their subject."""
    for name in DOCUMENTED:
        clone = Clone(clones / name)
        pages = [path for path in clone.files() if _is_documentation(path)]
        chance.shuffle(pages)
        found = [one for path in pages[:_MOST_PAGES] for one in _sections(clone, path, chance)]
        for start in range(0, len(found), _SECTION_POOL):
            part = found[start : start + _SECTION_POOL]
            asks = [Ask(about_section(heading, chance), [n]) for n, (heading, _) in enumerate(part)]
            yield Pool("heading", f"{name}{start}", [body for _, body in part], asks)
        kept = [(re.sub(r"\(#\d+\)", "", subject), body[:_LONGEST_MESSAGE])
                for subject, body in clone.messages()
                if len(body) > _SHORTEST_MESSAGE and 3 <= len(subject.split()) <= 20]  # fmt: skip
        kept = kept[:_MOST_COMMITS]
        asks = [Ask(subject, [number]) for number, (subject, _) in enumerate(kept)]
        yield Pool("commit", name, [body for _, body in kept], asks)


def _is_documentation(path: str) -> bool:
    low = path.lower()
    is_news = "release" in low or "change" in low
    is_page = bool(_PAGE.search(path)) and ("docs/" in path or "documentation" in path)
    return is_page and not is_news and not _TRANSLATED.search(path)


def _sections(clone: Clone, path: str, chance: Random) -> list[tuple[str, str]]:
    pattern = _MARKDOWN_HEADING if path.endswith(".md") else _RST_HEADING
    parts = pattern.split(clone.text(path))[1:]
    title = ""
    found = []
    for raw, raw_body in zip(parts[::2], parts[1::2], strict=False):
        heading, body = re.sub(r"[`*#]|\[|\]\(.*?\)", "", raw).strip(), raw_body.strip()
        title = title or heading
        is_heading = 2 <= len(heading.split()) <= 14 and heading.isascii()
        if len(body) > _SHORTEST_SECTION and is_heading:
            is_plain = heading == title or chance.random() < 0.5
            asked = heading if is_plain else f"{title}: {heading}"
            found.append((asked, body[:_LONGEST_SECTION]))
    return found
