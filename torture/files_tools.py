"""A tool that has its own store and syncs the pages with it, edit by edit."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from holdfast.adapters.files import disk, replacing
from holdfast.adapters.files.late_saves import Settler
from holdfast.adapters.files.notebook import FileNotebook
from holdfast.adapters.files.replacing import Swapper
from holdfast.adapters.git.pages.pages import GitVersions
from holdfast.adapters.git.reading.repository import find_repository
from holdfast.domain.choices import Kind
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import PageEntry, PlacedEntry
from holdfast.domain.values import replace
from holdfast.ports.pages.files import Put
from torture.plants import Plant, planted

KINDS = (Kind.DECISION, Kind.GOTCHA)
MOST_ENTRIES = 12
MOST_TRIES = 200
LATE_SECONDS = 0.01


class TooBusyError(RuntimeError):
    """An edit did not come through however often it was tried."""

    def __str__(self) -> str:
        return self.__doc__ or ""


def notebook_at(root: Path) -> FileNotebook:
    """Return the pages of a folder, with git if there is a repository."""
    plant_here()
    repository = find_repository(root)
    return FileNotebook(root, None if repository is None else GitVersions(repository))


class Tool:
    """One process that writes its own entries, and never drops one it wrote."""

    def __init__(
        self, root: Path, *, name: str, seed: int, tell: Callable[[str], None] = lambda _: None
    ) -> None:
        self._notebook = notebook_at(root)
        self._name = name
        self._chance = random.Random(seed)
        self._tell = tell
        self._number = 0
        self.store: dict[MemoryId, PageEntry] = {}
        self.came_back = 0
        self.handed_back = 0

    @property
    def words(self) -> list[str]:
        """All acknowledged lines."""
        return [f"tool-{self._name}-{number}." for number in range(self._number)]

    def edit(self) -> None:
        """Add one line to an own entry, or a new entry, and retry until it is acknowledged."""
        uid = MemoryId(f"m_{self._name}_{self._chance.randrange(MOST_ENTRIES)}")
        word = f"tool-{self._name}-{self._number}."
        self._tell(f"try {uid} {word}")
        self._until_written({uid: word})
        self._tell(f"ack {uid} {word}")
        self._number += 1

    def catch_up(self) -> None:
        """Restore what an outdated copy of a page removed."""
        self._until_written({})

    def _until_written(self, added: dict[MemoryId, str]) -> None:
        for _ in range(MOST_TRIES):
            puts = self._puts(added)
            written = self._notebook.write(puts)
            self.handed_back += sum(one.path is None for one in written)
            if all(one.path is not None for one in written):
                self.store |= {put.entry.uid: put.entry for put in puts if put.entry.uid}
                return
        raise TooBusyError

    def _puts(self, added: dict[MemoryId, str]) -> list[Put]:
        """Return the writes for what the pages lack, as a sync would compute them."""
        there = {one.entry.uid: one for one in self._notebook.read().entries}
        puts = []
        for uid in {**self.store, **added}:
            put = self._put(uid, added.get(uid), there.get(uid))
            if put is not None:
                puts.append(put)
        return puts

    def _put(self, uid: MemoryId, word: str | None, there: PlacedEntry | None) -> Put | None:
        known = self.store.get(uid)
        entry = there.entry if there is not None else known
        lines = [] if entry is None else entry.body.splitlines()
        missing = [] if known is None else _beyond(known.body.splitlines(), lines)
        if known is not None and (there is None or any(one.startswith("tool") for one in missing)):
            self.came_back += word is None
        wanted = [*lines, *missing, *([word] if word else [])]
        if there is not None and wanted == lines:
            return None
        kind = self._chance.choice(KINDS) if entry is None else entry.kind
        made = entry or PageEntry(body="", kind=kind, uid=uid)
        body = "\n".join(wanted)
        over = None if there is None else there.entry.digest
        return Put(entry=replace(made, body=body), over=over)


def _beyond(lines: Sequence[str], there: Sequence[str]) -> list[str]:
    present = set(there)
    return [line for line in lines if line not in present]


def plant_here() -> None:
    """Break how pages are written if that bug is planted; this affects only this process."""
    if planted(Plant.BLIND_RENAME):
        setattr(Swapper, "swap", _renamed_blindly)  # noqa: B010 - a method put in another's place
    if planted(Plant.DROPPED_LATE):
        setattr(Settler, "bring_in", _dropped)  # noqa: B010 - a method put in another's place
        setattr(replacing, "exchange", _exchanged_late)  # noqa: B010 - likewise, a function
    if planted(Plant.WRITTEN_IN_PLACE):
        setattr(Swapper, "swap", _written_in_place)  # noqa: B010 - a method put in another's place


def _exchanged_late(one: str, folder: int, other: str) -> bool:
    """Exchange after a delay, so that people's saves collide and the loss shows in seconds."""
    time.sleep(LATE_SECONDS)
    return disk.exchange(one, folder, other)


def _dropped(_: Settler, _page: str, _known: bytes, ours: bytes, _late: bytes) -> bytes:
    return ours


def _renamed_blindly(swapper: Swapper, page: str, _expected: bytes | None, fresh: bytes) -> bool:
    path = _path(swapper, page)
    beside = path.with_name(f".blind-{os.getpid()}")
    beside.write_bytes(fresh)
    time.sleep(LATE_SECONDS)  # people get time to save, so that the loss shows in seconds
    # A checkout of git in between takes the file away, which loses the edit too.
    with suppress(FileNotFoundError):
        beside.replace(path)
    return True


def _written_in_place(swapper: Swapper, page: str, _expected: bytes | None, fresh: bytes) -> bool:
    with _path(swapper, page).open("wb") as file:
        for part in range(0, len(fresh), 512):
            file.write(fresh[part : part + 512])
            file.flush()
    return True


def _path(swapper: Swapper, page: str) -> Path:
    root: Path = vars(swapper)["_root"]
    return root / page
