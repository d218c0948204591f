"""The origins of texts in the pages of a clone that no person wrote, in two small files.

One file holds the texts that Holdfast wrote, the other the edits that the syncs of agents found.
Every store that syncs the clone reads and writes them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import write_whole
from holdfast.adapters.disk.json_files import read_json
from holdfast.domain.choices import Origin
from holdfast.domain.refusals import PageUnwritableError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from pathlib import Path

WRITTEN_FILE = "written.json"
PROPOSED_FILE = "proposed.json"
_MOST = 20_000
_RECORDED = frozenset(Origin) - {Origin.HUMAN}


class OriginsFile:
    """A file of origins by digest; an unreadable file counts as empty.

    ``elsewhere`` returns the folders with such a file of the other working trees of the clone: a
    commit brings a text from there, and its author with it.
    """

    def __init__(self, path: Path, *, elsewhere: Callable[[], Iterable[Path]] = tuple) -> None:
        self._path = path
        self._elsewhere = elsewhere

    def read(self) -> Mapping[str, Origin]:
        """Return the origins of the texts that no person wrote, by digest."""
        found: dict[str, Origin] = {}
        for folder in self._elsewhere():
            found |= OriginsFile(folder / self._path.name).read()
        return found | {digest: Origin(word) for digest, word in self._read().items()}

    def change(self, more: Mapping[str, Origin], *, without: Collection[str] = ()) -> None:
        """Add texts, and remove others; a person's own need no record.

        Raises:
            PageUnwritableError: The disk is full or the permissions do not allow it.
        """
        fresh = {digest: str(origin) for digest, origin in more.items() if origin in _RECORDED}
        known = self._read()
        if fresh.items() <= known.items() and known.keys().isdisjoint(without):
            return
        kept = {name: word for name, word in {**known, **fresh}.items() if name not in without}
        try:
            newest = dict(list(kept.items())[-_MOST:])
            write_whole(self._path, json.dumps(newest).encode(), durable=False)
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
