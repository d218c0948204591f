"""Carries out the calls of the application's parts on a server.

A method of a part is looked up by its name in the tables of this package. A method without an
entry runs here, as it does with a local store; if it needs the store, it is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from holdfast.app.performing import DECLARED, Part, Performed, admit
from holdfast.bootstrap.remote.asking import Asking
from holdfast.domain.remote_errors import NotOnRemoteError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import FunctionType
    from typing import NoReturn, TypeVar

    from holdfast.adapters.remote.server import RemoteServer
    from holdfast.app import Holdfast
    from holdfast.domain.memory.callers import Principal
    from holdfast.domain.memory.place import SpaceId

    AnyPart = TypeVar("AnyPart", bound=Part)


def calls_of(part: type[Part]) -> Mapping[str, FunctionType]:
    """Return the calls of a part by the names of its methods."""
    from holdfast.bootstrap.remote import (
        answers,
        care,
        checking,
        keys,
        memories,
        proposing,
        review,
        runs,
        sessions,
    )

    for subject in (answers, care, checking, keys, memories, proposing, review, runs, sessions):
        table = cast("Mapping[type[Part], Sequence[FunctionType]]", subject.PARTS)
        if part in table:
            return {one.__name__: one for one in table[part]}
    return {}


class CarriedPart:
    """A part whose calls are carried out on a server, after the same check of the principal."""

    def __init__(self, part: Part, at: Asking) -> None:
        self._part = part
        self._at = at

    @property
    def principal(self) -> Principal:
        """The principal who called."""
        return self._part.principal

    def __getattr__(self, name: str) -> object:
        """Return a method of the part."""
        call = calls_of(type(self._part)).get(name)
        if call is None:
            return getattr(self._part, name)
        declared: Performed = getattr(getattr(type(self._part), name), DECLARED)

        def carried(*given: object, **named: object) -> object:
            admit(self.principal, declared.operation(*given, **named))
            return call(self._at, *given, **named)

        return carried


class ServerCarrier:
    """Implements the carrier of Holdfast with a server."""

    def __init__(self, server: RemoteServer) -> None:
        self._server = server

    def carry(self, part: AnyPart, holdfast: Holdfast) -> AnyPart:
        """Return an object with the methods of the part."""
        at = Asking(server=self._server, holdfast=holdfast, part=part)
        return cast("AnyPart", CarriedPart(part, at))


class StoreElsewhere:
    """Stands for the store of a server: everything that needs the store itself is refused."""

    def __init__(self, server: RemoteServer, space: SpaceId) -> None:
        self._server = server
        self.space = space

    @property
    def warnings(self) -> Sequence[str]:
        """What a person should know about the answers so far."""
        return self._server.warnings

    def close(self) -> None:
        """Do nothing: no connection stays open."""

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse every other use of a store.

        Raises:
            NotOnRemoteError: Always.
        """
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotOnRemoteError(server=self._server.access.shown)
