"""Exact copies of a whole store, from one place to another."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.app.performing import performs
from holdfast.bootstrap.machine.parts import MachinePart
from holdfast.domain.memory.callers import Operation
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.bootstrap.plugs.addresses import ServerPlace
    from holdfast.domain.exchange.copies import StoreCopy
    from holdfast.ports.store.copying import Copying
    from holdfast.ports.store.finding import VectorStore
    from holdfast.ports.store.store import Store
    from holdfast.ports.store.upkeep import Progress

_SCHEME = "://"
PGVECTOR = "pgvector"
_NO_TARGET = (
    "is a Holdfast server, which keeps its own store; name a folder, or postgresql://… for a"
    " database."
)


class Copies(MachinePart):
    """Copies the store of the principal's space, or compares it with a copy."""

    @performs(Operation.CONFIGURE)
    def copy(
        self, to: str, *, tenant: str | None, uses: bool = False, progress: Progress
    ) -> StoreCopy:
        """Copy the store into an empty place: a folder, or the address of a server.

        If ``to`` names a vector index, only the vectors are copied; ``uses`` chooses this index.

        Raises:
            StoreNotEmptyError: The place has a store with contents of its own.
            SameStoreError: The place is that of the store itself.
            CopyDiffersError: The place does not hold what was written into it.
        """
        from holdfast.domain.errors import BadFieldError
        from holdfast.usecases.exchange.copy_store import copy_store

        if _is_index(to):
            return self._copy_vectors(to, uses=uses, progress=progress)
        if uses:
            raise BadFieldError(field="use", problem="needs a vector index as the target.")
        return self._both(copy_store, to, tenant, progress, is_new=True)

    @performs(Operation.MAINTAIN)
    def compare(self, to: str, *, tenant: str | None, progress: Progress) -> StoreCopy:
        """Compare the store with another one, or its vectors with an index, row by row."""
        from holdfast.usecases.exchange.copy_store import compare_stores

        if _is_index(to):
            return self._compare_vectors(to, progress=progress)
        return self._both(compare_stores, to, tenant, progress, is_new=False)

    @performs(Operation.READ)
    def contents(self, to: str, *, tenant: str | None) -> tuple[Path, Path]:
        """Return the folders with the content of snapshots, of the store and of a copy.

        A copy has the rows of snapshots only.
        """
        from holdfast.bootstrap.plugs.workspaces import contents_folder

        machine, (home, at) = self._machine, self._named(to, tenant)
        return contents_folder(machine.home, machine.at), contents_folder(home, at)

    def _copy_vectors(self, to: str, *, uses: bool, progress: Progress) -> StoreCopy:
        """Copy the vectors into another index, and search there from now on if that is wanted."""
        from holdfast.bootstrap.opening.own_settings import settings
        from holdfast.bootstrap.plugs.scanning import OURS, SETTING, chosen_index
        from holdfast.usecases.exchange.copy_vectors import copy_vectors, discard_vectors

        kept = settings(self._machine.home)
        with closing(self._source()) as source:
            copied = copy_vectors(source.upkeep.copying, self._opener(to, source), progress)
            before = chosen_index(kept)
            wanted = OURS if to == PGVECTOR else to
            if uses and wanted != before:
                kept.set(SETTING, None if wanted == OURS else wanted)
                discard_vectors(source.upkeep.copying, self._opener(before, source))
        return replace(copied, index=to)

    def _compare_vectors(self, to: str, *, progress: Progress) -> StoreCopy:
        """Compare the vectors of the store with those of an index, row by row."""
        from holdfast.usecases.exchange.copy_vectors import compare_vectors

        with closing(self._source()) as source:
            found = compare_vectors(source.upkeep.copying, self._opener(to, source), progress)
        return replace(found, index=to)

    def _opener(self, to: str, source: Store) -> Callable[[str], VectorStore | None]:
        from holdfast.bootstrap.opening.own_settings import settings
        from holdfast.bootstrap.plugs.scanning import OURS, SETTING, outside_store, vector_store
        from holdfast.domain.errors import BadFieldError

        is_in_a_file = source.upkeep.facts().backend == "sqlite"
        if to == PGVECTOR and is_in_a_file:
            raise BadFieldError(field="TO", problem="is only in a store on Postgres.")
        wanted = OURS if to == PGVECTOR else settings(self._machine.home).accepted(SETTING, to)
        return vector_store(lambda: wanted) if is_in_a_file else outside_store(lambda: wanted)

    def _both(
        self,
        work: Callable[[Copying, Copying, Progress], StoreCopy],
        to: str,
        tenant: str | None,
        progress: Progress,
        *,
        is_new: bool,
    ) -> StoreCopy:
        from holdfast.bootstrap.plugs.addresses import remote_address
        from holdfast.domain.errors import BadFieldError

        if remote_address(to):
            raise BadFieldError(field="TO", problem=_NO_TARGET)
        with closing(self._source()) as source:
            target = self._target(to, tenant, source, is_new=is_new)
            with closing(target):
                return work(source.upkeep.copying, target.upkeep.copying, progress)

    def _source(self) -> Store:
        from holdfast.bootstrap.opening.wiring import has_store, open_store, store_path
        from holdfast.domain.errors import NoStoreError

        machine = self._machine
        if not has_store(machine.home, address=machine.at.address):
            raise NoStoreError(str(store_path(machine.home).parent))
        return open_store(machine.home, self.principal.space, machine.at)

    def _target(self, to: str, tenant: str | None, source: Store, *, is_new: bool) -> Store:
        from holdfast.bootstrap.opening.wiring import has_store, open_store
        from holdfast.bootstrap.plugs.addresses import IN_A_FILE
        from holdfast.domain.database_errors import SameStoreError
        from holdfast.domain.errors import BadFieldError, NoStoreError

        if not to.strip():
            raise BadFieldError(field="TO", problem="is blank; name a folder or an address.")
        home, at = self._named(to, tenant)
        if home is not None and at is IN_A_FILE:
            if not is_new and not has_store(home, address=""):
                raise NoStoreError(str(home), is_named=True)
            if is_new:
                _make(home)
        target = open_store(home, self.principal.space, at, takes_copy=True)
        if os.path.realpath(target.upkeep.facts().location) == os.path.realpath(
            source.upkeep.facts().location
        ) and (tenant is None or at is IN_A_FILE):
            target.close()
            raise SameStoreError(source.upkeep.facts().location)
        return target

    def _named(self, to: str, tenant: str | None) -> tuple[Path | None, ServerPlace]:
        """Return the home and the server of a target."""
        from holdfast.bootstrap.plugs.addresses import IN_A_FILE, ServerPlace
        from holdfast.bootstrap.plugs.spaces import folder_of

        if _SCHEME in to:
            return self._machine.home, ServerPlace(address=to, tenant=tenant)
        named = os.path.realpath(Path(to).expanduser())
        return Path(folder_of(self.principal.space, named)), IN_A_FILE


def _is_index(to: str) -> bool:
    """Return whether the target of a copy names a vector index, and not a whole store."""
    from holdfast.adapters.chroma.places import is_chroma
    from holdfast.bootstrap.plugs.scanning import OURS

    return to in {OURS, PGVECTOR} or is_chroma(to)


def _make(home: Path) -> None:
    """Create the folder of a copy.

    Raises:
        UnavailableError: It cannot be created; the message has the reason.
    """
    from holdfast.adapters.disk.failures import disk_problem

    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise disk_problem(home, error) from error
