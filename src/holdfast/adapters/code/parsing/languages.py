"""Detects the language of a file from its name or its first line."""

from __future__ import annotations

import re

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
