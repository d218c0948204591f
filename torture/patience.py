"""Longer limits for the places where a slow answer of git or a parser becomes another answer.

The product gives up asking git who touched a line after a second, and goes on without. On a
busy machine that changes what a test or a tool sees, though nothing is wrong.
"""

from __future__ import annotations

from holdfast.adapters.code.parsing import isolated
from holdfast.adapters.git import clone
from holdfast.adapters.git.anchors import capture

LONGEST_SECONDS = 600.0


def set_busy_timeout() -> None:
    """Wait long in this process, and in those that are forked from it."""
    vars(capture)["_QUICK"] = vars(capture)["_PAUSE"] = LONGEST_SECONDS
    vars(clone)["_PATIENCE"] = LONGEST_SECONDS
    vars(isolated)["_LONGEST_WAIT_MS"] = int(1_000 * LONGEST_SECONDS)
