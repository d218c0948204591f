"""What the parts of the machine have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from holdfast.app.performing import when
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.domain.memory.callers import Principal


class Located(Protocol):
    """Who uses this machine, and from where."""

    principal: Principal
    home: Path | None

    @property
    def folder(self) -> Path:
        """The folder that the principal stands in."""
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
"""A call that only looks at what would be changed."""
