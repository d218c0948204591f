"""Which index scans vectors: our own beside the store, or a plug-in that is set by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import PlugInFailedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.ports.finding import VectorIndex

GROUP = "holdfast.vector_index"
OURS = "sidecar"


def vector_index(wanted: Callable[[], str]) -> Callable[[str], VectorIndex | None]:
    """Return what opens an index, given the path that its files begin with.

    It is asked when vectors are first searched, not before: numpy takes its time to load.
    """

    def opened(place: str) -> VectorIndex | None:
        name = wanted()
        plugged = None if name == OURS else _plugged(name, place)
        return _ours(place) if plugged is None else plugged

    return opened


def _plugged(name: str, place: str) -> VectorIndex | None:
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        if point.name == name:
            try:
                index: VectorIndex = point.load()(place)
            except (ImportError, AttributeError, TypeError, ValueError, OSError) as error:
                raise PlugInFailedError(
                    setting="recall.index", name=name, problem=str(error)
                ) from error
            return index
    return None


def _ours(place: str) -> VectorIndex | None:
    """Return our own index; without numpy the store reads its vectors one by one."""
    try:
        from holdfast.adapters.vectors.sidecar import Sidecar
    except ImportError:
        return None
    return Sidecar(place)
