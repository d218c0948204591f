"""Limits the memory and the CPU time of a process that parses files."""

from __future__ import annotations

from contextlib import suppress

_MOST_MEMORY = 1 << 30
_LONGEST_SECONDS = 10.0


def limit_memory() -> None:
    """Limit this process's memory, so that a greedy parser ends only this process."""
    import resource

    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


def limit_time() -> None:
    """Limit this process's CPU time; each call restarts the limit."""
    import signal

    signal.setitimer(signal.ITIMER_VIRTUAL, _LONGEST_SECONDS)
