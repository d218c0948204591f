"""Ids that need no central registry, sort by time and show what they name."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NewType

MemoryId = NewType("MemoryId", str)
SpanId = NewType("SpanId", str)
BundleId = NewType("BundleId", str)
SessionId = NewType("SessionId", str)
RunId = NewType("RunId", str)
DecisionId = NewType("DecisionId", str)
TaskId = NewType("TaskId", str)
AgentId = NewType("AgentId", str)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_BITS_PER_LETTER = 5
_TIME_LETTERS = 10
_RANDOM_LETTERS = 16
_SUFFIX_LETTERS = 6
SHORT_LETTERS = 8
"""The last letters of an id that answers show: 40 random bits, so they are unique in a store."""


def _letters(number: int, count: int) -> str:
    shifts = range(_BITS_PER_LETTER * (count - 1), -1, -_BITS_PER_LETTER)
    return "".join([_ALPHABET[number >> shift & 31] for shift in shifts])


def millis(at: datetime) -> int:
    """Return the whole milliseconds since 1970; floats would sometimes lose the last one."""
    return (at - _EPOCH) // timedelta(milliseconds=1)


def sortable(prefix: str, *, at: datetime, entropy: int) -> str:
    """Return ``prefix_`` and 26 letters: 48 bits of milliseconds, then 80 random bits."""
    return f"{prefix}_{_letters(millis(at), _TIME_LETTERS)}{_letters(entropy, _RANDOM_LETTERS)}"


def number_of(letters: str) -> int:
    """Return the number that the letters of a sortable id spell."""
    number = 0
    for letter in letters:
        number = number << _BITS_PER_LETTER | _ALPHABET.index(letter)
    return number


def of_number(prefix: str, number: int) -> str:
    """Return the sortable id whose letters spell a number of 128 bits."""
    return f"{prefix}_{_letters(number, _TIME_LETTERS + _RANDOM_LETTERS)}"


def short(name: str) -> str:
    """Return the prefix and the last letters of a sortable id; a shorter id stays whole."""
    prefix, _, letters = name.partition("_")
    return f"{prefix}_{letters[-SHORT_LETTERS:]}"


def is_short(name: str) -> bool:
    """Tell whether a text has the form of a shortened sortable id: ``m_7shes8a5``."""
    prefix, _, letters = name.partition("_")
    return bool(prefix) and len(letters) == SHORT_LETTERS and set(letters) <= set(_ALPHABET)


def bundle_name(*, at: datetime, entropy: int) -> BundleId:
    """Return a bundle's id: the minute of its creation in readable form, and a random suffix."""
    return BundleId(f"c_{at:%Y%m%dT%H%MZ}_{_letters(entropy, _SUFFIX_LETTERS)}")
