"""The memory behind the door: opened when the first call comes, seen from the folder as it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.bootstrap.around import CodeReading, look_around
from holdfast.bootstrap.wiring import has_store, open_holdfast
from holdfast.domain.callers import Principal, PrincipalKind
from holdfast.domain.errors import NoStoreError
from holdfast.domain.place import DEFAULT_SPACE
from holdfast.domain.refusals import NoSuchStoreError
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.bootstrap.background import CatchUp
    from holdfast.domain.place import SpaceId


class Engine:
    """Opens the memory once and keeps it; after trouble outside, the next call opens it anew."""

    def __init__(
        self, *, home: Path | None, folder: Path | None, space: SpaceId | None = None
    ) -> None:
        self._principal = Principal.of(
            PrincipalKind.AGENT, space=space or DEFAULT_SPACE, name="an MCP client"
        )
        self._home = home
        self._folder = folder
        self._app: Holdfast | None = None
        self._catching_up: CatchUp | None = None

    def here(self) -> Holdfast:
        """Return the memory as seen from here now: the branch may have changed since.

        Raises:
            NoStoreError: A home was named, and there is no store: it may be mistyped.
        """
        if self._app is None:
            if self._home is not None and not has_store(self._home):
                if self._principal.space != DEFAULT_SPACE:
                    raise NoSuchStoreError(self._principal.space)
                raise NoStoreError(str(self._home))
            self._app = open_holdfast(
                principal=self._principal,
                home=self._home,
                folder=self._folder,
                tokens="exact",
                reading=CodeReading(is_program=True, reads_on=True),
            )
            self._catch_up()
            return self._app
        around = look_around(
            space=self._principal.space,
            home=self._home,
            folder=self._folder,
            reading=CodeReading(is_program=True),
        )
        return replace(self._app, surroundings=around.surroundings, witness=around.witness)

    def _catch_up(self) -> None:
        """Embed beside the work what was remembered without: once, and while the server runs."""
        if self._catching_up is None and self._app is not None and self._app.embedder is not None:
            from holdfast.bootstrap.background import CatchUp

            self._catching_up = CatchUp(
                principal=self._principal,
                home=self._home,
                folder=self._folder or Path.cwd(),
            )
            self._catching_up.start()

    def let_go(self) -> None:
        """Close the memory; it is opened again when it is needed."""
        app, self._app = self._app, None
        if app is not None:
            app.close()
