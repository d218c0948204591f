"""The connections of a server with several workers: the parent process divides them evenly.

Workers that accept from one shared socket take whatever waits at the moment, so that one of two
may get seven of eight connections. Here the parent process accepts, and passes the connections to
the workers in turn. A worker reports each connection that it takes: a worker that hangs gets no
more of them, and those that an ended worker had not taken go to another one.
"""

from __future__ import annotations

import select
import signal
import socket
import threading
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from uvicorn.supervisors.multiprocess import Multiprocess

if TYPE_CHECKING:
    import uvicorn

_MARK = b"."
"""A worker sends it when it is ready and for each connection that it took; it comes with each."""
_MOST_MARKS = 4_096
_LATE_SECONDS = 0.5
"""How long a worker may leave a connection untaken before the others get all new ones."""
_PAUSE_SECONDS = 0.05
_LOOK_SECONDS = 1.0
"""How often the parent looks at the channels of new workers without any caller."""


class PassedConnections:
    """What a worker listens to: a channel on which the parent process passes connections.

    It has the methods that an event loop of asyncio calls on a socket that listens. It is no socket
    itself, because a process that is spawned is given sockets of that very class only.
    """

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self.fileno = channel.fileno
        self.setblocking = channel.setblocking
        self.type = channel.type

    def __reduce__(self) -> tuple[type[PassedConnections], tuple[socket.socket]]:
        """Return how a process that is spawned makes its own."""
        return PassedConnections, (self._channel,)

    def listen(self, backlog: int) -> None:
        """Tell the parent that this worker is ready; ``backlog`` has no meaning here."""
        del backlog
        self._tell()

    def accept(self) -> tuple[socket.socket, object]:
        """Return the next connection and the address of its caller.

        Raises:
            BlockingIOError: No connection waits.
            ConnectionAbortedError: The caller has gone.
        """
        try:
            mark, files, _, _ = socket.recv_fds(self._channel, len(_MARK), 1)
        except ConnectionResetError:  # the parent was killed, and had not read everything
            mark, files = b"", []
        if not mark:  # the parent has ended, and with it the server
            signal.raise_signal(signal.SIGTERM)
            raise BlockingIOError
        self._tell()
        if not files:  # this process has no file descriptor left
            raise ConnectionAbortedError
        connection = socket.socket(fileno=files[0])
        try:
            return connection, connection.getpeername()
        except OSError as error:
            connection.close()
            raise ConnectionAbortedError from error

    def close(self) -> None:
        """Take nothing more; the parent passes the connections that wait to another worker."""
        self._channel.close()

    def _tell(self) -> None:
        """Send a mark; wait if the parent has not read the last ones."""
        with suppress(BrokenPipeError):  # `accept` ends a worker whose parent has gone
            waiting = select.poll()
            waiting.register(self._channel, select.POLLOUT)
            waiting.poll()
            self._channel.send(_MARK)


class _Worker:
    """The ends of a worker's channel, and the connections that it was passed and has not taken."""

    def __init__(self) -> None:
        self.channel, self.theirs = socket.socketpair()
        self.channel.settimeout(0)
        self.untaken: deque[tuple[float, socket.socket]] = deque()
        self.is_ready = False

    @property
    def is_late(self) -> bool:
        """Whether it has left a connection untaken for long, so that it may hang."""
        return bool(self.untaken) and time.monotonic() - self.untaken[0][0] > _LATE_SECONDS

    def took(self, marks: int) -> None:
        """Count its marks: the first means that it is ready, each other a taken connection."""
        if not self.is_ready:
            self.is_ready = True
            self.theirs.close()  # so that the end of the worker is seen here
            marks -= 1
        for _ in range(min(marks, len(self.untaken))):
            self.untaken.popleft()[1].close()


class ServerWorkers(Multiprocess):
    """Worker processes, each with a channel of its own, and the thread that feeds them."""

    def __init__(self, config: uvicorn.Config, listening: socket.socket) -> None:
        self._listening = listening
        self._listening.settimeout(0)
        self._workers: list[_Worker] = []
        """In the order of their turns."""
        self._waiting: deque[socket.socket] = deque()
        super().__init__(config, [])

    @property
    def sockets(self) -> list[socket.socket]:
        """What the process that starts next listens to: the other end of a new channel."""
        for worker in [*self._workers]:
            worker.theirs.close()  # the processes before have their own copies
        worker = _Worker()
        self._workers.append(worker)
        return [cast("socket.socket", PassedConnections(worker.theirs))]

    @sockets.setter
    def sockets(self, sockets: list[socket.socket]) -> None:
        """Ignore sockets that all processes would share."""

    def run(self) -> None:
        """Run the workers until a signal ends them."""
        threading.Thread(target=self._divide, name="accept", daemon=True).start()
        super().run()

    def terminate_all(self) -> None:
        """Accept nothing more, and end the workers."""
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        super().terminate_all()

    def _divide(self) -> None:
        while not self.should_exit.is_set():
            self._wait()
            for worker in [*self._workers]:
                self._look(worker)
            try:
                if not self._waiting:
                    self._waiting.append(self._listening.accept()[0])
            except BlockingIOError:  # only a worker said something
                continue
            except OSError:  # no file descriptor is left, or the server ends
                time.sleep(_PAUSE_SECONDS)
            while self._waiting and self._pass(self._waiting[0]):
                self._waiting.popleft()
            if self._waiting:
                time.sleep(_PAUSE_SECONDS)

    def _wait(self) -> None:
        """Wait for a connection, or for a message of a worker.

        The parent holds what hanging workers do not take, so it may have more file descriptors than
        the 1,024 that ``select`` can watch.
        """
        waiting = select.poll()
        waiting.register(self._listening, select.POLLIN)
        for worker in [*self._workers]:
            waiting.register(worker.channel, select.POLLIN)
        waiting.poll(_LOOK_SECONDS * 1_000)

    def _pass(self, connection: socket.socket) -> bool:
        """Pass a connection to the worker whose turn it is; tell whether one was given it.

        A worker that may hang gets it only if all may.
        """
        ready = [worker for worker in self._workers if worker.is_ready]
        for worker in sorted(ready, key=lambda one: one.is_late):
            try:
                socket.send_fds(worker.channel, [_MARK], [connection.fileno()])
            except OSError:  # the worker has ended, or has not read the last ones
                continue
            worker.untaken.append((time.monotonic(), connection))
            self._workers.remove(worker)
            self._workers.append(worker)
            return True
        return False

    def _look(self, worker: _Worker) -> None:
        """Note whether a worker is ready, has taken connections, or has ended."""
        try:
            marks = len(worker.channel.recv(_MOST_MARKS))
        except BlockingIOError:
            return
        except ConnectionResetError:  # it was killed, and had not read everything
            marks = 0
        if marks:
            worker.took(marks)
            return
        self._workers.remove(worker)
        worker.channel.close()
        # It has read nothing of these: a worker takes a connection before it reads from it.
        self._waiting.extendleft(connection for _, connection in reversed(worker.untaken))
