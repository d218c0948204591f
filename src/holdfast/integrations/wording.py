"""The words of a JSON value, for the memory that people and recalls see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

_PLAIN = frozenset({"text", "content", "memory", "data", "value", "message"})
"""Names that say nothing about the text under them."""


def words_of(value: object) -> str:
    """Return the texts, numbers and truths of a value, a line for each, with their names."""
    return "\n".join(_lines(value, ""))


def _lines(value: object, name: str) -> Iterator[str]:
    match value:
        case Mapping():
            for key, item in value.items():
                yield from _lines(item, str(key) if not name or key in _PLAIN else f"{name}.{key}")
        case str() if not value.strip():
            return
        case str() | bool() | int() | float():
            last = name.rpartition(".")[2]
            yield str(value) if last in _PLAIN or not name else f"{name}: {value}"
        case Sequence():
            for item in value:
                yield from _lines(item, name)
        case _:
            return
