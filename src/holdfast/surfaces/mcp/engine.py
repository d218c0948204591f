"""The open memory of the MCP server: opened at the first call, seen from the current folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.bootstrap.machine.machine import Machine
from holdfast.bootstrap.plugs.addresses import ServerPlace, chosen_store
from holdfast.bootstrap.plugs.folder_ports import CodeReading
from holdfast.domain.access_errors import NoSuchStoreError
from holdfast.domain.errors import NoStoreError
from holdfast.domain.memory.callers import Principal, PrincipalKind, Visible
from holdfast.domain.memory.place import DEFAULT_SPACE
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.bootstrap.opening.background import CatchUp
    from holdfast.domain.memory.place import SpaceId

_DECIDES = "decide"
_READING = CodeReading(is_program=True, visible=Visible.NOT_IGNORED)
_SOMEBODY = "the user of an MCP client"


class OpenMemory:
    """Opens the memory once and keeps it; after an outside failure, the next call reopens it."""

    def __init__(
        self, *, home: Path | None, folder: Path | None, space: SpaceId | None = None
    ) -> None:
        agent = Principal.of(
            PrincipalKind.AGENT, space=space or DEFAULT_SPACE, name="an MCP client"
        )
        self._machine = Machine(
            principal=agent,
            home=home,
            folder=lambda: Path.cwd() if folder is None else folder,
            at=ServerPlace(
                address=chosen_store(None, "" if home is None else str(home)), adds_store=False
            ),
        )
        self._app: Holdfast | None = None
        self._catching_up: CatchUp | None = None

    @property
    def profile(self) -> str:
        """The profile of tools that the settings name."""
        return self._machine.settings.value("mcp.profile")[0]

    @property
    def person(self) -> str:
        """The name under which an answer of the client's user decides; empty if none does."""
        settings = self._machine.settings
        if settings.value("mcp.answers")[0] != _DECIDES:
            return ""
        return settings.value("user")[0] or _SOMEBODY

    def here(self) -> Holdfast:
        """Return the memory as seen from the current folder and branch, which may have changed.

        Raises:
            NoStoreError: A home was named, and it has no store; the name may be mistyped.
            NoSuchStoreError: A space was named, and it has no store.
        """
        machine = self._machine
        if self._app is not None:
            return machine.look_again(self._app, reading=_READING)
        if machine.home is not None and not machine.has_store():
            if machine.principal.space != DEFAULT_SPACE:
                raise NoSuchStoreError(machine.principal.space)
            raise NoStoreError(str(machine.home))
        self._app = machine.open(tokens="exact", reading=replace(_READING, reads_on=True))
        if self._catching_up is None and self._app.embedder is not None:
            self._catching_up = machine.catch_up_beside()
        return self._app

    def release(self) -> None:
        """Close the memory; the next call opens it again."""
        app, self._app = self._app, None
        if app is not None:
            app.close()
