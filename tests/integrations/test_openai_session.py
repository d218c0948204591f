"""Sessions of the OpenAI Agents SDK, beside its own."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.requirements import requirement
from torture.frameworks.agent_session import compare_agent_session
from torture.frameworks.installed import install


@requirement("frameworks.openai-session")
def test_random_calls_are_answered_as_by_the_sdk(tmp_path: Path) -> None:
    found = compare_agent_session(300, seed=2, folder=tmp_path)

    assert (found.differences, found.operations) == ([], 300)


@requirement("frameworks.openai-session")
def test_a_session_is_one_of_the_sdk_and_keeps_its_settings(place: str, tenant: str) -> None:
    install("agents")
    from agents import Session, SessionSettings

    from holdfast.integrations.openai_agents import HoldfastSession

    async def used() -> tuple[list[Any], Any]:
        session = HoldfastSession(
            "s", place, tenant=tenant, session_settings=SessionSettings(limit=1)
        )
        assert isinstance(session, Session)
        await session.add_items(
            [{"role": "user", "content": "one"}, {"role": "user", "content": "2"}]
        )
        found = await session.get_items()
        other = HoldfastSession("t", place, tenant=tenant)
        others = await other.get_items()
        other.close()
        session.close()
        return found, others

    assert asyncio.run(used()) == ([{"role": "user", "content": "2"}], [])


@requirement("frameworks.refuse-in-their-words")
def test_a_secret_is_refused_and_nothing_is_added(place: str, tenant: str) -> None:
    install("agents")
    from holdfast.integrations.openai_agents import HoldfastSession

    async def used() -> list[Any]:
        session = HoldfastSession("s", place, tenant=tenant)
        with pytest.raises(ValueError, match="looks like a secret"):
            await session.add_items(
                [
                    {"role": "user", "content": "hello"},
                    {"role": "user", "content": "the password is hunter2-and-more"},
                ]
            )
        found: list[Any] = await session.get_items()
        assert session.space
        session.close()
        return found

    assert asyncio.run(used()) == []
