"""The open memory that the methods of the Python API share."""

from __future__ import annotations

from typing import TYPE_CHECKING
from warnings import warn

from holdfast.domain.errors import HoldfastError
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.surfaces.python.advice import ClosedError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType
    from typing import Self

    from holdfast.app import Holdfast
    from holdfast.bootstrap.machine.machine import Machine


class Door:
    """An open memory: its application, its machine, and whether it is closed."""

    def __init__(self, holdfast: Holdfast, *, machine: Machine | None = None) -> None:
        self.app = holdfast
        self._machine = machine
        self._is_closed = False

    @property
    def warnings(self) -> Sequence[str]:
        """Problems of a store that can still be used, such as a lost tail; each says what to do.

        >>> hf.warnings
        ()
        """
        return self.app.warnings

    @property
    def is_closed(self) -> bool:
        """Whether the memory was closed.

        >>> hf.is_closed
        False
        """
        return self._is_closed

    def close(self) -> None:
        """Close the store; closing it twice changes nothing.

        >>> hf.close()
        >>> hf.is_closed
        True
        """
        self._is_closed = True
        self.app.close()

    def __enter__(self) -> Self:
        """Return the memory itself; leaving the block closes it."""
        if self.is_closed:
            raise ClosedError
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the store."""
        self.close()

    def __repr__(self) -> str:
        """Return the place of the store, and who uses it."""
        where = "" if self._machine is None else f" of {self._machine.location()!r}"
        who = self.app.principal.kind.value
        state = "closed" if self.is_closed else "open"
        return f"<holdfast.MemoryStore{where}, as {who}, {state}>"

    def _person(self) -> str:
        """Return the name under which decisions are recorded."""
        principal = self.app.principal
        if principal.kind is PrincipalKind.PERSON and principal.name:
            return principal.name
        named = "" if self._machine is None else self._machine.settings.value("user")[0]
        return named or _system_user()

    def _write_pages(self) -> None:
        """Write a decision into the pages of the repository; it is kept even if this fails."""
        try:
            self.app.page_writer.write(by=self._person())
        except HoldfastError as error:
            warn(f"Decided, but the pages were not written: {error}", RuntimeWarning, stacklevel=4)


def _system_user() -> str:
    from getpass import getuser

    try:
        return getuser()
    except (KeyError, OSError):
        return "person"
