"""Where the repository around a folder begins, by a look at names alone."""

from __future__ import annotations

import os


def root_of(folder: str) -> str:
    """Return the nearest folder that holds a ``.git``, else the folder itself.

    Links are not followed: a tool names its files the way it names its folder.
    """
    start = here = os.path.abspath(folder)
    while not os.path.exists(f"{here}/.git"):
        above = os.path.dirname(here)
        if above == here:
            return start
        here = above
    return here
