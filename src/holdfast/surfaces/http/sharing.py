"""The connections of a server with several workers: the parent process divides them evenly.

Workers that accept from one shared socket take whatever waits at the moment, so that one of two
may get seven of eight connections. Here the parent process accepts, and passes the connections to
the workers in turn.
"""

from __future__ import annotations

import os
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
"""A worker sends it when it is ready, and every connection that is passed comes with it."""
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
        with suppress(BrokenPipeError):  # `accept` ends a worker whose parent has gone
            self._channel.send(_MARK)

    def accept(self) -> tuple[socket.socket, object]:
        """Return the next connection and the address of its caller.

        Raises:
            BlockingIOError: No connection waits.
            ConnectionAbortedError: The caller has gone.
        """
        mark, files = _received(self._channel)
        if not mark:  # the parent has ended, and with it the server
            signal.raise_signal(signal.SIGTERM)
            raise BlockingIOError
        if not files:  # this process has no file descriptor left
            raise ConnectionAbortedError
        connection = socket.socket(fileno=files[0])
        try:
            return connection, connection.getpeername()
        except OSError as error:
            connection.close()
            raise ConnectionAbortedError from error

    def close(self) -> None:
        """Take nothing more, and pass the connections that wait back to the parent."""
        with suppress(OSError), self._channel:  # closed before, or the parent has gone
            self._channel.shutdown(socket.SHUT_RD)
            while files := _received(self._channel)[1]:
                socket.send_fds(self._channel, [_MARK], files)
                os.close(files[0])


class ServerWorkers(Multiprocess):
    """Worker processes, each with a channel of its own, and the thread that feeds them."""

    def __init__(self, config: uvicorn.Config, listening: socket.socket) -> None:
        self._listening = listening
        self._listening.settimeout(0)
        self._channels: dict[socket.socket, socket.socket] = {}
        self._ready: list[socket.socket] = []
        self._waiting: deque[socket.socket] = deque()
        super().__init__(config, [])

    @property
    def sockets(self) -> list[socket.socket]:
        """What the process that starts next listens to: the other end of a new channel."""
        for given in [*self._channels.values()]:
            given.close()  # the processes before have their own copies
        ours, theirs = socket.socketpair()
        ours.settimeout(0)
        self._channels[ours] = theirs
        return [cast("socket.socket", PassedConnections(theirs))]

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
            select.select([self._listening, *self._channels], [], [], _LOOK_SECONDS)
            for channel in [*self._channels]:
                self._look(channel)
            try:
                if not self._waiting:
                    self._waiting.append(self._listening.accept()[0])
            except BlockingIOError:  # only a worker said something
                continue
            except OSError:  # no file descriptor is left, or the server ends
                time.sleep(_PAUSE_SECONDS)
            while self._waiting and self._pass(self._waiting[0]):
                self._waiting.popleft().close()
            if self._waiting:
                time.sleep(_PAUSE_SECONDS)

    def _pass(self, connection: socket.socket) -> bool:
        """Pass a connection to the worker whose turn it is; tell whether one took it."""
        for channel in [*self._ready]:
            try:
                socket.send_fds(channel, [_MARK], [connection.fileno()])
            except OSError:  # the worker has ended, or has not read the last ones
                continue
            self._ready.remove(channel)
            self._ready.append(channel)
            return True
        return False

    def _look(self, channel: socket.socket) -> None:
        """Note whether a worker is ready, passes a connection back, or has ended."""
        try:
            mark, files = _received(channel)
        except BlockingIOError:
            return
        if files:
            self._waiting.append(socket.socket(fileno=files[0]))
        elif not mark:
            del self._channels[channel]
            self._ready = [one for one in self._ready if one is not channel]
            channel.close()
        elif channel not in self._ready:
            self._channels[channel].close()  # so that the end of the worker is seen here
            self._ready.append(channel)


def _received(channel: socket.socket) -> tuple[bytes, list[int]]:
    """Return the next mark of a channel, empty at its end, and the connection that came with it.

    Raises:
        BlockingIOError: Nothing was sent.
    """
    try:
        mark, files, _, _ = socket.recv_fds(channel, len(_MARK), 1)
    except ConnectionResetError:  # the other process was killed, and had not read everything
        return b"", []
    return mark, files
