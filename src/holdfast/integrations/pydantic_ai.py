"""Conversations of Pydantic AI, in a store of Holdfast.

>>> store = HoldfastConversations(user="ada")
>>> conversation = await store.load("chat-1") or Conversation(conversation_id="chat-1")
>>> result = await agent.run("What do I like to drink?", conversation=conversation)
>>> saved = await store.save(result)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pydantic import TypeAdapter
from pydantic_ai.conversation_store import (
    ConversationConflict,
    ConversationEntry,
    ConversationRecord,
    ConversationStore,
)
from pydantic_ai.messages import ModelMessage

from holdfast.domain.documents.document import (
    DocumentChangedError,
    DropDocument,
    PutDocument,
)
from holdfast.integrations.refusals import refusing
from holdfast.integrations.shelf import DEFAULT, DocumentShelf
from holdfast.integrations.threads import in_thread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.documents.document import FrameworkDocument
    from holdfast.integrations.shelf import Place

RECORDS, ENTRIES = "pydantic-ai-conversations", "pydantic-ai-entries"
SOURCE = "pydantic-ai"
_RECORD: Any = TypeAdapter(ConversationRecord)
_MESSAGE: Any = TypeAdapter(ModelMessage)
_SPOKEN = {"user-prompt": "user", "text": "assistant"}


class HoldfastConversations(ConversationStore):
    """Conversations with their branches; what was said in them can be recalled.

    ``delete`` removes a conversation and the messages that no other one shares.
    """

    def __init__(
        self,
        store: Place | DocumentShelf = None,
        *,
        tenant: str = DEFAULT,
        user: str = DEFAULT,
    ) -> None:
        self._shelf = DocumentShelf(RECORDS, store=store, tenant=tenant, user=user)

    @property
    def space(self) -> str:
        """The space of the conversations, for ``holdfast --space``."""
        return self._shelf.space

    async def read_record(self, conversation_id: str) -> ConversationRecord | None:
        """Return what is kept about a conversation; None if there is none."""
        found = await in_thread(self._shelf.get, conversation_id)
        return None if found is None else _record(found)

    async def read_records(
        self, *, scope: str | None = None, limit: int | None = None
    ) -> Sequence[ConversationRecord]:
        """Return what is kept about conversations, the latest first."""
        found = [_record(one) for one in await in_thread(self._shelf.within)]
        wanted = [one for one in found if scope is None or one.scope == scope]
        return sorted(wanted, key=lambda one: one.updated_at, reverse=True)[:limit]

    async def write_record(
        self,
        record: ConversationRecord,
        *,
        new_entries: Sequence[ConversationEntry] = (),
        expected_revision: str | None,
    ) -> None:
        """Keep a record and its new entries together.

        Raises:
            ConversationConflict: Another writer was faster, or the head does not exist.
            RefusedValueError: A message contains a secret; nothing is kept.
        """
        await in_thread(self._write, record, new_entries, expected_revision)

    async def delete_record(self, conversation_id: str, *, expected_revision: str) -> None:
        """Remove a conversation, and the entries that no other one reaches.

        Raises:
            ConversationConflict: Another writer was faster, or there is none.
        """
        await in_thread(self._delete, conversation_id, expected_revision)

    async def read_entry(self, entry_id: str) -> ConversationEntry:
        """Return an entry.

        Raises:
            KeyError: There is none with that id.
        """
        return (await in_thread(self._entries, [entry_id]))[entry_id]

    async def read_history(
        self, head_id: str | None, *, limit: int | None = None
    ) -> list[ConversationEntry]:
        """Return the entries up to one, the first ones first, or the last of them."""
        return await in_thread(self._history, head_id, limit)

    def close(self) -> None:
        """Close the store; a second call does nothing."""
        self._shelf.close()

    def _write(
        self, record: ConversationRecord, entries: Sequence[ConversationEntry], expected: str | None
    ) -> None:
        name = record.conversation_id
        known = self._expected(name, expected)
        new = {one.id for one in entries}
        head = record.head_id
        if head is not None and head not in new and head not in self._entries([head]):
            raise ConversationConflict(name)
        changes: list[PutDocument | DropDocument] = [
            PutDocument(
                name=self._shelf.name(name),
                value=_RECORD.dump_python(record, mode="json"),
                source=SOURCE,
                expects=0 if known is None else known.version,
            )
        ]
        changes += [self._entry(one, name) for one in entries]
        try:
            with refusing():
                self._shelf.keep(changes)
        except DocumentChangedError as error:
            raise ConversationConflict(name) from error

    def _entry(self, entry: ConversationEntry, conversation: str) -> PutDocument:
        message = _MESSAGE.dump_python(entry.message, mode="json")
        words, speaker = _said(message)
        return PutDocument(
            name=self._shelf.name(entry.id, collection=ENTRIES),
            value={"parent_id": entry.parent_id, "kind": entry.kind, "message": message},
            source=SOURCE,
            text=words,
            memory_type="observation",
            metadata={"session": conversation, "role": speaker} if words else {},
        )

    def _expected(self, name: str, revision: str | None) -> FrameworkDocument | None:
        known = self._shelf.get(name)
        if (None if known is None else _record(known).revision) != revision:
            raise ConversationConflict(name)
        return known

    def _delete(self, name: str, revision: str) -> None:
        known = self._expected(name, revision)
        if known is None:
            raise ConversationConflict(name)
        others = [_record(one) for one in self._shelf.within() if one.name.key != name]
        every = {one.name.key: one for one in self._shelf.within(collection=ENTRIES)}
        parents = {key: _fields(one)["parent_id"] for key, one in every.items()}
        reached: set[str] = set()
        for record in others:
            for tip in (record.head_id, *record.branches):
                at = tip
                while at is not None and at not in reached:
                    reached.add(at)
                    at = parents.get(at)
        drops = [DropDocument(name=known.name, source=SOURCE, expects=known.version)]
        drops += [
            DropDocument(name=one.name, source=SOURCE)
            for key, one in every.items()
            if key not in reached
        ]
        try:
            self._shelf.keep(drops)
        except DocumentChangedError as error:
            raise ConversationConflict(name) from error

    def _entries(self, ids: Sequence[str]) -> dict[str, ConversationEntry]:
        names = [self._shelf.name(one, collection=ENTRIES) for one in ids]
        return {one.name.key: _entry(one) for one in self._shelf.named(names)}

    def _history(self, head_id: str | None, limit: int | None) -> list[ConversationEntry]:
        if head_id is None or limit == 0:
            return []
        every = {one.name.key: one for one in self._shelf.within(collection=ENTRIES)}
        found: list[ConversationEntry] = []
        at: str | None = head_id
        while at is not None and (limit is None or len(found) < limit):
            entry = _entry(every[at])
            found.append(entry)
            at = entry.parent_id
        return found[::-1]


def _fields(document: FrameworkDocument) -> dict[str, Any]:
    return cast("dict[str, Any]", document.value)


def _record(document: FrameworkDocument) -> ConversationRecord:
    record: ConversationRecord = _RECORD.validate_python(_fields(document))
    return record


def _entry(document: FrameworkDocument) -> ConversationEntry:
    fields = _fields(document)
    return ConversationEntry(
        id=document.name.key,
        parent_id=fields["parent_id"],
        message=_MESSAGE.validate_python(fields["message"]),
        kind=fields["kind"],
    )


def _said(message: dict[str, Any]) -> tuple[str, str]:
    """Return what a person or the model said in a message, and who; nothing for other parts."""
    texts: list[str] = []
    speaker = ""
    for part in message.get("parts", ()):
        content = part.get("content")
        if part.get("part_kind") in _SPOKEN and content:
            speaker = _SPOKEN[part["part_kind"]]
            parts = [content] if isinstance(content, str) else content
            texts += [one for one in parts if isinstance(one, str)]
    return "\n".join(texts), speaker
