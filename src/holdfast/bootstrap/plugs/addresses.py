"""The address of a store and its tenant: given, from the environment, or the default."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID


STORE_VARIABLE, TENANT_VARIABLE = "HOLDFAST_STORE", "HOLDFAST_TENANT"
REPLICAS_VARIABLE = "HOLDFAST_REPLICAS"
DEFAULT_TENANT = "default"
_NAME_LETTERS = 16
_SCHEMES = ("postgresql://", "postgres://")
_REMOTE_SCHEMES = ("https://", "http://")
LOCAL = "local"
"""The word for the store in a file of this machine, whatever remote is the default."""
_OTHER_SCHEME = "it must begin with postgresql:// or https://, or be the name of a remote."


class ServerPlace(NamedTuple):
    """The address of a server and the tenant there; None is what the environment names.

    ``adds_store`` tells whether a space without a store gets one, and ``tell_of_new`` is called
    with a sentence about a new one: a mistyped space or tenant must not become an empty memory
    without a word.
    """

    address: str | None = None
    tenant: str | None = None
    adds_store: bool = True
    tell_of_new: Callable[[str], None] | None = None


IN_A_FILE = ServerPlace(address="")
"""No server, whatever the environment names."""


def chosen_store(given: str | None = None, home: str = "") -> str:
    """Return the address of the store: the given one, HOLDFAST_STORE, else the default remote.

    '' is the store in a file. A name is that of a remote of the home; the name is in the address
    after a '#', because several remotes with their own tokens may have one address.

    Raises:
        NoSuchError: No remote has the name.
    """
    wanted = (os.environ.get(STORE_VARIABLE, "") if given is None else given).strip()
    if wanted == LOCAL or "://" in wanted:
        return "" if wanted == LOCAL else wanted
    from holdfast.adapters.machine.folders import data_folder_name
    from holdfast.bootstrap.plugs.default_remote import must_look_up

    if not wanted and not must_look_up(home):
        return ""
    from pathlib import Path

    from holdfast.adapters.remote.remotes import RemoteFiles

    files = RemoteFiles(Path(data_folder_name(home)))
    found = files.find(wanted) if wanted else files.default()
    return "" if found is None else f"{found.url}#{found.name}"


def remote_address(given: str | None = None) -> str:
    """Return the given address, else that of HOLDFAST_STORE, if it is one of a Holdfast server."""
    address = (os.environ.get(STORE_VARIABLE, "") if given is None else given).strip()
    return address if address.startswith(_REMOTE_SCHEMES) else ""


def remote_name(address: str) -> str:
    """Return how a person names a remote: with its name if the address has it."""
    url, _, name = address.partition("#")
    return name or url


def server_name(address: str) -> str:
    """Return how a message names a server: the name of its remote, else its host alone."""
    from holdfast.adapters.http.addresses import host_of

    return address.partition("#")[2] or host_of(address)


def server_address(given: str | None = None) -> str:
    """Return the given address, else that of HOLDFAST_STORE; '' is the embedded store.

    Raises:
        NotOnRemoteError: The store is behind a Holdfast server, and the caller needs it itself.
        BadStoreAddressError: It is not an address of Postgres. The message does not repeat it,
            because a password may be in it.
    """
    address = (os.environ.get(STORE_VARIABLE, "") if given is None else given).strip()
    if address.startswith(_REMOTE_SCHEMES):
        from holdfast.domain.remote_errors import NotOnRemoteError

        raise NotOnRemoteError(server=server_name(address))
    if address and not address.startswith(_SCHEMES):
        from holdfast.domain.database_errors import BadStoreAddressError

        raise BadStoreAddressError(_OTHER_SCHEME)
    return address


def replica_addresses() -> tuple[str, ...]:
    """Return the addresses of HOLDFAST_REPLICAS, which are divided by commas.

    Raises:
        BadStoreAddressError: One is not an address of Postgres.
    """
    given = os.environ.get(REPLICAS_VARIABLE, "").strip()
    if not given:
        return ()
    import re

    # A comma inside an address divides its hosts.
    parts = re.split(r"\s*,\s*(?=[a-z]+://)", given)
    return tuple(server_address(one) for one in parts)


def tenant_name(given: str | None = None) -> str:
    """Return the given name of a tenant, else that of HOLDFAST_TENANT, else the default one."""
    named = os.environ.get(TENANT_VARIABLE, "") if given is None else given
    return named.strip() or DEFAULT_TENANT


def tenant_of(name: str | None = None) -> UUID:
    """Return the id of a tenant: the name itself if it is a UUID, else one made from the name.

    Raises:
        BadFieldError: The name is too long, or not one line of printable characters.
    """
    from holdfast.domain.service.ids import read_tenant

    return read_tenant(tenant_name(name))


def state_folder_name(home: str = "", at: ServerPlace | None = None) -> str:
    """Return the folder for what is kept beside a store: trust, caches, lists of clones.

    A store in a file has it in its own folder. Each tenant of each server has one in the home, so
    that what belongs to one store is never taken for that of another.
    """
    from holdfast.adapters.machine.folders import SERVERS, data_folder_name

    data, place = data_folder_name(home), at or ServerPlace()
    if remote := remote_address(place.address):
        from hashlib import sha256

        url = remote.partition("#")[0]
        return f"{data}/{SERVERS}/{sha256(url.encode()).hexdigest()[:_NAME_LETTERS]}"
    address = server_address(place.address)
    if not address:
        return data
    from hashlib import sha256

    named = f"{_without_user(address)} {tenant_of(place.tenant)}"
    return f"{data}/{SERVERS}/{sha256(named.encode()).hexdigest()[:_NAME_LETTERS]}"


def _without_user(address: str) -> str:
    """Return an address without the user and the password, which may change."""
    scheme, _, rest = address.partition("://")
    authority, slash, path = rest.partition("/")
    return f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}"
