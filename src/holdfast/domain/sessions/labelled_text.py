"""Split a plain text into the turns of a conversation, if its lines name who speaks."""

from __future__ import annotations

import re

from holdfast.domain.sessions.transcript import Speaker, Turn

_EMPHASIS = r"(?:[*_]{1,2})?"
_NAME = r"[^\W\d_][\w-]*"
_LABEL = re.compile(
    rf"^[ \t>]*{_EMPHASIS}({_NAME}(?: {_NAME})?){_EMPHASIS}:{_EMPHASIS}[ \t]+", re.MULTILINE
)
_ASSISTANTS = frozenset({
    *("ai", "agent", "aider", "assistant", "bot", "chatgpt", "claude", "codex", "copilot"),
    *("cursor", "gemini", "gpt", "model", "opencode"),
})  # fmt: skip
_PEOPLE = frozenset({"user", "human", "me", "person", "customer", "you"})
_HEADINGS = frozenset({
    *("answer", "because", "cause", "context", "date", "decided", "decision", "error", "example"),
    *("fact", "fix", "gotcha", "host", "idea", "impact", "key", "kind", "name", "note", "notes"),
    *("option", "outcome", "owner", "plan", "port", "problem", "question", "rationale", "reason"),
    *("result", "risk", "rule", "solution", "status", "summary", "tip", "title", "todo", "type"),
    *("update", "value", "version", "warning", "why"),
})  # fmt: skip
"""Words before a colon that head a note; nobody is called that."""
_LEAST_LABELLED = 0.5
"""The share of lines with a label; a turn may go on over several lines."""


def one_turn(text: str) -> tuple[Turn, ...]:
    """Return a whole text as the turn of one person."""
    return (Turn(number=1, speaker=Speaker.USER, text=text),)


def turns_of(text: str) -> tuple[Turn, ...]:
    """Return the turns of a text; without labels of speakers, the whole text is one turn."""
    found = list(_LABEL.finditer(text))
    labels = [one[1].casefold() for one in found]
    if not found or text[: found[0].start()].strip() or not _are_speakers(labels, text):
        return one_turn(text)
    ends = [*(one.start() for one in found[1:]), len(text)]
    return tuple(
        Turn(
            number=number,
            speaker=Speaker.ASSISTANT if label in _ASSISTANTS else Speaker.USER,
            text=text[one.end() : end].rstrip(),
        )
        for number, (label, one, end) in enumerate(zip(labels, found, ends, strict=True), start=1)
    )


def _are_speakers(labels: list[str], text: str) -> bool:
    """Tell whether labels name speakers: known ones, or names of which some speak repeatedly."""
    lines = sum(1 for line in text.splitlines() if line.strip())
    if len(labels) < _LEAST_LABELLED * lines:
        return False
    distinct = set(labels)
    if distinct <= _ASSISTANTS | _PEOPLE:
        return True
    return 1 < len(distinct) <= len(labels) / 2 and distinct.isdisjoint(_HEADINGS)
