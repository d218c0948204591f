"""The queries of this adapter, by name, in the form that psycopg takes.

A query has either numbered parameters ($1) or named ones (:name), never both.
"""

from __future__ import annotations

import re

from holdfast.adapters.sql.queries import load_queries, load_scripts

_HERE = __file__.rpartition("/")[0]
_NAMED = re.compile(r"(?<![:\w]):([a-z_]+)\b")
_COMMENT = re.compile(r"^\s*--.*$", re.MULTILINE)


def _for_driver(text: str) -> bytes:
    """Return a query with named parameters in the style of the driver, without comments."""
    bare = _COMMENT.sub("", text).strip()
    if not _NAMED.search(bare):
        return bare.encode()
    return _NAMED.sub(r"%(\1)s", bare.replace("%", "%%")).encode()


SQL = {name: _for_driver(text) for name, text in load_queries(f"{_HERE}/sql").items()}


def migrations() -> list[bytes]:
    """Return the scripts that create and upgrade the schema, in order; the first is number 1."""
    return [script.encode() for script in load_scripts(f"{_HERE}/sql/migrations")]
