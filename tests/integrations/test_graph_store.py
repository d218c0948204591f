"""LangGraph's store, beside its own in memory."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import holdfast
from tests.patience import PATIENCE
from tests.requirements import requirement
from torture.frameworks.graph_store import WORDS, compare_graph_store, embed
from torture.frameworks.installed import install


def store_of(place: str, tenant: str, **given: Any) -> Any:
    install("langgraph.store.memory", "langgraph.graph")
    from holdfast.integrations.langgraph import HoldfastStore

    return HoldfastStore(place, tenant=tenant, **given)


@pytest.fixture
def store(place: str, tenant: str) -> Iterator[Any]:
    opened = store_of(place, tenant)
    yield opened
    opened.close()


@requirement("frameworks.langgraph-store")
@pytest.mark.parametrize("seed", [4, 5], ids=["whole values", "one field"])
def test_random_operations_are_answered_as_by_langgraph(tmp_path: Path, seed: int) -> None:
    found = compare_graph_store(600, seed=seed, folder=tmp_path)

    assert found.differences == []
    assert found.operations >= 600


@requirement("frameworks.langgraph-store")
def test_items_are_searched_without_embeddings_of_the_caller(store: Any) -> None:
    space = ("users", "ada")
    store.put(space, "1", {"text": "Ada drinks green tea.", "n": 1})
    store.put(space, "2", {"text": "Bob has a blue cup.", "n": 2})
    store.put(space, "3", {"n": 3}, index=False)

    found = store.search(("users",), query="green tea", limit=3)

    assert [one.key for one in found] == ["1", "2", "3"]
    assert found[0].score > found[1].score
    assert found[2].score is None
    assert [one.key for one in store.search(space, query="tea", filter={"n": 2})] == ["2"]
    store.delete(space, "1")
    assert store.get(space, "1") is None


@requirement("frameworks.refuse-in-their-words")
def test_wrong_values_are_value_errors(store: Any) -> None:
    from langgraph.store.base import InvalidNamespaceError, PutOp, SearchOp

    with pytest.raises(ValueError, match="looks like a secret") as refused:
        store.put(("a",), "k", {"text": "the password is hunter2-and-more"})
    assert vars(refused.value)["code"] == "secret-refused"
    with pytest.raises(ValueError, match="which is not JSON"):
        store.put(("a",), "k", {"text": object()})
    with pytest.raises(InvalidNamespaceError):
        store.batch([PutOp(("a.b",), "k", {})])
    store.put(("a",), "k", {"n": 1})
    with pytest.raises(ValueError, match="Unsupported operator"):
        store.search(("a",), filter={"n": {"$in": [1]}})
    with pytest.raises(ValueError, match="Unknown operation"):
        store._done([SearchOp], {}, {})


def test_items_expire_unless_they_are_read(place: str, tenant: str) -> None:
    store = store_of(place, tenant, ttl={"default_ttl": 60, "refresh_on_read": False})
    seconds = 0.4

    def put() -> float:
        began = time.monotonic()
        store.put(("a",), "read", {"text": "Read."}, ttl=seconds / 60)
        store.put(("a",), "gone", {"text": "Gone."}, ttl=seconds / 60)
        return began

    store.put(("a",), "stays", {"text": "Stays."})
    until = time.monotonic() + PATIENCE
    renewed = put()
    while store.get(("a",), "gone") is not None:
        now = time.monotonic()
        assert now < until
        if store.get(("a",), "read", refresh_ttl=True) is None:
            assert time.monotonic() - renewed > seconds, "only a pause of the machine ends it"
            now = put()
        renewed = now

    assert {one.key for one in store.search(("a",))} <= {"read", "stays"}
    assert store.get(("a",), "stays") is not None
    store.close()


@requirement("frameworks.seen-by-people")
def test_people_see_items_and_their_evidence(
    store: Any, place: str, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(("users", "ada"), "tea", {"text": "Ada drinks green tea.", "rating": 5})
    monkeypatch.setenv("HOLDFAST_TENANT", tenant)
    address = place if place.startswith("postgresql://") else ""

    with holdfast.open(space=store.space, store=address, name="ada") as memory:
        (kept,) = memory.list()

    assert kept.text == "Ada drinks green tea.\nrating: 5"
    assert "langgraph" in str(kept.evidence[0])


EXAMPLE = """
import uuid
from langchain_core.runnables import RunnableConfig
from langgraph.graph import StateGraph, MessagesState, START
from langgraph.store.base import BaseStore
from holdfast.integrations.langgraph import HoldfastSaver as InMemorySaver
from holdfast.integrations.langgraph import HoldfastStore as InMemoryStore

def call_model(state: MessagesState, config: RunnableConfig, *, store: BaseStore):
    user_id = config["configurable"]["user_id"]
    namespace = ("memories", user_id)
    memories = store.search(namespace, query=str(state["messages"][-1].content))
    info = "\\n".join([d.value["data"] for d in memories])
    system_msg = f"You are a helpful assistant talking to the user. User info: {info}"
    last_message = state["messages"][-1]
    if "remember" in last_message.content.lower():
        memory = "User name is Bob"
        store.put(namespace, str(uuid.uuid4()), {"data": memory})
    response = model.invoke([{"role": "system", "content": system_msg}] + state["messages"])
    return {"messages": response}

builder = StateGraph(MessagesState)
builder.add_node(call_model)
builder.add_edge(START, "call_model")
checkpointer = InMemorySaver()
store = InMemoryStore()
graph = builder.compile(checkpointer=checkpointer, store=store)

def said(text, thread_id, user_id):
    config = {"configurable": {"thread_id": thread_id, "user_id": user_id}}
    turn = {"messages": [{"role": "user", "content": text}]}
    return list(graph.stream(turn, config, stream_mode="values"))[-1]["messages"][-1].content

answers = [
    said("Hi! Remember: my name is Bob", "1", "1"),
    said("what is my name?", "2", "1"),
    said("what is my name?", "3", "2"),
]
turns = len(graph.get_state({"configurable": {"thread_id": "1"}}).values["messages"])
store.close()
checkpointer.close()
"""


class Echo:
    """A model that needs no network: it repeats what it was told."""

    def invoke(self, messages: Any) -> Any:
        from langchain_core.messages import AIMessage

        return AIMessage(content=messages[0]["content"].partition("User info: ")[2])


@requirement("frameworks.examples-run")
def test_the_documented_example_of_langgraph_runs() -> None:
    """LangGraph's chatbot with memories of its users, unchanged but for the imports."""
    install("langgraph.graph")
    namespace: dict[str, Any] = {"model": Echo()}

    exec(compile(EXAMPLE, "example", "exec", dont_inherit=True), namespace)  # noqa: S102 - ours

    assert namespace["answers"] == ["", "User name is Bob", ""]
    assert namespace["turns"] == 2


def test_operations_can_be_awaited(place: str, tenant: str) -> None:
    async def aembed(texts: list[str]) -> list[list[float]]:
        return embed(texts)

    index: Any = {"dims": len(WORDS) + 1, "embed": aembed, "fields": ["text"]}
    store = store_of(place, tenant, index=index)

    async def used() -> Any:
        await store.aput(("a",), "1", {"text": "tea"})
        await store.aput(("a",), "2", {"text": "train"})
        found = await store.asearch(("a",), query="tea")
        return [one.key for one in found], await store.alist_namespaces()

    assert asyncio.run(used()) == (["1", "2"], [("a",)])
    store.close()
