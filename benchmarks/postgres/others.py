"""Other libraries that keep memories on Postgres."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from benchmarks.postgres.copied import copy_by
from benchmarks.postgres.designs import Vectors
from benchmarks.postgres.material import DIMENSION, TOP

_COPY_ITEMS = """
INSERT INTO store (prefix, key, value)
SELECT %s, n::text, jsonb_build_object('text', repeat('x', 400)) FROM given
"""
_COPY_VECTORS = """
INSERT INTO store_vectors (prefix, key, field_name, embedding)
SELECT %s, n::text, 'text', vector FROM given
"""
_COPY_PAYLOADS = """
INSERT INTO memories (id, vector, payload)
SELECT gen_random_uuid(), vector,
       jsonb_build_object('data', repeat('x', 400), 'user_id', %s::text, 'n', n)
  FROM given
"""


class LangGraph:
    """The PostgresStore of LangGraph; a tenant is a namespace."""

    def __init__(self, address: str) -> None:
        self._given: dict[str, list[float]] = {}
        index = {"dims": DIMENSION, "embed": self._embed, "fields": ["text"]}
        self._context = import_module("langgraph.store.postgres").PostgresStore.from_conn_string(
            address, index=index
        )
        self._store = self._context.__enter__()

    def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [self._given[text] for text in texts]

    def prepare(self, tenants: Sequence[str]) -> None:
        """Create its tables."""
        del tenants
        self._store.setup()

    def add(self, tenant: str, first: int, texts: Sequence[str], vectors: Vectors) -> None:
        """Put a batch."""
        put = import_module("langgraph.store.base").PutOp
        self._given = dict(zip(texts, vectors.tolist(), strict=True))
        place = (_name(tenant), "memories")
        self._store.batch(
            [put(place, str(first + n), {"text": text}) for n, text in enumerate(texts)]
        )

    def copy(self, owner: str, tenant: str, vectors: Vectors) -> None:
        """Copy the vectors of a namespace into its tables."""
        values = (f"{_name(tenant)}.memories",)
        copy_by(owner, vectors, (_COPY_ITEMS, values), (_COPY_VECTORS, values))

    def nearest(self, tenant: str, question: Vectors) -> list[int]:
        """Search a namespace."""
        self._given = {"asked": question.tolist()}
        place = (_name(tenant), "memories")
        return [int(one.key) for one in self._store.search(place, query="asked", limit=TOP)]


class Mem0:
    """The pgvector store of mem0 with HNSW; a tenant is a user in the payload."""

    def __init__(self, address: str) -> None:
        self._store = import_module("mem0.vector_stores.pgvector").PGVector(
            *("", "memories", DIMENSION, "", "", "", 0),
            diskann=False,
            hnsw=True,
            connection_string=address,
        )

    def prepare(self, tenants: Sequence[str]) -> None:
        """Create its table."""
        del tenants
        self._store.create_col()

    def add(self, tenant: str, first: int, texts: Sequence[str], vectors: Vectors) -> None:
        """Insert a batch."""
        payloads = [
            {"data": text, "user_id": tenant, "n": first + number}
            for number, text in enumerate(texts)
        ]
        self._store.insert(vectors.tolist(), payloads, [str(uuid.uuid4()) for _ in texts])

    def copy(self, owner: str, tenant: str, vectors: Vectors) -> None:
        """Copy the vectors of a user into its table."""
        copy_by(owner, vectors, (_COPY_PAYLOADS, (tenant,)))

    def nearest(self, tenant: str, question: Vectors) -> list[int]:
        """Search with the user as a filter."""
        found = self._store.search("", question.tolist(), TOP, {"user_id": tenant})
        return [int(self._payload(one.payload)["n"]) for one in found]

    @staticmethod
    def _payload(payload: Any) -> dict[str, Any]:  # noqa: ANN401 - a text or what was read from it
        read: dict[str, Any] = json.loads(payload) if isinstance(payload, str) else payload
        return read


def _name(tenant: str) -> str:
    """Return a label of a namespace, which may not contain a dot."""
    return tenant.replace(".", "-")
