"""Labels before a claim: ``Port: 8080`` gives a value, ``Ada: Works in Lisbon`` names a topic."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.language.conflict_words import says_nothing, stem
from holdfast.domain.language.slots import is_done, word_set
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

_LABEL = re.compile(r"^([^\W\d_][\w-]*(?: [\w-]+){0,3}):\s+(?=\S)")
_LONGEST_VALUE = 2
_LONGEST_MEASURE = 3
_PLURAL_OR_VERB = re.compile(r"[a-z]{2,}(?<![siu])s\Z")
_ORDERS = word_set("""
    add ask assert build bump cache call check clone close commit compile configure copy create
    debug declare define delete deploy describe do document emit encode escape explain export fetch
    find fix follow format hash import install keep lint load lock log measure merge mock mount
    name open pass pin print pull push read rebase reload rename restart return review rotate
    sanitize save send sign start sync tag test try update validate wait wrap write
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A clause without its label, and the topic that the label names.

    A label with a value is rewritten as a statement with ``is`` and then has no separate topic.
    """

    text: str
    topic: frozenset[str] = frozenset()


def labelled(text: str) -> Labelled:
    """Parse the label of a clause: ``Port: 8080`` becomes ``Port is 8080``, others name a topic."""
    match = _LABEL.match(text)
    if match is None:
        return Labelled(text=text)
    label, rest = match[1], text[match.end() :]
    if _is_value(rest.split()):
        return Labelled(text=f"{label} is {rest}")
    telling = frozenset(stem(word) for word in label.split() if not says_nothing(word))
    return Labelled(text=rest, topic=telling)


def _is_value(words: Sequence[str]) -> bool:
    """Tell whether the words after a label are a single value and not a sentence."""
    if _is_verb(words):
        return False
    if any(character.isdigit() for word in words for character in word):
        return len(words) <= _LONGEST_MEASURE
    return len(words) <= _LONGEST_VALUE and not any(says_nothing(word) for word in words)


def _is_verb(words: Sequence[str]) -> bool:
    """Tell whether the words start with a verb: an imperative, a participle, or ``works in``."""
    first = words[0].casefold()
    if first in _ORDERS or is_done(first):
        return True
    has_object = len(words) > 1 and not words[1][:1].isdigit()
    return has_object and _PLURAL_OR_VERB.match(first) is not None
