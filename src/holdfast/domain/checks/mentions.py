"""Where a manifest mentions a package outside the tables that list packages.

A manifest has many places that can bring a package in: settings of tools, addresses of archives,
other files. A name there proves nothing, but a check must not be said to hold.
"""

from __future__ import annotations

import json
import posixpath
import re
import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_RUNS = re.compile(r"[-_.]+")
_SCOPED = re.compile(r"(?<![\w./-])@[\w.-]+/[\w.-]+")
_BEFORE = r"(?<![A-Za-z0-9_-])(?<![A-Za-z0-9]\.)"
# The end of the name, an address of a repository, or the version in the name of an archive.
_AFTER = r"(?=\.git\b|-\d|\.?(?![A-Za-z0-9_.-]))"
_INCLUDED = re.compile(r"(?:-r|-{2}requirement)(?:\s*=\s*|\s*)(.+)")
_ABOUT = frozenset(
    {"name", "description", "keywords", "classifiers", "authors", "author", "maintainers", "urls"}
)
_OWN = ((), ("project",), ("package",), ("tool", "poetry"))


def words_of(path: str, text: str) -> str:
    """Return every key and text of a manifest in lines of their own, without comments.

    Raises:
        ValueError: The manifest cannot be read.
    """
    try:
        return "\n".join(_strings(path, text))
    except RecursionError:
        raise ValueError from None


def mentions(words: str, name: str) -> bool:
    """Tell whether the words of a manifest contain a package's name as a whole word."""
    plain = words if "/" in name else _SCOPED.sub(" ", words)
    return re.search(_BEFORE + _spelled(name) + _AFTER, plain, re.IGNORECASE) is not None


def included(text: str) -> Iterator[str]:
    """Return the files that a list of requirements includes, as they are written."""
    for line in requirement_lines(text):
        if found := _INCLUDED.match(line):
            yield found[1].strip().strip("\"'")


def requirement_lines(text: str) -> Iterator[str]:
    """Return the lines of a list of requirements without comments; a backslash joins two."""
    for line in text.replace("\\\n", "").splitlines():
        plain = re.split(r"(?:^|\s)#", line, maxsplit=1)[0].strip()
        if plain:
            yield plain


def leaves_open(path: str, text: str) -> bool:
    """Tell whether a pyproject.toml leaves its dependencies to a build tool.

    Raises:
        ValueError: The manifest cannot be read.
    """
    if posixpath.basename(path) != "pyproject.toml":
        return False
    project = tomllib.loads(text).get("project")
    dynamic = project.get("dynamic") if isinstance(project, dict) else None
    asked = {"dependencies", "optional-dependencies"}
    return isinstance(dynamic, list) and any(one in asked for one in dynamic)


def json_document(text: str) -> object:
    """Return what a JSON file contains.

    Raises:
        ValueError: It is no JSON, or has a key twice: readers differ in which one counts.
    """
    return json.loads(text, object_pairs_hook=_without_repeats)


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _spelled(name: str) -> str:
    if "/" in name:
        return re.escape(name)
    return r"[-_.]+".join(re.escape(part) for part in _RUNS.split(name))


def _strings(path: str, text: str) -> Iterator[str]:
    kind = posixpath.basename(path)
    if kind.endswith(".toml"):
        return _within(tomllib.loads(text), ())
    if kind.endswith(".json"):
        return _within(json_document(text), ())
    if kind == "go.mod":
        return (line.partition("//")[0] for line in text.splitlines())
    return requirement_lines(text)


def _within(whole: object, start: tuple[str, ...]) -> Iterator[str]:
    """Return every key and text of a document but those that only describe the project."""
    pending: list[tuple[object, tuple[str, ...]]] = [(whole, start)]
    while pending:
        value, place = pending.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            pending += [(one, (*place[:3], "")) for one in value]
        elif isinstance(value, Mapping):
            for key, inner in value.items():
                if not (key in _ABOUT and place in _OWN):
                    yield key
                    pending.append((inner, (*place[:3], key)))
