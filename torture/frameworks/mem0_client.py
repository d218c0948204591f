"""mem0: the same calls, against its own client without a model (infer=False)."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import Any

from torture.frameworks.comparing import Comparison
from torture.frameworks.graph_store import WORDS, embed
from torture.frameworks.installed import install

USERS = ["ada", "bob", None]
AGENTS = ["coach", None, None]
RUNS = ["r1", None, None]
_TIMES = ("created_at", "updated_at", "id", "score")


class HashedEmbedder:
    """An embedder of mem0 that counts words."""

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return embed([text])[0]

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        return embed(texts)


def reference(folder: Path) -> Any:
    """Return mem0's own client, with its vectors and its history in a folder."""
    from mem0 import Memory

    memory = Memory.from_config(
        {
            "llm": {"provider": "openai", "config": {"api_key": "unused"}},
            "embedder": {"provider": "openai", "config": {"api_key": "unused"}},
            "vector_store": {
                "provider": "qdrant",
                "config": {
                    "path": str(folder / "qdrant"),
                    "embedding_model_dims": len(WORDS) + 1,
                    "collection_name": "torture",
                },
            },
            "history_db_path": str(folder / "history.db"),
        }
    )
    memory.embedding_model = HashedEmbedder()
    return memory


def _plain(one: Any) -> Any:
    """Return an answer without ids and times."""
    if isinstance(one, dict):
        return {name: _plain(value) for name, value in one.items() if name not in _TIMES}
    return [_plain(each) for each in one] if isinstance(one, list) else one


def _sorted(answer: Any) -> Any:
    if isinstance(answer, dict) and "results" in answer:
        return sorted(repr(sorted(_plain(one).items(), key=str)) for one in answer["results"])
    return _plain(answer)


def _said(call: Any) -> Any:
    try:
        return call()
    except ValueError as error:
        return f"refused: {type(error).__name__}"
    except Exception as error:
        if "ValidationError" in type(error).__name__:
            return "refused: ValueError"
        raise


def compare_mem0_client(calls: int, seed: int, folder: Path, store: str = "") -> Comparison:
    """Make the same calls on both clients; memories are compared by what they say."""
    install("mem0")
    from holdfast.integrations.mem0 import Memory

    found = Comparison("mem0 client")
    rnd = random.Random(seed)
    ours, theirs = Memory(store=store or folder / "store", tenant=f"mem0-{seed}"), reference(folder)
    known: list[tuple[str, str]] = []
    while found.operations < calls:
        _one_call(rnd, ours, theirs, known, found)
    ours.close()
    theirs.close()
    return found


def _one_call(
    rnd: random.Random, ours: Any, theirs: Any, known: list[tuple[str, str]], found: Comparison
) -> None:
    chosen = (rnd.choice(USERS), rnd.choice(AGENTS), rnd.choice(RUNS))
    names = ("user_id", "agent_id", "run_id")
    ids = {name: one for name, one in zip(names, chosen, strict=True) if one is not None}
    verb = rnd.choice(["add"] * 4 + ["get", "get_all", "update", "delete", "history", "delete_all"])
    pair = rnd.choice(known) if known and rnd.random() < 0.9 else ("no", "no")
    if verb == "add":
        known += _added(rnd, ours, theirs, ids, found)
    elif verb == "get_all":
        filters = {**ids, **rnd.choice([{}, {"topic": "tea"}])}
        results = [
            _said(partial(one.get_all, filters=filters, top_k=1_000)) for one in (ours, theirs)
        ]
        found.compare((verb, filters), *map(_sorted, results))
    elif verb == "delete_all" and rnd.random() < 0.2:
        results = [_said(partial(one.delete_all, **ids)) for one in (ours, theirs)]
        found.compare((verb, ids), *results)
    elif verb in {"update", "delete"} or (verb in {"get", "history"} and pair != ("no", "no")):
        more = _changes(rnd) if verb == "update" else {}
        results = [
            _said(partial(getattr(one, verb), name, **more))
            for one, name in zip((ours, theirs), pair, strict=True)
        ]
        plain = [
            str(_plain(each)).replace(name, "ID") for each, name in zip(results, pair, strict=True)
        ]
        found.compare((verb, pair, more), *plain)


def _changes(rnd: random.Random) -> dict[str, Any]:
    text = " ".join(rnd.choices(WORDS, k=3))
    return rnd.choice([{"text": text}, {"metadata": {"n": 3}}, {"data": text}, {}])


def _added(
    rnd: random.Random, ours: Any, theirs: Any, ids: dict[str, str], found: Comparison
) -> list[tuple[str, str]]:
    messages: Any = [
        {"role": role, "content": f"{' '.join(rnd.choices(WORDS, k=3))} {rnd.random()}"}
        for role in rnd.choices(["user", "assistant", "system"], k=rnd.randint(1, 2))
    ]
    if rnd.random() < 0.3:
        messages[0]["name"] = "ada"
    metadata = rnd.choice([None, {"topic": "tea"}, {"topic": "x", "n": 2, "user_id": "evil"}])
    results = [
        _said(partial(one.add, messages, metadata=metadata, infer=False, **ids))
        for one in (ours, theirs)
    ]
    found.compare(("add", messages, ids, metadata), *map(_plain, results))
    if not all(isinstance(one, dict) for one in results):
        return []
    made = [[each["id"] for each in one["results"]] for one in results]
    return list(zip(*made, strict=True))
