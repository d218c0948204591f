"""Content by hash in a folder of pack files."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import chain
from secrets import token_hex
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder
from holdfast.adapters.disk.failures import disk_problem
from holdfast.adapters.disk.file_locks import lock_within, open_lock, open_lock_to_read
from holdfast.adapters.workspaces.chunking import LARGEST, pieces
from holdfast.adapters.workspaces.damage import DamageMarks, mark_of
from holdfast.adapters.workspaces.packs import (
    SUFFIX,
    UNFINISHED,
    PackWriter,
    Piece,
    content_of,
    read_index,
    stored_bytes,
)
from holdfast.domain.errors import StoreBusyError
from holdfast.domain.workspace_errors import (
    ContentDamagedError,
)
from holdfast.ports.workspaces.contents import Collected

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Generator,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )
    from pathlib import Path
    from typing import Protocol

    from holdfast.ports.store.upkeep import Progress

    class _Digest(Protocol):
        def update(self, part: bytes, /) -> object: ...


_LARGEST_PACK = 64 * 1024 * 1024
_HASH_BYTES = 32
_WAIT_SECONDS = 30.0
_LIVE_ENOUGH = 0.5
"""A pack is written anew if less of it is in use."""


@contextmanager
def writing_to(folder: Path) -> Generator[None, None, None]:
    """Tell failures of the disk apart from those of the folder that is read."""
    try:
        yield
    except OSError as error:
        raise disk_problem(str(folder), error) from error


class PackedContents:
    """Implements the port with pack files; the index of all packs is read when it is needed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._marks = DamageMarks(folder)
        self._index: dict[bytes, Piece] | None = None
        self._damaged: set[bytes] = set()
        self._files: dict[str, int] = {}
        self._lock = threading.RLock()

    @contextmanager
    def using(self, *, waits: bool = True) -> Generator[None, None, None]:
        """Hold off garbage collection for the block."""
        with self._locked(shared=True, seconds=_WAIT_SECONDS if waits else 0.0):
            yield

    @contextmanager
    def _locked(
        self, *, shared: bool, seconds: float = _WAIT_SECONDS
    ) -> Generator[None, None, None]:
        with writing_to(self._folder):
            if not shared:
                make_own_folder(self._folder)
            file = (open_lock_to_read if shared else open_lock)(self._folder / "lock")
        try:
            try:
                if file is not None:
                    lock_within(file, seconds, shared=shared)
            except BlockingIOError:
                raise StoreBusyError(what=str(self._folder)) from None
            self._forget()
            yield
        finally:
            self._forget()
            if file is not None:
                os.close(file)

    @contextmanager
    def adding(self) -> Generator[PackedWriter, None, None]:
        """Begin to add content; what was not finished is dropped."""
        with writing_to(self._folder):
            make_own_folder(self._folder)
        writer = PackedWriter(self, self._folder)
        try:
            yield writer
        finally:
            writer.drop()

    def has(self, name: str) -> bool:
        """Return whether content is stored."""
        return bytes.fromhex(name) in self.index()

    def read(self, name: str) -> Iterator[bytes]:
        """Return content in parts, each verified, and the whole too."""
        whole, digest = bytes.fromhex(name), sha256()
        piece = self._piece(whole)
        if not piece.is_list:
            yield self._content(whole, piece)
            return
        for part in self._listed(whole, piece):
            content = self._content(part, self._piece(part))
            digest.update(content)
            yield content
        if digest.digest() != whole:
            raise ContentDamagedError(hash=name, problem="is not what was stored.")

    def check(self, names: Collection[str], progress: Progress) -> Sequence[str]:
        """Read the named content; return those names whose content is missing or damaged."""
        damaged: list[str] = []
        for place, name in enumerate(names):
            if self._is_damaged(name):
                damaged.append(name)
            progress(place + 1, len(names))
        return tuple(damaged)

    def _is_damaged(self, name: str) -> bool:
        """Read content; after damage, read its other pieces too, so that all damage is marked."""
        try:
            for _ in self.read(name):
                pass
        except ContentDamagedError:
            whole = bytes.fromhex(name)
            piece = self.index().get(whole)
            with suppress(ContentDamagedError):
                for part in self._listed(whole, piece) if piece and piece.is_list else ():
                    with suppress(ContentDamagedError):
                        self._content(part, self._piece(part))
            return True
        return False

    def collect(self, in_use: Callable[[], Collection[str]], *, dry_run: bool = False) -> Collected:
        """Remove all content that is not in use; a pack that is mostly in use stays as it is."""
        with self._locked(shared=dry_run):
            live: set[bytes] = set()
            for name in map(bytes.fromhex, in_use()):
                live.add(name)
                piece = self.index().get(name)
                if piece is not None and piece.is_list:
                    live.update(self._listed(name, piece))
            with writing_to(self._folder):
                done = self._collected(live, dry_run=dry_run)
                if not dry_run:
                    self._marks.keep({one.name for one in self._folder.glob(f"*{SUFFIX}")})
                return done

    def _collected(self, live: set[bytes], *, dry_run: bool) -> Collected:
        count = freed = 0
        for path, rows in self._packs():
            used = {name: row for name, row in rows.items() if self._is_used(name, path, live)}
            wasted = sum(row.stored for row in rows.values()) - sum(
                row.stored for row in used.values()
            )
            if not wasted or (used and wasted < _LIVE_ENOUGH * path.stat().st_size):
                continue
            count += len(rows) - len(used)
            freed += wasted
            if not dry_run:
                self._replace(path, used)
        for left in self._folder.glob(f"*{UNFINISHED}"):
            freed += left.stat().st_size
            if not dry_run:
                left.unlink()
        return Collected(count, freed)

    def _is_used(self, name: bytes, path: Path, live: set[bytes]) -> bool:
        """Return whether a piece is in use, and this pack the one that it is read from."""
        return name in live and self.index()[name].pack == str(path)

    def _replace(self, path: Path, used: dict[bytes, Piece]) -> None:
        """Write what is in use into another pack, and remove the old one afterwards."""
        if used:
            writer = PackWriter(self._folder, token_hex(8))
            try:
                with path.open("rb") as file:
                    for name, piece in used.items():
                        writer.copy(name, piece, stored_bytes(file.fileno(), piece))
                added = writer.finish()
            except OSError:
                writer.drop()
                raise
            sync_folder(self._folder)
            self.note(added)
        path.unlink()

    def index(self) -> dict[bytes, Piece]:
        """Return where each piece is."""
        with self._lock:
            if self._index is None:
                found: dict[bytes, Piece] = {}
                damaged: dict[bytes, Piece] = {}
                marks = self._marks.read()
                for path, rows in self._packs():
                    bad = {name for name in rows if marks and mark_of(path.name, name) in marks}
                    damaged |= {name: rows.pop(name) for name in bad}
                    found.update(rows)
                self._damaged = damaged.keys() - found.keys()
                self._index = damaged | found
            return self._index

    def is_sound(self, name: bytes) -> bool:
        """Return whether content is stored, and no piece of it was found damaged."""
        piece = self.index().get(name)
        if piece is None or name in self._damaged:
            return False
        if not self._damaged or not piece.is_list:
            return True
        try:
            return all(self.is_sound(part) for part in self._listed(name, piece))
        except ContentDamagedError:
            return False

    def _packs(self) -> Iterator[tuple[Path, dict[bytes, Piece]]]:
        """Return the packs; one whose index is damaged is left out, so its content is missing."""
        for path in sorted(self._folder.glob(f"*{SUFFIX}")):
            with writing_to(self._folder):
                try:
                    rows = dict(read_index(path))
                except ContentDamagedError:
                    continue
            yield path, rows

    def note(self, added: Mapping[bytes, Piece]) -> None:
        """Add pieces to the index."""
        with self._lock:
            self.index().update(added)
            self._damaged -= added.keys()
            # A pack is named after its index: one that repairs another may have its name.
            for pack in {piece.pack for piece in added.values()} & self._files.keys():
                os.close(self._files.pop(pack))
        self._marks.drop({mark_of(piece.pack, name) for name, piece in added.items()})

    def _piece(self, name: bytes) -> Piece:
        found = self.index().get(name)
        if found is None:
            raise ContentDamagedError(hash=name.hex(), problem="is not stored on this machine.")
        return found

    def _listed(self, name: bytes, piece: Piece) -> list[bytes]:
        """Return the names of the pieces of a large content."""
        listed = self._content(name, piece)
        return [listed[at : at + _HASH_BYTES] for at in range(0, len(listed), _HASH_BYTES)]

    def _content(self, name: bytes, piece: Piece) -> bytes:
        try:
            return content_of(self._stored(name, piece), piece, name)
        except ContentDamagedError:
            if name not in self._damaged:
                self._damaged.add(name)
                self._marks.add(mark_of(piece.pack, name))
            raise

    def _stored(self, name: bytes, piece: Piece) -> bytes:
        try:
            with self._lock:
                file = self._files.get(piece.pack)
                if file is None:
                    file = os.open(piece.pack, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
                    self._files[piece.pack] = file
            return stored_bytes(file, piece)
        except OSError as error:
            raise ContentDamagedError(hash=name.hex(), problem="cannot be read.") from error

    def _forget(self) -> None:
        """Close the packs; another process may have replaced them."""
        with self._lock:
            for file in self._files.values():
                os.close(file)
            self._files.clear()
            self._index = None
            self._damaged = set()


class PackedWriter:
    """Adds content to new packs."""

    def __init__(self, contents: PackedContents, folder: Path) -> None:
        self._contents = contents
        self._folder = folder
        self._pack: PackWriter | None = None
        self._done: dict[bytes, Piece] = {}
        self._written = 0

    def add(self, parts: Iterable[bytes]) -> str:
        """Add the content of a file; return its SHA-256."""
        stream, held = iter(parts), b""
        for part in stream:
            held += part
            if len(held) > LARGEST:
                return self._add_large(chain((held,), stream)).hex()
        return self._put(held).hex()

    def _add_large(self, parts: Iterable[bytes]) -> bytes:
        whole = sha256()
        listed = b"".join([self._put(piece) for piece in pieces(_noted(parts, whole))])
        name = whole.digest()
        if not self._knows(name):
            self._add(name, listed, is_list=True)
        return name

    def has(self, name: str) -> bool:
        """Return whether content is stored without known damage, or was added here."""
        return self._knows(bytes.fromhex(name))

    def finish(self) -> int:
        """Make everything durable; return how many bytes were written."""
        with writing_to(self._folder):
            self._close_pack()
            if self._done:
                sync_folder(self._folder)
        self._contents.note(self._done)
        self._done = {}
        return self._written

    def drop(self) -> None:
        """Remove what was not finished."""
        if self._pack is not None:
            self._pack.drop()
            self._pack = None

    def _put(self, piece: bytes) -> bytes:
        name = sha256(piece).digest()
        if not self._knows(name):
            self._add(name, piece, is_list=False)
        return name

    def _knows(self, name: bytes) -> bool:
        is_here = self._pack is not None and name in self._pack.rows
        return is_here or name in self._done or self._contents.is_sound(name)

    def _add(self, name: bytes, content: bytes, *, is_list: bool) -> None:
        with writing_to(self._folder):
            if self._pack is not None and self._pack.size > _LARGEST_PACK:
                self._close_pack()
            if self._pack is None:
                self._pack = PackWriter(self._folder, token_hex(8))
            self._pack.add(name, content, is_list=is_list)

    def _close_pack(self) -> None:
        if self._pack is not None:
            self._written += self._pack.size
            self._done.update(self._pack.finish())
            self._pack = None


def _noted(parts: Iterable[bytes], whole: _Digest) -> Iterator[bytes]:
    for part in parts:
        whole.update(part)
        yield part


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
