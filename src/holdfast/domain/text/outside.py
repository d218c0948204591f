"""Text that others chose, in a form that is safe outside a fence.

A fence marks quoted text as data. Notes, errors and reasons are outside every fence, so that a
reader takes them for words of the program. Names of branches and files, and the messages of other
programs, may be chosen by whoever wrote the repository.
"""

from __future__ import annotations

import re

_LONGEST_NAME = 48
_LONGEST_WORDS = 400
_LONGEST_WORD = 400
_KEPT_OF_A_WORD = 200
_ENDLESS = re.compile(rf"\S{{{_LONGEST_WORD + 1},}}")
_MOST_PARTS = 6
"""A name of more parts may read like a sentence."""
_PLAIN_NAME = re.compile(rf"[A-Za-z0-9._/@#+=-]{{1,{_LONGEST_NAME}}}")
_BETWEEN_PARTS = re.compile(r"[._/@#+=-]+")
_GAP = re.compile(r"[\n\r\t ]+")
_NAME_MARKS = frozenset("._/@#+=-")
_UNSAFE = "?"
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that count as letters or symbols, although nothing is drawn."""


def name_outside(name: str) -> str:
    """Return a name; one that could be read as prose is shortened, cleaned and quoted."""
    if _PLAIN_NAME.fullmatch(name) and len(_BETWEEN_PARTS.split(name)) <= _MOST_PARTS:
        return name
    safe = "".join(
        one if (one.isalnum() and one not in _BLANK) or one in _NAME_MARKS else _UNSAFE
        for one in name
    )
    short = safe if len(safe) <= _LONGEST_NAME else f"{safe[: _LONGEST_NAME - 1]}…"
    return f"'{short}'"


def words_outside(words: str, *, most: int = _LONGEST_WORDS) -> str:
    """Return a sentence on one line, without odd spaces and hidden characters, and not too long.

    An odd space would let a name, which cannot contain a plain one, read as several words.
    """
    line = " ".join([part for part in _GAP.split(words) if part])
    safe = line
    if not line.isprintable() or not _BLANK.isdisjoint(line):
        safe = "".join(one if one.isprintable() and one not in _BLANK else _UNSAFE for one in line)
    return safe if len(safe) <= most else f"{safe[: most - 1]}…"


def shorten_words(text: str) -> str:
    """Return a text in which no word is endless: a path may be, and would bury the sentence."""
    if len(text) <= _LONGEST_WORD:
        return text
    return _ENDLESS.sub(lambda word: f"{word[0][:_KEPT_OF_A_WORD]}…", text)
