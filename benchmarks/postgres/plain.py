"""Tables as people write them: a tenant column, and an index of pgvector."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

import psycopg

from benchmarks.postgres.copied import copy_by
from benchmarks.postgres.designs import Vectors, id_of
from benchmarks.postgres.material import DIMENSION, TOP

_TABLES = """
CREATE TABLE IF NOT EXISTS stores (id uuid PRIMARY KEY, tenant_id uuid, total integer DEFAULT 0);
CREATE TABLE IF NOT EXISTS memories (
    id uuid PRIMARY KEY,
    n integer,
    store_id uuid NOT NULL REFERENCES stores ON DELETE CASCADE,
    content text NOT NULL,
    embedding vector({dimension}),
    created_at timestamptz DEFAULT now()
);
CREATE INDEX IF NOT EXISTS near ON memories USING {index};
CREATE INDEX IF NOT EXISTS of_store ON memories (store_id);
"""

_COPY = """
INSERT INTO memories (id, n, store_id, content, embedding)
SELECT gen_random_uuid(), n, %s, repeat('x', 400), vector FROM given
"""


def _shown(vector: Vectors) -> str:
    return "[" + ",".join(map(repr, vector.tolist())) + "]"


class _Plain:
    """A table with a tenant column, row security, and an index of pgvector."""

    index = ""

    def __init__(self, address: str) -> None:
        self._connection = psycopg.connect(address)
        self._stores: dict[str, str] = {}

    def prepare(self, tenants: Sequence[str]) -> None:
        """Create the tables of the document, and the index before the first row."""
        tables = _TABLES.format(dimension=DIMENSION, index=self.index)
        self._connection.execute(tables.encode())
        for tenant in tenants:
            self._stores[tenant] = id_of(tenant)
            self._connection.execute(
                "INSERT INTO stores VALUES (%s, %s) ON CONFLICT DO NOTHING",
                (self._stores[tenant], uuid.uuid4()),
            )
        self._connection.commit()

    def add(self, tenant: str, first: int, texts: Sequence[str], vectors: Vectors) -> None:
        """Insert a batch and count it, in one transaction."""
        store = self._stores[tenant]
        rows = [
            (uuid.uuid4(), first + number, store, text, _shown(vector))
            for number, (text, vector) in enumerate(zip(texts, vectors, strict=True))
        ]
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.executemany("INSERT INTO memories VALUES (%s, %s, %s, %s, %s)", rows)
            cursor.execute("UPDATE stores SET total = total + %s WHERE id = %s", (len(rows), store))

    def copy(self, owner: str, tenant: str, vectors: Vectors) -> None:
        """Copy the vectors of a tenant into the table."""
        copy_by(owner, vectors, (_COPY, (self._stores[tenant],)))

    def nearest(self, tenant: str, question: Vectors) -> list[int]:
        """Ask as the document does: the store in WHERE, the distance in ORDER BY."""
        rows = self._connection.execute(
            "SELECT n FROM memories WHERE store_id = %s ORDER BY embedding <=> %s::vector LIMIT %s",
            (self._stores[tenant], _shown(question), TOP),
        ).fetchall()
        self._connection.commit()
        return [row[0] for row in rows]


class Document(_Plain):
    """The usual design of a memory service: ivfflat with 100 lists, made on the empty table."""

    index = "ivfflat (embedding vector_cosine_ops) WITH (lists = 100)"


class PlainHnsw(_Plain):
    """The same table with an HNSW index and its defaults."""

    index = "hnsw (embedding vector_cosine_ops)"

    def anywhere(self, question: Vectors) -> None:
        """Ask for the ten nearest rows of all tenants."""
        self._connection.execute(
            "SELECT n FROM memories ORDER BY embedding <=> %s::vector LIMIT %s",
            (_shown(question), TOP),
        ).fetchall()
        self._connection.commit()
