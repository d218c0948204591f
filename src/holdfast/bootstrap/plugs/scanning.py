"""Choose the vector index: the built-in one beside the store, or a plug-in set by name."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from holdfast.domain.lookup_errors import PlugInFailedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.ports.store.finding import VectorStore

GROUP = "holdfast.vector_store"
OURS = "sidecar"


def vector_store(wanted: Callable[[], str]) -> Callable[[str], VectorStore | None]:
    """Return a function that opens an index, given the prefix of its file paths.

    It is called at the first search by vectors, because loading the index is slow.
    """

    def opened(place: str) -> VectorStore | None:
        name = wanted()
        plugged = None if name == OURS else _plugged(name, place)
        return _ours(place) if plugged is None else plugged

    return opened


def _plugged(name: str, place: str) -> VectorStore | None:
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        if point.name == name:
            try:
                index: VectorStore = point.load()(place)
            except (ImportError, AttributeError, TypeError, ValueError, OSError) as error:
                raise PlugInFailedError(
                    setting="recall.index", name=name, problem=str(error)
                ) from error
            return index
    return None


def _ours(place: str) -> VectorStore | None:
    """Return the built-in index; without numpy the store compares its vectors one by one."""
    if find_spec("numpy") is None:
        return None
    from holdfast.adapters.vectors.sidecar import Sidecar

    return Sidecar(place)
