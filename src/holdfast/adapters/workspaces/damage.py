"""Which stored pieces were found damaged, so that the next snapshot writes them again."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

_FILE = "damaged"
_OWNER_ONLY = 0o600


class DamageMarks:
    """A list of damaged pieces beside the packs, each with the pack that it is in.

    The list is a hint: a piece on it is still read if there is no other copy, and one that is
    missing from it is marked when it is read next.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE

    def read(self) -> set[str]:
        """Return the marks; a line that was cut off matches nothing."""
        try:
            return set(self._path.read_text(encoding="ascii", errors="replace").splitlines())
        except OSError:
            return set()

    def add(self, mark: str) -> None:
        """Note a damaged piece; a folder that cannot be written stays as it is."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        with suppress(OSError):
            file = os.open(self._path, flags, _OWNER_ONLY)
            try:
                os.write(file, f"{mark}\n".encode("ascii"))
            finally:
                os.close(file)

    def drop(self, healed: Collection[str]) -> None:
        """Forget the marks of pieces that were written again into the same pack."""
        self._write({one for one in self.read() if one not in healed})

    def keep(self, packs: Collection[str]) -> None:
        """Forget the marks of packs that are gone."""
        self._write({one for one in self.read() if one.partition(" ")[0] in packs})

    def _write(self, kept: Collection[str]) -> None:
        if len(kept) < len(self.read()):
            with suppress(OSError):
                write_whole(self._path, "".join(f"{one}\n" for one in sorted(kept)).encode())


def mark_of(pack: str, name: bytes) -> str:
    """Return the mark of a piece in a pack."""
    return f"{pack.rpartition('/')[2]} {name.hex()}"
