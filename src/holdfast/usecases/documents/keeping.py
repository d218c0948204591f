"""Keep documents, and the memories that carry their texts, in one unit of work.

A text that changes gets a new memory, which supersedes the one before: the history of a document
is the history of its memories. What a person decided about such a memory holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import OVER, EvidenceType, Origin, Scope, Status
from holdfast.domain.documents.document import DocumentChangedError, FrameworkDocument, PutDocument
from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import MemoryId, sortable
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.identity import says_the_same
from holdfast.domain.memory.memory import LONGEST_CLAIM, Memory, Standing, Tombstone
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.service.ids import entropy_in
from holdfast.domain.service.memories import SERVICE, kind_of, reason_of, source_of
from holdfast.domain.values import replace
from holdfast.usecases.documents.screening import document_body, document_name
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.offers import bury
from holdfast.usecases.review.recognise import supersede
from holdfast.usecases.screening import SecretPolicy, clean_metadata, screen, screened
from holdfast.usecases.service.own_store import own_store
from holdfast.usecases.service.quota import NO_QUOTA, Quota, quota_use, refuse_beyond

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.domain.documents.document import DropDocument
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store, Transaction

_LOOKED_AT = 20
_SWEPT = 200


def keep_documents(
    changes: Sequence[PutDocument | DropDocument],
    *,
    store: Store,
    clock: Clock,
    quota: Quota = NO_QUOTA,
) -> Sequence[FrameworkDocument | None]:
    """Make all changes, or none; return each document as it is now, None if it was removed.

    Documents that have expired are removed on the way.

    Raises:
        NoSuchStoreError: The store does not belong to a service.
        DocumentChangedError: A document is not at the version that its change expects.
        SecretRefusedError: A text contains a secret.
        QuotaReachedError: The store or its tenant has as much as it may have.
    """
    own_store(store)
    clean = [_screened_change(one) for one in changes]
    return _kept(clean, store=store, clock=clock, quota=quota)


@repeatable
def _kept(
    changes: Sequence[tuple[PutDocument | DropDocument, str]],
    *,
    store: Store,
    clock: Clock,
    quota: Quota,
) -> Sequence[FrameworkDocument | None]:
    now = clock.now()
    with store.writing(now) as tx:
        before = quota_use(quota, store)
        _sweep(tx, at=now)
        kept: list[FrameworkDocument | None] = []
        for change, body in changes:
            if isinstance(change, PutDocument):
                kept.append(_put(change, body, tx=tx, store=store, clock=clock))
            else:
                _drop(change, tx=tx, at=now)
                kept.append(None)
        refuse_beyond(quota, before=before, store=store)
        return kept


def _screened_change(
    change: PutDocument | DropDocument,
) -> tuple[PutDocument | DropDocument, str]:
    if not isinstance(change, PutDocument):
        return change, ""
    body = document_body(change.value, what="document")
    text = _claim(change.text)
    metadata = clean_metadata(change.metadata, secrets=SecretPolicy.REFUSE)
    return replace(change, name=document_name(change.name), text=text, metadata=metadata), body


def _claim(text: str) -> str:
    """Return the claim of a document's memory: its beginning, if the text is too long for one."""
    if not text.strip():
        return ""
    whole = screen(text, what="document", secrets=SecretPolicy.REFUSE, cap=2 * len(text) * 4)
    kept = whole.text.encode("utf-8")[:LONGEST_CLAIM].decode("utf-8", "ignore")
    return kept.strip("\n") if kept.strip() else ""


def _put(
    change: PutDocument, body: str, *, tx: Transaction, store: Store, clock: Clock
) -> FrameworkDocument:
    now = clock.now()
    if change.expires_at is not None and change.expires_at <= now:
        raise BadFieldError(field="expiry", problem="is not in the future.")
    known = next(iter(tx.names.documents.get([change.name])), None)
    found = 0 if known is None else known.version
    if change.expects not in {None, found}:
        raise DocumentChangedError(change.name.key, expected=change.expects or 0, found=found)
    before = None if known is None else known.memory_id
    document = FrameworkDocument(
        name=change.name,
        body=body,
        created_at=now if known is None else known.created_at,
        updated_at=now,
        version=found + 1,
        expires_at=change.expires_at,
        memory_id=_carried(change, before, tx=tx, store=store, clock=clock),
    )
    return tx.names.documents.put(document)


