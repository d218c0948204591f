"""Blocking work for frameworks that use asyncio."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Given = ParamSpec("Given")
Returned = TypeVar("Returned")


async def in_thread(
    work: Callable[Given, Returned], /, *given: Given.args, **named: Given.kwargs
) -> Returned:
    """Do work in a thread, and return what it returns; the loop goes on meanwhile."""
    return await asyncio.to_thread(work, *given, **named)
