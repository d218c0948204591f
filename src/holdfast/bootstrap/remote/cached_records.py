"""The memories and places in files inside the answers of a server."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.domain.errors import HoldfastError
from holdfast.domain.exchange.shapes import record_from_json, span_from_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.memory import MemoryRecord

    Json = dict[str, object]

# Whoever writes a memory chooses what these hold: a record inside them is nobody's memory.
_FREE = frozenset({"metadata", "facts", "config", "args", "output", "error", "foreign"})


def has_records(answer: Json) -> bool:
    """Return whether an answer contains a memory or a place in a file."""
    return any(True for _ in values(answer))


def superseded(value: object) -> Iterator[str]:
    """Return the ids of the memories that a claim of an answer superseded."""
    if isinstance(value, list):
        for one in value:
            yield from superseded(one)
    elif isinstance(value, dict) and not _is_record(value):
        if isinstance(name := value.get("superseded"), str) and "outcome" in value:
            yield name
        for name, one in value.items():
            if name not in _FREE:
                yield from superseded(one)


def values(value: object) -> Iterator[MemoryRecord | Span]:
    """Return the memories and spans of an answer; what is inside one of them is a part of it."""
    if isinstance(value, list):
        for one in value:
            yield from values(one)
    elif isinstance(value, dict):
        if _is_record(value) or _is_span(value):
            with suppress(HoldfastError):
                yield record_from_json(value) if _is_record(value) else span_from_json(value)
            return
        for name, one in value.items():
            if name not in _FREE:
                yield from values(one)


def _is_record(value: Json) -> bool:
    return "content_hash" in value and "claim" in value


def _is_span(value: Json) -> bool:
    return "text_hash" in value and "captured_at" in value
