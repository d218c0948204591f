"""Copies vectors into the tables of a design, without the work that a single row needs.

A million rows take hours by the usual way, most of them in the index, which a copy builds at the
end. The memories of Holdfast are copies of one: they have no words to be found by, and no events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID
from zlib import crc32

import numpy as np
import psycopg

from benchmarks.postgres.material import DIMENSION

if TYPE_CHECKING:
    from benchmarks.postgres.designs import Vectors

_AT_ONCE = 10_000
_START, _END = b"PGCOPY\n\xff\r\n\0" + bytes(8), b"\xff\xff"
_INDEXES = """
SELECT c.oid::regclass::text, replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ')
  FROM pg_class c JOIN pg_am a ON a.oid = c.relam
 WHERE a.amname = 'hnsw' AND NOT c.relispartition
"""
_COLUMNS = """
SELECT string_agg(quote_ident(attname), ', ')
  FROM pg_attribute
 WHERE attrelid = %s::regclass AND attnum > 0 AND attgenerated = '' AND NOT attisdropped
"""
_COUNT = """
UPDATE holdfast.memory_stores SET total_memories = {many}, last_memory = {many}
 WHERE tenant_id = '{tenant}';
UPDATE holdfast.embedding_model SET memories = {many}, complete_to = {many}
 WHERE tenant_id = '{tenant}';
"""


class LateIndex:
    """Drops the vector indexes of a database; builds them again at the end."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        with psycopg.connect(owner, autocommit=True) as connection:
            self._made = connection.execute(_INDEXES).fetchall()
            for name, _ in self._made:
                connection.execute(f"DROP INDEX {name}".encode())

    def build(self) -> None:
        """Create the indexes that were dropped."""
        with psycopg.connect(self._owner, autocommit=True) as connection:
            connection.execute("SET maintenance_work_mem = '4GB'")
            connection.execute("SET max_parallel_maintenance_workers = 4")
            for _, text in self._made:
                connection.execute(text.encode())


def copy_by(owner: str, vectors: Vectors, *statements: tuple[str, tuple[object, ...]]) -> None:
    """Run statements that fill the tables of a design from the table ``given (n, vector)``."""
    layout = [("n", 4), ("vector", 4 + 4 * DIMENSION)]
    with psycopg.connect(owner) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE TEMP TABLE given (n integer, vector vector({DIMENSION}))".encode())
        with cursor.copy("COPY given FROM STDIN (FORMAT binary)") as copying:
            copying.write(_START)
            for first, part in _parts(vectors):
                rows = _rows(layout, len(part))
                rows["n"] = _numbers(first, len(part), ">i4")
                rows["vector"] = _vectors(part, ">f4")
                copying.write(rows.tobytes())
            copying.write(_END)
        for statement, values in statements:
            cursor.execute(statement.encode(), values)


def copy_ours(owner: str, tenant: str, vectors: Vectors) -> None:
    """Fill the tables that a search by meaning reads; the first rows are there already."""
    with psycopg.connect(owner) as connection, connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        where = b"WHERE tenant_id = %s"
        cursor.execute(b"SELECT store_id FROM holdfast.embedding_model " + where, (tenant,))
        (store,) = cursor.fetchall()[0]
        cursor.execute(b"SELECT max(seq) FROM holdfast.embedding " + where, (tenant,))
        (there,) = cursor.fetchall()[0]
        for table in ("memory", "memory_standing"):
            _repeat(cursor, f"holdfast.{table}", tenant, len(vectors))
        heads = [("tenant", 16), ("store", 16), ("model", 4), ("seq", 8)]
        kept = [*heads, ("vectors", 2 * DIMENSION), ("crc", 8)]
        parts = [*heads, ("part", 4), ("dimension", 4), ("vector", 4 + 2 * DIMENSION)]
        for table, layout in (("embedding", kept), ("embedding_part", parts)):
            asked = f"COPY holdfast.{table} FROM STDIN (FORMAT binary)"
            with cursor.copy(asked.encode()) as copying:
                copying.write(_START)
                for first, part in _parts(vectors[there:]):
                    rows = _rows(layout, len(part))
                    rows["tenant"] = np.frombuffer(UUID(tenant).bytes, "u1")
                    rows["store"] = np.frombuffer(store.bytes, "u1")
                    rows["model"] = _numbers(1, 1, ">i4")
                    rows["seq"] = _numbers(first + there + 1, len(part), ">i8")
                    _put(rows, part)
                    copying.write(rows.tobytes())
                copying.write(_END)
        cursor.execute(_COUNT.format(many=len(vectors), tenant=tenant).encode())


def _repeat(cursor: psycopg.Cursor, table: str, tenant: str, many: int) -> None:
    """Repeat the first row of a tenant under the sequences of the others."""
    columns = str(cursor.execute(_COLUMNS, (table,)).fetchall()[0][0])
    changed = columns.replace("seq", "n").replace(" id,", " 'm_copy' || n,")
    cursor.execute(
        f"INSERT INTO {table} ({columns}) SELECT {changed}"  # noqa: S608 - names of columns
        f" FROM {table}, generate_series(2, {many}) n"
        f" WHERE tenant_id = '{tenant}' AND seq = 1".encode()
    )


def _put(rows: Vectors, part: Vectors) -> None:
    if "crc" in rows.dtype.names:
        halves = part.astype("<f2")
        rows["vectors"] = halves.view("u1")
        crcs = np.array([crc32(one.tobytes()) for one in halves], dtype=">i8")
        rows["crc"] = crcs.view("u1").reshape(-1, 8)
    else:
        rows["part"] = 0
        rows["dimension"] = _numbers(DIMENSION, 1, ">i4")
        rows["vector"] = _vectors(part, ">f2")


def _parts(vectors: Vectors) -> list[tuple[int, Vectors]]:
    firsts = range(0, len(vectors), _AT_ONCE)
    return [(first, vectors[first : first + _AT_ONCE]) for first in firsts]


def _rows(layout: list[tuple[str, int]], many: int) -> Vectors:
    """Return rows of the binary format, with the number of columns and the width of each."""
    fields: list[tuple[str, str] | tuple[str, str, int]] = [("columns", ">i2")]
    for name, width in layout:
        fields += [(f"{name} width", ">i4"), (name, "u1", width)]
    rows = np.zeros(many, dtype=fields)
    rows["columns"] = len(layout)
    for name, width in layout:
        rows[f"{name} width"] = width
    return rows


def _bytes(raw: bytes, width: int) -> Vectors:
    return np.frombuffer(raw, "u1").reshape(-1, width)


def _numbers(first: int, many: int, kind: str) -> Vectors:
    return _bytes(np.arange(first, first + many).astype(kind).tobytes(), int(kind[-1]))


def _vectors(part: Vectors, kind: str) -> Vectors:
    """Return vectors in the binary format of pgvector: how many numbers, two bytes, the numbers."""
    made = np.zeros((len(part), 4 + int(kind[-1]) * DIMENSION), dtype="u1")
    made[:, :2] = _numbers(DIMENSION, 1, ">i2")
    made[:, 4:] = part.astype(kind).view("u1")
    return made
