"""Remove invisible characters from a text, and report which ones.

An agent reads every code point; a person sees only the visible ones. Invisible text could carry
orders past a review, so only visible text is stored.
"""

from __future__ import annotations

from collections import Counter

from holdfast.domain.gates.unseen import code_of, is_plain, judged
from holdfast.domain.values import dataclass

_LINE_ENDS = "\u2028\u2029"
_FIRST_SURROGATE, _LAST_SURROGATE = "\ud800", "\udfff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """A code point that was removed, and how often it occurred."""

    code_point: int
    name: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleText:
    """The visible text, and what was removed from it."""

    text: str
    removed: tuple[Removed, ...]


def make_visible(text: str) -> VisibleText:
    """Remove every invisible code point. A second call would change nothing."""
    if is_plain(text):
        return VisibleText(text=text, removed=())
    hidden = Counter({end: text.count(end) for end in _LINE_ENDS if end in text})
    kept = []
    for character, is_hidden in judged(_with_plain_line_ends(text)):
        if is_hidden:
            hidden[character] += 1
        else:
            kept.append(character)
    return VisibleText(text="".join(kept), removed=_named(hidden))


def hidden_in(*texts: str | None) -> tuple[Removed, ...]:
    """Return the invisible code points of texts together."""
    return make_visible("\n".join(filter(None, texts))).removed


def storable_problem(text: str) -> str | None:
    """Return why the text cannot be stored as it is, or None if it can."""
    if "\0" in text:
        return "It contains a NUL character."
    if text.isascii():
        return None
    for character in text:
        if _FIRST_SURROGATE <= character <= _LAST_SURROGATE:
            return (
                f"It contains half of a surrogate pair ({code_of(character)}), which is not text."
            )
    return None


def _with_plain_line_ends(text: str) -> str:
    for line_end in ("\r\n", "\r", *_LINE_ENDS):
        text = text.replace(line_end, "\n")
    return text


def _named(hidden: Counter[str]) -> tuple[Removed, ...]:
    from unicodedata import name

    return tuple(
        Removed(code_point=ord(character), name=name(character, code_of(character)), count=count)
        for character, count in sorted(hidden.items())
    )
