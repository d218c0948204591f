"""Run the server: listen, say where, and end gracefully."""

from __future__ import annotations

import os
import signal
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import uvicorn

from holdfast.bootstrap.process import prepare_process
from holdfast.bootstrap.service.starting import ServedDatabase
from holdfast.domain.service_errors import CannotListenError
from holdfast.surfaces.http.application import HttpServer
from holdfast.surfaces.http.connections import bounded_connection, raise_file_limit
from holdfast.surfaces.http.gate import LARGEST_HEADERS
from holdfast.surfaces.http.journal import log_no_plain_lines
from holdfast.surfaces.http.options import ServeOptions
from holdfast.surfaces.http.paging import Ending
from holdfast.surfaces.http.sharing import ServerWorkers

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import FrameType

    from starlette.types import ASGIApp

_VARIABLE = "HOLDFAST_SERVE_OPTIONS"
_FACTORY = "holdfast.surfaces.http.serving:worker"
_GRACE_SECONDS = 5
_IDLE_SECONDS = 75
_MOST_QUEUED = 1_024


class GracefulServer(uvicorn.Server):
    """Ends with exit code 0 after SIGTERM or SIGINT: requests that run are finished first.

    ``ready`` is called when the server answers, and signals end it gracefully.
    """

    def __init__(
        self, config: uvicorn.Config, ready: Callable[[], None], ending: Ending | None = None
    ) -> None:
        super().__init__(config)
        self._ready = ready
        self._ending = ending

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Note the signal, and end the answers that stay open."""
        if self._ending is not None:
            self._ending.is_near = True
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to answer, and say so."""
        await super().startup(sockets)
        self._ready()

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Note the signals, and do not raise them again at the end."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        ending = (signal.SIGINT, signal.SIGTERM)
        before = {one: signal.signal(one, self.handle_exit) for one in ending}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)


def serve(options: ServeOptions, *, tell: Callable[[str], None]) -> int:
    """Serve until a signal ends the server; return the exit code.

    ``tell`` gets the address at which the server listens.

    Raises:
        BeyondLoopbackError: The options are not safe.
        CannotListenError: The address cannot be used.
        UnavailableError: The role or the schema of the database is refused.
    """
    options.refuse_unsafe()
    ServedDatabase(options.address).refuse_unusable()
    raise_file_limit()
    listening = listening_socket(options)
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    if options.workers == 1:
        ending = Ending()
        config = server_config(HttpServer(options, ending).app(), options)
        GracefulServer(config, lambda: tell(f"http://{shown}:{port}"), ending).run([listening])
        return 0
    os.environ[_VARIABLE] = options.written()
    workers = ServerWorkers(server_config(_FACTORY, options), listening)
    tell(f"http://{shown}:{port}")
    workers.run()
    return 0


def worker() -> ASGIApp:
    """Return the application of one worker process, which is spawned and runs no command."""
    prepare_process()
    return HttpServer(ServeOptions.read(os.environ[_VARIABLE])).app()


def listening_socket(options: ServeOptions) -> socket.socket:
    """Return a socket that listens at the address of the options.

    Raises:
        CannotListenError: The address cannot be used.
    """
    family = socket.AF_INET6 if ":" in options.bind else socket.AF_INET
    # asyncio turns Nagle's algorithm off only where the protocol is named; answers wait otherwise.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((options.bind, options.port))
        listening.listen(_MOST_QUEUED)
    except OSError as error:
        listening.close()
        why = error.strerror or str(error)
        raise CannotListenError(bind=options.bind, port=options.port, why=why) from error
    return listening


def server_config(app: ASGIApp | str, options: ServeOptions) -> uvicorn.Config:
    """Return the configuration of the web server."""
    log_no_plain_lines()
    return uvicorn.Config(
        app,
        factory=isinstance(app, str),
        workers=options.workers,
        loop="asyncio",  # another one does not know the channels of `sharing`
        http=bounded_connection(options.seconds),
        ws="none",
        lifespan="on",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=int(options.seconds) + _GRACE_SECONDS,
        h11_max_incomplete_event_size=LARGEST_HEADERS * 2,
    )
