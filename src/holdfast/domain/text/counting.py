"""Numbers with their nouns: ``1 candidate``, ``2 candidates``."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun; the plural has an ``s`` unless it is given."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
