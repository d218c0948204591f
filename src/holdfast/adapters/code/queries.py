"""The named SQL queries of the code index."""

from __future__ import annotations

from holdfast.adapters.sql.queries import load_queries

_HERE = __file__.rpartition("/")[0]

SQL = load_queries(f"{_HERE}/sql")
