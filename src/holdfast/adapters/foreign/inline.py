"""Inline Markdown as plain text: emphasis goes, code spans and identifiers stay as they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# A code span ends at a run of as many backticks as began it.
_CODE = re.compile(r"(?<!`)(`{1,8})(?!`)(.{1,2000}?)(?<!`)\1(?!`)", re.DOTALL)
_TASK = re.compile(r"\s*\[[ xX]\]\s+")
_BLANK = re.compile(r"\s+")
# Bounded, so that a page made to be slow is not. A slash beside the stars makes a glob.
_STARS = re.compile(
    r"(?<![A-Za-z0-9*\\/])(\*{2,3})(?=[^\s*/])"
    r"((?:(?!\*\*).){0,299}[^\s*\\/])\1(?![A-Za-z0-9*])"
)
_UNDERSCORES = re.compile(
    r"(?<![\w\\/.])(_{1,3})(?=[^\s_])((?:(?!__|\W_).){0,299}?[^\s_\\])\1(?![\w(\[=/]|\.\w)"
)
# A single word between underscores is an identifier such as `__slots__` or `_missing_`, unless
# it is written as prose: with a capital, or one of the words that rules stress.
_ONE_WORD = re.compile(r"[A-Za-z0-9_]+")
_STRESSED = re.compile(
    r"[A-Z][a-z]+|(?i:must|never|always|only|not|required|important|note|warning|caution)"
)


def plain(text: str) -> str:
    """Return a text on one line, without emphasis and without a task's box.

    Code spans keep every character; a line break in one becomes a space, as Markdown shows it.
    """
    task = _TASK.match(text)
    words = outside_code(text[task.end() :] if task else text, lambda part: _BLANK.sub(" ", part))
    for emphasis in (_STARS, _UNDERSCORES):
        words = _without(emphasis, words)
    return words.replace("\n", " ").strip()


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Return a text with everything changed but its code spans."""
    return "".join(part if is_code else change(part) for part, is_code in _parts(text))


def masked(text: str) -> str:
    """Return a text of the same length whose code spans hold no sign of prose."""
    return "".join("`" * len(part) if is_code else part for part, is_code in _parts(text))


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    done = 0
    for span in _CODE.finditer(text):
        yield text[done : span.start()], False
        yield span[0], True
        done = span.end()
    yield text[done:], False


def _without(emphasis: re.Pattern[str], text: str) -> str:
    """Return a text without the marks of one sort of emphasis, wherever they stand around prose."""
    kept: list[str] = []
    done = 0
    for found in emphasis.finditer(masked(text)):
        if found[1].startswith("_") and _is_identifier(found[2]):
            continue
        kept += [text[done : found.start()], text[found.start(2) : found.end(2)]]
        done = found.end()
    return "".join([*kept, text[done:]])


def _is_identifier(words: str) -> bool:
    return bool(_ONE_WORD.fullmatch(words)) and not _STRESSED.fullmatch(words)