def _carried(
    change: PutDocument, before: MemoryId | None, *, tx: Transaction, store: Store, clock: Clock
) -> MemoryId | None:
    """Return the memory that carries the text of a document now."""
    if change.carried_by is not None:
        return change.carried_by if tx.memories.get_many([change.carried_by]) else None
    is_new = before is None
    before = before or change.replaces
    old = None if before is None else tx.memories.get_many([before]).get(before)
    if not is_new and old is not None and old.memory.claim == change.text:
        return old.memory.id
    if not change.text:
        if old is not None:
            _deprecate(old, by=change.source, reason="Its text is gone.", tx=tx, at=clock.now())
        return None
    memory = _memory(change, store=store, clock=clock)
    status = Status.CANDIDATE if _was_turned_down(memory, tx) else Status.ACCEPTED
    record = tx.memories.add(memory, Standing(status=status))
    if old is not None and old.standing.status is Status.ACCEPTED:
        supersede(old, record, by=source_of(change.source), at=memory.created_at, tx=tx)
    return memory.id


def _memory(change: PutDocument, *, store: Store, clock: Clock) -> Memory:
    now = clock.now()
    kind, more = kind_of(screened(change.memory_type, what="type"))
    reason = reason_of(change.source, change.metadata)
    return Memory(
        id=MemoryId(sortable("m", at=now, entropy=entropy_in(own_store(store), clock.entropy()))),
        claim=change.text,
        kind=kind,
        scope=Scope.GLOBAL,
        created_at=now,
        evidence=(Evidence(type=EvidenceType.STATEMENT, reference=reason),),
        origin=Origin.TOOL,
        trust=Origin.TOOL,
        source=screened(source_of(change.source), what="source"),
        space=store.space,
        expires_at=change.expires_at,
        metadata={**change.metadata, **more},
    )


def is_turned_down(record: MemoryRecord) -> bool:
    """Return whether a person rejected, replaced or deprecated a memory.

    Frameworks replace and remove their own texts too; that is no judgement.
    """
    by = record.standing.decided_by or ""
    return record.standing.status in OVER and not by.startswith(SERVICE)


def _was_turned_down(memory: Memory, tx: Transaction) -> bool:
    """Return whether a person turned the same claim down, and nobody accepted it since."""
    decided = OVER | {Status.ACCEPTED}
    within = Selection(space=memory.space, near_claim=memory.claim, statuses=decided)
    for record in tx.memories.find(within, Page(limit=_LOOKED_AT)):
        if says_the_same(record.memory.claim, memory.claim):
            return is_turned_down(record)
    return False


def _drop(change: DropDocument, *, tx: Transaction, at: datetime) -> None:
    known = tx.names.documents.get([change.name])
    found = known[0].version if known else 0
    if change.expects not in {None, found}:
        raise DocumentChangedError(change.name.key, expected=change.expects or 0, found=found)
    for document in known:
        tx.names.documents.drop([document.name])
        record = _memory_of(document, tx)
        if record is None:
            continue
        if change.forgets:
            grave = Tombstone(
                memory_id=record.memory.id,
                forgotten_at=at,
                forgotten_by=source_of(change.source),
                reason="The framework removed it for good.",
            )
            bury(grave, tx=tx)
        else:
            _deprecate(record, by=change.source, reason="The framework removed it.", tx=tx, at=at)


def _sweep(tx: Transaction, *, at: datetime) -> None:
    """Remove some documents that have expired, and deprecate their memories."""
    for document in tx.names.documents.expired(at, limit=_SWEPT):
        tx.names.documents.drop([document.name])
        if (record := _memory_of(document, tx)) is not None:
            _deprecate(record, by="expiry", reason="It expired.", tx=tx, at=at)


def _memory_of(document: FrameworkDocument, tx: Transaction) -> MemoryRecord | None:
    """Return the memory that carries the text of a document, if there is one."""
    if document.memory_id is None:
        return None
    return tx.memories.get_many([document.memory_id]).get(document.memory_id)


def _deprecate(
    record: MemoryRecord, *, by: str, reason: str, tx: Transaction, at: datetime
) -> None:
    """Deprecate a memory, unless a person decided about it."""
    if record.standing.status in OVER:
        return
    tx.memories.set_standing(
        record.memory.id,
        replace(
            record.standing,
            status=Status.DEPRECATED,
            decided_by=source_of(by),
            decided_at=at,
            reason=reason,
        ),
    )
