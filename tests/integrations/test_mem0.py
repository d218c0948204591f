"""The client with mem0's methods; it needs no package of mem0."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

import pytest

import holdfast
from holdfast.integrations.mem0 import AsyncMemory, Memory
from tests.requirements import requirement


@pytest.fixture
def memory(place: str, tenant: str) -> Iterator[Memory]:
    with Memory(store=place, tenant=tenant) as opened:
        yield opened


def texts(answer: dict[str, list[Any]]) -> list[str]:
    return [one["memory"] for one in answer["results"]]


@requirement("frameworks.examples-run")
def test_the_quick_start_of_mem0_runs(memory: Memory) -> None:
    """The calls of mem0's documentation, in their order."""
    m = memory
    messages = [
        {"role": "user", "content": "Hi, I'm Alex. I love basketball and gaming."},
        {"role": "assistant", "content": "Hey Alex! I'll remember your interests."},
    ]
    added = m.add(messages, user_id="alex", metadata={"category": "hobbies"})
    results = m.search("What do you know about me?", filters={"user_id": "alex"}, threshold=0)
    older = m.search("basketball", user_id="alex", limit=1)
    all_memories = m.get_all(filters={"user_id": "alex"})
    memory_id = all_memories["results"][0]["id"]
    specific = m.get(memory_id)
    m.update(memory_id=memory_id, data="I love India, it is my favorite country.")
    history = m.history(memory_id=memory_id)
    m.delete(memory_id=memory_id)
    m.delete_all(user_id="alex")

    assert [one["event"] for one in added["results"]] == ["ADD", "ADD"]
    assert len(results["results"]) == 2
    assert "basketball" in texts(older)[0]
    assert specific is not None
    assert specific["metadata"] == {"category": "hobbies"}
    assert [one["event"] for one in history] == ["ADD", "UPDATE"]
    assert history[1]["new_memory"] == "I love India, it is my favorite country."
    assert m.get_all(user_id="alex") == {"results": []}
    m.reset()


@requirement("frameworks.spaces-apart")
def test_users_have_spaces_of_their_own(memory: Memory) -> None:
    memory.add("Ada drinks tea.", user_id="ada", agent_id="coach")
    memory.add("Bob drinks coffee.", user_id="bob", agent_id="coach")
    memory.add("The coach is strict.", agent_id="coach")

    assert memory.space("ada") != memory.space("bob") != memory.space()
    assert texts(memory.get_all(user_id="ada")) == ["Ada drinks tea."]
    assert len(memory.get_all(agent_id="coach")["results"]) == 3
    assert len(memory.search("drinks", agent_id="coach", threshold=0)["results"]) == 3
    memory.delete_all(agent_id="coach")
    assert memory.get_all(filters={"agent_id": "coach"})["results"] == []


def test_filters_have_the_operators_of_mem0(memory: Memory) -> None:
    for number in range(4):
        memory.add(f"Note {number}.", user_id="u", metadata={"n": number, "tag": f"T{number}"})

    def found(**filters: Any) -> list[str]:
        return [one[5] for one in texts(memory.get_all(filters={"user_id": "u", **filters}))]

    assert found(n=1) == ["1"]
    assert found(n={"gt": 0, "lte": 2}) == ["1", "2"]
    assert found(n={"in": [0, 3]}, tag={"ne": "T0"}) == ["3"]
    assert found(n={"nin": [0, 3]}, tag={"icontains": "t1"}) == ["1"]
    assert found(tag={"contains": "T"}, n={"lt": 1}) == ["0"]
    assert found(n={"gte": 3}, tag={"eq": "T3"}) == ["3"]
    assert found(OR=[{"n": 0}, {"n": 3}]) == ["0", "3"]
    assert found(NOT=[{"n": 0}], AND=[{"tag": "*"}]) == ["1", "2", "3"]
    assert found(missing="*") == []
    with pytest.raises(ValueError, match="Unsupported metadata filter operator"):
        found(n={"near": 1})
    with pytest.raises(ValueError, match="OR operator requires a non-empty list"):
        found(OR=[])


@requirement("frameworks.spaces-apart")
def test_no_filter_reaches_users_that_it_does_not_name(memory: Memory) -> None:
    memory.add("Tea.", user_id="alex")
    memory.add("Coffee.", user_id="bob")

    for one in ({"ne": "alex"}, {"contains": ""}, {"nin": ["alex"]}):
        with pytest.raises(ValueError, match="name the identifiers"):
            memory.get_all(filters={"user_id": one})
    with pytest.raises(ValueError, match="name the identifiers"):
        memory.get_all(filters={"user_id": "alex", "OR": [{"user_id": "*"}]})
    assert texts(memory.get_all(filters={"user_id": {"in": ["bob"]}})) == ["Coffee."]


