"""Choose the vector index: the built-in one beside the store, Chroma, or a plug-in set by name."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

from holdfast.adapters.chroma.collection import ChromaMissingError, RemoteIndexError
from holdfast.adapters.chroma.places import is_chroma, own_folder, read_place
from holdfast.adapters.http.addresses import is_local
from holdfast.adapters.machine.settings import environment_name
from holdfast.domain.lookup_errors import PlugInFailedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.adapters.machine.settings import SettingsFile
    from holdfast.ports.store.finding import VectorStore

GROUP = "holdfast.vector_store"
OURS = "sidecar"
SETTING = "recall.index"


def chosen_index(kept: SettingsFile) -> str:
    """Return the setting that names the index.

    Raises:
        RemoteIndexError: A variable names a server on another machine.
    """
    name, chosen_by = kept.value(SETTING)
    if chosen_by == "environment" and is_chroma(name):
        url = read_place(name, "/").url
        if url and not is_local(url):
            raise RemoteIndexError(source=f"The variable {environment_name(SETTING)}")
    return name


def vector_store(wanted: Callable[[], str]) -> Callable[[str], VectorStore | None]:
    """Return a function that opens an index, given the prefix of its file paths.

    It is called at the first search by vectors, because loading the index is slow.
    """

    def opened(place: str) -> VectorStore | None:
        name = wanted()
        if is_chroma(name):
            return chroma_index(name, place)
        plugged = None if name == OURS else _plugged(name, place)
        _remove_other(own_folder(place))
        return _ours(place) if plugged is None else plugged

    return opened


def outside_store(wanted: Callable[[], str]) -> Callable[[str], VectorStore | None]:
    """Return a function that opens an index outside a database server; None means pgvector."""

    def opened(place: str) -> VectorStore | None:
        name = wanted()
        return chroma_index(name, place) if is_chroma(name) else None

    return opened


def chroma_index(setting: str, place: str) -> VectorStore:
    """Open the index of a model in Chroma.

    ``place`` is the path of the store's files with the number of the model; on a database server
    it is the number only.

    Raises:
        PlugInFailedError: The setting names no place.
        ChromaMissingError: A package is missing.
    """
    try:
        found = read_place(setting, place)
    except ValueError as error:
        raise PlugInFailedError(setting=SETTING, name=setting, problem=str(error)) from error
    if lacks_packages(setting):
        raise ChromaMissingError(setting)
    from holdfast.adapters.chroma.index import ChromaIndex

    is_in_a_file = place.startswith("/")
    if is_in_a_file:
        from holdfast.adapters.vectors.following import discard

        discard(place)
    return ChromaIndex(found, place.rpartition("-")[2] if is_in_a_file else place)


def lacks_packages(setting: str) -> bool:
    """Tell whether a package is missing that this setting of the index needs."""
    if not is_chroma(setting):
        return False
    needed = ("numpy",) if "+http" in setting.partition(":")[0] else ("numpy", "chromadb")
    return any(find_spec(name) is None for name in needed)


def _remove_other(folder: str) -> None:
    """Remove a Chroma beside the store that was used before: no other code removes its vectors."""
    if os.path.isdir(folder):  # noqa: PTH112 - the name is text already
        import shutil

        shutil.rmtree(folder, ignore_errors=True)


def _plugged(name: str, place: str) -> VectorStore | None:
    from importlib.metadata import entry_points

    if not any(point.name == name for point in entry_points(group=GROUP)):
        return None
    from holdfast.bootstrap.plugs.plugged_index import PluggedIndex
    from holdfast.bootstrap.plugs.plugging import PlugIn

    return PluggedIndex(PlugIn(GROUP, name, setting=SETTING, given=(place,)))


def _ours(place: str) -> VectorStore | None:
    """Return the built-in index; without numpy the store compares its vectors one by one."""
    if find_spec("numpy") is None:
        return None
    from holdfast.adapters.vectors.sidecar import Sidecar

    return Sidecar(place)
