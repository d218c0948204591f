"""A disk that fails at its N-th call: SQLite's calls fail in a VFS, the store's own in os."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import wraps
from typing import Any

import apsw

NAME = "faulty"
_OS_CALLS = ("open", "pread", "pwrite", "write", "fsync", "posix_fallocate", "unlink", "replace")
_NEEDING_SPACE = frozenset(
    {"xOpen", "xWrite", "xSync", "xTruncate", "open", "pwrite", "write", "fsync", "posix_fallocate"}
)
_BY_HANDLE = frozenset({"pread", "pwrite", "write", "fsync", "posix_fallocate"})


class Kind(StrEnum):
    """The kinds of failure."""

    ERROR_ONCE = "error once"
    ERROR_LASTING = "error for good"
    FULL_ONCE = "full once"
    FULL_LASTING = "full for good"
    SHORT_READ = "short read"

    @property
    def is_lasting(self) -> bool:
        """Return whether every later call fails too."""
        return self in {Kind.ERROR_LASTING, Kind.FULL_LASTING}

    @property
    def is_full(self) -> bool:
        """Return whether the disk reports that it is full, which reads never do."""
        return self in {Kind.FULL_ONCE, Kind.FULL_LASTING}

    def fits(self, call: str) -> bool:
        """Return whether a call can fail in this way."""
        if self is Kind.SHORT_READ:
            return call == "xRead"
        return not self.is_full or call in _NEEDING_SPACE


@dataclass(slots=True)
class Plan:
    """Which call fails, and how. Without a number no call fails, and the calls are only counted."""

    at: int = 0
    kind: Kind = Kind.ERROR_ONCE
    calls: list[str] = field(default_factory=list)
    fired: int = 0

    def fails(self, call: str) -> bool:
        """Count a call; return whether it must fail."""
        self.calls.append(call)
        number = len(self.calls)
        due = number == self.at or (self.kind.is_lasting and 0 < self.at < number)
        if due and self.kind.fits(call):
            self.fired += 1
            return True
        return False

    def tick(self, call: str) -> None:
        """Count a call of SQLite; raise an error if it must fail."""
        if self.fails(call):
            said = f"planned failure of {call}, call {len(self.calls)}"
            raise apsw.FullError(said) if self.kind.is_full else apsw.IOError(said)


class FaultyDisk(apsw.VFS):
    """The machine's disk, with planned failures."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(NAME, "")
        self._plan = plan

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's names, here and below
        self._plan.tick("xOpen")
        return FaultyFile(self._plan, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802, FBT001
        self._plan.tick("xDelete")
        super().xDelete(filename, syncdir)

    def xAccess(self, pathname: str, flags: int) -> bool:  # noqa: N802
        self._plan.tick("xAccess")
        return super().xAccess(pathname, flags)


class FaultyFile(apsw.VFSFile):
    """A file on such a disk."""

    def __init__(self, plan: Plan, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._plan = plan

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        if self._plan.kind is Kind.SHORT_READ:
            content = super().xRead(amount, offset)
            return content[: len(content) // 2] if self._plan.fails("xRead") else content
        self._plan.tick("xRead")
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._plan.tick("xWrite")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._plan.tick("xSync")
        super().xSync(flags)

    def xFileSize(self) -> int:  # noqa: N802
        self._plan.tick("xFileSize")
        return super().xFileSize()

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._plan.tick("xTruncate")
        super().xTruncate(newsize)


def break_os(plan: Plan, home: str) -> None:
    """Make this process's calls to files below a folder fail as planned, permanently."""
    ours: set[int] = set()

    def breaking(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(real)
        def call(target: Any, *rest: Any, **named: Any) -> Any:  # noqa: ANN401 - stands in for any call
            concerns_us = target in ours if name in _BY_HANDLE else str(target).startswith(home)
            if concerns_us and plan.fails(name):
                number = errno.ENOSPC if plan.kind.is_full else errno.EIO
                raise OSError(number, os.strerror(number), str(target))
            result = real(target, *rest, **named)
            if name == "open":
                (ours.add if concerns_us else ours.discard)(result)
            return result

        return call

    for name in _OS_CALLS:
        setattr(os, name, breaking(name, getattr(os, name)))
