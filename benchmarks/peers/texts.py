"""Real English about software from every Python: the docstrings of the standard library."""

from __future__ import annotations

import ast
import random
import re
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

from holdfast.domain.gates.secrets import find_secrets

_FEWEST_WORDS = 12
_MOST_WORDS = 50
_SECOND_WORDS = 14
_GROUPS = 100
_LEFT_OUT = {"site-packages", "test", "tests", "idle_test"}
_WORD = re.compile(r"[A-Za-z][A-Za-z_]{2,}")
_PLAIN_WORDS = (
    "the and for that with this from are not you can will when which have has its was any all but"
    " into than then there their what how does why where who one two may must should would"
)
_PLAIN = frozenset(_PLAIN_WORDS.split())


def paragraphs(most: int, *, seed: int = 7) -> list[str]:
    """Return distinct paragraphs of the standard library's docstrings, fixed for one Python."""
    found: dict[str, None] = {}
    chance, root = random.Random(seed), Path(sysconfig.get_paths()["stdlib"])
    paths = sorted(path for path in root.rglob("*.py") if not _LEFT_OUT & set(path.parts))
    chance.shuffle(paths)
    for path in paths:
        for text in _docstrings(path):
            found.update(dict.fromkeys(piece for piece in _pieces(text) if not find_secrets(piece)))
        if len(found) >= most:
            break
    texts = list(found)[:most]
    chance.shuffle(texts)
    return texts


def _docstrings(path: Path) -> Iterator[str]:
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, UnicodeDecodeError):
        return  # files with an old encoding or an error on purpose
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield text


def _pieces(text: str) -> Iterator[str]:
    for paragraph in text.split("\n\n"):
        words = paragraph.split()
        if len(words) >= _FEWEST_WORDS and ">>>" not in words:
            yield " ".join(words[:_MOST_WORDS])


def mixed(first: str, second: str, number: int) -> str:
    """Return a text that is mostly about one topic and a little about another."""
    more = " ".join(second.split()[:_SECOND_WORDS])
    return f"{first} {more} Noted as item {number}."


def group_of(number: int) -> str:
    """Return the group of a text: each group has one text in a hundred."""
    return f"group{(number * 61) % _GROUPS:02d}"


def question_about(text: str, chance: random.Random) -> str:
    """Return a question of six to ten words about a text, half of them common words."""
    words = list(dict.fromkeys(_WORD.findall(text)))
    telling = [word for word in words if word.lower() not in _PLAIN] or words
    many = chance.randint(3, 5)
    plain: Sequence[str] = chance.sample(sorted(_PLAIN), many)
    return " ".join([*plain, *chance.sample(telling, min(many, len(telling)))])
