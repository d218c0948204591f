"""Random files as people write them: functions, boilerplate, copies, blank lines."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import count

from torture.git_lines import Line, Page

SIDES = 3
_NOUN_WORDS = (
    "account batch buffer cache client cursor digest event filter frame gauge handle header"
    " index invoice journal kernel ledger lock marker message meter node order packet parcel"
    " path payload policy queue ratio record region route sample schema segment session signal"
    " slice socket stream table tenant ticket token trace user vector window worker zone"
)
_VERB_WORDS = (
    "apply build check close collect decode drain encode expand fetch flush format join load"
    " measure merge open parse plan prune publish read refresh release render repair resolve"
    " retry rotate scan seal send sort split store sync trim update verify walk write"
)
_NOUNS, _VERBS = _NOUN_WORDS.split(), _VERB_WORDS.split()
_FILES = (".py", ".py", ".py", ".js", ".js", ".go", ".go", ".md", ".md", ".txt")
_ROOTS = {
    ".py": ("src", "src/core", "tests"),
    ".js": ("web", "web/parts"),
    ".go": ("pkg", "pkg/inner"),
    ".md": ("docs",),
    ".txt": ("data", "data/lists"),
}
# Always included: files with other line ends, a byte order mark, or unusual names.
_PLAIN = Page(())
_ODD_FILES = {
    "src/windows.py": Page((), end="\r\n"),
    "src/signed.py": Page((), has_bom=True),
    "docs/Überblick und Maße.md": _PLAIN,
    "data/plain notes.txt": Page((), is_open=True),
    "web/façade.js": Page((), end="\r\n"),
}
_HEADERS: dict[str, tuple[str, ...]] = {
    ".py": ("# Licensed under the same terms as the project.", "", "import os", "import sys", ""),
    ".js": ('"use strict";', "", 'const fs = require("fs");', ""),
    ".go": ("package main", "", "import (", '\t"errors"', '\t"fmt"', ")", ""),
    ".md": ("<!-- one sentence per line -->", ""),
    ".txt": ("# name = value", ""),
}


@dataclass(slots=True)
class Author:
    """Writes random text; every line gets its own identity."""

    chance: random.Random
    _lines: count[int] = field(default_factory=lambda: count(1))
    _blocks: count[int] = field(default_factory=lambda: count(1))

    def project(self) -> dict[str, Page]:
        """Return the files of a small project."""
        pages: dict[str, Page] = {}
        for path, style in _ODD_FILES.items():
            pages[path] = replace(style, lines=self._content(path, pages))
        while len(pages) < self.chance.randint(10, 22):
            ending = self.chance.choice(_FILES)
            folder = self.chance.choice(_ROOTS[ending])
            path = f"{folder}/{self.chance.choice(_NOUNS)}{ending}"
            pages[path] = replace(_PLAIN, lines=self._content(path, pages))
        return pages

    def block(self, path: str, side: int | None = None) -> tuple[Line, ...]:
        """Return a new block for a file: a function, a section, some settings."""
        texts = _WRITERS[path[path.rindex(".") :]](self.chance)
        return self.lines(texts, self._number(side))

    def copy(self, lines: Iterable[Line], side: int | None = None) -> tuple[Line, ...]:
        """Return new lines with the same texts."""
        return self.lines([line.text for line in lines], self._number(side))

    def lines(self, texts: Iterable[str], block: int) -> tuple[Line, ...]:
        """Return new lines of a block."""
        return tuple(Line(next(self._lines), block, text) for text in texts)

    def statement(self, path: str) -> str:
        """Return one more line for a function or a section of a file."""
        ending = path[path.rindex(".") :]
        if ending in {".md", ".txt"}:
            return _sentence(self.chance)
        return _indent(ending) + _statement(self.chance, ending)

    def other(self, text: str) -> str:
        """Return a slightly changed text of a line."""
        words = text.split(" ")
        for index in self.chance.sample(range(len(words)), len(words)):
            if words[index].strip():
                words[index] += f"_{self.chance.choice(_NOUNS)}"
                return " ".join(words)
        return f"{text}{self.chance.choice(_NOUNS)}"

    def _content(self, path: str, others: dict[str, Page]) -> tuple[Line, ...]:
        ending = path[path.rindex(".") :]
        lines = list(self.lines(_HEADERS[ending], self._number(None)))
        alike = [page for other, page in others.items() if other.endswith(ending)]
        for _ in range(self.chance.randint(3, 7)):
            if alike and self.chance.random() < 0.15:
                lines += self.copy(self.chance.choice(self.chance.choice(alike).blocks()[1:]))
            else:
                lines += self.block(path)
        if self.chance.random() < 0.2:
            lines += self.copy(self.chance.choice(Page(tuple(lines)).blocks()[1:]))
        return tuple(lines)

    def _number(self, side: int | None) -> int:
        while True:
            number = next(self._blocks)
            if side is None or number % SIDES == side:
                return number


def author(seed: str, *, first: int = 1) -> Author:
    """Return an author that is deterministic for a seed; identities start at ``first``."""
    return Author(random.Random(seed), count(first), count(first))


def word(chance: random.Random) -> str:
    """Return a random, unused word."""
    return "".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in range(5))


def claim(chance: random.Random) -> str:
    """Return a random, distinct claim; its first word finds it."""
    words = [word(chance) for _ in range(6)]
    return f"{words[0].capitalize()} {chance.choice(_VERBS)}s the {' '.join(words[1:])}."


def _names(chance: random.Random) -> tuple[str, str, str]:
    first, second, third = chance.sample(_NOUNS, 3)
    return first, second, third


def _statement(chance: random.Random, ending: str) -> str:
    one, two, three = _names(chance)
    verb, number = chance.choice(_VERBS), chance.randint(1, 99)
    if ending == ".py":
        return chance.choice(
            [
                f"{one} = {verb}_{two}({three})",
                f"{one} += {number}",
                "continue" if chance.random() < 0.3 else f"{one}.append({two})",
                f'log.debug("{verb} {two}")',
                "pass",
            ]
        )
    ends = ";" if ending == ".js" else ""
    return chance.choice(
        [
            f"{one} = {verb}({two}, {three}){ends}",
            f"{one} += {number}{ends}",
            f"{verb}({one}){ends}",
            f"log({one}){ends}",
        ]
    )


def _indent(ending: str) -> str:
    return {".py": "    ", ".js": "  ", ".go": "\t"}[ending]


def _python(chance: random.Random) -> list[str]:
    one, two, three = _names(chance)
    verb = chance.choice(_VERBS)
    body = [f"        {_statement(chance, '.py')}" for _ in range(chance.randint(1, 4))]
    return [
        f"def {verb}_{one}({two}, {three}=None):",
        f'    """{verb.capitalize()} the {one}."""',
        f"    if not {two}:",
        "        return None",
        f"    {three} = {three} or {chance.randint(1, 9)}",
        f"    for item in {two}:",
        *body,
        f"        {three} += {verb}(item)",
        chance.choice(["    return None", f"    return {three}"]),
        "",
        "",
    ]


def _javascript(chance: random.Random) -> list[str]:
    one, two, three = _names(chance)
    verb = chance.choice(_VERBS)
    body = [f"    {_statement(chance, '.js')}" for _ in range(chance.randint(1, 4))]
    return [
        f"function {verb}{one.capitalize()}({two}, {three}) {{",
        f"  if (!{two}) {{",
        "    return null;",
        "  }",
        f"  for (const item of {two}) {{",
        *body,
        "  }",
        chance.choice(["  return null;", f"  return {three};"]),
        "}",
        "",
    ]


def _go(chance: random.Random) -> list[str]:
    one, two, three = _names(chance)
    verb = chance.choice(_VERBS)
    body = [f"\t\t{_statement(chance, '.go')}" for _ in range(chance.randint(1, 4))]
    return [
        f"// {verb.capitalize()}{one.capitalize()} {verb}s the {one}.",
        f"func {verb.capitalize()}{one.capitalize()}({two} []int, {three} int) error {{",
        f"\tif {two} == nil {{",
        '\t\treturn errors.New("empty")',
        "\t}",
        f"\tfor _, item := range {two} {{",
        *body,
        "\t}",
        "\treturn nil",
        "}",
        "",
    ]


def _sentence(chance: random.Random) -> str:
    one, two, three = _names(chance)
    return f"To {chance.choice(_VERBS)} the {one}, {chance.choice(_VERBS)} the {two} {three}."


def _markdown(chance: random.Random) -> list[str]:
    lines = [f"## {chance.choice(_VERBS).capitalize()} the {chance.choice(_NOUNS)}", ""]
    lines += [_sentence(chance) for _ in range(chance.randint(2, 5))]
    lines += ["", "```sh", f"make {chance.choice(_VERBS)}", "```", ""]
    return lines


def _plain(chance: random.Random) -> list[str]:
    names = chance.sample(_NOUNS, chance.randint(4, 8))
    values = ["on", "off", "1", "2", "none"]
    return [f"[{names[0]}]", *(f"{name} = {chance.choice(values)}" for name in names[1:]), "---"]


_WRITERS: dict[str, Callable[[random.Random], list[str]]] = {
    ".py": _python,
    ".js": _javascript,
    ".go": _go,
    ".md": _markdown,
    ".txt": _plain,
}
