"""The methods of mem0's ``AsyncMemory``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.integrations.mem0.client import Memory
from holdfast.integrations.shelf import DEFAULT
from holdfast.integrations.threads import in_thread

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from holdfast.integrations.mem0.payloads import Payload
    from holdfast.integrations.shelf import DocumentShelf, Place


class AsyncMemory:
    """The methods of ``Memory`` as coroutines; each call runs in a thread."""

    def __init__(
        self,
        config: Mapping[str, Any] | None = None,
        *,
        store: Place | DocumentShelf = None,
        tenant: str = DEFAULT,
    ) -> None:
        self._memory = Memory(config, store=store, tenant=tenant)

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Self:
        """Return a client; the entries for models and vector stores of mem0 are not used."""
        return cls(config_dict)

    async def add(
        self,
        messages: str | dict[str, Any] | list[dict[str, Any]],
        **given: Any,  # noqa: ANN401 - as Memory.add
    ) -> dict[str, list[Payload]]:
        """Keep each message as a memory."""
        return await in_thread(self._memory.add, messages, **given)

    async def get(self, memory_id: str) -> Payload | None:
        """Return a memory; None if there is none with that id."""
        return await in_thread(self._memory.get, memory_id)

    async def get_all(self, **given: Any) -> dict[str, list[Payload]]:  # noqa: ANN401 - the same
        """Return the memories of a user, an agent or a run."""
        return await in_thread(self._memory.get_all, **given)

    async def search(self, query: str, **given: Any) -> dict[str, list[Payload]]:  # noqa: ANN401 - as mem0
        """Return the memories that answer a question best."""
        return await in_thread(self._memory.search, query, **given)

    async def update(self, memory_id: str, *given: Any, **named: Any) -> dict[str, str]:  # noqa: ANN401 - as mem0
        """Replace the text of a memory, or add to its metadata."""
        return await in_thread(self._memory.update, memory_id, *given, **named)

    async def delete(self, memory_id: str) -> dict[str, str]:
        """Remove a memory."""
        return await in_thread(self._memory.delete, memory_id)

    async def delete_all(self, **given: Any) -> dict[str, str]:  # noqa: ANN401 - the same
        """Remove the memories of a user, an agent or a run."""
        return await in_thread(self._memory.delete_all, **given)

    async def history(self, memory_id: str) -> list[Payload]:
        """Return the changes of a memory."""
        return await in_thread(self._memory.history, memory_id)

    async def reset(self) -> None:
        """Remove all memories and their history, for good."""
        await in_thread(self._memory.reset)

    def space(self, user_id: str | None = None) -> str:
        """Return the space of a user's memories, for ``holdfast --space``."""
        return self._memory.space(user_id)

    def close(self) -> None:
        """Close the stores; a second call does nothing."""
        self._memory.close()
