"""LangGraph's store: the same operations, against its store in memory."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from torture.frameworks.comparing import Comparison
from torture.frameworks.installed import install

SPACES = [("a",), ("a", "b"), ("a", "b", "c"), ("a", "x"), ("b",), ("b", "b"), ("c d", 'e"f')]
KEYS = ["k1", "k2", "k3", "schlüssel", "a.b"]
# By key, because LangGraph's store in memory keeps the vectors of paths that a new value lacks.
INDEXED: dict[str, Any] = {"a.b": False, "k3": ["text"], "schlüssel": ["name", "text"]}
WORDS = [
    *("tea", "green", "coffee", "night", "morning", "ada", "bob", "likes", "drinks", "never"),
    *("blue", "cup", "train", "berlin"),
]
FILTERS: list[dict[str, Any] | None] = [
    *(None, {"n": 3}, {"n": {"$gte": 2}}, {"n": {"$gt": 1, "$lt": 4}}, {"kind": {"$ne": "x"}}),
    *({"kind": "x"}, {"in": {"deep": 1}}, {"tags": ["a", "b"]}, {"in": {"deep": {"$lte": 1}}}),
]


def embed(texts: list[str]) -> list[list[float]]:
    """Return how often each word occurs, as vectors."""
    return [[float(text.lower().count(word)) for word in WORDS] + [1.0] for text in texts]


def a_value(rnd: random.Random) -> dict[str, Any]:
    """Return a random value."""
    return {
        # With a number, because it cannot embed the same text twice in one batch.
        "text": f"{' '.join(rnd.choices(WORDS, k=4))} {rnd.random()}",
        "name": f"{rnd.choice(WORDS)} {rnd.random()}",
        "n": rnd.randint(0, 5),
        "kind": rnd.choice(["x", "y"]),
        "in": {"deep": rnd.choice([1, 2, 0.5])},
        "tags": rnd.choice([["a", "b"], [], ["ä\r\nb"]]),
    }


def an_operation(rnd: random.Random) -> Any:
    """Return a random operation."""
    from langgraph.store.base import GetOp, ListNamespacesOp, MatchCondition, PutOp, SearchOp

    space, key = rnd.choice(SPACES), rnd.choice(KEYS)
    chance = rnd.random()
    if chance < 0.4:
        value = a_value(rnd) if rnd.random() < 0.75 else None
        return PutOp(space, key, value, INDEXED.get(key))
    if chance < 0.6:
        return GetOp(space, key)
    if chance < 0.9:
        query = " ".join(rnd.choices(WORDS, k=2)) if rnd.random() < 0.5 else None
        prefix = space[: rnd.randint(0, len(space))]
        limit = rnd.choice([1, 3, 10, 100])
        return SearchOp(prefix, rnd.choice(FILTERS), limit, rnd.choice([0, 0, 2]), query)
    path = rnd.choice([("a",), ("*", "b"), ("b",), ("a", "*")])
    condition = MatchCondition(rnd.choice(["prefix", "suffix"]), path)
    return ListNamespacesOp(
        rnd.choice([None, (condition,)]), rnd.choice([None, 1, 2]), rnd.choice([100, 2]), 0
    )


def _shown(result: Any) -> Any:
    """Return a result without times; items that are equally good may come in any order."""
    if isinstance(result, list) and result and hasattr(result[0], "value"):
        return [(None if one.score is None else round(one.score, 6)) for one in result], sorted(
            (one.namespace, one.key, repr(one.value)) for one in result
        )
    if result is not None and hasattr(result, "value"):
        return result.namespace, result.key, result.value
    return result


def _subset(op: Any, ours: Any, theirs: Any, whole: Any) -> tuple[Any, Any]:
    """Compare pages by their scores, because LangGraph does not define the order of equals."""
    if len(ours) != len(theirs):
        return len(ours), len(theirs)
    names = {(one.namespace, one.key) for one in whole}
    strange = [one.key for one in ours if (one.namespace, one.key) not in names]
    scores = [
        [None if one.score is None else round(one.score, 6) for one in each]
        for each in (ours, theirs)
    ]
    return (scores[0], strange), (scores[1], [])


def compare_graph_store(operations: int, seed: int, folder: Path, store: str = "") -> Comparison:
    """Do the same operations in both stores, alone and in batches."""
    install("langgraph.store.memory")
    from langgraph.store.base import SearchOp
    from langgraph.store.memory import InMemoryStore

    from holdfast.integrations.langgraph import HoldfastStore

    found = Comparison("LangGraph store")
    rnd = random.Random(seed)
    index: Any = {"embed": embed, "dims": len(WORDS) + 1}
    if seed % 2:  # LangGraph's default is the whole value
        index["fields"] = ["text"]
    ours = HoldfastStore(store or folder / "store", index=index, user=f"graph-{seed}")
    theirs = InMemoryStore(index=index)
    while found.operations < operations:
        ops = [an_operation(rnd) for _ in range(rnd.choice([1, 1, 1, 3, 6]))]
        # It lists namespaces that were only read, and those whose last item was removed.
        for space in [space for space, items in theirs._data.items() if not items]:
            del theirs._data[space]
        wholes = [
            theirs.search(op.namespace_prefix, filter=op.filter, limit=1000)
            if isinstance(op, SearchOp)
            else None
            for op in ops
        ]
        for op, one, other, whole in zip(ops, ours.batch(ops), _theirs(theirs, ops), wholes):
            if whole is not None and (op.offset or len(whole) > op.limit):
                found.compare(op, *_subset(op, one, other, whole))
            else:
                found.compare(op, _shown(one), _shown(other))
    ours.close()
    return found


def _theirs(store: Any, ops: list[Any]) -> list[Any]:
    """Return the results of LangGraph's store; reads must not create namespaces meanwhile."""
    results = []
    for op in ops:
        if type(op).__name__ != "PutOp":
            results += store.batch([op])
            for space in [space for space, items in store._data.items() if not items]:
                del store._data[space]
        else:
            results.append(None)
    store.batch([op for op in ops if type(op).__name__ == "PutOp"])
    return results
