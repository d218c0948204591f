"""Count candidates and conflicts of a checkout with the whole application, for the badge."""

from __future__ import annotations

from pathlib import Path

from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.domain.choices import Status
from holdfast.domain.errors import HoldfastError
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.memory.place import DEFAULT_SPACE, read_space


def waiting_here(home: str, folder: str, space: str) -> tuple[int, int]:
    """Return how many candidates and conflicts reach the checkout of a folder.

    '' is the usual home, the current folder, and the default space.
    """
    try:
        memory = open_holdfast(
            principal=Principal.of(
                PrincipalKind.TOOL, space=read_space(space or DEFAULT_SPACE), name="badge"
            ),
            home=Path(home) if home else None,
            folder=Path(folder) if folder else None,
        )
    except HoldfastError:
        return (0, 0)
    try:
        state = memory.upkeep.status()
    except HoldfastError:
        return (0, 0)
    finally:
        memory.close()
    return state.by_status.get(Status.CANDIDATE, 0), state.conflicts
