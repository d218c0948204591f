"""The base of the machine's parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from holdfast.app.performing import when
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.bootstrap.plugs.addresses import ServerPlace
    from holdfast.domain.memory.callers import Principal


class Located(Protocol):
    """The principal who uses this machine, and their folder."""

    principal: Principal
    home: Path | None
    at: ServerPlace

    @property
    def folder(self) -> Path:
        """The principal's folder."""
        ...


class MachinePart:
    """One part of the machine; it acts for the machine's principal."""

    def __init__(self, machine: Located) -> None:
        self._machine = machine

    @property
    def principal(self) -> Principal:
        """The principal who called."""
        return self._machine.principal


DRY = when(lambda *_, is_dry=False, **__: is_dry, Operation.READ, "dry run")
"""A call that is a dry run: it only reads."""
