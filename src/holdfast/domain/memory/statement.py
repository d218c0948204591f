"""The exact form of a claim: which spellings of it are the same statement."""

from __future__ import annotations

from functools import lru_cache

_LONG_ENOUGH = 4
_SHORT_WORDS = frozenset(
    [
        "all",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "can",
        "do",
        "few",
        "for",
        "get",
        "had",
        "has",
        "he",
        "her",
        "his",
        "how",
        "if",
        "in",
        "is",
        "it",
        "its",
        "may",
        "no",
        "nor",
        "not",
        "now",
        "of",
        "on",
        "one",
        "or",
        "our",
        "out",
        "own",
        "put",
        "run",
        "say",
        "set",
        "she",
        "so",
        "the",
        "to",
        "too",
        "two",
        "use",
        "was",
        "we",
        "who",
        "why",
        "yet",
        "you",
    ]
)
_CLOSING = frozenset(")]}\"'`”’»")


@lru_cache(maxsize=8192)
def statement_form(claim: str) -> str:
    """Return the claim without the differences in spelling that never change what it says.

    These are white space, the full stop at the end, and the case of an ordinary word at the start
    of a sentence. Everything else may be code, a unit, a name, a flag or a path and stays.
    """
    words = claim.split()
    if words:
        words[-1] = _without_full_stop(words[-1])
    before = "."
    for place, word in enumerate(words):
        if _ends_a_sentence(before):
            words[place] = without_capital(word)
        before = words[place]
    return " ".join(words)


def _without_full_stop(word: str) -> str:
    bare = word.removesuffix(".")
    is_word = bare != "" and (bare[-1].isalnum() or bare[-1] in _CLOSING)
    return bare if is_word else word


def _ends_a_sentence(word: str) -> bool:
    """Tell whether a sentence ends here; the point of an abbreviation such as "e.g." does not."""
    bare = word.rstrip(".!?")
    return bare != word and (bare == "" or len(bare) >= _LONG_ENOUGH and bare.isalpha())


def without_capital(word: str) -> str:
    """Return an ordinary word in lower case: "Tokens" is one, "A", "Mb" and "-V" are not."""
    plain = word.lower()
    bare = plain.rstrip(",;:")
    is_ordinary = bare.isalpha() and (len(bare) >= _LONG_ENOUGH or bare in _SHORT_WORDS)
    return plain if is_ordinary and word == word[0] + plain[1:] else word
