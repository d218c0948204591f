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
        head, colon, rest = first.partition(": ")
        listed = rest if colon and _THEN.search(rest) else first
        parts = [one.strip(" .") for one in _THEN.split(listed)]
        in_order = bool(re.search(r"\bthen\b", listed, re.IGNORECASE))
        parts = parts if len(parts) >= _FEWEST_PARTS else []
        first = head if parts and listed is rest else first
    title = _title(first.rstrip(":"))
    return {
        "title": title,
        "sort": next((sort for sort, words in _PATTERNS if words.match(title)), "other"),
        "parts": [_title(part) for part in parts if part][:_MOST_PARTS],
        "in_order": in_order and bool(parts),
    }


def _title(text: str) -> str:
    """Return the first words of a text that fit into a title."""
    words = " ".join(text.split())
    if len(words) <= _LONGEST_TITLE:
        return words or "work"
    return f"{words[:_LONGEST_TITLE].rsplit(' ', 1)[0]} …"
