"""Stop words and everyday words."""

from __future__ import annotations

TELL_NOTHING = frozenset({
    "a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at",
    "be", "because", "been", "before", "being", "between", "both", "but", "by", "can", "cannot",
    "could", "did", "do", "does", "doing", "don", "done", "during", "each", "either", "else",
    "ever", "every", "for", "from", "get", "gets", "getting", "got", "had", "has", "have", "having",
    "he", "her", "here", "hers", "him", "his", "how", "i", "if", "in", "into", "is", "isn", "it",
    "its", "just", "let", "ll", "many", "may", "me", "might", "mine", "more", "most", "much",
    "must", "my", "neither", "no", "nor", "not", "of", "off", "oh", "ok", "on", "only", "onto",
    "or", "other", "our", "ours", "out", "over", "per", "please", "re", "s", "same", "shall", "she",
    "should", "since", "so", "some", "such", "t", "than", "that", "the", "their", "theirs", "them",
    "then", "there", "these", "they", "this", "those", "though", "through", "to", "too", "under",
    "until", "up", "upon", "us", "use", "used", "uses", "using", "ve", "very", "via", "was", "we",
    "were", "what", "when", "where", "whether", "which", "while", "who", "whom", "whose", "why",
    "will", "with", "within", "without", "would", "yes", "yet", "you", "your", "yours",
})  # fmt: skip
"""Stop words: texts are neither found nor judged by them."""

EVERYDAY = frozenset({
    "actually", "add", "added", "adds", "allow", "allowed", "allows", "already", "always",
    "another", "anybody", "anyone", "anything", "around", "ask", "asked", "away", "back", "bad",
    "begin", "best", "better", "big", "bring", "build", "buy", "call", "called", "came", "case",
    "cases", "change", "changed", "changes", "check", "come", "comes", "common", "correct", "cost",
    "costs", "create", "current", "currently", "day", "days", "default", "different", "down",
    "easy", "end", "ends", "enough", "everybody", "everyone", "everything", "exactly", "example",
    "fact", "fall", "fast", "faster", "feel", "few", "file", "files", "find", "fine", "first",
    "follow", "form", "found", "full", "gave", "general", "give", "given", "gives", "go", "goes",
    "going", "gone", "good", "great", "group", "happen", "happened", "happens", "hard", "help",
    "high", "hold", "holds", "hour", "hours", "idea", "important", "include", "instead", "issue",
    "keep", "keeps", "kept", "kind", "knew", "know", "known", "knows", "large", "last", "later",
    "learn", "least", "left", "less", "level", "like", "likely", "line", "lines", "list", "little",
    "live", "long", "longer", "look", "looks", "lot", "low", "made", "main", "make", "makes",
    "making", "matter", "maybe", "mean", "means", "meet", "minute", "minutes", "moment", "morning",
    "move", "name", "names", "need", "needed", "needs", "never", "new", "newer", "next", "nice",
    "nobody", "none", "normal", "nothing", "now", "number", "numbers", "often", "old", "older",
    "once", "one", "ones", "open", "order", "orders", "own", "part", "parts", "pay", "people",
    "person", "place", "play", "point", "possible", "problem", "process", "public", "put", "quite",
    "rather", "read", "real", "really", "remove", "removed", "removes", "require", "reset", "right",
    "run", "runs", "safe", "said", "saw", "say", "says", "second", "see", "seem", "seems", "seen",
    "send", "set", "sets", "several", "short", "show", "shown", "shows", "simple", "single", "sit",
    "small", "somebody", "someone", "something", "soon", "sort", "speak", "stand", "start",
    "starts", "state", "stay", "stays", "step", "still", "stop", "support", "supported", "supports",
    "sure", "take", "taken", "takes", "talk", "tell", "thing", "things", "think", "third",
    "thought", "time", "times", "today", "together", "told", "tomorrow", "took", "top", "total",
    "tried", "true", "try", "turn", "two", "type", "understand", "usual", "usually", "value",
    "values", "wait", "walk", "want", "wanted", "wants", "watch", "way", "ways", "week", "weeks",
    "well", "went", "whole", "word", "words", "work", "working", "works", "world", "write", "wrong",
    "year", "years", "yesterday", "young",
})  # fmt: skip
"""Everyday words: one of them alone does not connect a memory with a question."""
