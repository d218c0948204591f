"""Detects the language of a file from its name or its first line.

The installed grammars: each is loaded when the first file of its language is parsed.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Parser, QueryCursor


_SUFFIXES = {
    "bash": "bash bats ksh sh zsh",
    "c": "c",
    "c_sharp": "cs csx",
    "cpp": "c++ cc cpp cu cuh cxx h++ hh hpp hxx inl ino ipp tcc tpp",
    "css": "css",
    "go": "go",
    "html": "htm html xhtml",
    "java": "java",
    "javascript": "cjs js jsx mjs",
    "json": "geojson json jsonc webmanifest",
    "markdown": "markdown md mdown mdx",
    "php": "inc php phtml",
    "python": "py pyi pyw",
    "ruby": "gemspec rake rb ru",
    "rust": "rs",
    "sql": "ddl sql",
    "toml": "toml",
    "tsx": "tsx",
    "typescript": "cts mts ts",
    "yaml": "yaml yml",
}
_NAMES = {
    "bash": ".bash_profile .bashrc .profile .zshrc PKGBUILD",
    "json": ".babelrc .eslintrc .prettierrc composer.lock",
    "python": "BUILD BUILD.bazel SConscript SConstruct wscript",
    "ruby": "Gemfile Podfile Rakefile Vagrantfile",
    "toml": "Cargo.lock Pipfile poetry.lock uv.lock",
    "yaml": ".clang-format .clang-tidy",
}
_INTERPRETERS = {
    "bash": "bash dash ksh sh zsh",
    "javascript": "deno node",
    "php": "php",
    "python": "pypy python",
    "ruby": "ruby",
}


def _turned(table: dict[str, str]) -> dict[str, str]:
    return {word: language for language, words in table.items() for word in words.split()}


_BY_SUFFIX = _turned(_SUFFIXES)
_BY_NAME = _turned(_NAMES)
_BY_INTERPRETER = _turned(_INTERPRETERS)
_SHEBANG = re.compile(rb"#!\s*\S*?/?(?:env\s+(?:-\S+\s+)*)?([a-z]+)[0-9.]*(?:\s|$)")
# C and C++ share the ending of headers, so the content decides.
_HEADER = "h"
_ONLY_IN_CPP = re.compile(
    rb"^[ \t]*(?:class\s+\w+[^;]*$|namespace\b|template\s*<|using\s+\w|(?:public|private):)",
    re.MULTILINE,
)
_HEAD_BYTES = 20_000


def language_of(path: str, content: bytes) -> str | None:
    """Return the language of a file, or None for plain text and unsupported languages."""
    name = path.rpartition("/")[2]
    if name in _BY_NAME:
        return _BY_NAME[name]
    stem, dot, suffix = name.rpartition(".")
    if dot and stem:
        suffix = suffix.lower()
        if suffix == _HEADER:
            return "cpp" if _ONLY_IN_CPP.search(content, 0, _HEAD_BYTES) else "c"
        return _BY_SUFFIX.get(suffix)
    shebang = _SHEBANG.match(content)
    return None if shebang is None else _BY_INTERPRETER.get(shebang[1].decode("ascii"))


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
