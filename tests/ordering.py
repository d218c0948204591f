"""The order of tests: each worker of a parallel run begins with its share of the long ones.

A long test that began last would keep one core busy while the others have nothing to do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
# Each of their tests takes seconds, most of them in programs that it starts.
LONG = ("tests/torture/", "tests/docs/")


def place_of(name: str) -> int:
    """Return the place of a test's folder among those with long tests, or the place after them."""
    return next((at for at, folder in enumerate(LONG) if name.startswith(folder)), len(LONG))


def dealt(tests: Sequence[T], name: Callable[[T], str], workers: int) -> list[T]:
    """Return the tests so that the part of each worker begins with long tests.

    The plugin xdist gives each worker one part of the list, all parts equally long.
    """
    ordered = sorted(tests, key=lambda test: place_of(name(test)))
    count = sum(place_of(name(test)) < len(LONG) for test in ordered)
    long, others = ordered[:count], iter(ordered[count:])
    left = len(ordered)
    found: list[T] = []
    for worker in range(workers):
        size = left // (workers - worker)
        own = long[worker::workers]
        found += [*own, *islice(others, max(0, size - len(own)))]
        left -= size
    return [*found, *others]
