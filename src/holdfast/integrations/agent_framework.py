"""Memory and history for Microsoft's Agent Framework, in a store of Holdfast.

>>> agent = client.as_agent(context_providers=[HoldfastContext(user="ada")])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_framework import ContextProvider, HistoryProvider, Message

from holdfast.integrations.item_log import ItemLog
from holdfast.integrations.recollections import LEAST, keep_said, recollected
from holdfast.integrations.shelf import DEFAULT, DocumentShelf
from holdfast.integrations.threads import in_thread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_framework import AgentSession, SessionContext, SupportsAgentRun

    from holdfast.integrations.shelf import Place

MEMORIES, HISTORY = "agent-framework-memory", "agent-framework-history"
SOURCE = "agent-framework"
_SPEAKERS = frozenset({"user", "assistant"})
_NO_SESSION = "default"


class HoldfastContext(ContextProvider):
    """Gives an agent what was said in earlier sessions, and keeps what is said in this one.

    Before a run it adds a message with at most ``limit`` memories about the new messages, inside a
    fence. ``least`` is the least score of a memory.
    """

    def __init__(
        self,
        store: Place | DocumentShelf = None,
        *,
        source_id: str = "holdfast",
        tenant: str = DEFAULT,
        user: str = DEFAULT,
        limit: int = 5,
        least: float = LEAST,
    ) -> None:
        super().__init__(source_id)
        self._shelf = DocumentShelf(MEMORIES, store=store, tenant=tenant, user=user)
        self._limit, self._least = limit, least

    @property
    def space(self) -> str:
        """The space of the memories, for ``holdfast --space``."""
        return self._shelf.space

    async def before_run(
        self,
        *,
        agent: SupportsAgentRun,
        session: AgentSession,
        context: SessionContext,
        state: dict[str, Any],
    ) -> None:
        """Add what is remembered about the new messages."""
        query = "\n".join(one.text for one in context.input_messages if one.text)
        told = await in_thread(
            recollected,
            self._shelf,
            query,
            limit=self._limit,
            least=self._least,
            session=context.session_id or _NO_SESSION,
        )
        if told:
            context.extend_messages(self, [Message("user", [told])])

    async def after_run(
        self,
        *,
        agent: SupportsAgentRun,
        session: AgentSession,
        context: SessionContext,
        state: dict[str, Any],
    ) -> None:
        """Keep the new messages and the answer.

        Raises:
            RefusedValueError: One of them contains a secret; nothing is kept.
        """
        answers = context.response.messages if context.response is not None else ()
        said = [
            (one.text, {"role": str(one.role)})
            for one in (*context.input_messages, *answers)
            if str(one.role) in _SPEAKERS and one.text
        ]
        name = context.session_id or _NO_SESSION
        await in_thread(keep_said, self._shelf, SOURCE, name, said)

    def close(self) -> None:
        """Close the store; a second call does nothing."""
        self._shelf.close()


class HoldfastHistory(HistoryProvider):
    """The messages of sessions, exactly as they were saved."""

    def __init__(
        self,
        store: Place | DocumentShelf = None,
        *,
        source_id: str = "holdfast_history",
        tenant: str = DEFAULT,
        user: str = DEFAULT,
        **given: Any,  # noqa: ANN401 - the options of HistoryProvider
    ) -> None:
        super().__init__(source_id, **given)
        self._shelf = DocumentShelf(HISTORY, store=store, tenant=tenant, user=user)

    @property
    def space(self) -> str:
        """The space of the history, for ``holdfast --space``."""
        return self._shelf.space

    async def get_messages(
        self,
        session_id: str | None,
        *,
        state: dict[str, Any] | None = None,
        **kwargs: Any,  # noqa: ANN401 - of the framework
    ) -> list[Message]:
        """Return the messages of a session, the oldest first."""
        log = self._log(session_id)
        return [Message.from_dict(one) for one in await in_thread(log.items)]

    async def save_messages(
        self,
        session_id: str | None,
        messages: Sequence[Message],
        *,
        state: dict[str, Any] | None = None,
        **kwargs: Any,  # noqa: ANN401 - of the framework
    ) -> None:
        """Add messages to a session.

        Raises:
            RefusedValueError: One of them contains a secret; nothing is kept.
        """
        items = [(one.to_dict(), one.text, {"role": str(one.role)}) for one in messages]
        await in_thread(self._log(session_id).add, items)

    def close(self) -> None:
        """Close the store; a second call does nothing."""
        self._shelf.close()

    def _log(self, session_id: str | None) -> ItemLog:
        return ItemLog(self._shelf, SOURCE, session_id or _NO_SESSION)
