"""Other wordings of a question, for training: what it asks for stays the same.

The benchmark of robustness has rules and words of its own; only lower case is common to both.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    Rule = Callable[[str, Random], str]

_WORD = re.compile(r"[A-Za-z]+")
_LEAST, _ONE_IN = 4, 5
_OTHER = {
    "town": "city", "city": "town", "car": "vehicle", "house": "home", "photo": "picture",
    "picture": "photo", "kids": "children", "children": "kids", "mom": "mother", "dad": "father",
    "doctor": "physician", "gift": "present", "weekend": "Saturday and Sunday",
    "favorite": "preferred", "hobby": "pastime", "hobbies": "pastimes", "pet": "animal",
    "friend": "buddy", "friends": "buddies", "college": "university", "company": "firm",
    "born": "brought into the world", "located": "situated", "wife": "spouse",
    "husband": "spouse", "author": "writer", "film": "motion picture", "song": "track",
    "convert": "turn", "string": "text", "return": "give back", "count": "number of",
    "array": "list", "folder": "directory", "directory": "folder", "function": "routine",
    "bug": "defect", "test": "check", "meeting": "session", "mention": "bring up",
    "mentioned": "brought up", "discuss": "talk over", "discussed": "talked over",
    "visit": "go to", "visited": "went to", "during": "in the course of",
}  # fmt: skip
_ASKED = {
    "when": "at what time", "where": "in which place", "why": "for what reason",
    "how many": "what number of", "who": "which person",
}  # fmt: skip
_WISHES = (
    "I would like to know {asked}",
    "Can you remind me {asked}?",
    "Do you remember {asked}?",
    "Please look up {asked}",
    "I forgot {asked}",
)
_ENDS = ("Any idea?", "Can you look that up?", "What was that again?", "Where is that?")
_PLACED = re.compile(r"^(\w.*\S) ((?:in|on|at|during|after|before|with|for|from) [^,?.]{3,40})\?$")
_KEYS = dict(zip("qwertyuiopasdfghjklzxcvbnm", "wertyuiooosdfghjkkkxcvbnnn", strict=True))


def reworded(text: str, chance: Random) -> str:
    """Return the question in other words, by one or two rules."""
    for rule in chance.sample(_RULES, chance.choice((1, 1, 2))):
        text = rule(text, chance)
    return text


def _small(text: str, _: Random) -> str:
    return re.sub(r"[?.!,']", "", text.lower())


def _wished(text: str, chance: Random) -> str:
    asked = text.strip().rstrip("?. ")
    return chance.choice(_WISHES).format(asked=asked[:1].lower() + asked[1:])


def _followed(text: str, chance: Random) -> str:
    return f"{text.strip().rstrip('?')}. {chance.choice(_ENDS)}"


def _in_other_words(text: str, _: Random) -> str:
    first, _space, rest = text.partition(" ")
    if first.lower() in _ASKED:
        text = f"{_ASKED[first.lower()].capitalize()} {rest}"
    return _WORD.sub(lambda found: _OTHER.get(found[0].lower(), found[0]), text)


def _slipped(text: str, chance: Random) -> str:
    """Drop a letter, double it, or hit the key beside it, in about every fifth long word."""

    def slip(found: re.Match[str]) -> str:
        word = found[0]
        if len(word) < _LEAST or chance.randrange(_ONE_IN):
            return word
        at = chance.randrange(1, len(word))
        new = chance.choice(("", word[at] * 2, _KEYS.get(word[at], word[at])))
        return word[:at] + new + word[at + 1 :]

    return _WORD.sub(slip, text)


def _placed_first(text: str, _: Random) -> str:
    """Put the last adverbial first: in May, what did she do."""
    found = _PLACED.match(text.strip())
    if found is None:
        return text
    asked, where = found.groups()
    return f"{where[0].upper()}{where[1:]}, {asked[0].lower()}{asked[1:]}?"


_RULES: tuple[Rule, ...] = (_small, _wished, _followed, _in_other_words, _slipped, _placed_first)
