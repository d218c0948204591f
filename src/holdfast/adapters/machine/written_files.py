"""Records the paths of files that a person had Holdfast write, such as exports and digests."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import read_plain, write_whole
from holdfast.adapters.disk.file_locks import changing
from holdfast.adapters.machine.leftovers import LARGEST, holds
from holdfast.domain.errors import StoreBusyError
from holdfast.domain.gates.secrets import find_secrets
from holdfast.domain.review.traces import Reach, Trace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.review.traces import GoneText

WRITTEN_FILE = "written.json"
_MOST_FILES = 256
_ADVICE = "You had Holdfast write this file. Delete it, or write it again."


class WrittenFiles:
    """The paths of such files; an unreadable or unwritable list counts as empty."""

    def __init__(self, home: Path) -> None:
        self._path = home / WRITTEN_FILE

    def __str__(self) -> str:
        return str(self._path)

    def note(self, path: Path) -> None:
        """Record that a file was written."""
        name = os.path.realpath(path)
        if find_secrets(name):
            return
        with suppress(OSError, StoreBusyError), changing(self._path):
            known = [one for one in self._read() if one != name]
            content = json.dumps([*known, name][-_MOST_FILES:]).encode()
            write_whole(self._path, content, durable=False)

    def remove(self, gone: GoneText) -> Sequence[Trace]:
        """Return the files that hold the text; they belong to the person, so they are kept."""
        found = []
        for name in self._read():
            with suppress(OSError):
                path = Path(name)
                if not path.is_file() or path.stat().st_size > LARGEST:
                    continue
                if holds(read_plain(path, follows_link=True), gone):
                    found.append(Trace(place=name, reach=Reach.LEFT, advice=_ADVICE))
        return found

    def _read(self) -> list[str]:
        try:
            kept = json.loads(read_plain(self._path))
        except (OSError, ValueError):
            return []
        return [one for one in kept if isinstance(one, str)] if isinstance(kept, list) else []
