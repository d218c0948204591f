"""Memory and history for Microsoft's Agent Framework, in a real run of an agent."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.requirements import requirement
from torture.frameworks.installed import install


@requirement("frameworks.agent-framework")
@requirement("frameworks.fenced")
@pytest.mark.filterwarnings("ignore")
def test_a_new_session_gets_what_an_earlier_one_said(place: str, tenant: str) -> None:
    install("agent_framework")
    from agent_framework import AgentResponse, AgentSession, Message, SessionContext

    from holdfast.integrations.agent_framework import HoldfastContext

    async def used() -> list[Any]:
        provider = HoldfastContext(place, tenant=tenant, least=0.1, limit=1)
        session, agent = AgentSession(), object()
        state: dict[str, Any] = {}

        def a_run(session_id: str, text: str) -> Any:
            return SessionContext(session_id=session_id, input_messages=[Message("user", [text])])

        first = a_run("one", "Ada drinks green tea.")
        given: Any = {"agent": agent, "session": session, "state": state}
        await provider.before_run(context=first, **given)
        first._response = AgentResponse(messages=[Message("assistant", ["Noted."])])
        await provider.after_run(context=first, **given)
        same, other = a_run("one", "which tea?"), a_run("two", "which green tea does Ada drink?")
        await provider.before_run(context=same, **given)
        await provider.before_run(context=other, **given)
        with pytest.raises(ValueError, match="looks like a secret"):
            await provider.after_run(
                context=a_run("two", "the password is hunter2-and-more"), **given
            )
        assert provider.space
        provider.close()
        return [one.context_messages for one in (first, same, other)]

    before, same, other = asyncio.run(used())

    assert (before, same) == ({}, {})
    (message,) = other["holdfast"]
    assert "- Ada drinks green tea." in message.text
    assert message.text.startswith("<holdfast-context")


@requirement("frameworks.agent-framework")
@pytest.mark.filterwarnings("ignore")
def test_history_is_kept_as_in_the_reference(place: str, tenant: str) -> None:
    install("agent_framework")
    from agent_framework import InMemoryHistoryProvider, Message

    from holdfast.integrations.agent_framework import HoldfastHistory

    async def talked(provider: Any) -> list[Any]:
        state: dict[str, Any] = {}
        say = [Message("user", ["Ada drinks tea.\r\n"]), Message("assistant", ["Noted."])]
        await provider.save_messages("s", say, state=state)
        await provider.save_messages("s", say[:1], state=state)
        found = await provider.get_messages("s", state=state)
        return [(str(one.role), one.text, one.to_dict()["contents"]) for one in found]

    ours = HoldfastHistory(place, tenant=tenant)

    assert asyncio.run(talked(ours)) == asyncio.run(talked(InMemoryHistoryProvider()))
    assert asyncio.run(ours.get_messages(None)) == []
    assert ours.space
    ours.close()
