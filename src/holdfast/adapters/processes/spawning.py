"""Starts a program with the os module alone, for callers that have only milliseconds."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_ENDS = ((0, os.O_RDONLY), (1, os.O_WRONLY), (2, os.O_WRONLY))


def spawn_detached(command: Sequence[str]) -> int:
    """Start a program in a session of its own, without input or output; return its process id.

    Nobody waits for it, so the caller must be about to end.

    Raises:
        OSError: It could not be started.
    """
    ends = [(os.POSIX_SPAWN_OPEN, number, os.devnull, how, 0) for number, how in _ENDS]
    return os.posix_spawn(command[0], [*command], os.environ, file_actions=ends, setsid=True)
