"""Which texts were forgotten in a clone, as hashes, so that no page brings one back.

Whoever has the file can test a guess against it and cannot read a text out of it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from typing import TYPE_CHECKING

from holdfast.adapters.disk.whole import write_whole
from holdfast.domain.selection import near_form

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from holdfast.domain.entry import Entry

FORGOTTEN_FILE = "forgotten.json"
_SALT_BYTES = 16


class ForgottenTexts:
    """The file of hashes; one that cannot be read holds none."""

    def __init__(self, state: Path) -> None:
        self._path = state / FORGOTTEN_FILE

    def add(self, claim: str) -> None:
        """Note a text that must not come back."""
        salt, hashes = self._read()
        salt = salt or os.urandom(_SALT_BYTES).hex()
        known = sorted({*hashes, _hash(salt, claim)})
        write_whole(self._path, json.dumps({"salt": salt, "hashes": known}).encode())

    def among(self, entries: Iterable[Entry]) -> frozenset[str]:
        """Return the digests of those entries that say what was forgotten."""
        salt, hashes = self._read()
        if not hashes:
            return frozenset()
        return frozenset(one.digest for one in entries if _hash(salt, one.body) in hashes)

    def _read(self) -> tuple[str, frozenset[str]]:
        try:
            kept = json.loads(self._path.read_bytes())
            return str(kept["salt"]), frozenset(map(str, kept["hashes"]))
        except (OSError, ValueError, KeyError, TypeError):
            return "", frozenset()


def _hash(salt: str, text: str) -> str:
    said = near_form(text).encode("utf-8", "surrogatepass")
    return hmac.new(salt.encode(), said, hashlib.sha256).hexdigest()
