"""The installed grammars: each is loaded when the first file of its language is parsed."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Parser, QueryCursor

_QUERIES = Path(__file__).with_name("queries")


class Home(NamedTuple):
    """A grammar's module, the query for its trees, and the separator of qualified names."""

    module: str
    queries: tuple[str, ...]
    function: str = "language"
    joint: str = "."


class Grammar(NamedTuple):
    """A loaded grammar: its parser, its symbol query, and the separator of qualified names."""

    parser: Parser
    cursor: QueryCursor
    joint: str


HOMES = {
    "bash": Home("tree_sitter_bash", ("bash",)),
    "c": Home("tree_sitter_c", ("c",)),
    "c_sharp": Home("tree_sitter_c_sharp", ("c_sharp",)),
    "cpp": Home("tree_sitter_cpp", ("c", "cpp")),
    "css": Home("tree_sitter_css", ("css",), joint=" "),
    "go": Home("tree_sitter_go", ("go",)),
    "html": Home("tree_sitter_html", ("html",), joint=" "),
    "java": Home("tree_sitter_java", ("java",)),
    "javascript": Home("tree_sitter_javascript", ("ecmascript", "javascript", "jsx")),
    "json": Home("tree_sitter_json", ("json",)),
    "php": Home("tree_sitter_php", ("php",), function="language_php"),
    "python": Home("tree_sitter_python", ("python",)),
    "ruby": Home("tree_sitter_ruby", ("ruby",)),
    "rust": Home("tree_sitter_rust", ("rust",)),
    "sql": Home("tree_sitter_sql", ("sql",)),
    "toml": Home("tree_sitter_toml", ("toml",)),
    "tsx": Home("tree_sitter_typescript", ("ecmascript", "typescript", "jsx"), "language_tsx"),
    "typescript": Home(
        "tree_sitter_typescript", ("ecmascript", "typescript"), "language_typescript"
    ),
    "yaml": Home("tree_sitter_yaml", ("yaml",)),
}


@cache
def grammar_of(language: str | None) -> Grammar | None:
    """Return the grammar of a language; None if none is installed or it does not load."""
    home = HOMES.get(language or "")
    if home is None:
        return None
    try:
        return _loaded(home)
    except (ImportError, AttributeError, ValueError):
        # Not installed, or a version that does not fit the queries: the file is read as plain text.
        return None


def _loaded(home: Home) -> Grammar:
    from importlib import import_module

    from tree_sitter import Language, Parser, Query, QueryCursor

    pointer: object = getattr(import_module(home.module), home.function)()
    language = Language(pointer)
    texts = [(_QUERIES / f"{name}.scm").read_text(encoding="utf-8") for name in home.queries]
    cursor = QueryCursor(Query(language, "\n".join(texts)))
    return Grammar(Parser(language), cursor, home.joint)
