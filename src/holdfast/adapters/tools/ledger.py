"""Records what Holdfast wrote into which file, so that it can be removed to the last byte.

Only positions and hashes are stored, never the text of another program's file.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder, write_whole
from holdfast.adapters.disk.file_locks import busy, lock_within
from holdfast.adapters.disk.json_files import read_json
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from holdfast.adapters.tools.writing import Span

LEDGER_FILE = "adapters.json"
_PATIENCE_SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One file: its hash after the write, the ranges of Holdfast's text, and what was created.

    ``parts`` maps each installed piece to the hash of its words.
    """

    digest: str
    spans: tuple[Span, ...]
    parts: dict[str, str]
    is_new: bool
    folders: tuple[str, ...] = ()


class InstallLedger:
    """The records of a home; a lock lets one process at a time change them."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self.records: dict[str, Record] = {}

    @contextmanager
    def open(self, *, is_dry: bool) -> Generator[InstallLedger, None, None]:
        """Read the records; changes are saved if the block succeeds."""
        if is_dry or not self._home.is_dir():
            self.records = self._read()
            yield self
            if self.records and not is_dry:
                make_own_folder(self._home)
                self._write()
            return
        # The folder itself is locked, so that no lock file is left behind.
        lock = os.open(self._home, os.O_RDONLY)
        try:
            try:
                lock_within(lock, _PATIENCE_SECONDS)
            except BlockingIOError:
                raise busy(str(self._home), what=str(self._home)) from None
            self.records = self._read()
            yield self
            self._write()
        finally:
            os.close(lock)

    def _read(self) -> dict[str, Record]:
        try:
            held = read_json(self._home / LEDGER_FILE)
            return {path: _record(shape) for path, shape in held["files"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            # Without the ledger only exactness is lost: Holdfast's text is found by its markers.
            return {}

    def _write(self) -> None:
        path = self._home / LEDGER_FILE
        if not self.records:
            path.unlink(missing_ok=True)
            return
        shape = {"v": 1, "files": {name: _shape(one) for name, one in self.records.items()}}
        write_whole(path, json.dumps(shape, indent=1, sort_keys=True).encode())


def digest_of(text: str) -> str:
    """Return the hash of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _record(shape: dict[str, object]) -> Record:
    spans, parts, folders = shape["spans"], shape["parts"], shape["folders"]
    if not (isinstance(spans, list) and isinstance(parts, dict) and isinstance(folders, list)):
        raise TypeError
    return Record(
        digest=str(shape["digest"]),
        spans=tuple((int(start), int(end)) for start, end in spans),
        parts={str(name): str(value) for name, value in parts.items()},
        is_new=bool(shape["new"]),
        folders=tuple(str(one) for one in folders),
    )


def _shape(record: Record) -> dict[str, object]:
    return {
        "digest": record.digest,
        "spans": [list(span) for span in record.spans],
        "parts": record.parts,
        "new": record.is_new,
        "folders": list(record.folders),
    }
