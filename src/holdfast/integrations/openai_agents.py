"""Sessions of the OpenAI Agents SDK, in a store of Holdfast.

>>> session = HoldfastSession("chat-1", user="ada")
>>> result = await Runner.run(agent, "What do I like to drink?", session=session)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.integrations.item_log import ItemLog
from holdfast.integrations.shelf import DEFAULT, DocumentShelf
from holdfast.integrations.threads import in_thread

if TYPE_CHECKING:
    from agents import SessionSettings, TResponseInputItem

    from holdfast.integrations.shelf import Place

COLLECTION = "openai-agents-session"
SOURCE = "openai-agents"
_SPEAKERS = frozenset({"user", "assistant"})


class HoldfastSession:
    """The history of one conversation; other sessions do not exist for it.

    The items are returned exactly as they were added. What was said in them can be recalled.
    """

    def __init__(
        self,
        session_id: str,
        store: Place | DocumentShelf = None,
        *,
        tenant: str = DEFAULT,
        user: str = DEFAULT,
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings
        self._shelf = DocumentShelf(COLLECTION, store=store, tenant=tenant, user=user)
        self._log = ItemLog(self._shelf, SOURCE, session_id)

    @property
    def space(self) -> str:
        """The space of the session, for ``holdfast --space``."""
        return self._shelf.space

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Return the items, or the latest of them, in the order they were added."""
        most = limit
        if most is None and self.session_settings is not None:
            most = self.session_settings.limit
        return await in_thread(self._log.items, most)

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Add items to the history; all of them, or none.

        Raises:
            RefusedValueError: One of them has a secret.
        """
        await in_thread(self._log.add, [(one, *_said(one)) for one in items])

    async def pop_item(self) -> TResponseInputItem | None:
        """Remove the latest item, and return it; None if there is none."""
        item: TResponseInputItem | None = await in_thread(self._log.pop)
        return item

    async def clear_session(self) -> None:
        """Remove all items of this session."""
        await in_thread(self._log.clear)

    def close(self) -> None:
        """Close the store; a second call does nothing."""
        self._shelf.close()


def _said(item: Any) -> tuple[str, dict[str, object]]:  # noqa: ANN401 - an item of the SDK
    """Return what somebody said in an item, and who; nothing for calls of tools."""
    if not isinstance(item, dict) or item.get("role") not in _SPEAKERS:
        return "", {}
    return said_in(item.get("content")), {"role": item["role"]}


def said_in(content: object) -> str:
    """Return the text of a message; its content is a text, or parts of which some have one."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [one.get("text") or one.get("refusal") for one in parts if isinstance(one, dict)]
    return "\n".join(str(one) for one in texts if one)
