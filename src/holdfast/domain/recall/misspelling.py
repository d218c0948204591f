"""Read a misspelt word of a question as the word that the best hits contain.

A word that no memory contains finds nothing by words, and hides a name. The other words of the
question, and its meaning, usually lead to memories that contain the word as it is spelt.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from holdfast.domain.recall.question import pieces_of
from holdfast.domain.recall.relevance import is_misspelt, may_be_misspelt

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_WORD = re.compile(r"[^\W\d_]+")


def corrections(asked: Iterable[str], texts: Iterable[str]) -> dict[str, str]:
    """Return the word of the texts that each asked word is a misspelling of, if there is one.

    A word that a text contains is none. Of several words, the one that most texts contain is meant.
    """
    folded = [text.casefold() for text in texts]
    # Most words of most questions are in a text: looking for them is cheaper than reading texts.
    doubtful = [
        word
        for word in asked
        if may_be_misspelt(word) and not any(_has_word(text, word) for text in folded)
    ]
    initials = {word[0] for word in doubtful}
    if not doubtful:
        return {}
    held: Counter[str] = Counter()
    for text in folded:
        held.update({word for word in pieces_of(text) if word[0] in initials})
    found = {word: [one for one in held if is_misspelt(word, one)] for word in doubtful}
    return {
        word: min(meant, key=lambda one: (-held[one], one))
        for word, meant in found.items()
        if meant
    }


def _has_word(text: str, word: str) -> bool:
    """Tell whether a text contains a word that is no part of a longer one."""
    place = text.find(word)
    while place >= 0:
        end = place + len(word)
        if not (text[place - 1 : place].isalnum() or text[end : end + 1].isalnum()):
            return True
        place = text.find(word, place + 1)
    return False


def as_spelt(text: str, meant: Mapping[str, str]) -> str:
    """Return a question with each misspelt word replaced; a capital stays one."""
    return _WORD.sub(lambda found: _spelt(found[0], meant), text)


def _spelt(word: str, meant: Mapping[str, str]) -> str:
    other = meant.get(word.casefold())
    if other is None:
        return word
    return other.capitalize() if word[0].isupper() else other
