"""The memory service of Google's Agent Development Kit, in stores of Holdfast.

>>> service = HoldfastMemoryService()
>>> runner = Runner(agent=agent, app_name="app", session_service=sessions, memory_service=service)
"""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry

from holdfast.domain.documents.document import DropDocument, PutDocument
from holdfast.integrations.mem0.messages import owner_of
from holdfast.integrations.recollections import LEAST
from holdfast.integrations.refusals import refusing
from holdfast.integrations.shelf import DEFAULT, DocumentShelf
from holdfast.integrations.threads import in_thread

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from google.adk.events.event import Event
    from google.adk.sessions.session import Session

    from holdfast.domain.documents.document import FrameworkDocument
    from holdfast.integrations.shelf import Place

COLLECTION, DELETED = "google-adk-memory", "google-adk-deleted"
SOURCE = "google-adk"
_NO_SESSION = "__unknown_session_id__"
_ADDED = "__added__"


class HoldfastMemoryService(BaseMemoryService):
    """What was said in the sessions of users, found by meaning.

    The memories of each user of each app are in a space of their own. ``limit`` is how many a
    search returns at most, and ``least`` is the least score of one.
    """

    def __init__(
        self,
        store: Place | DocumentShelf = None,
        *,
        tenant: str = DEFAULT,
        limit: int = 10,
        least: float = LEAST,
    ) -> None:
        self._root = DocumentShelf(COLLECTION, store=store, tenant=tenant)
        self._tenant = tenant
        self._limit, self._least = limit, least
        self._shelves: dict[tuple[str, str], DocumentShelf] = {}
        self._lock = threading.Lock()

    def space(self, app_name: str, user_id: str) -> str:
        """Return the space of a user's memories, for ``holdfast --space``."""
        return self._shelf(app_name, user_id).space

    async def add_session_to_memory(self, session: Session) -> None:
        """Keep the events of a session that have a content; adding it again replaces them.

        Raises:
            RefusedValueError: An event contains a secret; nothing is kept.
        """
        shelf = self._shelf(session.app_name, session.user_id)
        await in_thread(self._keep, shelf, session.events, session.id, {}, replace=True)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keep some events of a session; those that are known stay as they are."""
        shelf = self._shelf(app_name, user_id)
        session = session_id or _NO_SESSION
        more = dict(custom_metadata or {})
        await in_thread(self._keep, shelf, events, session, more, replace=False)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keep memories that belong to no session."""
        shelf = self._shelf(app_name, user_id)
        changes = [
            _put(
                shelf,
                one.id or str(uuid4()),
                _ADDED,
                one.content,
                {
                    "author": one.author,
                    "timestamp": one.timestamp,
                    "custom_metadata": {**one.custom_metadata, **(custom_metadata or {})},
                },
            )
            for one in memories
        ]
        await in_thread(_kept, shelf, changes)

    async def search_memory(
        self, *, app_name: str, user_id: str, query: str
    ) -> SearchMemoryResponse:
        """Return the memories of a user that answer a question best."""
        shelf = self._shelf(app_name, user_id)
        if not query.strip():
            return SearchMemoryResponse(memories=[])
        found = await in_thread(shelf.search, query, limit=self._limit)
        memories = [_entry(one.document) for one in found if one.score >= self._least]
        return SearchMemoryResponse(memories=memories)

    async def delete_memory(
        self, *, app_name: str, user_id: str, memory_id: str | None = None
    ) -> None:
        """Remove a memory; its event does not come back when its session is added again.

        Raises:
            ValueError: No memory is named.
        """
        if not memory_id:
            message = "memory_id is required."
            raise ValueError(message)
        shelf = self._shelf(app_name, user_id)
        await in_thread(self._delete, shelf, memory_id)

    def close(self) -> None:
        """Close the stores; a second call does nothing."""
        for shelf in (*self._shelves.values(), self._root):
            shelf.close()

    def _shelf(self, app_name: str, user_id: str) -> DocumentShelf:
        with self._lock:
            if (app_name, user_id) not in self._shelves:
                self._shelves[app_name, user_id] = DocumentShelf(
                    COLLECTION,
                    store=self._root,
                    tenant=self._tenant,
                    user=owner_of(user_id, DEFAULT),
                    name=f"adk-{owner_of(app_name, DEFAULT)}"[:100],
                )
            return self._shelves[app_name, user_id]

    def _keep(
        self,
        shelf: DocumentShelf,
        events: Sequence[Event],
        session: str,
        custom: Mapping[str, object],
        *,
        replace: bool,
    ) -> None:
        deleted = {one.name.key for one in shelf.within(collection=DELETED)}
        wanted = {
            one.id: one
            for one in events
            if one.content and one.content.parts and one.id not in deleted
        }
        known = {one.name.key: one for one in shelf.within(session)}
        changes: list[PutDocument | DropDocument] = [
            _put(
                shelf,
                name,
                session,
                one.content,
                {
                    "author": one.author,
                    "timestamp": datetime.fromtimestamp(one.timestamp, UTC).isoformat(),
                    "custom_metadata": dict(custom),
                },
            )
            for name, one in wanted.items()
            if replace or name not in known
        ]
        if replace:
            gone = [one for name, one in known.items() if name not in wanted]
            changes += [DropDocument(name=one.name, source=SOURCE) for one in gone]
        _kept(shelf, changes)

    def _delete(self, shelf: DocumentShelf, name: str) -> None:
        found = [one for one in shelf.within() if one.name.key == name]
        note = PutDocument(name=shelf.name(name, collection=DELETED), value={}, source=SOURCE)
        drops = [DropDocument(name=one.name, source=SOURCE) for one in found]
        shelf.keep([note, *drops])


def _kept(shelf: DocumentShelf, changes: Sequence[PutDocument | DropDocument]) -> None:
    with refusing():
        shelf.keep(changes)


def _put(
    shelf: DocumentShelf,
    name: str,
    session: str,
    content: Any,  # noqa: ANN401 - a Content of the SDK
    more: dict[str, Any],
) -> PutDocument:
    words = "\n".join(part.text for part in content.parts or () if part.text)
    return PutDocument(
        name=shelf.name(name, session),
        value={"content": content.model_dump(mode="json", exclude_none=True), **more},
        source=SOURCE,
        text=words,
        memory_type="observation",
        metadata={"session": session, "author": more["author"] or ""},
    )


def _entry(document: FrameworkDocument) -> MemoryEntry:
    fields = cast("dict[str, Any]", document.value)
    return MemoryEntry(id=document.name.key, **fields)
