"""The memory service of Google's ADK, beside its own in memory."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.requirements import requirement
from torture.frameworks.installed import install

SAID = ["Ada drinks green tea.", "Bob has a blue cup.", "The train to Berlin leaves at nine."]


def an_event(name: str, text: str) -> Any:
    from google.adk.events.event import Event
    from google.genai import types

    content = types.Content(role="user", parts=[types.Part(text=text)])
    return Event(id=name, author="user", content=content, timestamp=1_700_000_000.0)


def a_session(user: str, texts: list[str], name: str = "s") -> Any:
    from google.adk.events.event import Event
    from google.adk.sessions.session import Session

    events = [an_event(f"e{at}", text) for at, text in enumerate(texts)]
    events.append(Event(id="empty", author="user"))
    return Session(id=name, app_name="app", user_id=user, events=events)


async def used(service: Any) -> list[Any]:
    """Add, search and delete; return what each search found."""
    seen: list[Any] = []

    async def searched(query: str, user: str = "ada") -> None:
        found = await service.search_memory(app_name="app", user_id=user, query=query)
        told = [(one.id, one.author, one.content.parts[0].text) for one in found.memories]
        seen.append(told[:1])

    await service.add_session_to_memory(a_session("ada", SAID))
    await searched("green tea")
    await searched("blue cup")
    await searched("green tea", user="bob")
    await service.add_session_to_memory(a_session("ada", [*SAID, "Ada likes cake a lot."]))
    await searched("cake")
    late = [an_event("e9", "Cats sleep all day."), an_event("e1", "known")]
    await service.add_events_to_memory(
        app_name="app", user_id="ada", events=late, session_id="s", custom_metadata={"a": 1}
    )
    await searched("cats sleep")
    await service.add_session_to_memory(a_session("ada", SAID[:1]))
    await searched("blue cup")
    await searched("")
    return seen


@requirement("frameworks.google-adk")
@pytest.mark.filterwarnings("ignore")
def test_sessions_are_found_as_in_the_reference(place: str, tenant: str) -> None:
    install("google.adk.memory.in_memory_memory_service", "google.adk.sessions.session")
    from google.adk.memory.in_memory_memory_service import InMemoryMemoryService

    from holdfast.integrations.google_adk import HoldfastMemoryService

    ours = HoldfastMemoryService(place, tenant=tenant, least=0.4)

    assert asyncio.run(used(ours)) == asyncio.run(used(InMemoryMemoryService()))
    assert ours.space("app", "ada") != ours.space("app", "bob") != ours.space("other", "bob")
    ours.close()


@pytest.mark.filterwarnings("ignore")
def test_memories_are_added_and_deleted(place: str, tenant: str) -> None:
    install("google.adk.memory.in_memory_memory_service", "google.adk.sessions.session")
    from google.adk.memory.memory_entry import MemoryEntry
    from google.genai import types

    from holdfast.integrations.google_adk import HoldfastMemoryService

    async def worked() -> list[Any]:
        service = HoldfastMemoryService(place, tenant=tenant)
        entry = MemoryEntry(
            content=types.Content(role="user", parts=[types.Part(text="Ada drinks tea.")]),
            custom_metadata={"a": 1},
        )
        whose: Any = {"app_name": "app", "user_id": "ada"}
        await service.add_memory(**whose, memories=[entry], custom_metadata={"b": 2})
        await service.add_session_to_memory(a_session("ada", ["Ada has a cat."]))
        (found, *_) = (await service.search_memory(**whose, query="Ada drinks tea.")).memories
        await service.delete_memory(**whose, memory_id=found.id)
        await service.delete_memory(**whose, memory_id="e0")
        await service.add_session_to_memory(a_session("ada", ["Ada has a cat."]))
        left = (await service.search_memory(**whose, query="Ada has a cat.")).memories
        with pytest.raises(ValueError, match="memory_id is required"):
            await service.delete_memory(**whose)
        with pytest.raises(ValueError, match="looks like a secret"):
            await service.add_events_to_memory(
                **whose, events=[an_event("e5", "the password is hunter2-and-more")]
            )
        service.close()
        return [found.custom_metadata, left]

    assert asyncio.run(worked()) == [{"a": 1, "b": 2}, []]
