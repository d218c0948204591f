"""Bounds of what a step reads, in bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")


def within(items: Sequence[T], most: int, *, size: Callable[[T], int]) -> Sequence[T]:
    """Return the first items that have this many bytes together at most; at least one."""
    left, kept = most, 0
    for one in items:
        left -= size(one)
        if left < 0 and kept:
            break
        kept += 1
    return items[:kept]


def size_of(text: str) -> int:
    """Return how many bytes a text has."""
    return len(text.encode("utf-8", "replace"))
