"""Compares the chain inside the database with the head outside, and keeps them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.files import exists, keep_names
from holdfast.adapters.sqlite.head import HeadFile, OutsideHead

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.files import StoreFiles
    from holdfast.adapters.sqlite.work import Work

_TAIL_LOST = "tail_lost"
_STORE_ID = "store_id"


class Witness:
    """Knows how far the store had come, and says so when the database has not."""

    def __init__(self, files: StoreFiles) -> None:
        self._files = files
        self._file = HeadFile(files)
        self._is_ahead = False

    def read(self) -> OutsideHead | None:
        """Return the head outside; read it before the database, which may only be ahead."""
        return self._file.read()

    def complaint(self, outside: OutsideHead | None, work: Work) -> str | None:
        """Say what is missing, now or since it was first noticed; None if nothing is."""
        return work.meta(_TAIL_LOST) or self._missing(outside, work)

    def notice(self, work: Work) -> str | None:
        """Inside a unit of work: keep the complaint, for the head outside moves on now."""
        outside = self._file.read()
        missing = self._missing(outside, work)
        self._is_ahead = missing is not None
        noted = work.meta(_TAIL_LOST)
        if missing is not None and noted is None:
            work.set_meta(_TAIL_LOST, missing)
        return noted or missing

    def acknowledge(self, work: Work) -> bool:
        """Take a complaint as known: log it and drop it. Tell whether there was one."""
        if self.complaint(self._file.read(), work) is None:
            return False
        work.drop_meta(_TAIL_LOST)
        work.record("store.tail-lost", self.store_id(work))
        return True

    def follow(self, work: Work) -> None:
        """After a commit: bring the head outside up to it."""
        if self._is_ahead or not exists(self._files.head):
            self.reset(work)
            self._is_ahead = False
        else:
            self._file.write(OutsideHead(store_id=self.store_id(work), head=work.head()))

    def reset(self, work: Work) -> None:
        """Start the head file anew, its name and content durable."""
        self._file.reset(OutsideHead(store_id=self.store_id(work), head=work.head()))
        keep_names(self._files.folder)

    def store_id(self, work: Work) -> str:
        """Return the name this store got when it was made."""
        return work.meta(_STORE_ID) or ""

    def _missing(self, outside: OutsideHead | None, work: Work) -> str | None:
        if outside is None or not outside.head.sequence:
            return None
        if outside.store_id != self.store_id(work):
            return (
                f"The head beside the database is that of another store with"
                f" {outside.head.sequence:,} events: that one was deleted or replaced."
            )
        written = work.event_hash(outside.head.sequence)
        if written is None:
            return (
                f"The log ends at event {work.head().sequence:,}, but event"
                f" {outside.head.sequence:,} had been written: the newest changes are lost,"
                " or an older file was put in place."
            )
        if written != outside.head.hash:
            return (
                f"Event {outside.head.sequence:,} is not the one that had been written:"
                " an older file was put in place and written to."
            )
        return None
