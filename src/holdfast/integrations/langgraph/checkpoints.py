"""LangGraph's checkpointer: the state of threads, kept exactly."""

from __future__ import annotations

import random
from base64 import b64decode
from typing import TYPE_CHECKING, Any, cast

from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
    writes_sort_key,
)

from holdfast.domain.documents.document import DropDocument, PutDocument
from holdfast.integrations.refusals import refusing
from holdfast.integrations.shelf import DEFAULT, DocumentShelf
from holdfast.integrations.threads import in_thread

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
    from langgraph.checkpoint.serde.base import SerializerProtocol

    from holdfast.domain.documents.document import FrameworkDocument
    from holdfast.integrations.shelf import Place

CHECKPOINTS, WRITES, VALUES = "langgraph-checkpoints", "langgraph-writes", "langgraph-values"
SOURCE = "langgraph"
_EMPTY = "empty"
_DIGITS = 32


class HoldfastSaver(BaseCheckpointSaver[str]):
    """The checkpoints of graphs, by thread and namespace.

    Pass it to ``compile(checkpointer=…)``. Checkpoints are exact records, not memories: use
    ``HoldfastStore`` for what agents should know in other threads. A state that contains a secret
    is refused, so the step that would store it fails.
    """

    def __init__(
        self,
        store: Place | DocumentShelf = None,
        *,
        serde: SerializerProtocol | None = None,
        tenant: str = DEFAULT,
        user: str = DEFAULT,
    ) -> None:
        super().__init__(serde=serde)
        self._shelf = DocumentShelf(CHECKPOINTS, store=store, tenant=tenant, user=user)

    @property
    def space(self) -> str:
        """The space of the checkpoints, for ``holdfast --space``."""
        return self._shelf.space

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint, or the latest one of a thread; None if there is none."""
        thread, space = _place(config)
        wanted = get_checkpoint_id(config)
        if wanted:
            found = self._shelf.get(wanted, thread, space)
            return None if found is None else self._tuple(found, config)
        every = self._of(thread, space)
        return self._tuple(max(every, key=lambda one: one.name.key)) if every else None

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's parameter
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield the checkpoints of a thread, or of all, the newest first."""
        every = self._wanted(config, get_checkpoint_id(before) if before else None)
        count = 0
        for one in every:
            found = self._tuple(one)
            told = cast("dict[str, Any]", found.metadata)
            if any(told.get(name) != value for name, value in (filter or {}).items()):
                continue
            if limit is not None and count >= limit:
                return
            count += 1
            yield found

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep a checkpoint, and the values of the channels that changed.

        Raises:
            RefusedValueError: The state contains a secret.
        """
        thread, space = _place(config)
        rest = {name: one for name, one in checkpoint.items() if name != "channel_values"}
        values = checkpoint["channel_values"]
        changes: list[PutDocument | DropDocument] = []
        for channel, version in new_versions.items():
            value = self._typed(values[channel]) if channel in values else [_EMPTY, b""]
            name = self._shelf.name(f"{version}", thread, space, channel, collection=VALUES)
            changes.append(PutDocument(name=name, value=value, source=SOURCE))
        changes.append(
            PutDocument(
                name=self._shelf.name(checkpoint["id"], thread, space),
                value={
                    "checkpoint": self._typed(rest),
                    "metadata": self._typed(get_checkpoint_metadata(config, metadata)),
                    "parent": config["configurable"].get("checkpoint_id"),
                },
                source=SOURCE,
            )
        )
        with refusing():
            self._shelf.keep(changes)
        return _config(thread, space, checkpoint["id"])

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Keep what a task wrote; a write that is there stays, except for errors and interrupts.

        Raises:
            RefusedValueError: A value contains a secret.
        """
        thread, space = _place(config)
        checkpoint = config["configurable"]["checkpoint_id"]
        known = {one.name.key for one in self._writes(thread, space, checkpoint)}
        changes: list[PutDocument | DropDocument] = []
        for at, (channel, value) in enumerate(writes):
            number = WRITES_IDX_MAP.get(channel, at)
            key = f"{task_id} {number}"
            if number >= 0 and key in known:
                continue
            body = [task_id, number, channel, self._typed(value), task_path]
            name = self._shelf.name(key, thread, space, checkpoint, collection=WRITES)
            changes.append(PutDocument(name=name, value=body, source=SOURCE))
        with refusing():
            self._shelf.keep(changes)

    def delete_thread(self, thread_id: str) -> None:
        """Remove all checkpoints of a thread."""
        self._drop([one for each in self._everything(thread_id) for one in each])

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Remove the checkpoints that these runs made, and what was written at them."""
        wanted = set(run_ids)
        for one in self._shelf.within():
            metadata = self._loaded(_fields(one)["metadata"])
            if metadata.get("run_id") in wanted:
                thread, space = one.name.namespace
                self._drop([one, *self._writes(thread, space, one.name.key)])

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy all checkpoints of a thread into another one."""
        changes = [
            PutDocument(
                name=self._shelf.name(
                    one.name.key,
                    target_thread_id,
                    *one.name.namespace[1:],
                    collection=one.name.collection,
                ),
                value=_raw(one.value),
                source=SOURCE,
            )
            for each in self._everything(source_thread_id)
            for one in each
        ]
        self._shelf.keep(changes)

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Remove all checkpoints of threads, or all but the latest of each namespace.

        Values of channels stay with ``keep_latest``, because the latest checkpoint needs them. The
        older checkpoints of a graph with a ``DeltaChannel`` must not be pruned.

        Raises:
            ValueError: The strategy is unknown.
        """
        if strategy not in {"keep_latest", "delete"}:
            message = f"Unknown strategy: {strategy}. It must be keep_latest or delete."
            raise ValueError(message)
        for thread in thread_ids:
            if strategy == "delete":
                self.delete_thread(thread)
                continue
            latest: dict[str, str] = {}
            every = self._of(thread)
            for one in every:
                space = one.name.namespace[1]
                latest[space] = max(latest.get(space, ""), one.name.key)
            old = [one for one in every if latest[one.name.namespace[1]] != one.name.key]
            written = [
                write
                for one in old
                for write in self._writes(thread, one.name.namespace[1], one.name.key)
            ]
            self._drop([*old, *written])

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint, or the latest one of a thread."""
        return await in_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's parameter
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield the checkpoints of a thread, the newest first."""

        def found() -> Sequence[CheckpointTuple]:
            return tuple(self.list(config, filter=filter, before=before, limit=limit))

        for one in await in_thread(found):
            yield one

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep a checkpoint."""
        return await in_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Keep what a task wrote."""
        await in_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Remove all checkpoints of a thread."""
        await in_thread(self.delete_thread, thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Remove the checkpoints that these runs made."""
        await in_thread(self.delete_for_runs, run_ids)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy all checkpoints of a thread into another one."""
        await in_thread(self.copy_thread, source_thread_id, target_thread_id)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Remove all checkpoints of threads, or all but the latest of each namespace."""
        await in_thread(self.prune, thread_ids, strategy=strategy)

    def get_next_version(self, current: str | None, channel: None) -> str:
        """Return a version that sorts after the current one; two writers never make the same."""
        last = 0 if current is None else int(str(current).split(".", maxsplit=1)[0])
        return f"{last + 1:0{_DIGITS}}.{random.random():016}"  # noqa: S311 - no secret

    def close(self) -> None:
        """Close the store; a second call does nothing."""
        self._shelf.close()

    def _of(self, *namespace: str) -> Sequence[FrameworkDocument]:
        return self._shelf.within(*namespace)

    def _writes(self, *namespace: str) -> Sequence[FrameworkDocument]:
        return self._shelf.within(*namespace, collection=WRITES)

    def _everything(self, thread: str) -> Iterator[Sequence[FrameworkDocument]]:
        for collection in (CHECKPOINTS, WRITES, VALUES):
            yield self._shelf.within(thread, collection=collection)

    def _drop(self, documents: Sequence[FrameworkDocument]) -> None:
        self._shelf.keep([DropDocument(name=one.name, source=SOURCE) for one in documents])

    def _wanted(
        self, config: RunnableConfig | None, before: str | None
    ) -> Sequence[FrameworkDocument]:
        """Return the checkpoints that a list asks for, by thread and namespace, newest first."""
        wanted = get_checkpoint_id(config) if config else None
        namespace: tuple[str, ...] = ()
        if config:
            settings = config["configurable"]
            space = settings.get("checkpoint_ns")
            namespace = (str(settings["thread_id"]), *([] if space is None else [space]))
        found = [
            one
            for one in self._of(*namespace)
            if (not wanted or one.name.key == wanted) and (not before or one.name.key < before)
        ]
        groups: dict[tuple[str, ...], list[FrameworkDocument]] = {}
        for one in found:
            groups.setdefault(one.name.namespace, []).append(one)
        return [
            one
            for each in groups.values()
            for one in sorted(each, key=lambda one: one.name.key, reverse=True)
        ]

    def _tuple(
        self, document: FrameworkDocument, config: RunnableConfig | None = None
    ) -> CheckpointTuple:
        thread, space = document.name.namespace
        fields = _fields(document)
        checkpoint = self._loaded(fields["checkpoint"])
        parent = fields["parent"]
        return CheckpointTuple(
            config=config or _config(thread, space, document.name.key),
            checkpoint={
                **checkpoint,
                "channel_values": self._values(thread, space, checkpoint["channel_versions"]),
            },
            metadata=self._loaded(fields["metadata"]),
            parent_config=_config(thread, space, parent) if parent else None,
            pending_writes=self._pending(thread, space, document.name.key),
        )

    def _values(self, thread: str, space: str, versions: ChannelVersions) -> dict[str, Any]:
        names = {
            self._shelf.name(f"{version}", thread, space, channel, collection=VALUES): channel
            for channel, version in versions.items()
        }
        found = {names[one.name]: _row(one) for one in self._shelf.named(names)}
        return {
            channel: self._loaded(found[channel])
            for channel in versions
            if channel in found and found[channel][0] != _EMPTY
        }

    def _pending(self, thread: str, space: str, checkpoint: str) -> Sequence[tuple[str, str, Any]]:
        rows = [
            _row(one)
            for one in self._writes(thread, space, checkpoint)
            if one.name.namespace == (thread, space, checkpoint)
        ]
        rows.sort(key=lambda row: writes_sort_key(row[4], row[0], row[1]))
        return [(row[0], row[2], self._loaded(row[3])) for row in rows]

    def _typed(self, value: object) -> Sequence[object]:
        return tuple(self.serde.dumps_typed(value))

    def _loaded(self, kept: Any) -> Any:  # noqa: ANN401 - whatever was serialised
        return self.serde.loads_typed((kept[0], b64decode(kept[1]["$bytes"])))


def _place(config: RunnableConfig) -> tuple[str, str]:
    settings = config["configurable"]
    return str(settings["thread_id"]), str(settings.get("checkpoint_ns", ""))


def _config(thread: str, space: str, checkpoint: str) -> RunnableConfig:
    return {
        "configurable": {
            "thread_id": thread,
            "checkpoint_ns": space,
            "checkpoint_id": checkpoint,
        }
    }


def _fields(document: FrameworkDocument) -> dict[str, Any]:
    return cast("dict[str, Any]", document.value)


def _row(document: FrameworkDocument) -> Sequence[Any]:
    return cast("Sequence[Any]", document.value)


def _raw(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return a stored value with its bytes as bytes, as they were given."""
    match value:
        case {"$bytes": str() as text}:
            return b64decode(text)
        case dict():
            return {name: _raw(one) for name, one in value.items()}
        case list():
            return [_raw(one) for one in value]
        case _:
            return value
