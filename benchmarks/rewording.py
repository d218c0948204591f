"""Rules that reword a question and keep what it asks for."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

Rule = Callable[[str], str]

_WORD = re.compile(r"[A-Za-z]+")
_LONG_ENOUGH = 5
_TYPO_IN = 6
_SYNONYMS = {
    "about": "regarding",
    "add": "insert",
    "begin": "start",
    "big": "large",
    "buy": "purchase",
    "change": "alter",
    "check": "verify",
    "child": "kid",
    "choose": "pick",
    "create": "make",
    "current": "present",
    "decide": "settle",
    "decided": "settled",
    "delete": "remove",
    "difficult": "hard",
    "error": "failure",
    "explain": "describe",
    "fast": "quick",
    "find": "locate",
    "fix": "repair",
    "get": "obtain",
    "give": "hand",
    "happy": "glad",
    "help": "assist",
    "important": "relevant",
    "job": "work",
    "keep": "retain",
    "like": "enjoy",
    "likes": "enjoys",
    "list": "enumerate",
    "make": "create",
    "method": "approach",
    "movie": "film",
    "need": "require",
    "needs": "requires",
    "often": "frequently",
    "plan": "scheme",
    "problem": "issue",
    "recommend": "suggest",
    "remove": "delete",
    "show": "display",
    "start": "begin",
    "started": "began",
    "suggest": "recommend",
    "talk": "speak",
    "trip": "journey",
    "use": "employ",
    "uses": "employs",
    "using": "with",
    "want": "wish",
    "write": "compose",
}


def as_imperative(text: str) -> str:
    """Turn a question into a request."""
    asked = text.rstrip().rstrip("?").rstrip()
    return f"Tell me {asked[:1].lower()}{asked[1:]}." if text.rstrip().endswith("?") else text


def as_question(text: str) -> str:
    """Add a question to a text that ends with none."""
    stripped = text.rstrip()
    return stripped if stripped.endswith("?") else f"{stripped} What do we know about this?"


def in_lower_case(text: str) -> str:
    """Write everything in lower case, without the last mark."""
    return text.casefold().rstrip().rstrip("?.!")


def with_synonyms(text: str) -> str:
    """Replace common words with others of the same meaning."""

    def other(found: re.Match[str]) -> str:
        word = found[0]
        new = _SYNONYMS.get(word.casefold(), word)
        return new.capitalize() if word[0].isupper() and new is not word else new

    return _WORD.sub(other, text)


def with_typos(text: str) -> str:
    """Swap two letters in the middle of about every sixth long word; the same ones each time."""
    chance = random.Random(text)

    def slipped(found: re.Match[str]) -> str:
        word = found[0]
        if len(word) < _LONG_ENOUGH or chance.randrange(_TYPO_IN):
            return word
        at = chance.randrange(1, len(word) - 2)
        return f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}"

    return _WORD.sub(slipped, text)


def turned_round(text: str) -> str:
    """Put the last clause or sentence first."""
    end = text.rstrip()[-1:]
    body = text.rstrip().rstrip(".?!")
    for mark in (". ", ", "):
        head, found, tail = body.rpartition(mark)
        if found:
            return f"{tail[:1].upper()}{tail[1:]}{mark}{head[:1].lower()}{head[1:]}{end}"
    return text


FORMS: dict[str, Rule] = {
    "imperative": as_imperative,
    "question": as_question,
    "lower": in_lower_case,
    "synonyms": with_synonyms,
    "typos": with_typos,
    "turned": turned_round,
}
