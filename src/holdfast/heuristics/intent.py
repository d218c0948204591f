"""The intent of a question: to learn something, or to get a task done."""

from __future__ import annotations

import re

_SENTENCE = re.compile(
    r"(?:^|[.!?;:]\s+|\n\s*)(?:please\s+|now\s+|then\s+)?([a-z]+)", re.IGNORECASE
)
_DOING = frozenset({
    "add", "adjust", "build", "bump", "change", "check", "clean", "configure", "convert",
    "correct", "create", "debug", "delete", "deploy", "document", "drop", "enable", "ensure",
    "extend", "extract", "finish", "fix", "handle", "implement", "improve", "integrate",
    "investigate", "make", "migrate", "move", "port", "prevent", "refactor", "release",
    "remove", "rename", "repair", "replace", "resolve", "restore", "revert", "rewrite",
    "rotate", "run", "set", "ship", "simplify", "solve", "stop", "support", "switch", "test",
    "update", "upgrade", "use", "validate", "wire", "write",
})  # fmt: skip


def is_task(text: str) -> bool:
    """Tell whether a sentence starts with an action verb, and the text is no question."""
    asks = text.rstrip().endswith("?")
    return not asks and any(word.casefold() in _DOING for word in _SENTENCE.findall(text))
