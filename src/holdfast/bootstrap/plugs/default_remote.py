"""Tells with minimal imports whether the name of a store must be looked up."""

from __future__ import annotations

import os

from holdfast.adapters.machine.folders import data_folder_name

REMOTES_FILE = "remotes.json"
"""The list of remotes in a home."""
STORE_VARIABLE = "HOLDFAST_STORE"


def must_look_up(home: str = "") -> bool:
    """Return whether the store is named by a word, or a default remote may be set."""
    given = os.environ.get(STORE_VARIABLE, "").strip()
    if given:
        return "://" not in given
    return os.path.exists(f"{data_folder_name(home)}/{REMOTES_FILE}")  # noqa: PTH110 - every prompt asks
