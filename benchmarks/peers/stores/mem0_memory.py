"""mem0 without a language model: texts are stored unchanged, over local qdrant, telemetry off."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

from benchmarks.peers.peer import LIMIT, Asked, Batch
from benchmarks.peers.stores.given_vectors import GivenVectors

_WIDE = 384
_USER = "measured"


class Embedding:
    """The embedder that mem0 calls."""

    def __init__(self, given: GivenVectors) -> None:
        self._given = given

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """Return the announced vector; ``memory_action`` makes no difference."""
        del memory_action
        return self._given.of([text])[0]


class Mem0:
    """One user's memories."""

    def __init__(self, folder: Path) -> None:
        os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=str(folder / "mem0"))
        mem0 = import_module("mem0")
        place = {
            "collection_name": "items",
            "embedding_model_dims": _WIDE,
            "path": str(folder / "qdrant"),
            "on_disk": True,
        }
        self._memory = mem0.Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": place},
                # Neither is ever called: infer=False needs no model, and vectors are given.
                "llm": {"provider": "openai", "config": {"api_key": "none"}},
                "embedder": {"provider": "openai", "config": {"api_key": "none"}},
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._given = GivenVectors()
        self._memory.embedding_model = Embedding(self._given)

    def add(self, batch: Batch) -> None:
        self._given.announce(batch)
        for number, text, group in batch.rows():
            about = {"number": number, "group": group}
            self._memory.add(text, user_id=_USER, metadata=about, infer=False)

    def finish(self) -> None:
        """Do nothing: it writes immediately."""

    def recall(self, asked: Asked) -> list[int]:
        self._given.announce_question(asked)
        within = {"user_id": _USER, **({"group": asked.group} if asked.group else {})}
        found = self._memory.search(asked.text, top_k=LIMIT, filters=within, threshold=0.0)
        return [item["metadata"]["number"] for item in found["results"]]

    def nearest(self, asked: Asked) -> list[int]:
        return self.recall(asked)

    def close(self) -> None:
        self._memory.vector_store.client.close()
        self._memory.close()


def open_peer(folder: Path) -> Mem0:
    """Open a mem0 store."""
    return Mem0(folder)
