"""The memory behind the door: opened when the first call comes, seen from the folder as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.bootstrap.wiring import open_holdfast, surroundings
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.app import Holdfast


class Engine:
    """Opens the memory once and keeps it; after trouble outside, the next call opens it anew."""

    def __init__(self, *, home: Path | None, folder: Path | None) -> None:
        self._home = home
        self._folder = folder
        self._app: Holdfast | None = None

    def here(self) -> Holdfast:
        """Return the memory as seen from here now: the branch may have changed since."""
        if self._app is None:
            self._app = open_holdfast(home=self._home, folder=self._folder, tokens="exact")
            return self._app
        return replace(self._app, surroundings=surroundings(home=self._home, folder=self._folder))

    def let_go(self) -> None:
        """Close the memory; it is opened again when it is needed."""
        app, self._app = self._app, None
        if app is not None:
            app.close()
