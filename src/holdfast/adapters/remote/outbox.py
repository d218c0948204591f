"""Writes that wait for a server: a file for each, in the order in which they were made.

A file is written to the disk before its write is acknowledged, and removed after the server has
acknowledged it. A process that is killed in between sends it again with the same idempotency key.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder
from holdfast.adapters.disk.file_locks import lock_within, open_lock, turn_at
from holdfast.adapters.disk.json_files import read_sealed, write_sealed
from holdfast.adapters.remote.requests import request_from_json, request_json
from holdfast.domain.errors import BadFieldError, NoSuchError
from holdfast.domain.fields import Fields, time_text
from holdfast.domain.remote_errors import OutboxUnusableError
from holdfast.domain.service.remotes import WaitingWrite
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Generator
    from datetime import datetime
    from pathlib import Path

_WAITING, _REFUSED = "outbox", "refused"
_DAMAGED = "its file is damaged"


class Outbox:
    """The writes that wait for one server, and those that it refused."""

    def __init__(self, folder: Path) -> None:
        self._waiting = folder / _WAITING
        self._refused = folder / _REFUSED
        self._adding = folder / "adding.lock"
        self._sending = folder / "sending.lock"

    @contextmanager
    def sending(self, *, patience: float) -> Generator[bool, None, None]:
        """Hold the lock for sending, so that one process sends at a time.

        False means that another process sends, and did not finish within the patience in seconds.

        Raises:
            OutboxUnusableError: The folder cannot be written.
        """
        try:
            make_own_folder(self._waiting)
            file = open_lock(self._sending)
        except OSError as error:
            raise self._unusable(error) from error
        try:
            lock_within(file, patience)
            is_held = True
        except BlockingIOError:
            is_held = False
        try:
            yield is_held
        finally:
            os.close(file)

    def add(self, write: WaitingWrite) -> WaitingWrite:
        """Keep a write after all others; it is on the disk when this returns.

        Raises:
            OutboxUnusableError: It cannot be written.
            StoreBusyError: Another process held the lock until the timeout.
        """
        try:
            make_own_folder(self._waiting)
            with turn_at(self._adding):
                numbers = [int(path.name.partition("-")[0]) for path in self._files(self._waiting)]
                numbered = replace(write, number=max(numbers, default=0) + 1)
                self._put(self._waiting, numbered)
        except OSError as error:
            raise self._unusable(error) from error
        return numbered

    def files(self) -> list[Path]:
        """Return the files of the writes that wait, oldest first, without reading them."""
        return self._files(self._waiting)

    def waiting(self) -> list[WaitingWrite]:
        """Return the writes that wait, oldest first; a damaged file is set aside first."""
        return self._read(self._waiting)

    def refused(self) -> list[WaitingWrite]:
        """Return the writes that the server refused for good, oldest first."""
        return self._read(self._refused)

    def note_sent(self, write: WaitingWrite, at: datetime) -> None:
        """Record, before a write is sent for the first time, that the server may receive it."""
        self._put(self._waiting, replace(write, sent_at=at))

    def note_unsent(self, write: WaitingWrite) -> None:
        """Record that the server has certainly not received a write."""
        self._put(self._waiting, write)

    def done(self, write: WaitingWrite) -> None:
        """Remove a write that the server acknowledged."""
        (self._waiting / write.name).unlink(missing_ok=True)

    def set_aside(self, write: WaitingWrite, problem: str) -> None:
        """Move a write that the server refuses for good out of the way of the others."""
        self._put(self._refused, replace(write, problem=problem))
        self.done(write)

    def retry(self, reference: str, *, key: str) -> WaitingWrite:
        """Put a refused write back, after all others.

        It keeps its key if the server has certainly not received it; otherwise it has the new one,
        because the server would repeat its refusal for the old one.

        Raises:
            NoSuchError: No refused write has that key.
        """
        write = self._named(reference, self.refused(), noun="refused write")
        kept = write.key if write.sent_at is None else key
        again = self.add(replace(write, key=kept, sent_at=None, problem=""))
        (self._refused / write.name).unlink(missing_ok=True)
        return again

    def drop(self, reference: str) -> WaitingWrite:
        """Remove a refused write, or one that waits.

        Raises:
            NoSuchError: No such write has that key.
        """
        write = self._named(reference, [*self.refused(), *self.waiting()], noun="kept write")
        (self._refused / write.name).unlink(missing_ok=True)
        self.done(write)
        return write

    def _named(self, reference: str, among: list[WaitingWrite], *, noun: str) -> WaitingWrite:
        found = [one for one in among if one.key.startswith(reference)]
        if len(found) != 1 or not reference:
            raise NoSuchError(noun=noun, reference=reference)
        return found[0]

    def _put(self, folder: Path, write: WaitingWrite) -> None:
        try:
            write_sealed(folder / write.name, json.dumps(_write_json(write)).encode())
        except OSError as error:
            raise self._unusable(error) from error

    def _files(self, folder: Path) -> list[Path]:
        try:
            return sorted(path for path in folder.iterdir() if path.name[:1].isdigit())
        except OSError:
            return []  # a folder that cannot be read cannot be added to either

    def _read(self, folder: Path) -> list[WaitingWrite]:
        found = [self.read(path) for path in self._files(folder)]
        return [one for one in found if one is not None]

    def read(self, path: Path) -> WaitingWrite | None:
        """Return the write of a file; None if it was sent meanwhile, or is damaged."""
        try:
            return _write_from_json(read_sealed(path))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, BadFieldError):
            make_own_folder(self._refused)
            path.replace(self._refused / f"damaged-{path.name}")
            return None

    def damaged(self) -> list[str]:
        """Return the files of the outbox that could not be read, for a person to look at."""
        return sorted(str(path) for path in self._refused.glob("damaged-*"))

    def _unusable(self, error: OSError) -> OutboxUnusableError:
        return OutboxUnusableError(path=str(self._waiting), problem=error.strerror or str(error))


def _write_json(write: WaitingWrite) -> dict[str, object]:
    return {
        "key": write.key,
        "number": write.number,
        "request": request_json(write.request),
        "at": time_text(write.at),
        "token": write.token,
        "space": write.space,
        "url": write.url,
        "sent_at": time_text(write.sent_at),
        "problem": write.problem,
    }


def _write_from_json(shape: object) -> WaitingWrite:
    fields = Fields(shape, noun="waiting write")
    return WaitingWrite(
        key=fields.text("key"),
        number=fields.whole("number"),
        request=request_from_json(fields.raw("request")),
        at=fields.moment("at"),
        token=fields.text("token"),
        space=fields.text("space"),
        url=fields.maybe_text("url") or "",
        sent_at=fields.maybe_moment("sent_at"),
        problem=fields.text("problem"),
    )
