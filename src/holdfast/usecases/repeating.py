"""Repeat a unit of work that the store undid because another one came between."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from holdfast.domain.refusals import WorkUndoneError

if TYPE_CHECKING:
    from collections.abc import Callable

_TRIES = 8
Given = ParamSpec("Given")
Result = TypeVar("Result")


def repeatable(work: Callable[Given, Result]) -> Callable[Given, Result]:
    """Call a function again when the store undid its unit of work.

    Every function that begins a unit of work is repeatable, which a test checks: before the
    unit of work has been left well, the function changes nothing but what it made itself. Its
    arguments must not change, and no file, no iterator and no model may be used up.
    """

    @wraps(work)
    def repeated(*given: Given.args, **named: Given.kwargs) -> Result:
        for _ in range(_TRIES - 1):
            try:
                return work(*given, **named)
            except WorkUndoneError:
                continue
        return work(*given, **named)

    return repeated
