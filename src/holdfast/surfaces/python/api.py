"""The Python API: ``holdfast.open`` and the object that it returns."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from warnings import warn

from holdfast.bootstrap.machine.machine import Machine
from holdfast.bootstrap.plugs.addresses import ServerPlace, chosen_store
from holdfast.bootstrap.plugs.spaces import folder_of, wanted_space
from holdfast.domain.choices import choose
from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.memory.recognising import principal_of
from holdfast.surfaces.python.advice import advising
from holdfast.surfaces.python.checking import CheckMethods
from holdfast.surfaces.python.deciding import DecisionMethods
from holdfast.surfaces.python.expecting import TEXT, expect, expect_given, place_of
from holdfast.surfaces.python.keeping import MemoryMethods
from holdfast.surfaces.python.pruning import PruneMethods
from holdfast.surfaces.python.recording import SessionMethods
from holdfast.surfaces.python.supervising import SuperviseMethods

if TYPE_CHECKING:
    from holdfast.domain.memory.place import SpaceId
    from holdfast.surfaces.python.keys import KeyCollection
    from holdfast.surfaces.python.workspaces import Workspaces


class MemoryStore(
    MemoryMethods, CheckMethods, DecisionMethods, PruneMethods, SessionMethods, SuperviseMethods
):
    """An open memory, as ``holdfast.open`` returns it.

    Use it as a context manager, or close it when done. Several threads may use one. Each method
    has the name of the command; where it takes an id, it also takes a memory, a hit or a candidate.

    >>> with holdfast.open("src", home="memory", as_="agent", name="my agent") as agent:
    ...     kept = agent.remember("Tokens rotate hourly.", evidence=["auth/tokens.py:3"])
    ...     print(kept.status, kept.source)
    candidate my-agent
    """

    @property
    def workspaces(self) -> Workspaces:
        """Folders that are kept in snapshots.

        >>> hf.workspaces.snapshot("src").entries
        2
        """
        from holdfast.surfaces.python.workspaces import Workspaces

        return Workspaces(self.app.workspaces, lambda: self.is_closed)

    @property
    def keys(self) -> KeyCollection:
        """The encryption keys of what is sensitive.

        >>> hf.keys.create().is_current
        True
        """
        from holdfast.surfaces.python.keys import KeyCollection

        return KeyCollection(self)


@advising
def open_memory(
    *,
    home: Path | str | None = None,
    folder: Path | str | None = None,
    space: str | None = None,
    as_: str | None = None,
    name: str = "",
    store: str | None = None,
) -> MemoryStore:
    """Open the memory of a space, seen from a folder.

    ``space`` names the space; without it HOLDFAST_SPACE does, else it is the default space. ``as_``
    is the kind of principal: person, agent, tool or service; without it the environment decides.
    ``store`` is the address of a server, https://… or postgresql://…, or the name of a remote;
    without it HOLDFAST_STORE names one, else the store is that of the default remote, else a file.
    HOLDFAST_TENANT names the tenant on a database server, HOLDFAST_TOKEN the token for a remote.
    ``name`` is the principal's name. A program that an agent runs acts as that agent, whatever
    ``as_`` is.

    Warns if the store has lost its newest changes, or if an older file was put in its place.
    """
    at, seen_from = place_of("open", home=home), place_of("open", folder=folder)
    expect("open", TEXT, name=name)
    expect_given("open", TEXT, space=space, as_=as_, store=store)
    if seen_from is not None and not seen_from.is_dir():
        problem = f"{seen_from} does not exist, or is no folder."
        raise BadFieldError(field="folder", problem=problem)
    wanted = wanted_space(space)
    place = folder_of(wanted, "" if at is None else str(at))
    machine = Machine(
        principal=_principal(as_, name, wanted),
        home=Path(place) if place else None,
        folder=lambda: Path.cwd() if seen_from is None else seen_from,
        at=ServerPlace(address=chosen_store(store, place)),
    )
    memory = MemoryStore(machine.open(tokens="exact"), machine=machine)
    for warning in memory.warnings:
        warn(warning, RuntimeWarning, stacklevel=3)
    return memory


def _principal(as_: str | None, name: str, space: SpaceId) -> Principal:
    """Return the principal that the environment names, else one of the given kind."""
    found = principal_of(os.environ, space=space, user=name)
    if as_ is None or found.kind is not PrincipalKind.PERSON:
        return found
    kind = choose(PrincipalKind, as_, what="kind of caller")
    return Principal.of(kind, space=space, name=name)
