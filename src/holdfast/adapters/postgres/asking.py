"""The queries of this adapter, by name, in the form that psycopg takes.

A query has either numbered parameters ($1) or named ones (:name), never both.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from holdfast.adapters.sql.queries import load_queries, load_scripts

_HERE = __file__.rpartition("/")[0]
_NAMED = re.compile(r"(?<![:\w]):([a-z_]+)\b")
_FOR_DRIVER = re.compile(rb"%\((\w+)\)s|%%")
_COMMENT = re.compile(r"^\s*--.*$", re.MULTILINE)


def _for_driver(text: str) -> bytes:
    """Return a query with named parameters in the style of the driver, without comments."""
    bare = _COMMENT.sub("", text).strip()
    if not _NAMED.search(bare):
        return bare.encode()
    return _NAMED.sub(r"%(\1)s", bare.replace("%", "%%")).encode()


SQL = {name: _for_driver(text) for name, text in load_queries(f"{_HERE}/sql").items()}


class Numbered(NamedTuple):
    """A query with numbered parameters, and the name of each."""

    text: bytes
    names: tuple[str, ...]


@cache
def numbered(name: str, missing: frozenset[str]) -> Numbered:
    """Return a query with named parameters in the form with numbered ones.

    Those that are ``missing`` become NULL in its text. A selection has thirty conditions, and most
    of them restrict nothing: the server plans a statement without these once, and need not look at
    each of them for each row.
    """
    names: dict[str, int] = {}

    def replaced(found: re.Match[bytes]) -> bytes:
        if found[1] is None:
            return b"%"
        wanted = found[1].decode()
        if wanted in missing:
            return b"NULL"
        return b"$%d" % names.setdefault(wanted, len(names) + 1)

    text = _FOR_DRIVER.sub(replaced, SQL[name])
    return Numbered(text, tuple(names))


def migrations() -> list[bytes]:
    """Return the scripts that create and upgrade the schema, in order; the first is number 1."""
    return [script.encode() for script in load_scripts(f"{_HERE}/sql/migrations")]
