"""The address of a database, and the form of it that messages may show."""

from __future__ import annotations

import re
from typing import NamedTuple

import psycopg
from psycopg.conninfo import conninfo_to_dict

from holdfast.domain.database_errors import BadStoreAddressError

_DEFAULT_PORT = "5432"
_NOT_AN_ADDRESS = "it is not written as an address of Postgres."
_NO_DATABASE = "it names no database."
_NOT_ENCODED = (
    "its parts cannot be told apart. Write / as %2F, @ as %40 and : as %3A inside a password, or"
    " keep the password out of the address."
)
_BAD_PREPARE = "its option 'prepare' must be 'on' or 'off'."
_PREPARE = re.compile(r"([?&])prepare=([^&]*)(&?)")
_WORDS = {"on": True, "off": False}


class Address(NamedTuple):
    """Where the store is: the connection string, and the same without its password.

    A pooler in transaction mode may not know the statements that a connection has prepared;
    ``?prepare=off`` in the address keeps Holdfast from preparing any.
    """

    conninfo: str
    shown: str
    prepares: bool = True


def read_address(text: str) -> Address:
    """Return the address that a person wrote.

    Raises:
        BadStoreAddressError: It is not an address; the message does not repeat it, because a
            password may be in it.
    """
    bare, prepares = _without_prepare(text)
    try:
        parts = {name: str(value) for name, value in conninfo_to_dict(bare).items() if value}
    except (psycopg.Error, UnicodeError):
        raise BadStoreAddressError(_NOT_AN_ADDRESS) from None
    if not parts.get("dbname"):
        raise BadStoreAddressError(_NO_DATABASE)
    ports = parts.get("port", _DEFAULT_PORT).split(",")
    if not all(port.isdecimal() for port in ports) or set("@/") & set(parts["dbname"]):
        raise BadStoreAddressError(_NOT_ENCODED)
    return Address(conninfo=bare, shown=_shown(parts), prepares=prepares)


def _without_prepare(text: str) -> tuple[str, bool]:
    """Return an address without the option that only Holdfast knows, and what it says."""
    given = _PREPARE.search(text)
    if given is None:
        return text, True
    if given[2] not in _WORDS:
        raise BadStoreAddressError(_BAD_PREPARE)
    bare = text[: given.start()] + (given[1] if given[3] else "") + text[given.end() :]
    return bare, _WORDS[given[2]]


def _shown(parts: dict[str, str]) -> str:
    user = f"{parts['user']}@" if "user" in parts else ""
    host = parts.get("host", "")
    port = parts.get("port", _DEFAULT_PORT)
    place = "" if not host or host.startswith("/") else f"{host}:{port}"
    return f"postgresql://{user}{place}/{parts['dbname']}"
