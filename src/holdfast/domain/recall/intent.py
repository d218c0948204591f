"""The intent of a question: to learn something, or to get a task done."""

from __future__ import annotations

import re

from holdfast.domain.values import dataclass

_SENTENCE = re.compile(
    r"(?:^|[.!?;:]\s+|\n\s*)(?:please\s+|now\s+|then\s+)?([a-z]+)", re.IGNORECASE
)
_DOING = frozenset(
    {
        "add",
        "adjust",
        "build",
        "bump",
        "change",
        "check",
        "clean",
        "configure",
        "convert",
        "correct",
        "create",
        "debug",
        "delete",
        "deploy",
        "document",
        "drop",
        "enable",
        "ensure",
        "extend",
        "extract",
        "finish",
        "fix",
        "handle",
        "implement",
        "improve",
        "integrate",
        "investigate",
        "make",
        "migrate",
        "move",
        "port",
        "prevent",
        "refactor",
        "release",
        "remove",
        "rename",
        "repair",
        "replace",
        "resolve",
        "restore",
        "revert",
        "rewrite",
        "rotate",
        "run",
        "set",
        "ship",
        "simplify",
        "solve",
        "stop",
        "support",
        "switch",
        "test",
        "update",
        "upgrade",
        "use",
        "validate",
        "wire",
        "write",
    }
)
_CODE_LINE = re.compile(
    r"^\s*(?:def |class |async def |import |from \w[\w.]* import |return\b|@\w|#include|func |fn "
    r"|pub |const |let |var |public |private |package |SELECT |if .*:$|for .*:$|\})"
)
_CALL = re.compile(r"\w\(")
# Chosen by hand.
_CODE_SHARE = 0.4
_DEFINES = re.compile(
    r"\s*(?:(?:@[\w.]+(?:\(.*\))?\s*\n\s*)*(?:async )?def \w+\s*\(|class \w+\s*[(:{]"
    r"|(?:pub )?fn \w+\s*[(<]|func [\w(]|(?:async )?function\s*\w*\s*\()"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """Whether the question is a task; then decisions count more than speakers."""

    is_task: bool


def intent_of(text: str) -> Intent:
    """Return the intent of a question: a sentence that starts with an action verb is a task."""
    asks = text.rstrip().endswith("?")
    doing = any(word.casefold() in _DOING for word in _SENTENCE.findall(text))
    return Intent(is_task=doing and not asks)


def looks_like_code(text: str) -> bool:
    """Tell whether a text is code: it starts with a definition, or enough lines are statements."""
    if _DEFINES.match(text):
        return True
    lines = [line for line in text.splitlines() if line.strip()][:40]
    if not lines:
        return False
    return sum([_is_statement(line) for line in lines]) / len(lines) >= _CODE_SHARE


def _is_statement(line: str) -> bool:
    """Tell whether a line starts or ends like code."""
    if line.endswith((";", "{")) or (line.endswith(")") and _CALL.search(line)):
        return True
    return _CODE_LINE.match(line) is not None
