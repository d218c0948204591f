"""Read the setting that names a Chroma: a folder, or the address of a server."""

from __future__ import annotations

from pathlib import Path

from holdfast.domain.values import dataclass

CHROMA = "chroma"
_FOLDER, _SERVER = "chroma:", "chroma+"
_TENANT, _DATABASE = "default_tenant", "default_database"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChromaPlace:
    """A Chroma: a folder, or a server with a tenant and a database in it.

    ``is_own`` says that the folder holds nothing but the index of one model of one store.
    """

    folder: str = ""
    is_own: bool = False
    url: str = ""
    tenant: str = _TENANT
    database: str = _DATABASE

    @property
    def shown(self) -> str:
        """The place in messages."""
        return f"Chroma at {self.url}" if self.url else f"Chroma in {self.folder}"


def is_chroma(setting: str) -> bool:
    """Return whether a value of the setting names a Chroma."""
    return setting == CHROMA or setting.startswith((_FOLDER, _SERVER))


def own_folder(beside: str) -> str:
    """Return the folder of a Chroma beside the store."""
    return f"{beside}.chroma"


def read_place(setting: str, beside: str) -> ChromaPlace:
    """Return the place of a setting; ``beside`` is the path that files beside the store begin with.

    Raises:
        ValueError: It names no place.
    """
    if setting.startswith(_SERVER):
        return _server(setting.removeprefix(_SERVER))
    folder = setting.removeprefix(CHROMA).removeprefix(":")
    if folder:
        return ChromaPlace(folder=str(Path(folder).expanduser().resolve()))
    if not beside.startswith("/"):
        no_folder = "the store is not in a file; name a folder or a server: chroma:/PATH"
        raise ValueError(no_folder)
    return ChromaPlace(folder=own_folder(beside), is_own=True)


def _server(address: str) -> ChromaPlace:
    from urllib.parse import urlsplit

    parts = urlsplit(address)
    names = [name for name in parts.path.split("/") if name]
    tenant, database = names if len(names) == 2 else (_TENANT, _DATABASE)  # noqa: PLR2004 - both, or neither
    return ChromaPlace(url=f"{parts.scheme}://{parts.netloc}", tenant=tenant, database=database)
