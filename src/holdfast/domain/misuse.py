"""Errors that only a bug in the calling code can cause; no surface words them."""

from __future__ import annotations


class NestedWorkError(RuntimeError):
    """A unit of work was started inside another one."""


class OnlyReadingError(RuntimeError):
    """A read transaction was asked to write."""
