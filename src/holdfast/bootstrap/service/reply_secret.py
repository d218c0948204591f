"""The secret of a server without tokens, for the hashes of sensitive requests.

It is a private file in the home, outside the store: every process of the server has the same one,
also after a restart, and whoever has only the store cannot confirm a guess of the text.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import read_plain, write_whole
from holdfast.adapters.disk.failures import disk_problem
from holdfast.adapters.disk.file_locks import changing

if TYPE_CHECKING:
    from pathlib import Path

FILE = "reply-secret"
_BYTES = 32


def reply_secret(home: Path) -> bytes:
    """Return the secret of a home; it is made if there is none.

    Raises:
        UnavailableError: It can be neither read nor made.
        StoreBusyError: Another process has been making it for too long.
    """
    path = home / FILE
    try:
        if found := _read(path):
            return found
        with changing(path):
            if found := _read(path):
                return found
            made = secrets.token_bytes(_BYTES)
            write_whole(path, made)
            return made
    except OSError as error:
        raise disk_problem(path, error) from error


def _read(path: Path) -> bytes:
    """Return the secret in a file; empty if there is no whole one."""
    with suppress(FileNotFoundError):
        found = read_plain(path, most=_BYTES)
        return found if len(found) == _BYTES else b""
    return b""
