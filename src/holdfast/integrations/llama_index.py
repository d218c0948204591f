"""Chat history and long-term memory for LlamaIndex, in a store of Holdfast.

>>> block = HoldfastMemoryBlock(user="ada")
>>> memory = Memory.from_defaults(session_id="chat-1", memory_blocks=[block])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.storage.chat_store import BaseChatStore

from holdfast.integrations.item_log import ItemLog
from holdfast.integrations.recollections import LEAST, keep_said, recollected
from holdfast.integrations.shelf import DEFAULT, DocumentShelf
from holdfast.integrations.threads import in_thread

if TYPE_CHECKING:
    from holdfast.integrations.shelf import Place

CHATS, MEMORIES = "llama-index-chats", "llama-index-memory"
SOURCE = "llama-index"
_SPEAKERS = frozenset({"user", "assistant"})
_NO_SESSION = "default"


class HoldfastChatStore(BaseChatStore):
    """The messages of chats by their keys, for ``ChatMemoryBuffer(chat_store=…)``."""

    _shelf: Any = PrivateAttr()

    def __init__(
        self,
        store: Place | DocumentShelf = None,
        *,
        tenant: str = DEFAULT,
        user: str = DEFAULT,
    ) -> None:
        super().__init__()
        self._shelf = DocumentShelf(CHATS, store=store, tenant=tenant, user=user)

    @classmethod
    def class_name(cls) -> str:
        """Return the name by which LlamaIndex knows the class."""
        return "HoldfastChatStore"

    @property
    def space(self) -> str:
        """The space of the chats, for ``holdfast --space``."""
        return str(self._shelf.space)

    def set_messages(self, key: str, messages: list[ChatMessage]) -> None:
        """Replace the messages of a chat.

        Raises:
            RefusedValueError: One of them contains a secret; nothing is changed.
        """
        self._log(key).replace([_item(one) for one in messages])

    def get_messages(self, key: str) -> list[ChatMessage]:
        """Return the messages of a chat."""
        return [_message(one) for one in self._log(key).items()]

    def add_message(self, key: str, message: ChatMessage) -> None:
        """Add a message to a chat."""
        self._log(key).add([_item(message)])

    def delete_messages(self, key: str) -> list[ChatMessage] | None:
        """Remove a chat, and return its messages; None if there is none."""
        messages = self.get_messages(key)
        self._log(key).clear()
        return messages or None

    def delete_message(self, key: str, idx: int) -> ChatMessage | None:
        """Remove a message by its number, and return it; None if there is none."""
        item = self._log(key).remove(idx)
        return None if item is None else _message(item)

    def delete_last_message(self, key: str) -> ChatMessage | None:
        """Remove the last message, and return it; None if there is none."""
        item = self._log(key).pop()
        return None if item is None else _message(item)

    def get_keys(self) -> list[str]:
        """Return the keys of all chats."""
        return [one[0] for one in self._shelf.namespaces()]

    def close(self) -> None:
        """Close the store; a second call does nothing."""
        self._shelf.close()

    def _log(self, key: str) -> ItemLog:
        return ItemLog(self._shelf, SOURCE, key)


class HoldfastMemoryBlock(BaseMemoryBlock[str]):
    """Long-term memory of an agent: what left the short-term memory, found by meaning.

    It gives at most ``limit`` memories about the last message of the user, inside a fence.
    """

    name: str = "holdfast"
    limit: int = 5
    least: float = LEAST
    _shelf: Any = PrivateAttr()

    def __init__(
        self,
        store: Place | DocumentShelf = None,
        *,
        tenant: str = DEFAULT,
        user: str = DEFAULT,
        **given: Any,  # noqa: ANN401 - the fields of a block
    ) -> None:
        super().__init__(**given)
        self._shelf = DocumentShelf(MEMORIES, store=store, tenant=tenant, user=user)

    @property
    def space(self) -> str:
        """The space of the memories, for ``holdfast --space``."""
        return str(self._shelf.space)

    def close(self) -> None:
        """Close the store; a second call does nothing."""
        self._shelf.close()

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:  # noqa: ANN401 - of the framework
        asked = [one.content or "" for one in messages or () if one.role.value == "user"]
        return await in_thread(
            recollected,
            self._shelf,
            asked[-1] if asked else "",
            limit=self.limit,
            least=self.least,
        )

    async def _aput(self, messages: list[ChatMessage]) -> None:
        sessions: dict[str, list[tuple[str, dict[str, object]]]] = {}
        for one in messages:
            if one.role.value in _SPEAKERS and one.content:
                session = str(one.additional_kwargs.get("session_id", _NO_SESSION))
                sessions.setdefault(session, []).append((one.content, {"role": one.role.value}))
        for session, said in sessions.items():
            await in_thread(keep_said, self._shelf, SOURCE, session, said)


def _item(message: ChatMessage) -> tuple[object, str, dict[str, object]]:
    role = message.role.value
    words = (message.content or "") if role in _SPEAKERS else ""
    return message.model_dump(mode="json"), words, {"role": role}


def _message(item: object) -> ChatMessage:
    message: ChatMessage = ChatMessage.model_validate(item)
    return message
