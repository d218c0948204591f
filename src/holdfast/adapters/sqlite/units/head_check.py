"""Compares the event log in the database with the head file, and keeps them in step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.files import exists, keep_names
from holdfast.adapters.sqlite.database.head import HeadFile, OutsideHead

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.files import StoreFiles
    from holdfast.adapters.sqlite.database.work import Work

_TAIL_LOST = "tail_lost"
_STORE_ID = "store_id"


class HeadCheck:
    """Reports when the database lacks events that the head file proves."""

    def __init__(self, files: StoreFiles) -> None:
        self._files = files
        self._file = HeadFile(files)
        self._is_ahead = False

    def read(self) -> OutsideHead | None:
        """Return the head file's content; read it before the database, which may only be ahead."""
        return self._file.read()

    def complaint(self, outside: OutsideHead | None, work: Work) -> str | None:
        """Return which events are missing, now or since first noticed; None if none are."""
        return work.meta(_TAIL_LOST) or self._missing(outside, work)

    def notice(self, work: Work) -> str | None:
        """Store the complaint inside a unit of work, because the head file is overwritten next."""
        outside = self._file.read()
        missing = self._missing(outside, work)
        self._is_ahead = missing is not None
        noted = work.meta(_TAIL_LOST)
        if missing is not None and noted is None:
            work.set_meta(_TAIL_LOST, missing)
        return noted or missing

    def acknowledge(self, work: Work) -> bool:
        """Acknowledge a complaint: log it and remove it. Return whether there was one."""
        if self.complaint(self._file.read(), work) is None:
            return False
        work.drop_meta(_TAIL_LOST)
        work.record("store.tail-lost", self.store_id(work))
        return True

    def follow(self, work: Work) -> None:
        """Update the head file after a commit."""
        if self._is_ahead or not exists(self._files.head):
            self.reset(work)
            self._is_ahead = False
        else:
            self._file.write(OutsideHead(store_id=self.store_id(work), head=work.head()))

    def reset(self, work: Work) -> None:
        """Write the head file again from the start; make its name and content durable."""
        self._file.reset(OutsideHead(store_id=self.store_id(work), head=work.head()))
        keep_names(self._files.folder)

    def store_id(self, work: Work) -> str:
        """Return the id that this store got when it was created."""
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
