"""The origins of the texts that Holdfast wrote to the pages of a clone, in one small file.

Every store that syncs the clone reads and writes this file.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import write_whole
from holdfast.adapters.disk.json_files import read_json
from holdfast.domain.choices import Origin
from holdfast.domain.refusals import PageUnwritableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from holdfast.domain.memory.entry import PageEntry

WRITTEN_FILE = "written.json"
_MOST = 20_000
_RECORDED = frozenset(Origin) - {Origin.HUMAN}


class WrittenOrigins:
    """The file of origins by digest; an unreadable file counts as empty."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Mapping[str, Origin]:
        """Return the origins of the texts that no person wrote, by digest."""
        return {digest: Origin(word) for digest, word in self._read().items()}

    def add(self, entries: Iterable[PageEntry]) -> None:
        """Record the texts that are about to be written; a person's own need no record.

        Raises:
            PageUnwritableError: The disk is full or the permissions do not allow it.
        """
        origins = ((one.digest, one.origin) for one in entries)
        fresh = {digest: str(origin) for digest, origin in origins if origin in _RECORDED}
        known = self._read()
        if fresh.items() <= known.items():
            return
        kept = dict(list({**known, **fresh}.items())[-_MOST:])
        try:
            write_whole(self._path, json.dumps(kept).encode(), durable=False)
        except OSError as error:
            raise PageUnwritableError(str(self._path), str(error.strerror)) from error

    def _read(self) -> dict[str, str]:
        try:
            kept = read_json(self._path)
        except (OSError, ValueError):
            return {}
        if not isinstance(kept, dict):
            return {}
        words = [str(one) for one in _RECORDED]
        return {digest: word for digest, word in kept.items() if word in words}
