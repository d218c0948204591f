"""Parses files in worker processes, so that a crash of a grammar does not end the program.

A parser is C code that its input can crash. Programs that may start processes use workers; a file
that crashes a worker is treated as plain text.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.code.parsing.limits import limit_memory, limit_time
from holdfast.adapters.code.parsing.parsed import Shaped, shape

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

_TOGETHER = 48
_PATIENCE_SECONDS = 1.0
_STDERR = 2


class SourceFile(NamedTuple):
    """A file to be parsed: its path, its bytes and its content hash."""

    path: str
    content: bytes
    blob: bytes
    signature: str


Batch = list[SourceFile]
Shapes = list[Shaped]


def shape_all(
    sources: Iterable[SourceFile], *, workers: int
) -> Iterator[tuple[SourceFile, Shaped]]:
    """Return the rows of every file, in any order; zero workers means in this process.

    Workers are started for the first file: mostly no file has changed, and a start takes as long as
    the rest of a refresh.
    """
    if workers:
        batches = _batches(sources)
        if (first := next(batches, None)) is not None:
            yield from _Pool(workers).shaped(chain((first,), batches))
    else:
        for source in sources:
            yield source, shaped(source)


def shaped(source: SourceFile) -> Shaped:
    """Return the rows of one file."""
    from holdfast.adapters.code.parsing.outline import parse

    return shape(source.path, source.content, parse(source.path, source.content))


class _Pool:
    """Worker processes: each receives batches of files and returns their rows.

    If a worker ends early, nothing is lost: its files are parsed again, one by one.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._doing: dict[Connection, Batch] = {}

    def shaped(self, batches: Iterator[Batch]) -> Iterator[tuple[SourceFile, Shaped]]:
        """Return the rows of every file."""
        from multiprocessing.connection import wait

        processes = self._started()
        try:
            for line in list(self._doing):
                yield from self._fed(line, batches)
            while self._doing:
                ready = wait(list(self._doing))
                for line in [line for line in self._doing if line in ready]:
                    yield from self._answered(line, batches)
            for batch in batches:
                yield from _done_here(batch)
        finally:
            for line in self._doing:
                line.close()
            for process in processes:
                process.join(_PATIENCE_SECONDS)
                if process.is_alive():
                    process.kill()

    def _started(self) -> list[SpawnProcess]:
        processes = []
        for _ in range(self._workers):
            reader = start_reader()
            if reader is not None:
                process, line = reader
                processes.append(process)
                self._doing[line] = []
        return processes

    def _fed(
        self, line: Connection, batches: Iterator[Batch]
    ) -> Iterator[tuple[SourceFile, Shaped]]:
        """Send a worker its next batch, or end it if there are no more.

        It has one batch at a time: if both sides wrote and neither read, they would deadlock.
        """
        batch = next(batches, None)
        if batch is None:
            self._release(line)
            return
        self._doing[line] = batch
        try:
            line.send(batch)
        except OSError:
            self._release(line)
            yield from _one_by_one(batch)

    def _answered(
        self, line: Connection, batches: Iterator[Batch]
    ) -> Iterator[tuple[SourceFile, Shaped]]:
        batch = self._doing[line]
        try:
            shapes: Shapes = line.recv()
        except (EOFError, OSError):
            self._release(line)
            yield from _one_by_one(batch)
            return
        # The worker gets its next batch before this process handles the rows, so both are busy.
        yield from self._fed(line, batches)
        yield from zip(batch, shapes, strict=True)

    def _release(self, line: Connection) -> None:
        del self._doing[line]
        line.close()


def start_reader() -> tuple[SpawnProcess, Connection] | None:
    """Start a worker, and return it with its connection; None if it cannot be started."""
    from multiprocessing import get_context

    # Spawned, not forked: this process may have threads, and it has an open database.
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs,), daemon=True)
    try:
        with _deaf_to_interrupts():
            process.start()
    except OSError:
        ours.close()
        return None
    finally:
        theirs.close()
    return process, ours


def _one_by_one(batch: Batch) -> Iterator[tuple[SourceFile, Shaped]]:
    """Parse the files of a crashed worker one by one; a file that crashes again is plain text."""
    from holdfast.adapters.code.parsing.outline import plain

    reader = None
    for source in batch:
        reader = reader or start_reader()
        shapes = None if reader is None else _asked(reader[1], [source])
        if shapes is None:
            _end(reader)
            reader = None
            yield source, shape(source.path, source.content, plain(source.path, source.content))
        else:
            yield source, shapes[0]
    _end(reader)


def _asked(line: Connection, batch: Batch) -> Shapes | None:
    try:
        line.send(batch)
        shapes: Shapes = line.recv()
    except (EOFError, OSError):
        return None
    return shapes


def _end(reader: tuple[SpawnProcess, Connection] | None) -> None:
    if reader is not None:
        process, line = reader
        line.close()
        process.join(_PATIENCE_SECONDS)


def work(line: Connection) -> None:
    """Parse batches from the connection until it closes: the main loop of a worker."""
    import os

    # Errors here occur again in the parent process, which can report them properly.
    os.dup2(os.open(os.devnull, os.O_WRONLY), _STDERR)
    limit_memory()
    while True:
        try:
            batch: Batch = line.recv()
            line.send([_in_good_time(source) for source in batch])
        except (EOFError, OSError):
            return


def _in_good_time(source: SourceFile) -> Shaped:
    limit_time()
    return shaped(source)


@contextmanager
def _deaf_to_interrupts() -> Generator[None, None, None]:
    """Make a process started in the block ignore Ctrl-C: it ends when its connection closes.

    In this process the interrupt is delivered after the block.
    """
    import signal
    from multiprocessing import resource_tracker

    # Starting the resource tracker unblocks interrupts, so it is started first.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _done_here(batch: Batch) -> Iterator[tuple[SourceFile, Shaped]]:
    for source in batch:
        yield source, shaped(source)


def _batches(sources: Iterable[SourceFile]) -> Iterator[Batch]:
    batch: Batch = []
    for source in sources:
        batch.append(source)
        if len(batch) == _TOGETHER:
            yield batch
            batch = []
    if batch:
        yield batch