def test_memories_expire_after_their_last_day(memory: Memory) -> None:
    yesterday = date.today() - timedelta(days=2)  # noqa: DTZ011 - far enough from midnight
    memory.add("Old.", user_id="u", expiration_date=yesterday)
    memory.add("New.", user_id="u", expiration_date=datetime(2999, 1, 1))  # noqa: DTZ001
    memory.add("Text.", user_id="u", expiration_date="2999-01-01")

    assert texts(memory.get_all(user_id="u")) == ["New.", "Text."]
    assert len(memory.get_all(user_id="u", show_expired=True)["results"]) == 3
    (first, *_) = memory.get_all(user_id="u", show_expired=True)["results"]
    memory.update(first["id"], expiration_date=None)
    assert len(memory.get_all(user_id="u")["results"]) == 3
    for wrong in ("tomorrow", 3):
        with pytest.raises(ValueError, match="YYYY-MM-DD"):
            memory.add("x", user_id="u", expiration_date=wrong)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda m: m.add("x"), "At least one of 'user_id'"),
        (lambda m: m.add(3, user_id="u"), "messages must be"),
        (lambda m: m.add("x", user_id=" "), "cannot be empty"),
        (lambda m: m.add("x", user_id="a b"), "cannot contain whitespace"),
        (lambda m: m.add("the password is hunter2-and-more", user_id="u"), "looks like a secret"),
        (lambda m: m.get_all(), "filters must contain"),
        (lambda m: m.search("  ", user_id="u"), "Invalid query"),
        (lambda m: m.search("x", user_id="u", threshold=2), "Invalid threshold"),
        (lambda m: m.search("x", user_id="u", top_k=-1), "Invalid top_k"),
        (lambda m: m.get_all(user_id="u", top_k=True), "valid integer"),
        (lambda m: m.update("no", "x"), "not found. Please provide"),
        (lambda m: m.update("no"), "At least one of text"),
        (lambda m: m.delete("no"), "Memory with id no not found"),
        (lambda m: m.delete_all(), "At least one filter"),
        (lambda m: m.delete_all(user_id="*"), "would mean everybody"),
        (lambda m: m.add("x", user_id="*"), "would mean everybody"),
        (lambda m: m.search("x", filters={"user_id": "*"}), "would mean everybody"),
    ],
)
@requirement("frameworks.refuse-in-their-words")
def test_wrong_calls_are_value_errors(memory: Memory, call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call(memory)


def test_other_shapes_of_messages_are_read(memory: Memory) -> None:
    parts = [{"type": "text", "text": "Ada has a cat."}, {"type": "image_url"}]
    long = "u" * 200
    messages: Any = [{"role": "user", "content": parts}, {"role": "user"}, "loose"]
    added = memory.add(messages, user_id=long, memory_type="note")
    memory.add({"role": "user", "content": "One."}, user_id=long, infer=True)

    assert texts(added) == ["Ada has a cat."]
    assert texts(memory.get_all(user_id=long)) == ["Ada has a cat.", "One."]
    assert memory.history("no") == []
    assert memory.get("no") is None


@requirement("frameworks.seen-by-people")
def test_what_a_person_forgets_is_gone_for_the_client(
    memory: Memory, place: str, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = memory.add("Ada drinks green tea.", user_id="ada")
    memory.update(added["results"][0]["id"], "Ada drinks black tea.")
    monkeypatch.setenv("HOLDFAST_TENANT", tenant)
    address = place if place.startswith("postgresql://") else ""

    with holdfast.open(space=memory.space("ada"), store=address, name="ada") as store:
        (answer,) = store.recall("what does Ada drink", budget=500)
        store.forget(answer.id)

    assert answer.text == "Ada drinks black tea."
    assert memory.get_all(user_id="ada") == {"results": []}


def test_a_reset_leaves_nothing(memory: Memory) -> None:
    added = memory.add("Ada drinks tea.", user_id="ada")
    memory.update(added["results"][0]["id"], "Ada drinks coffee.")

    memory.reset()

    assert memory.get_all(user_id="ada") == {"results": []}
    assert memory.history(added["results"][0]["id"]) == []


def test_the_client_can_be_awaited(place: str, tenant: str) -> None:
    config = {"holdfast": {"store": place, "tenant": tenant}, "llm": {"provider": "openai"}}

    async def used() -> list[Any]:
        memory = AsyncMemory.from_config(config)
        added = await memory.add("Ada drinks tea.", user_id="ada")
        name = added["results"][0]["id"]
        await memory.update(name, "Ada drinks coffee.")
        found = [
            (await memory.get(name) or {})["memory"],
            texts(await memory.get_all(user_id="ada")),
            texts(await memory.search("coffee", user_id="ada")),
            len(await memory.history(name)),
        ]
        with Memory.from_config(config) as beside:
            found.append(memory.space("ada") == beside.space("ada"))
        await memory.delete(name)
        await memory.delete_all(user_id="ada")
        await memory.reset()
        memory.close()
        return found

    text = "Ada drinks coffee."
    assert asyncio.run(used()) == [text, [text], [text], 2, True]
