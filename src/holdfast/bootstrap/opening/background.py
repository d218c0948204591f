"""A background thread that embeds memories without a vector."""

from __future__ import annotations

from threading import Event, Thread
from typing import TYPE_CHECKING

from holdfast.bootstrap.opening.embedders import Hurry, embedder
from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.bootstrap.plugs.addresses import ServerPlace
from holdfast.domain.errors import HoldfastError, UnavailableError

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.domain.memory.callers import Principal

_BETWEEN_LOOKS = 20.0


class CatchUp:
    """Polls for memories without a vector; ends with its process or when stopped.

    It opens the store itself, so that it shares no lock and no connection. It ignores failures: the
    next recall embeds a small number of missing memories, and reports a large one.
    """

    def __init__(
        self,
        *,
        principal: Principal,
        home: Path | None,
        folder: Path,
        at: ServerPlace | None = None,
        pause: float = _BETWEEN_LOOKS,
    ) -> None:
        self._principal = principal
        self._home = home
        self._folder = folder
        self._at = at or ServerPlace()
        self._pause = pause
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="holdfast-catch-up", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current step."""
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.wait(self._pause):
            try:
                self._look()
            except HoldfastError:
                continue

    def _look(self) -> None:
        memory = open_holdfast(
            principal=self._principal, home=self._home, folder=self._folder, at=self._at
        )
        try:
            if memory.embedder is not None:
                patient = embedder(self._home, hurry=Hurry.WORK)
                memory.upkeep.catch_up(self._watch, patient)
        finally:
            memory.close()

    def _watch(self, _done: int, _total: int) -> None:
        if self._stopped.is_set():
            raise _StoppedError


class _StoppedError(UnavailableError, code="stopped"):
    """The process is about to end."""
