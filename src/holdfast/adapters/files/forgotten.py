"""The hashes of texts that a store forgot, so that no page of a clone brings one back.

A reader of the file can test a guess against it, but cannot recover a text from it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.disk.whole import read_plain, write_whole
from holdfast.adapters.files.bases import state_of
from holdfast.domain.memory.selection import near_form

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from holdfast.domain.memory.entry import PageEntry

FORGOTTEN_FILE = "forgotten.json"
_SALT_BYTES = 16


class ForgottenTexts:
    """The file of hashes, with a checksum: a damaged file could let a forgotten text return."""

    def __init__(self, state: Path, store: str = "") -> None:
        self._path = state_of(state, store) / FORGOTTEN_FILE
        # Versions before stores had separate files wrote one list per clone. It names no store,
        # so it still applies to all of them.
        self._earlier = ForgottenTexts(state) if store else None

    def add(self, claim: str) -> None:
        """Add a text that must not come back."""
        kept = self._read()
        if kept is None:
            self._set_aside()
        salt, hashes, is_complete = kept or _Kept("", frozenset(), is_complete=False)
        salt = salt or os.urandom(_SALT_BYTES).hex()
        self._write(salt, hashes | {_hash(salt, claim)}, is_complete=is_complete)

    def problem(self) -> str | None:
        """Return what is wrong with the file; None if it holds every forgotten text."""
        kept = self._read()
        if kept is None:
            return f"{self._path} is damaged"
        if not kept.is_complete:
            return f"{self._path} was damaged and begun anew"
        return None if self._earlier is None else self._earlier.problem()

    def accept_loss(self) -> bool:
        """Continue with the texts that are still known; return whether any were lost.

        Raises:
            OSError: The file cannot be written.
        """
        is_lost = self._earlier is not None and self._earlier.accept_loss()
        kept = self._read()
        if kept is None:
            self._set_aside()
        elif not kept.is_complete:
            self._write(kept.salt, kept.hashes, is_complete=True)
        return is_lost or kept is None or not kept.is_complete

    def among(self, entries: Iterable[PageEntry]) -> frozenset[str]:
        """Return the digests of the entries whose text was forgotten."""
        asked = list(entries)
        kept = self._read()
        found = frozenset[str]() if self._earlier is None else self._earlier.among(asked)
        if kept is None or not kept.hashes:
            return found
        return found | {one.digest for one in asked if _hash(kept.salt, one.body) in kept.hashes}

    def _read(self) -> _Kept | None:
        """Return the content of the file; None if it is damaged."""
        try:
            shape = json.loads(read_plain(self._path))
            checksum = shape.pop("checksum", None)
            if checksum is not None and checksum != _checksum(shape):
                return None
            is_complete = bool(shape.get("complete", True))
            return _Kept(str(shape["salt"]), frozenset(map(str, shape["hashes"])), is_complete)
        except FileNotFoundError:
            return _Kept("", frozenset(), is_complete=True)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def _write(self, salt: str, hashes: frozenset[str], *, is_complete: bool) -> None:
        shape: dict[str, object] = {
            "salt": salt,
            "hashes": sorted(hashes),
            "complete": is_complete,
        }
        write_whole(self._path, json.dumps({**shape, "checksum": _checksum(shape)}).encode())

    def _set_aside(self) -> None:
        """Rename the damaged file to keep it."""
        self._path.replace(self._path.with_name(f"{FORGOTTEN_FILE}.damaged"))


class _Kept(NamedTuple):
    salt: str
    hashes: frozenset[str]
    is_complete: bool


def _checksum(shape: dict[str, object]) -> str:
    return hashlib.sha256(json.dumps(shape, sort_keys=True).encode()).hexdigest()


def _hash(salt: str, text: str) -> str:
    said = near_form(text).encode("utf-8", "surrogatepass")
    return hmac.new(salt.encode(), said, hashlib.sha256).hexdigest()
