"""Wire the application: choose and open the store, the clock and the files.

The files around a store and a folder, opened when a part of Holdfast first uses them.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder
from holdfast.adapters.machine.clock import MachineClock
from holdfast.adapters.machine.folders import STORE_FILE
from holdfast.adapters.machine.settings import (
    SETTINGS,
    SettingsFile,
    data_folder,
)
from holdfast.adapters.sqlite.database.files import StoreFiles
from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions
from holdfast.app import Holdfast
from holdfast.bootstrap.opening.attaching import AttachedFiles, RemoteAttachments
from holdfast.bootstrap.opening.embedders import chosen_embedder, local_embedder, older_embedders
from holdfast.bootstrap.opening.own_settings import pruning_of, settings
from holdfast.bootstrap.opening.pair_reading import pair_reader
from holdfast.bootstrap.opening.readers import answer_reader, deep_of, reader
from holdfast.bootstrap.plugs.addresses import (
    ServerPlace,
    remote_address,
    server_address,
    state_folder_name,
)
from holdfast.bootstrap.plugs.encryption import LazyKeyRing, store_keys
from holdfast.bootstrap.plugs.folder_ports import CodeReading, look_around
from holdfast.bootstrap.plugs.scanning import chosen_index, outside_store, vector_store
from holdfast.bootstrap.plugs.server import open_server_store
from holdfast.domain.choices import Retrieval
from holdfast.heuristics.english import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.domain.memory.callers import Principal
    from holdfast.domain.memory.place import SpaceId
    from holdfast.ports.pages.files import Traces
    from holdfast.ports.recall.models import Reranker, TokenCounter
    from holdfast.ports.store.store import Store


__all__ = [
    "SETTINGS",
    "CodeReading",
    "SettingsFile",
    "has_store",
    "open_holdfast",
    "open_store",
    "settings",
    "store_path",
    "token_counter",
]

_IN_PROCESS = CodeReading()
_AS_SET = ServerPlace()


def store_path(home: Path | None = None) -> Path:
    """Return the path of the store file."""
    return (home or data_folder()) / STORE_FILE


def has_store(home: Path | None = None, *, address: str | None = None) -> bool:
    """Return whether there is a store, or was one whose file is lost; a server has every one."""
    if remote_address(address) or server_address(address):
        return True
    files = StoreFiles(store_path(home))
    return _may_be_there(files.database) or _may_be_there(files.head)


def _may_be_there(path: str) -> bool:
    """Return whether a file may exist; missing rights are reported when it is opened."""
    try:
        os.stat(path)  # noqa: PTH116 - the name is text already
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return True


def token_counter(wanted: str) -> TokenCounter:
    """Return the wanted token counter; ``exact`` falls back if it is not installed."""
    if wanted != "estimate":
        from holdfast.adapters.tokens.exact import ExactTokens, is_installed

        if wanted in {"exact", ExactTokens.name} and is_installed():
            return ExactTokens()
    from holdfast.adapters.tokens.estimate import EstimatedTokens

    return EstimatedTokens()


def open_holdfast(
    *,
    principal: Principal,
    home: Path | None = None,
    folder: Path | None = None,
    tokens: str = "estimate",
    reading: CodeReading = _IN_PROCESS,
    at: ServerPlace = _AS_SET,
) -> Holdfast:
    """Open the memory of the principal's space, seen from a folder.

    ``home`` is the folder of the space; ``at`` names the database server, if the store is on one.

    Raises:
        NoSuchStoreError: The store in that folder belongs to another space.
    """
    kept, space = settings(home), principal.space
    around = look_around(
        space=space,
        home=home,
        folder=folder,
        reading=reading,
        at=at,
        model=cache(partial(local_embedder, home)),
    )
    if remote := remote_address(at.address):
        from holdfast.bootstrap.remote.opening import open_remote

        attached = RemoteAttachments(home=home, folder=(folder or Path.cwd()).absolute(), at=at)
        return open_remote(
            remote,
            principal=principal,
            home=home,
            counter=token_counter(tokens),
            around=around,
            attachments=attached,
        )
    store = open_store(home, space, at)
    chosen, broken_model = chosen_embedder(home)
    return Holdfast(
        principal=principal,
        store=store,
        clock=MachineClock(),
        counter=token_counter(tokens),
        surroundings=around.surroundings,
        heuristics=ENGLISH,
        embedder=chosen,
        older_embedders=older_embedders(home),
        broken_model=broken_model,
        retrieval=Retrieval(kept.value("recall.retrieval")[0]),
        reranker=_reranker(kept.value("recall.reranker")[0]),
        reader=reader,
        answer_reader=answer_reader,
        pair_reader=pair_reader(kept, None if server_address(at.address) else store_path(home)),
        deep=deep_of(kept, chosen),
        looks_twice=True,
        verifier=around.verifier,
        code_index=around.code,
        history_index=around.history,
        attachments=AttachedFiles(home=home, folder=(folder or Path.cwd()).absolute(), at=at),
        most_waiting=int(kept.value("review.waiting")[0]),
        most_hourly=int(kept.value("review.hourly")[0]),
        keys=LazyKeyRing(state_folder_name("" if home is None else str(home), at)),
        traces_of=_traces_of(home, folder, at, store=store),
        prune_policy=pruning_of(kept),
    )


def open_store(
    home: Path | None, space: SpaceId, at: ServerPlace, *, takes_copy: bool = False
) -> Store:
    """Open the store of a space: on the server that is named, else the file of the space.

    ``takes_copy`` opens an unfinished copy too, which is refused otherwise.
    """
    if address := server_address(at.address):
        with suppress(OSError):
            # For caches, logs and locks beside the store.
            make_own_folder(home or data_folder())
            make_own_folder(Path(state_folder_name("" if home is None else str(home), at)))
        outside = outside_store(lambda: chosen_index(settings(home)))
        return open_server_store(address, space, at=at, takes_copy=takes_copy, outside=outside)
    return SqliteStore.open(
        store_path(home),
        options=StoreOptions(space=space, takes_copy=takes_copy),
        index=vector_store(lambda: chosen_index(settings(home))),
        key_of=store_keys(str(home or data_folder())),
    )


def _traces_of(
    home: Path | None, folder: Path | None, at: ServerPlace, *, store: Store
) -> Callable[[str | None], Sequence[Traces]]:
    """Return a function that finds texts outside the store, loaded when something is forgotten."""

    def traces_of(repo: str | None) -> Sequence[Traces]:
        from holdfast.bootstrap.plugs.code import traces_of
        from holdfast.bootstrap.plugs.workspaces import kept_contents
        from holdfast.usecases.workspaces.traces import SnapshotTraces

        contents = kept_contents(home="" if home is None else str(home), at=at)
        kept = SnapshotTraces(store, contents)
        there = home or data_folder()
        return [*traces_of(repo, home=there, folder=folder or Path.cwd(), at=at), kept]

    return traces_of


def _reranker(name: str) -> Reranker | None:
    """Return the reranker plug-in of that name; no name means none."""
    if not name:
        return None
    from holdfast.bootstrap.plugs.plugging import PluggedReranker

    return PluggedReranker(name)
