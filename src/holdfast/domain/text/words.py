"""The one list of stop words, and the one stemmer. Both know English only."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_ENDINGS = ("ions", "ion", "ings", "ing", "ies", "ied", "ed", "es", "s", "e", "y")
_FEWEST_LETTERS = 3
FUNCTION_WORDS = frozenset({
    "a", "also", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did",
    "do", "does", "for", "from", "had", "has", "have", "here", "i", "in", "into", "is", "it", "its",
    "just", "may", "might", "my", "of", "on", "or", "our", "over", "shall", "should", "so", "than",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "us",
    "was", "we", "were", "what", "when", "where", "which", "while", "who", "will", "with", "would",
    "you", "your",
})  # fmt: skip
"""Articles, pronouns, prepositions and auxiliary verbs: a sentence says the same without them."""
STOP_WORDS = FUNCTION_WORDS | {
    "about", "after", "again", "all", "am", "any", "because", "before", "being", "between", "both",
    "cannot", "doing", "don", "done", "during", "each", "either", "else", "ever", "every", "get",
    "gets", "getting", "got", "having", "he", "her", "hers", "him", "his", "how", "if", "isn",
    "let", "ll", "many", "me", "mine", "more", "most", "much", "must", "neither", "no", "nor",
    "not", "off", "oh", "ok", "only", "onto", "other", "ours", "out", "per", "please", "re", "s",
    "same", "she", "since", "some", "such", "t", "theirs", "though", "through", "too", "under",
    "until", "up", "upon", "use", "used", "uses", "using", "ve", "very", "via", "whether", "whom",
    "whose", "why", "within", "without", "yes", "yet", "yours",
}  # fmt: skip
"""Words that name no topic, chosen by hand. A subject that needs others adds or takes away some."""


def stem(word: str, endings: Iterable[str] = _ENDINGS) -> str:
    """Return a word without the first of the endings that fits; three letters must remain."""
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= _FEWEST_LETTERS:
            return word[: -len(ending)]
    return word


def singular(word: str) -> str:
    """Return a noun without its plural ending; four letters must remain."""
    for ending in ("ies", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > _FEWEST_LETTERS and word.isalpha():
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word
