"""Words that join others and tell nothing by themselves."""

from __future__ import annotations

TELL_NOTHING = frozenset({
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "because",
    "been", "before", "being", "between", "both", "but", "by", "can", "could", "did", "do", "does",
    "done", "during", "for", "from", "get", "got", "had", "has", "have", "he", "her", "his", "how",
    "i", "if", "in", "into", "is", "it", "its", "many", "may", "me", "more", "most", "much", "my",
    "no", "not", "of", "on", "or", "other", "our", "same", "shall", "she", "should", "so", "some",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to",
    "up", "use", "used", "was", "we", "were", "what", "when", "where", "which", "who", "whom",
    "whose", "why", "will", "with", "would", "you", "your",
})  # fmt: skip
