"""Finds the root of the repository around a folder, by names alone."""

from __future__ import annotations

import os


def root_of(folder: str) -> str:
    """Return the nearest folder with a ``.git``, else the folder itself.

    Symbolic links are not resolved: a tool names its files by the path of its folder.
    """
    start = here = os.path.abspath(folder)
    while not os.path.exists(f"{here}/.git"):
        above = os.path.dirname(here)
        if above == here:
            return start
        here = above
    return here
