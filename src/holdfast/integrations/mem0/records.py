"""Memories of mem0 as documents, and the record of their changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast
from uuid import uuid4

from holdfast.domain.documents.document import PutDocument
from holdfast.integrations.mem0.payloads import Payload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.documents.document import FrameworkDocument
    from holdfast.integrations.shelf import DocumentShelf

MEMORIES, HISTORY, WHERE, USERS = "mem0", "mem0-history", "mem0-where", "mem0-users"
SOURCE = "mem0"


def payload_of(document: FrameworkDocument) -> Payload:
    """Return what is kept about a memory."""
    return cast("Payload", document.value)


def put_of(shelf: DocumentShelf, name: str, payload: Payload, *, expects: int) -> PutDocument:
    """Return the change that keeps a memory."""
    told = ("data", "hash", "created_at", "updated_at")
    return PutDocument(
        name=shelf.name(name),
        value=payload,
        source=SOURCE,
        text=payload["data"],
        metadata={"id": name} | {key: one for key, one in payload.items() if key not in told},
        expects=expects,
    )


def where(shelf: DocumentShelf, name: str, user_id: str | None) -> PutDocument:
    """Return the note that tells whose memory it is, because mem0's methods name only its id."""
    place = shelf.name(name, collection=WHERE)
    return PutDocument(name=place, value={"user_id": user_id}, source=SOURCE)


def user_note(shelf: DocumentShelf, user_id: str) -> PutDocument:
    """Return the note that a user has memories."""
    return PutDocument(name=shelf.name(user_id, collection=USERS), value={}, source=SOURCE)


def record_of(shelf: DocumentShelf, known: FrameworkDocument, event: str, at: str) -> PutDocument:
    """Return the record of a change; it has the text before, which the old memory carries."""
    before = payload_of(known)
    return PutDocument(
        name=shelf.name(str(uuid4()), known.name.key, collection=HISTORY),
        value={
            "event": event,
            "old_memory": before["data"],
            "created_at": before["created_at"],
            "updated_at": at,
            "actor_id": before.get("actor_id"),
            "role": before.get("role"),
        },
        source=SOURCE,
        carried_by=known.memory_id,
    )


def changes_of(memory_id: str, records: Sequence[Payload], now: Payload | None) -> list[Payload]:
    """Return the history in mem0's shape; the text after a change is the one before the next."""
    first = records[0] if records else now
    if first is None:
        return []
    texts = [one["old_memory"] for one in records] + ([now["data"]] if now is not None else [None])
    added = {
        "event": "ADD",
        "old_memory": None,
        "created_at": first["created_at"],
        "updated_at": first["created_at"],
        "actor_id": first.get("actor_id"),
        "role": first.get("role"),
    }
    return [
        {
            "id": f"{memory_id}-{at}",
            "memory_id": memory_id,
            "old_memory": one["old_memory"],
            "new_memory": None if one["event"] == "DELETE" else texts[at],
            "event": one["event"],
            "created_at": one["created_at"],
            "updated_at": one["updated_at"],
            "is_deleted": one["event"] == "DELETE",
            "actor_id": one["actor_id"],
            "role": one["role"],
        }
        for at, one in enumerate([added, *records])
    ]
