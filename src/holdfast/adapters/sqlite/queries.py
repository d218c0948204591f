"""The queries of this adapter, by name."""

from __future__ import annotations

from holdfast.adapters.sql.queries import load_queries

_HERE = __file__.rpartition("/")[0]

MIGRATIONS = f"{_HERE}/sql/migrations"
SQL = load_queries(f"{_HERE}/sql")
