"""The methods of mem0's ``Memory``."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from holdfast.domain.documents.document import DropDocument
from holdfast.integrations.mem0.messages import owner_of, read_messages
from holdfast.integrations.mem0.payloads import (
    IDENTITY,
    expiration,
    hash_of,
    matches,
    now_text,
    shown,
)
from holdfast.integrations.mem0.records import (
    HISTORY,
    MEMORIES,
    SOURCE,
    USERS,
    WHERE,
    changes_of,
    payload_of,
    put_of,
    record_of,
    user_note,
    where,
)
from holdfast.integrations.mem0.requests import (
    is_wanted,
    read_count,
    read_filters,
    read_ids,
    read_threshold,
)
from holdfast.integrations.refusals import refusing
from holdfast.integrations.shelf import DEFAULT, DocumentShelf

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Self

    from holdfast.domain.documents.document import FrameworkDocument, PutDocument
    from holdfast.integrations.mem0.payloads import Payload
    from holdfast.integrations.shelf import Place

_UNSET: Any = object()
_ONE = "At least one of 'user_id', 'agent_id', or 'run_id' must be provided."


class Memory:
    """Memories of users, agents and runs.

    The memories of each user are in a space of their own. ``config`` is accepted for programs that
    pass mem0's; only its entry ``holdfast`` is used, with ``store`` and ``tenant``. Without a
    store, they are in the usual place.
    """

    def __init__(
        self,
        config: Mapping[str, Any] | None = None,
        *,
        store: Place | DocumentShelf = None,
        tenant: str = DEFAULT,
    ) -> None:
        own = config.get("holdfast", {}) if isinstance(config, dict) else {}
        self._tenant = str(own.get("tenant", tenant))
        self._root = self._shelf(store if store is not None else own.get("store"), None)
        self._users: dict[str | None, DocumentShelf] = {None: self._root}
        self._lock = threading.Lock()

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Self:
        """Return a client; the entries for models and vector stores of mem0 are not used."""
        return cls(config_dict)

    def add(  # noqa: PLR0913 - mem0's parameters
        self,
        messages: str | dict[str, Any] | list[dict[str, Any]],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        expiration_date: object = None,
        infer: bool = False,
        memory_type: str | None = None,
        prompt: str | None = None,
    ) -> dict[str, list[Payload]]:
        """Keep each message as a memory, word for word; system messages are left out.

        Raises:
            ValueError: No id is given, the messages have another form, or one has a secret.
        """
        ids = read_ids(user_id, agent_id, run_id)
        if not ids:
            raise ValueError(_ONE)
        more = {name: one for name, one in (metadata or {}).items() if name not in IDENTITY}
        if (day := expiration(expiration_date)) is not None:
            more["expiration_date"] = day
        if memory_type is not None:
            more["memory_type"] = memory_type
        at = now_text()
        added: dict[str, Payload] = {}
        for message in read_messages(messages):
            payload = {**more, **ids, "role": message["role"]}
            if name := message.get("name"):
                payload["actor_id"] = name
            payload |= {"data": message["content"], "hash": hash_of(message["content"])}
            added[str(uuid4())] = {**payload, "created_at": at, "updated_at": at}
        self._add(ids.get("user_id"), added)
        return {
            "results": [
                {
                    "id": name,
                    "memory": one["data"],
                    "event": "ADD",
                    "actor_id": one.get("actor_id"),
                    "role": one["role"],
                }
                for name, one in added.items()
            ]
        }

    def get(self, memory_id: str) -> Payload | None:
        """Return a memory; None if there is none with that id."""
        found = self._find(memory_id)
        return None if found is None else shown(memory_id, payload_of(found[1]))

    def get_all(  # noqa: PLR0913 - mem0's parameters
        self,
        *,
        filters: Mapping[str, Any] | None = None,
        top_k: int = 20,
        show_expired: bool = False,
        limit: int | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> dict[str, list[Payload]]:
        """Return the memories of a user, an agent or a run, the oldest first.

        Raises:
            ValueError: The filters name none of the three.
        """
        wanted = read_filters(filters, read_ids(user_id, agent_id, run_id))
        found = [
            shown(one.name.key, payload_of(one), scored=False)
            for shelf in self._shelves(wanted)
            for one in shelf.within()
            if is_wanted(payload_of(one), wanted, expired=show_expired)
        ]
        return {"results": found[: read_count(top_k if limit is None else limit)]}

    def search(  # noqa: PLR0913 - mem0's parameters
        self,
        query: str,
        *,
        top_k: int = 20,
        filters: Mapping[str, Any] | None = None,
        threshold: float | None = 0.1,
        show_expired: bool = False,
        limit: int | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        rerank: bool = False,
    ) -> dict[str, list[Payload]]:
        """Return the memories that answer a question best, with their scores.

        Raises:
            ValueError: The question is blank, or the filters name no user, agent or run.
        """
        if not query.strip():
            message = "Invalid query: must be a non-empty string."
            raise ValueError(message)
        wanted = read_filters(filters, read_ids(user_id, agent_id, run_id))
        least = read_threshold(threshold)
        hits = [
            (one.score, one.document)
            for shelf in self._shelves(wanted)
            for one in shelf.search(query, limit=10_000)
            if one.score >= least
            and is_wanted(payload_of(one.document), wanted, expired=show_expired)
        ]
        hits.sort(key=lambda one: -one[0])
        most = read_count(top_k if limit is None else limit)
        return {
            "results": [
                shown(one.name.key, payload_of(one), score=score) for score, one in hits[:most]
            ]
        }

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        expiration_date: object = _UNSET,
        data: str | None = None,
    ) -> dict[str, str]:
        """Replace the text of a memory, or add to its metadata; ids of users never change.

        Raises:
            ValueError: There is no such memory, or nothing to change.
        """
        text = data if text is None else text
        if text is None and metadata is None and expiration_date is _UNSET:
            message = "At least one of text, metadata, or expiration_date must be provided."
            raise ValueError(message)
        shelf, known = self._known(memory_id, ". Please provide a valid 'memory_id'")
        before = payload_of(known)
        payload = {**before}
        payload |= {name: one for name, one in (metadata or {}).items() if name not in IDENTITY}
        if expiration_date is not _UNSET:
            payload["expiration_date"] = expiration(expiration_date)
        new = before["data"] if text is None else text
        payload |= {"data": new, "hash": hash_of(new), "updated_at": now_text()}
        put = put_of(shelf, memory_id, payload, expects=known.version)
        self._keep(shelf, [record_of(shelf, known, "UPDATE", payload["updated_at"]), put])
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, str]:
        """Remove a memory; its history stays, and people can still look at it.

        Raises:
            ValueError: There is no such memory.
        """
        shelf, known = self._known(memory_id, "")
        self._drop(shelf, [known])
        return {"message": "Memory deleted successfully!"}

    def delete_all(
        self,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> dict[str, str]:
        """Remove the memories of a user, an agent or a run.

        Raises:
            ValueError: None of the three is named.
        """
        ids = read_ids(user_id, agent_id, run_id)
        if not ids:
            message = (
                "At least one filter is required to delete all memories. If you want to delete all"
                " memories, use the `reset()` method."
            )
            raise ValueError(message)
        for shelf in self._shelves(ids):
            self._drop(shelf, [one for one in shelf.within() if matches(payload_of(one), ids)])
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[Payload]:
        """Return the changes of a memory, the oldest first; none if it never existed."""
        shelf = self._home(memory_id)
        if shelf is None:
            return []
        known = shelf.get(memory_id)
        records = [payload_of(one) for one in shelf.within(memory_id, collection=HISTORY)]
        now = None if known is None else payload_of(known)
        return changes_of(memory_id, records, now)

    def reset(self) -> None:
        """Remove all memories and their history, for good."""
        for shelf in self._shelves({}):
            for collection in (MEMORIES, HISTORY):
                found = shelf.within(collection=collection)
                self._keep(
                    shelf, [DropDocument(name=o.name, source=SOURCE, forgets=True) for o in found]
                )
        for collection in (WHERE, USERS):
            notes = self._root.within(collection=collection)
            self._keep(self._root, [DropDocument(name=one.name, source=SOURCE) for one in notes])

    def space(self, user_id: str | None = None) -> str:
        """Return the space of a user's memories, for ``holdfast --space``."""
        return self._of(user_id).space

    def close(self) -> None:
        """Close the stores; a second call does nothing."""
        for shelf in reversed(list(self._users.values())):
            shelf.close()

    def __enter__(self) -> Self:
        """Return the client itself; leaving the block closes it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the stores."""
        self.close()

    def _shelf(self, store: Place | DocumentShelf, user_id: str | None) -> DocumentShelf:
        owner = owner_of(user_id, DEFAULT)
        return DocumentShelf(MEMORIES, store=store, tenant=self._tenant, user=owner, name=SOURCE)

    def _of(self, user_id: str | None) -> DocumentShelf:
        """Return the shelf of a user."""
        with self._lock:
            if user_id not in self._users:
                self._users[user_id] = self._shelf(self._root, user_id)
            return self._users[user_id]

    def _shelves(self, wanted: Mapping[str, Any]) -> Iterator[DocumentShelf]:
        """Yield the shelves where wanted memories can be: that of their user, or all."""
        user_id = wanted.get("user_id")
        if isinstance(user_id, str) and user_id != "*":
            yield self._of(user_id)
            return
        yield self._root
        yield from (self._of(one.name.key) for one in self._root.within(collection=USERS))

    def _add(self, user_id: str | None, added: Mapping[str, Payload]) -> None:
        shelf = self._of(user_id)
        puts = [put_of(shelf, name, payload, expects=0) for name, payload in added.items()]
        # Where they are is written first: an id without a memory is simply not found.
        notes = [where(self._root, name, user_id) for name in added]
        if user_id is not None and notes:
            notes.append(user_note(self._root, user_id))
        self._keep(self._root, notes)
        self._keep(shelf, puts)

    def _home(self, memory_id: str) -> DocumentShelf | None:
        """Return the shelf that has a memory, or had it."""
        notes = self._root.named([self._root.name(memory_id, collection=WHERE)])
        return self._of(payload_of(notes[0])["user_id"]) if notes else None

    def _find(self, memory_id: str) -> tuple[DocumentShelf, FrameworkDocument] | None:
        shelf = self._home(str(memory_id))
        found = None if shelf is None else shelf.get(str(memory_id))
        return None if shelf is None or found is None else (shelf, found)

    def _known(self, memory_id: str, advice: str) -> tuple[DocumentShelf, FrameworkDocument]:
        found = self._find(memory_id)
        if found is None:
            message = f"Memory with id {memory_id} not found{advice}"
            raise ValueError(message)
        return found

    def _drop(self, shelf: DocumentShelf, documents: Sequence[FrameworkDocument]) -> None:
        at = now_text()
        changes: list[PutDocument | DropDocument] = []
        for one in documents:
            changes += [
                record_of(shelf, one, "DELETE", at),
                DropDocument(name=one.name, source=SOURCE),
            ]
        self._keep(shelf, changes)

    def _keep(self, shelf: DocumentShelf, changes: Sequence[PutDocument | DropDocument]) -> None:
        with refusing():
            shelf.keep(changes)
