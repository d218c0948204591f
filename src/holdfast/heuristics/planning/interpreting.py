"""Interprets an intent: its title, the sort of work, and the parts that it lists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST_TITLE = 120
_MOST_PARTS = 50
_FEWEST_PARTS = 2
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_NUMBERED = re.compile(r"^\s*\d{1,3}[.)]\s")
_THEN = re.compile(r"\s*;\s+(?:and\s+)?(?:then\s+)?|\s*,?\s+(?:and\s+)?then\s+", re.IGNORECASE)
# "a, b, and c": only the comma before the last part tells a list of parts from a list of words.
_LIST = re.compile(r",\s+(?:and\s+)?")
_LAST = re.compile(r",\s+and\s", re.IGNORECASE)
_FEWEST_WORDS = 2
_SENTENCE = re.compile(r"[.!?]\s+(?=[^\W\d_])(?![a-z])")
_SORTS = (
    ("release", r"release|ship|publish|cut"),
    ("fix", r"fix|repair|debug|solve|stop"),
    ("change", r"refactor|migrate|rename|move|upgrade|replace|split|speed|update|change|improve"),
    ("remove", r"remove|delete|drop|retire"),
    ("write", r"document|describe|write|explain"),
    ("build", r"add|build|implement|create|make|support|introduce|design"),
)
_PATTERNS = tuple((sort, re.compile(rf"^(?:{words})\b", re.IGNORECASE)) for sort, words in _SORTS)


def interpret(inputs: Mapping[str, object]) -> dict[str, object]:
    """Return the interpretation of an intent."""
    intent = str(inputs.get("intent", ""))
    lines = [line for line in intent.splitlines() if line.strip()]
    bullets = [line for line in lines if _BULLET.match(line)]
    plain = [line.strip() for line in lines if not _BULLET.match(line)]
    first = plain[0] if plain else " ".join(intent.split())
    if len(bullets) >= _FEWEST_PARTS:
        parts = [_BULLET.sub("", line).strip() for line in bullets]
        in_order = all(_NUMBERED.match(line) for line in bullets)
    else:
        first, parts, in_order = _in_line(" ".join(first.split()))
    title = _title(first.rstrip(":"))
    return {
        "title": title,
        "sort": next((sort for sort, words in _PATTERNS if words.match(title)), "other"),
        "parts": [_title(part) for part in parts if part][:_MOST_PARTS],
        "in_order": in_order and bool(parts),
    }


def _in_line(line: str) -> tuple[str, list[str], bool]:
    """Return what an intent of one line is about, its parts, and whether they are in order."""
    head, colon, rest = line.partition(": ")
    if colon and not _THEN.search(rest):
        if parts := _clauses(rest):
            return head, parts, False
        rest = ""
    listed = rest or line
    parts = [one.strip(" .") for one in _THEN.split(listed)]
    if len(parts) < _FEWEST_PARTS:
        return _SENTENCE.split(line)[0], [], False
    in_order = bool(re.search(r"\bthen\b", listed, re.IGNORECASE))
    return head if rest else line, parts, in_order


def _clauses(text: str) -> list[str]:
    """Return the parts of a list of clauses; nothing if it is a list of words."""
    parts = [one.strip(" .") for one in _LIST.split(text)]
    is_list = _LAST.search(text) and all(len(one.split()) >= _FEWEST_WORDS for one in parts)
    return parts if is_list else []


def _title(text: str) -> str:
    """Return the first words of a text that fit into a title."""
    words = " ".join(text.split())
    if len(words) <= _LONGEST_TITLE:
        return words or "work"
    return f"{words[:_LONGEST_TITLE].rsplit(' ', 1)[0]} …"
