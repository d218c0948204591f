"""The stores of the memory service in files: each is the folder of a space, with a note."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from holdfast.adapters.disk.atomic_files import write_whole
from holdfast.adapters.disk.failures import disk_problem
from holdfast.adapters.disk.json_files import read_json
from holdfast.adapters.machine.folders import SPACES, STORE_FILE, data_folder_name
from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions
from holdfast.bootstrap.opening.wiring import settings
from holdfast.bootstrap.plugs.encryption import store_keys
from holdfast.bootstrap.plugs.scanning import chosen_index, vector_store
from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.service.ids import StoreOwner

if TYPE_CHECKING:
    from holdfast.domain.service.ids import StoreId

_NOTE = "service.json"
_NOUN = "note of a store"


class FolderServiceStores:
    """The stores of the service below one home."""

    # An open store holds files and connections of its own.
    most_open = 32

    def __init__(self, home: Path) -> None:
        self._home = home
        self._spaces = home / SPACES

    def add(self, owner: StoreOwner, *, tenant_name: str = "") -> None:
        """Add the store of an owner; if there is one, only note that it was used now.

        Nobody lists the tenants of a folder, so the name of the tenant is not kept.

        Raises:
            UnavailableError: The folder or the note cannot be written.
        """
        del tenant_name
        path, now = self._note(owner.store_id), datetime.now(UTC).isoformat(timespec="seconds")
        before = _read(path)
        note = {
            "tenant_id": str(owner.tenant),
            "user_id": str(owner.user),
            "store_name": owner.store_name,
            "created_at": before.get("created_at", now),
            "last_accessed": now if before else None,
        }
        try:
            write_whole(path, json.dumps(note, indent=1).encode())
        except OSError as error:
            raise disk_problem(path, error) from error

    def owner_of(self, store_id: StoreId, *, tenants: Collection[UUID]) -> StoreOwner | None:
        """Return the owner of a store, if it is one of these tenants."""
        return next(_owners([self._note(store_id)], tenants), None)

    def beginning(self, digits: str, *, tenants: Collection[UUID]) -> Sequence[StoreOwner]:
        """Return the owners of the tenants' stores whose id begins with these eight digits."""
        return tuple(_owners(sorted(self._spaces.glob(f"{digits}-*/{_NOTE}")), tenants))

    def is_made(self, owner: StoreOwner) -> bool:
        """Return whether the store of an owner has its database."""
        return self._database(owner).exists()

    def open(self, owner: StoreOwner) -> SqliteStore:
        """Open the store of an owner; make its database if there is none."""
        kept = settings(self._home)
        return SqliteStore.open(
            self._database(owner),
            options=StoreOptions(space=SpaceId(owner.store_id)),
            index=vector_store(lambda: chosen_index(kept)),
            key_of=store_keys(str(self._spaces / owner.store_id)),
        )

    def close(self) -> None:
        """Do nothing: every store has files of its own."""

    def _database(self, owner: StoreOwner) -> Path:
        return self._spaces / owner.store_id / STORE_FILE

    def _note(self, store_id: StoreId) -> Path:
        return self._spaces / store_id / _NOTE


def folder_bytes(home: str) -> int:
    """Return the size of the databases of all spaces and stores in a folder."""
    root = Path(data_folder_name(home))
    places = [root, *(root / SPACES).glob("*")]
    files = (place / name for place in places for name in (STORE_FILE, f"{STORE_FILE}-wal"))
    return sum(file.stat().st_size for file in files if file.is_file())


def _owners(notes: Sequence[Path], tenants: Collection[UUID]) -> Iterator[StoreOwner]:
    for path in notes:
        owner = _owner(_read(path))
        if owner is not None and owner.tenant in tenants and owner.store_id == path.parent.name:
            yield owner


def _owner(note: dict[str, object]) -> StoreOwner | None:
    """Return the owner that a note names; None if it names none, or is damaged."""
    fields = Fields(note, noun=_NOUN)
    with suppress(ValueError, BadFieldError):
        return StoreOwner(
            tenant=UUID(fields.text("tenant_id")),
            user=UUID(fields.text("user_id")),
            store_name=fields.text("store_name"),
        )
    return None


def _read(path: Path) -> dict[str, object]:
    """Return the note of a store; nothing if there is none, or if it is damaged.

    A damaged note is written anew when its owner asks for the store.
    """
    with suppress(OSError, ValueError):
        note = read_json(path)
        if isinstance(note, dict) and {"tenant_id", "user_id", "store_name"} <= note.keys():
            return note
    return {}
