"""The folder of a space, and the options that name it to another Holdfast process.

Imports are kept to the minimum, because hooks and prompts use this module often.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.adapters.machine.folders import SPACES, data_folder_name, space_folder_name
from holdfast.bootstrap.plugs.addresses import state_folder_name
from holdfast.domain.memory.place import DEFAULT_SPACE, read_space

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.bootstrap.plugs.addresses import ServerPlace
    from holdfast.domain.memory.place import SpaceId

SPACE_VARIABLE = "HOLDFAST_SPACE"
_NAME_LETTERS = 16
_PASSWORDS = frozenset({"password", "sslpassword"})


def wanted_space(given: str | None) -> SpaceId:
    """Return the given space, else the one that HOLDFAST_SPACE names, else the default.

    Raises:
        BadFieldError: It is not the name of a space.
    """
    return read_space((os.environ.get(SPACE_VARIABLE) or DEFAULT_SPACE) if given is None else given)


def folder_of(space: SpaceId, home: str) -> str:
    """Return the folder of a space in a home; '' is the usual folder of the default space."""
    return home if space == DEFAULT_SPACE else space_folder_name(home, space)


def store_name(home: Path | None, at: ServerPlace | None = None) -> str:
    """Return the name of a store in the state of a clone; it follows from the store's folder.

    The id inside the store would be the same in a copy of the folder, and two copies that sync one
    clone need separate states. A store on a server has a folder for each tenant.
    """
    from hashlib import sha256

    folder = os.path.realpath(state_folder_name("" if home is None else str(home), at))
    return sha256(os.fsencode(folder)).hexdigest()[:_NAME_LETTERS]


def options_for(space: SpaceId, folder: str) -> tuple[str, ...]:
    """Return the options that name the same store to another process; empty for the usual one.

    ``folder`` is the folder of the space, or '' for the usual folder of the default space.
    """
    if space != DEFAULT_SPACE:
        return ("--home", folder.removesuffix(f"/{SPACES}/{space}"), "--space", space)
    if folder or os.environ.get("HOLDFAST_HOME"):
        return ("--home", data_folder_name(folder))
    return ()


def server_options() -> tuple[str, ...]:
    """Return the options that name the server and the tenant to another process, if there is one.

    The address has no password: settings of tools and hooks are files that others may read.
    """
    from holdfast.bootstrap.plugs.addresses import (
        TENANT_VARIABLE,
        remote_address,
        remote_name,
        server_address,
    )

    if remote := remote_address():
        return ("--store", remote_name(remote))
    address = server_address()
    if not address:
        return ()
    tenant = os.environ.get(TENANT_VARIABLE, "").strip()
    return ("--store", _without_password(address), *(("--tenant", tenant) if tenant else ()))


def refuse_password() -> None:
    """Refuse to write an address with a password into a file.

    Raises:
        PasswordInAddressError: The address of the store has one.
    """
    from holdfast.bootstrap.plugs.addresses import remote_address, server_address

    address = remote_address() or server_address()
    if _without_password(address) != address:
        from holdfast.domain.database_errors import PasswordInAddressError

        raise PasswordInAddressError


def _without_password(address: str) -> str:
    """Return an address without the password of the user, and without those of its options."""
    from urllib.parse import unquote

    plain, mark, options = address.partition("?")
    scheme, slashes, rest = plain.partition("://")
    authority, slash, path = rest.partition("/")
    user, sign, host = authority.rpartition("@")
    kept = [one for one in options.split("&") if unquote(one.partition("=")[0]) not in _PASSWORDS]
    query = f"{mark}{'&'.join(kept)}" if kept else ""
    return f"{scheme}{slashes}{user.partition(':')[0]}{sign}{host}{slash}{path}{query}"
