"""Records in a file how far a new embedding of all memories has come."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder, read_plain, write_whole
from holdfast.domain.memory.selection import Cursor

if TYPE_CHECKING:
    from holdfast.domain.recall.finding import EmbeddingModel

_LONGEST = 1_000


class MarkFile:
    """The mark of one model in one store; without write access, a run begins at the start."""

    def __init__(self, folder: Path, *, store: str, model: EmbeddingModel) -> None:
        name = hashlib.sha256(f"{store}\n{model.name}".encode()).hexdigest()[:16]
        self._path = folder / "cache" / f"reembedding-{name}"

    def read(self) -> Cursor | None:
        """Return the cursor of the last slice that is done; None at the beginning."""
        try:
            content = read_plain(self._path)[:_LONGEST].decode("utf-8", "replace")
        except OSError:
            return None
        return Cursor(content) if content.isprintable() and content else None

    def write(self, beyond: Cursor | None) -> None:
        """Record that a slice is done, or remove the mark."""
        with suppress(OSError):
            if beyond is None:
                self._path.unlink(missing_ok=True)
                return
            make_own_folder(self._path.parent)
            write_whole(self._path, str(beyond).encode())
