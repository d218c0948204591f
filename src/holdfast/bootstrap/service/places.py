"""Where a memory service has its stores: in a folder, on a database server, or behind HTTP."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from holdfast.bootstrap.plugs.addresses import chosen_store
from holdfast.domain.database_errors import BadStoreAddressError
from holdfast.domain.errors import NoSuchError

if TYPE_CHECKING:
    from holdfast.bootstrap.service.calls import ServiceCalls

_SERVERS = ("postgresql://", "postgres://")
_REMOTES = ("https://", "http://")
_NO_SERVER = "it must begin with postgresql:// or https://, or be the path of a folder."


class ServicePlace(NamedTuple):
    """An address or a folder; '' is the usual folder."""

    text: str

    @classmethod
    def named(cls, store: str | os.PathLike[str] | None) -> ServicePlace:
        """Return the place of a store that a program names; without a name, the usual one.

        Raises:
            BadStoreAddressError: It is neither an address nor a folder.
        """
        if store is None:
            return cls(chosen_store())
        text = os.fspath(store)
        is_odd = "://" in text and not text.startswith((*_SERVERS, *_REMOTES))
        if is_odd or not text.strip():
            raise BadStoreAddressError(_NO_SERVER)
        if isinstance(store, str) and not {"/", os.sep} & set(text):
            # A word means what it means for every other door, before it means a folder here.
            with suppress(NoSuchError):
                return cls(chosen_store(text))
        return cls(text)

    @property
    def is_remote(self) -> bool:
        """Whether the stores are behind a Holdfast server."""
        return self.text.startswith(_REMOTES)

    def calls(self, tenant: str | None) -> ServiceCalls:
        """Return the calls on a folder or a database server."""
        from holdfast.bootstrap.service.calls import ServiceCalls

        if not self.text or self.text.startswith(_SERVERS):
            return ServiceCalls(address=self.text, tenant=tenant)
        folder = Path(self.text).expanduser().absolute()
        return ServiceCalls(home=folder, address="", tenant=tenant)
