"""A disk model that keeps only synced data: builds the states a power cut could leave.

Synced data is kept. Of the rest, any part may be present: nothing, all, a prefix, or any of the
512-byte sectors. A new name is kept once its folder was synced (``posix``), or once anything was
synced after it (``ext4``, which has one journal).
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from torture.journal import History

SECTOR = 512
_HEADER = struct.Struct("<BIIQII")


class Model(StrEnum):
    """The rule by which a file system keeps a name."""

    POSIX = "posix"
    EXT4 = "ext4"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One recorded operation."""

    kind: str
    path: str
    second: str
    offset: int
    thread: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Change:
    """Bytes written to a file, or a new length if there are none."""

    offset: int
    data: bytes | None

    def apply(self, content: bytearray) -> None:
        """Apply the change."""
        if self.data is None:
            _resize(content, self.offset)
        else:
            _put(content, self.offset, self.data)

    def apply_some(self, content: bytearray, chance: random.Random) -> None:
        """Apply any part of the change: each sector is written or not."""
        if self.data is None:
            if chance.random() < 0.5:
                self.apply(content)
            return
        start = 0
        while start < len(self.data):
            end = min(len(self.data), start + SECTOR - (self.offset + start) % SECTOR)
            if chance.random() < 0.5:
                _put(content, self.offset + start, self.data[start:end])
            start = end


@dataclass(slots=True, eq=False)
class Inode:
    """A file without its name: its synced content, and later changes. A folder never changes."""

    is_folder: bool = False
    safe: bytearray = field(default_factory=bytearray)
    pending: list[Change] = field(default_factory=list)
    settled: int = 0
    syncs: dict[int, int] = field(default_factory=dict)

    def begin_sync(self, thread: int) -> None:
        """Record what the sync covers: the changes issued before it began."""
        self.syncs[thread] = self.settled + len(self.pending)

    def end_sync(self, thread: int) -> None:
        """Mark the changes that were issued before the sync began as durable."""
        count = max(0, self.syncs.pop(thread, 0) - self.settled)
        for change in self.pending[:count]:
            change.apply(self.safe)
        del self.pending[:count]
        self.settled += count

    def after_a_cut(self, how: str, chance: random.Random) -> bytes:
        """Return one possible content of the file after a cut."""
        content = bytearray(self.safe)
        if how == "sectors":
            for change in self.pending:
                change.apply_some(content, chance)
            return bytes(content)
        count = {"none": 0, "all": len(self.pending)}.get(how)
        if count is None:
            count = chance.randint(0, len(self.pending))
        for change in self.pending[:count]:
            change.apply(content)
        return bytes(content)


@dataclass(frozen=True, slots=True)
class Naming:
    """A change of names, with its position in the order of all of them."""

    kind: str
    path: str
    second: str
    inode: Inode | None
    place: int

    def apply(self, names: dict[str, Inode]) -> None:
        """Apply the change."""
        if self.inode is not None:
            names[self.path] = self.inode
        elif self.kind == "U":
            names.pop(self.path, None)
        elif self.path in names:
            inode = names.pop(self.path) if self.kind == "R" else names[self.path]
            names[self.second] = inode

    def is_in(self, folder: str) -> bool:
        """Return whether it changes the names in a folder."""
        return folder in {str(Path(path).parent) for path in (self.path, self.second) if path}


class Disk:
    """Follows a recording, and gives at each step the states a cut could leave."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.told = History()
        self._names: dict[str, Inode] = {}
        self._safe_names: dict[str, Inode] = {}
        self._pending: list[Naming] = []
        self._place = 0
        self._folder_syncs: dict[tuple[str, int], int] = {}

    def hold(self, folder: Path, *, at: str) -> None:
        """Start with a folder and its files, all durable on the disk."""
        self._names[at] = self._safe_names[at] = Inode(is_folder=True)
        for path in folder.iterdir():
            inode = Inode(safe=bytearray(path.read_bytes()))
            name = f"{at}/{path.name}"
            self._names[name] = self._safe_names[name] = inode

    def follow(self, step: Step) -> None:
        """Apply one step of the recording."""
        if step.kind == "A":
            for line in step.data.decode().splitlines():
                self.told.hear(line)
        elif step.kind in "CMRLU":
            self._name(step)
        elif step.kind in "WT" and step.path in self._names:
            data = step.data if step.kind == "W" else None
            self._names[step.path].pending.append(Change(step.offset, data))
        elif step.kind == "F":
            self._begin_sync(step)
        elif step.kind == "f":
            self._end_sync(step)

    def leave(self, root: str, target: Path, chance: random.Random) -> None:
        """Write one state that a cut here could leave."""
        names = dict(self._safe_names)
        count = chance.choice([0, len(self._pending), chance.randint(0, len(self._pending))])
        for naming in self._pending[:count]:
            naming.apply(names)
        how = chance.choice(["none", "all", "beginning", "sectors", "sectors", "mixed"])
        for path, inode in names.items():
            if inode.is_folder or path.endswith("-shm") or not _is_reachable(path, root, names):
                continue
            part = chance.choice(["none", "all", "beginning", "sectors"])
            place = target / Path(path).relative_to(root)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(inode.after_a_cut(part if how == "mixed" else how, chance))

    def _name(self, step: Step) -> None:
        self._place += 1
        inode = Inode(is_folder=step.kind == "M") if step.kind in "CM" else None
        naming = Naming(step.kind, step.path, step.second, inode, self._place)
        naming.apply(self._names)
        self._pending.append(naming)

    def _begin_sync(self, step: Step) -> None:
        if step.path in self._names:
            self._names[step.path].begin_sync(step.thread)
        self._folder_syncs[step.path, step.thread] = self._place

    def _end_sync(self, step: Step) -> None:
        before = self._folder_syncs.pop((step.path, step.thread), 0)
        inode = self._names.get(step.path)
        if inode is not None and not inode.is_folder:
            inode.end_sync(step.thread)
            if self.model is Model.EXT4:
                self._settle_names(before, lambda _naming: True)
        else:
            self._settle_names(before, lambda naming: naming.is_in(step.path))

    def _settle_names(self, before: int, wanted: Callable[[Naming], bool]) -> None:
        kept = []
        for naming in self._pending:
            if naming.place <= before and wanted(naming):
                naming.apply(self._safe_names)
            else:
                kept.append(naming)
        self._pending = kept


def steps(recording: Path) -> Iterator[Step]:
    """Parse the recorder's output."""
    raw = recording.read_bytes()
    place = 0
    while place + _HEADER.size <= len(raw):
        kind, one, two, offset, thread, length = _HEADER.unpack_from(raw, place)
        place += _HEADER.size
        path, second = raw[place : place + one], raw[place + one : place + one + two]
        place += one + two
        yield Step(
            kind=chr(kind),
            path=path.decode(),
            second=second.decode(),
            offset=offset,
            thread=thread,
            data=raw[place : place + length],
        )
        place += length


def _is_reachable(path: str, root: str, names: dict[str, Inode]) -> bool:
    """Return whether every parent folder exists."""
    parents = [str(parent) for parent in Path(path).parents]
    return all(parent in names for parent in parents[: parents.index(root)])


def _put(content: bytearray, offset: int, data: bytes) -> None:
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data


def _resize(content: bytearray, length: int) -> None:
    if length < len(content):
        del content[length:]
    else:
        content.extend(bytes(length - len(content)))
