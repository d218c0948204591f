"""Removes Markdown's markup from a line of prose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


# A code span ends at a run of as many backticks as it began with.
_CODE = re.compile(r"(?<!`)(`{1,8})(?!`)(.{1,2000}?)(?<!`)\1(?!`)", re.DOTALL)
_TASK = re.compile(r"\s*\[[ xX]\]\s+")
_BLANK = re.compile(r"\s+")
# The length is bounded, so that a hostile page is not slow. A slash beside the stars is a glob.
_STARS = re.compile(
    r"(?<![A-Za-z0-9*\\/])(\*{2,3})(?=[^\s*/])"
    r"((?:(?!\*\*).){0,299}[^\s*\\/])\1(?![A-Za-z0-9*])"
)
_UNDERSCORES = re.compile(
    r"(?<![\w\\/.])(_{1,3})(?=[^\s_])((?:(?!__|\W_).){0,299}?[^\s_\\])\1(?![\w(\[=/]|\.\w)"
)
# A single word between underscores is an identifier such as `__slots__` or `_missing_`, unless it
# looks like prose: with a capital, or one of the words that rules emphasise.
_ONE_WORD = re.compile(r"[A-Za-z0-9_]+")
_STRESSED = re.compile(
    r"[A-Z][a-z]+|(?i:must|never|always|only|not|required|important|note|warning|caution)"
)


def plain(text: str) -> str:
    """Return a text on one line, without emphasis and without a task checkbox.

    Code spans keep every character; a line break in one becomes a space, as in rendered Markdown.
    """
    task = _TASK.match(text)
    words = outside_code(text[task.end() :] if task else text, lambda part: _BLANK.sub(" ", part))
    for emphasis in (_STARS, _UNDERSCORES):
        words = _without(emphasis, words)
    return words.replace("\n", " ").strip()


def is_task(text: str) -> bool:
    """Return whether a bullet begins with the box of a task, ticked or not."""
    return _TASK.match(text) is not None


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Return a text with a function applied to everything except code spans."""
    return "".join(part if is_code else change(part) for part, is_code in _parts(text))


def masked(text: str) -> str:
    """Return a text of the same length in which code spans hold no prose punctuation."""
    return "".join("`" * len(part) if is_code else part for part, is_code in _parts(text))


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    done = 0
    for span in _CODE.finditer(text):
        yield text[done : span.start()], False
        yield span[0], True
        done = span.end()
    yield text[done:], False


def _without(emphasis: re.Pattern[str], text: str) -> str:
    """Return a text without the markers of one kind of emphasis around prose."""
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
