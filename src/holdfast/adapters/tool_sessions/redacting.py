"""Redacts secrets in what tools send, before it is written into a note or a log."""

from __future__ import annotations

_SIGNS_OF_VALUES = "=:@ "
_SHORTEST_TOKEN = 16
_BETWEEN_WORDS = str.maketrans("/\\-_.", "     ")


def redacted(text: str) -> str:
    """Return a text with every secret replaced by a placeholder."""
    from holdfast.domain.gates.secrets import find_secrets, redact

    found = find_secrets(text)
    return redact(text, found) if found else text


def redacted_path(path: str) -> str:
    """Return a path without secrets.

    Every call of a hook writes paths. The rules take milliseconds to load, so they are loaded only
    for a path with a long word or a character that may introduce a value.
    """
    words = path.translate(_BETWEEN_WORDS).split()
    may_hold_one = any(len(word) >= _SHORTEST_TOKEN for word in words) or any(
        sign in path for sign in _SIGNS_OF_VALUES
    )
    return redacted(path) if may_hold_one else path
