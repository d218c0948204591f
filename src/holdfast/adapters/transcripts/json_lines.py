"""Reads files with one JSON object per line; a file may be huge, truncated or compressed.

The base of tools that store each conversation in its own file.
"""

from __future__ import annotations

import io
import json
import os
import stat
from abc import ABC, abstractmethod
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.memory.entry import Flaw
from holdfast.domain.refusals import UnreadableSourceError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from typing import BinaryIO

    from _typeshed import WriteableBuffer
    from zstandard import ZstdDecompressionReader

    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.sessions.transcripts import Tell


Line = dict[str, object]
LONGEST_LINE = 16 * 1024 * 1024
LARGEST = 512 * 1024 * 1024
_PACKED = ".zst"
_NO_FILE = "it is not a regular file."
_TOO_LARGE = f"it is larger than {LARGEST >> 20} MiB, which no transcript is."


def no_one(_: Flaw) -> None:
    """Ignore a flaw."""


def json_lines(path: str, *, tell: Tell) -> Iterator[tuple[int, Line]]:
    """Return the number and the object of every line that holds an object.

    A last line without a line end is still being written, so it is no flaw.
    """
    with opened(path) as file:
        number = 0
        for raw, is_whole in _lines(file):
            number += 1
            if len(raw) > LONGEST_LINE:
                tell(Flaw(path=path, line=number, problem="The line is too long to be read."))
                continue
            value = _parsed(raw)
            if isinstance(value, dict):
                yield number, value
            elif raw.strip() and is_whole:
                tell(Flaw(path=path, line=number, problem="The line is not a JSON object."))


def _parsed(raw: bytes) -> object:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None


def _lines(file: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """Return each line, and whether it has a line end; a line that is too long is truncated."""
    while raw := file.readline(LONGEST_LINE + 1):
        is_whole = raw.endswith(b"\n")
        rest = raw
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = file.readline(LONGEST_LINE + 1)
        yield raw, is_whole


@contextmanager
def opened(path: str) -> Generator[BinaryIO, None, None]:
    """Open a file, compressed or not; system errors become domain errors.

    Raises:
        UnreadableSourceError: It cannot be opened or read, is no regular file, is too large, or
            is compressed and cannot be decompressed.
    """
    try:
        # Opening a pipe must not block.
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            _refuse_others(os.fstat(handle), path)
            with _unpacked(file, path) as plain:
                yield plain
    except OSError as error:
        raise UnreadableSourceError(path, f"{error.strerror or error}.") from error


def _refuse_others(status: os.stat_result, path: str) -> None:
    """Refuse devices, pipes and folders, whose content may never end, and too large files."""
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableSourceError(path, _NO_FILE)
    if status.st_size > LARGEST:
        raise UnreadableSourceError(path, _TOO_LARGE)


class _Bounded(io.RawIOBase):
    """A decompressed stream with a size limit: few bytes can decompress to terabytes."""

    def __init__(self, stream: ZstdDecompressionReader, path: str) -> None:
        self._stream = stream
        self._path = path
        self._left = LARGEST

    def readable(self) -> bool:
        """Return true: the stream is readable."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int | None:
        """Read the next bytes."""
        read = self._stream.readinto(buffer)
        self._left -= read or 0
        if self._left < 0:
            raise UnreadableSourceError(self._path, _TOO_LARGE)
        return read


@contextmanager
def _unpacked(file: BinaryIO, path: str) -> Generator[BinaryIO, None, None]:
    if not path.endswith(_PACKED):
        yield file
        return
    try:
        import zstandard
    except ImportError:
        raise UnreadableSourceError(
            path, "it is packed with zstd. Install the package zstandard to read it."
        ) from None
    reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
    try:
        yield io.BufferedReader(_Bounded(reader, path))
    except zstandard.ZstdError as error:
        raise UnreadableSourceError(path, f"it cannot be unpacked: {error}.") from error


def start_of(path: str, *, size: int) -> bytes:
    """Return the first bytes of a file, decompressed; empty if it cannot be read."""
    with suppress(UnreadableSourceError), opened(path) as file:
        return file.read(size)
    return b""


def file_stem(path: str) -> str:
    """Return a file's name up to the first dot."""
    return Path(path).name.partition(".")[0]


class OneConversation(ABC):
    """Reads files with one conversation each; subclasses implement ``heard``."""

    def read(self, path: str) -> Transcript:
        """Return the conversation of a file."""
        return self.heard(path, tell=no_one)

    def conversations(self, path: str, *, tell: Tell) -> Iterable[Transcript]:
        """Return the one conversation of a file."""
        return (self.heard(path, tell=tell),)

    @abstractmethod
    def heard(self, path: str, *, tell: Tell) -> Transcript:
        """Read the file, and report its unreadable parts to ``tell``."""
