"""Everyday words."""

from __future__ import annotations

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
