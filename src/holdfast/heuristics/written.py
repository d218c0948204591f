"""Compare the content words of texts: whether a passage already states a claim.

The thresholds were chosen by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.text.words import FUNCTION_WORDS, singular

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.text.paragraphs import DocumentParagraph

_ENOUGH = 0.8
_FEWEST_WORDS = 3
_WORD = re.compile(r"[^\W_]+(?:[._/:+-]+[^\W_]+)*")
# Beside the function words: labels that a claim puts before itself ("decision: …"). The other stop
# words count here: "only" and "before" belong to what a claim states.
_JOINING = FUNCTION_WORDS | {"rule", "decision", "policy", "convention"}
# fmt: off
_TURNING = frozenset({
    "not", "no", "never", "none", "nor", "neither", "without", "avoid", "always", "must", "only",
    "except", "unless", "don't", "doesn't", "isn't", "aren't", "won't", "can't", "cannot",
    "shouldn't", "mustn't",
})
# fmt: on


def written_in(claim: str, passages: Iterable[DocumentParagraph]) -> DocumentParagraph | None:
    """Return the passage that already states the claim, or None if the claim adds something.

    One passage must contain four fifths of the claim's content words. Numbers and negations must
    agree: a claim that differs there contradicts the passage.
    """
    words = content_words(claim)
    if len(words) < _FEWEST_WORDS:
        return None
    numbers, turns = _numbers(words), _turns(claim)
    for passage in passages:
        there = content_words(passage.text)
        enough = len(words & there) >= _ENOUGH * len(words)
        if enough and numbers <= there and _agree(turns, _turns(passage.text)):
            return passage
    return None


def content_words(text: str) -> frozenset[str]:
    """Return the content words of a text, without case and plural endings."""
    words = (
        word.casefold()
        for word in _WORD.findall(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    )
    return frozenset(singular(word) for word in words if word not in _JOINING)


def containment(part: frozenset[str], whole: frozenset[str]) -> float:
    """Return the share of the words that the other text contains too."""
    return len(part & whole) / len(part) if part else 0.0


def _agree(turns: frozenset[str], there: frozenset[str]) -> bool:
    return turns <= there if turns else not there


def _numbers(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if any(sign.isdigit() for sign in word))


def _turns(text: str) -> frozenset[str]:
    plain = text.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return _TURNING & set(re.findall(r"[\w']+", plain))
