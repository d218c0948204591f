"""A Chroma server, asked over HTTP; the package of Chroma is not needed for it."""

from __future__ import annotations

import json
import os
from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

from holdfast.adapters.chroma.collection import (
    NUMBER,
    SEQUENCE,
    ChromaAwayError,
    FoundCollection,
    Metadata,
    VectorRow,
    Where,
)
from holdfast.adapters.http.posting import HttpPost, answered
from holdfast.adapters.http.retrying import Patience, PostFailedError

if TYPE_CHECKING:
    from holdfast.adapters.chroma.places import ChromaPlace

TOKEN_VARIABLE = "HOLDFAST_CHROMA_TOKEN"  # noqa: S105 - the name of a variable, not a secret
_MISSING = 404
# A question waits for its answer; a write may take longer, and is repeated by the next one.
_PATIENCE = Patience(timeout=10.0, tries=1)
_AT_ONCE = 500


class ChromaServer:
    """The calls of a Chroma server, for one tenant and one database of it."""

    def __init__(self, place: ChromaPlace, *, patience: Patience = _PATIENCE) -> None:
        self._place = place
        self._patience = patience
        names = (place.tenant, place.database)
        tenant, database = (quote(name, safe="") for name in names)
        self._root = f"{place.url}/api/v2/tenants/{tenant}/databases/{database}/collections"

    def find(self, name: str) -> FoundCollection | None:
        """Return the collection with that name."""
        try:
            answer = self._asked("GET", name)
        except PostFailedError as error:
            if error.status == _MISSING:
                return None
            raise self._away(error) from error
        return self._collection(answer)

    def create(self, name: str, metadata: Metadata) -> FoundCollection:
        """Create an empty collection that compares by the dot product."""
        body = {
            "name": name,
            "get_or_create": True,
            "metadata": metadata,
            "configuration": {"hnsw": {"space": "ip"}},
        }
        return self._collection(self._called("POST", "", body))

    def mark(self, found: FoundCollection, metadata: Metadata) -> None:
        """Replace the metadata of a collection."""
        self._called("PUT", found.id, {"new_metadata": metadata})

    def drop(self, name: str) -> None:
        """Remove a collection with all its rows."""
        try:
            self._asked("DELETE", name)
        except PostFailedError as error:
            if error.status != _MISSING:
                raise self._away(error) from error

    def count(self, found: FoundCollection) -> int:
        """Return the number of rows."""
        answer = self._called("GET", f"{found.id}/count")
        if not isinstance(answer, int):
            raise self._strange()
        return answer

    def put(self, found: FoundCollection, rows: Sequence[VectorRow]) -> None:
        """Write rows, some at a time."""
        for start in range(0, len(rows), _AT_ONCE):
            some = rows[start : start + _AT_ONCE]
            body = {
                "ids": [row.id for row in some],
                "embeddings": [list(array("f", row.values)) for row in some],
                "metadatas": [{SEQUENCE: row.sequence, NUMBER: row.number} for row in some],
            }
            self._called("POST", f"{found.id}/upsert", body)

    def remove(self, found: FoundCollection, ids: Sequence[str]) -> None:
        """Remove rows by id."""
        for start in range(0, len(ids), _AT_ONCE):
            body = {"ids": list(ids[start : start + _AT_ONCE])}
            self._called("POST", f"{found.id}/delete", body)

    def query(
        self, found: FoundCollection, question: bytes, where: Where | None, limit: int
    ) -> Sequence[tuple[str, float]]:
        """Return the ids of the nearest rows with their cosines, nearest first."""
        body: dict[str, object] = {
            "query_embeddings": [list(array("f", question))],
            "n_results": limit,
            "include": ["distances"],
        }
        if where is not None:
            body["where"] = where
        answer = self._fields(self._called("POST", f"{found.id}/query", body))
        try:
            ids, distances = self._lists(answer, "ids")[0], self._lists(answer, "distances")[0]
            return [(str(one), 1.0 - far) for one, far in zip(ids, distances, strict=True)]
        except (IndexError, TypeError, ValueError) as error:
            raise self._strange() from error

    def ids(self, found: FoundCollection, where: Where) -> Sequence[str]:
        """Return the ids of the rows with such metadata."""
        body = {"where": where, "include": []}
        answer = self._fields(self._called("POST", f"{found.id}/get", body))
        return [str(one) for one in self._lists(answer, "ids")]

    def page(
        self, found: FoundCollection, *, start: int, limit: int
    ) -> Sequence[tuple[str, bytes]]:
        """Return some rows with their vectors, in an order that stays the same."""
        body = {"offset": start, "limit": limit, "include": ["embeddings"]}
        answer = self._fields(self._called("POST", f"{found.id}/get", body))
        try:
            return [
                (str(one), array("f", numbers).tobytes())
                for one, numbers in zip(
                    self._lists(answer, "ids"), self._lists(answer, "embeddings"), strict=True
                )
            ]
        except (TypeError, ValueError) as error:
            raise self._strange() from error

    def _called(self, method: str, path: str, body: Mapping[str, object] | None = None) -> object:
        try:
            return self._asked(method, path, body)
        except PostFailedError as error:
            raise self._away(error) from error

    def _asked(self, method: str, path: str, body: Mapping[str, object] | None = None) -> object:
        token = os.environ.get(TOKEN_VARIABLE, "")
        headers = {"Authorization": f"Bearer {token}", "X-Chroma-Token": token} if token else {}
        post = HttpPost(
            url=f"{self._root}/{path}" if path else self._root,
            body=body,
            patience=self._patience,
            headers=headers,
            method=method,
        )
        try:
            return cast("object", json.loads(answered(post) or b"null"))
        except ValueError as error:
            raise self._strange() from error

    def _collection(self, answer: object) -> FoundCollection:
        fields = self._fields(answer)
        found, metadata = fields.get("id"), fields.get("metadata")
        if not isinstance(found, str):
            raise self._strange()
        return FoundCollection(id=found, metadata=metadata if isinstance(metadata, dict) else {})

    def _fields(self, answer: object) -> Mapping[str, object]:
        if not isinstance(answer, dict):
            raise self._strange()
        return answer

    def _lists(self, answer: Mapping[str, object], name: str) -> list[list[float]]:
        found = answer.get(name)
        if not isinstance(found, list):
            raise self._strange()
        return found

    def _strange(self) -> ChromaAwayError:
        return ChromaAwayError(self._place.shown, "gives an answer that cannot be read")

    def _away(self, error: PostFailedError) -> ChromaAwayError:
        return ChromaAwayError(self._place.shown, error.problem)
