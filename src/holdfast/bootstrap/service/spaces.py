"""The open stores of a server: each space is opened once, and the least used are closed."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.machine.clock import MachineClock
from holdfast.adapters.machine.folders import data_folder_name
from holdfast.adapters.machine.settings import SETTINGS, models_folders
from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions
from holdfast.app import Holdfast
from holdfast.bootstrap.opening.embedders import chosen_embedder
from holdfast.bootstrap.opening.own_settings import pruning_of
from holdfast.bootstrap.opening.pair_reading import pair_reader
from holdfast.bootstrap.opening.readers import answer_reader, deep_of, reader
from holdfast.bootstrap.opening.wiring import (
    has_store,
    settings,
    store_path,
    token_counter,
)
from holdfast.bootstrap.plugs.addresses import ServerPlace, server_address, state_folder_name
from holdfast.bootstrap.plugs.encryption import LazyKeyRing, store_keys
from holdfast.bootstrap.plugs.scanning import chosen_index, outside_store, vector_store
from holdfast.bootstrap.plugs.server import open_pooled_store, server_pool
from holdfast.bootstrap.plugs.spaces import folder_of
from holdfast.bootstrap.service.stated import ServedFiles, StatedSurroundings
from holdfast.bootstrap.service.turns import Turns
from holdfast.domain.access_errors import NoSuchStoreError
from holdfast.domain.choices import Retrieval
from holdfast.domain.errors import StoreUnreadableError
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.memory.place import DEFAULT_SPACE, Place
from holdfast.domain.service.tokens import IN_A_FILE
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.usecases.recall.shared_keeping import SharedKeeping

if TYPE_CHECKING:
    from collections.abc import Generator
    from contextlib import AbstractContextManager

    from holdfast.adapters.postgres.units.pool import Pool
    from holdfast.bootstrap.opening.embedders import ChosenEmbedder
    from holdfast.domain.memory.place import SpaceId
    from holdfast.ports.store.cancelling import CancellableStore
    from holdfast.ports.store.store import Store

_KEPT_OPEN = 64
_PROBE_SECONDS = 2.0
_MODEL_SETTINGS = tuple(one.name for one in SETTINGS if one.name.startswith("embedding."))


def nobody(space: SpaceId) -> Principal:
    """Return a principal of a space who may do nothing."""
    return replace(Principal.of(PrincipalKind.SERVICE, space=space), may=frozenset())


class SpaceName(NamedTuple):
    """A space and its tenant; a store in a file has the tenant ``file``."""

    tenant: str
    space: SpaceId


class OpenSpace:
    """An open memory, how many requests use it now, and whether it is to be closed after them.

    ``keeping`` stores the bundles of its requests, and ``store`` is that of the memory.
    """

    def __init__(self, holdfast: Holdfast, store: CancellableStore, keeping: SharedKeeping) -> None:
        self.holdfast = holdfast
        self.store = store
        self.keeping = keeping
        self.users = 0
        self.is_dropped = False


class OpenSpaces:
    """Opens the store of a space when it is first asked for, and keeps it open."""

    def __init__(self, *, home: str, address: str | None, connections: int) -> None:
        self._home = home
        self._address = server_address(address)
        self._pool: Pool | None = None
        if self._address:
            self._pool = server_pool(self._address, size=connections)
        self._lock = threading.Lock()
        self._opened: OrderedDict[SpaceName, OpenSpace] = OrderedDict()
        self._embedders: dict[tuple[str, ...], ChosenEmbedder] = {}
        self.clock = MachineClock()
        self._turns = Turns()

    @property
    def is_on_server(self) -> bool:
        """Whether the stores are on a database server."""
        return self._pool is not None

    @contextmanager
    def held(self, name: SpaceName) -> Generator[Holdfast, None, None]:
        """Yield the memory of a space, which stays open meanwhile; its principal may do nothing.

        Raises:
            NoSuchStoreError: There is none, or it was removed; the server creates no stores.
        """
        with self.used(name) as entry:
            yield entry.holdfast

    @contextmanager
    def used(self, name: SpaceName) -> Generator[OpenSpace, None, None]:
        """Yield a space as ``held`` does, with the keeping of its bundles."""
        entry = self._taken(name)
        try:
            yield entry
        except NoSuchStoreError:
            self._forget(name, entry)
            raise
        except StoreUnreadableError as error:
            if not self._is_removed(name.space):
                raise
            self._forget(name, entry)
            raise NoSuchStoreError(name.space) from error
        finally:
            with self._lock:
                entry.users -= 1
                is_last = entry.is_dropped and not entry.users
            if is_last:
                entry.holdfast.close()

    def close(self) -> None:
        """Close every store."""
        with self._lock:
            entries = list(self._opened.values())
            self._opened.clear()
        for entry in entries:
            entry.holdfast.close()
        if self._pool is not None:
            self._pool.close()

    def turn(self) -> AbstractContextManager[None]:
        """Return a turn to compute; what waits for a database server needs none."""
        return nullcontext() if self.is_on_server else self._turns.taken()

    def probe(self) -> None:
        """Return if the stores can be used.

        Raises:
            UnavailableError: The database server does not answer, or its role or schema is refused.
        """
        if self._pool is not None:
            self._pool.probe(patience=_PROBE_SECONDS)

    def _forget(self, name: SpaceName, entry: OpenSpace) -> None:
        """Open the space anew next time: its store was removed, and there may be another now."""
        with self._lock:
            if self._opened.get(name) is entry:
                del self._opened[name]
            entry.is_dropped = True

    def _is_removed(self, space: SpaceId) -> bool:
        """Return whether somebody removed the folder of a space, and left those of others.

        A disk that was taken away has the folders of all spaces, or leaves an empty one.
        """
        if self.is_on_server or space == DEFAULT_SPACE:
            return False
        folder = self._folder(space)
        try:
            return not os.path.lexists(folder) and any(folder.parent.iterdir())
        except OSError:
            return False

    def _taken(self, name: SpaceName) -> OpenSpace:
        with self._lock:
            entry = self._opened.get(name)
            if entry is not None:
                entry.users += 1
                self._opened.move_to_end(name)
                return entry
        opened = self._opened_now(name)
        with self._lock:
            entry = self._opened.get(name)
            if entry is None:
                entry = self._opened[name] = opened
            entry.users += 1
            dropped = self._dropped()
        for one in (*dropped, *(() if entry is opened else (opened.holdfast,))):
            one.close()
        return entry

    def _dropped(self) -> list[Holdfast]:
        """Remove the least used entries; return the memories of those that nobody uses now."""
        idle: list[Holdfast] = []
        while len(self._opened) > _KEPT_OPEN:
            _, entry = self._opened.popitem(last=False)
            entry.is_dropped = True
            if not entry.users:
                idle.append(entry.holdfast)
        return idle

    def _opened_now(self, name: SpaceName) -> OpenSpace:
        store = self._store(name)
        return OpenSpace(self._memory(name, store), store, SharedKeeping(store, self.turn))

    def _memory(self, name: SpaceName, store: Store) -> Holdfast:
        home = self._folder(name.space)
        kept, (chosen, broken_model) = settings(home), self._embedder(home)
        return Holdfast(
            principal=nobody(name.space),
            store=store,
            clock=self.clock,
            counter=token_counter("exact"),
            surroundings=StatedSurroundings(stated=Place(space=name.space)),
            heuristics=ENGLISH,
            embedder=chosen,
            broken_model=broken_model,
            retrieval=Retrieval(kept.value("recall.retrieval")[0]),
            reader=reader,
            answer_reader=answer_reader,
            deep=deep_of(kept, chosen),
            pair_reader=pair_reader(kept, None),
            attachments=ServedFiles(self._state(name)),
            most_waiting=int(kept.value("review.waiting")[0]),
            most_hourly=int(kept.value("review.hourly")[0]),
            prune_policy=pruning_of(kept),
            keys=LazyKeyRing(str(self._state(name))),
        )

    def _embedder(self, home: Path) -> ChosenEmbedder:
        """Return the model of a space; spaces with the same settings share what is loaded."""
        folders = tuple(str(one) for one in models_folders(home) if one.is_dir())
        named = [settings(home).value(name)[0] for name in _MODEL_SETTINGS]
        with self._lock:
            key = (*named, *folders)
            if key not in self._embedders:
                self._embedders[key] = chosen_embedder(home)
            return self._embedders[key]

    def _store(self, name: SpaceName) -> CancellableStore:
        home = self._folder(name.space)
        kept = settings(home)
        if self._pool is not None:
            return open_pooled_store(
                self._address,
                name.space,
                tenant=name.tenant,
                pool=self._pool,
                outside=outside_store(lambda: chosen_index(kept)),
            )
        if name.tenant != IN_A_FILE or not has_store(home, address=""):
            raise NoSuchStoreError(name.space)
        return SqliteStore.open(
            store_path(home),
            options=StoreOptions(space=name.space),
            index=vector_store(lambda: chosen_index(kept)),
            key_of=store_keys(str(home)),
        )

    def _state(self, name: SpaceName) -> Path:
        """Return the folder for what is kept beside a store; each tenant has its own."""
        folder = str(self._folder(name.space))
        return Path(state_folder_name(folder, ServerPlace(self._address, name.tenant)))

    def _folder(self, space: SpaceId) -> Path:
        return Path(data_folder_name(folder_of(space, self._home)))
