"""The settings of a process that is Holdfast's own: a command, a server, or one of its workers.

A program that imports Holdfast keeps its own settings. The badge imports this module at every
prompt, so it imports nothing that a command line has not.
"""

from __future__ import annotations

import gc
import os

# Garbage collection takes a tenth of a start of a tenth of a second and frees nothing. A recall
# leaves no garbage either: a server with this threshold collects none in a thousand recalls.
_GARBAGE_THRESHOLD = 50_000


def prepare_process() -> None:
    """Set up the interpreter; a process that another one spawned inherits only the environment."""
    gc.set_threshold(_GARBAGE_THRESHOLD)
    # One question is too little work for the threads that numpy starts at its import.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
