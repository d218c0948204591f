"""Conversations of Pydantic AI, beside its own store in memory."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.requirements import requirement
from torture.frameworks.installed import install


async def talked(store: Any) -> list[Any]:
    """Talk, go on, branch, fork and delete; return what each step gave."""
    from pydantic_ai import Agent
    from pydantic_ai.conversation import Conversation
    from pydantic_ai.conversation_store import ConversationConflict
    from pydantic_ai.models.test import TestModel

    agent = Agent(TestModel(custom_output_text="Noted."))
    seen: list[Any] = []

    def shown(one: Any) -> Any:
        return [[(part.part_kind, part.content) for part in each.parts] for each in one.messages]

    first = await store.load("c") or Conversation(conversation_id="c")
    result = await agent.run("Ada drinks tea.\r\n", conversation=first)
    seen.append(len(await store.save(result, scope="ada")))
    stale = await store.load("c")
    again = await agent.run("And cake.", conversation=await store.load("c"))
    seen.append(len(await store.save(again)))
    with pytest.raises(ConversationConflict):
        await store.save(await agent.run("Too late.", conversation=stale))
    loaded = await store.load("c")
    seen.append(shown(loaded))
    branched = await store.branch("c", at=2, expected_revision=loaded.revision)
    seen.append(shown(branched))
    forked = await store.fork("c", at=1)
    seen += [shown(forked), len(await store.list_conversations(scope="ada"))]
    seen += [shown(await store.load("c", limit=1)), await store.load("c", scope="bob")]
    await store.delete("c")
    seen += [await store.load("c"), len(await store.list_conversations(limit=5))]
    with pytest.raises(ConversationConflict):
        await store.delete_record("c", expected_revision="x")
    kept = await store.load(forked.conversation_id)
    seen.append(shown(kept))
    return seen


@requirement("frameworks.pydantic-ai")
def test_conversations_go_as_in_the_reference(place: str, tenant: str) -> None:
    install("pydantic_ai", "pydantic_ai.conversation_store", "pydantic_ai.models.test")
    from pydantic_ai.conversation_store import InMemoryConversationStore

    from holdfast.integrations.pydantic_ai import HoldfastConversations

    ours = HoldfastConversations(place, tenant=tenant)

    assert asyncio.run(talked(ours)) == asyncio.run(talked(InMemoryConversationStore()))
    assert ours.space
    ours.close()


@requirement("frameworks.refuse-in-their-words")
def test_a_secret_is_refused(place: str, tenant: str) -> None:
    install("pydantic_ai", "pydantic_ai.conversation_store", "pydantic_ai.models.test")
    from pydantic_ai.conversation import Conversation
    from pydantic_ai.messages import ModelRequest, UserPromptPart

    from holdfast.integrations.pydantic_ai import HoldfastConversations

    async def used() -> Any:
        store = HoldfastConversations(place, tenant=tenant)
        part = UserPromptPart(content=["the password is hunter2-and-more"])
        conversation = Conversation(messages=[ModelRequest(parts=[part])], conversation_id="c")
        with pytest.raises(ValueError, match="looks like a secret"):
            await store.save(conversation)
        with pytest.raises(KeyError):
            await store.read_entry("none")
        found = await store.load("c")
        store.close()
        return found

    assert asyncio.run(used()) is None
