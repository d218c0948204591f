"""Finds a person's data folder with minimal imports, because every shell prompt needs it."""

from __future__ import annotations

import os

STORE_FILE = "holdfast.db"
_FOLDER = "holdfast"


SPACES = "spaces"
SERVERS = "servers"
"""The folder with a folder for each store on a server, for what is kept beside it."""


def space_folder_name(home: str, space: str) -> str:
    """Return the folder of a space beside the default one, whose folder is the home itself."""
    return f"{data_folder_name(home)}/{SPACES}/{space}"


def data_folder_name(home: str = "") -> str:
    """Return the folder of the store: a given home, HOLDFAST_HOME, else the XDG data folder."""
    if home := home or os.environ.get("HOLDFAST_HOME", ""):
        return os.path.abspath(os.path.expanduser(home))  # noqa: PTH100, PTH111 - pathlib costs 10 ms
    base = os.environ.get("XDG_DATA_HOME", "")
    if not base.startswith("/"):  # the XDG standard says to ignore a relative path
        base = "~/.local/share"
    return f"{os.path.expanduser(base)}/{_FOLDER}"  # noqa: PTH111 - the same
