"""The address of a database, and the form of it that messages may show."""

from __future__ import annotations

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


class Address(NamedTuple):
    """Where the store is: the connection string, and the same without its password."""

    conninfo: str
    shown: str


def read_address(text: str) -> Address:
    """Return the address that a person wrote.

    Raises:
        BadStoreAddressError: It is not an address; the message does not repeat it, because a
            password may be in it.
    """
    try:
        parts = {name: str(value) for name, value in conninfo_to_dict(text).items() if value}
    except (psycopg.Error, UnicodeError):
        raise BadStoreAddressError(_NOT_AN_ADDRESS) from None
    if not parts.get("dbname"):
        raise BadStoreAddressError(_NO_DATABASE)
    ports = parts.get("port", _DEFAULT_PORT).split(",")
    if not all(port.isdecimal() for port in ports) or set("@/") & set(parts["dbname"]):
        raise BadStoreAddressError(_NOT_ENCODED)
    return Address(conninfo=text, shown=_shown(parts))


def _shown(parts: dict[str, str]) -> str:
    user = f"{parts['user']}@" if "user" in parts else ""
    host = parts.get("host", "")
    port = parts.get("port", _DEFAULT_PORT)
    place = "" if not host or host.startswith("/") else f"{host}:{port}"
    return f"postgresql://{user}{place}/{parts['dbname']}"
