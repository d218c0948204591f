"""Add a memory to a store of the service, with its vector, in one unit of work.

A service expects to find what it added, so the memory is accepted. Its origin stays that of a
tool, and the store belongs to the service: nothing of it reaches another space. A claim that a
person turned down in this store is not accepted again; it becomes a candidate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import OVER, EvidenceType, Origin, Scope, Status
from holdfast.domain.errors import BadFieldError, NoMeaningError
from holdfast.domain.ids import MemoryId, sortable
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.identity import says_the_same
from holdfast.domain.memory.memory import Memory, Standing
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.recall.finding import embedded_text
from holdfast.domain.service.ids import entropy_in
from holdfast.domain.service.memories import kind_of, reason_of, source_of
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import SecretPolicy, clean_metadata, screen, screened
from holdfast.usecases.service.own_store import own_store
from holdfast.usecases.service.quota import NO_QUOTA, Quota, quota_use, refuse_beyond

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.finding import Vector
    from holdfast.domain.service.memories import AddMemory
    from holdfast.ports.clock import Clock
    from holdfast.ports.recall.models import Embedder
    from holdfast.ports.store.store import Store, Transaction

_LOOKED_AT = 20


def add_memory(
    wish: AddMemory,
    *,
    store: Store,
    clock: Clock,
    embedder: Embedder | None,
    quota: Quota = NO_QUOTA,
) -> MemoryRecord:
    """Add the memory; without a working model it gets its vector before the next search.

    Raises:
        NoSuchStoreError: The store does not belong to the service.
        BadFieldError: A field is out of range, or the expiry is not in the future.
        SecretRefusedError: A text contains a secret.
        QuotaReachedError: The store or its tenant has as much as it may have.
    """
    memory = _memory(wish, store=store, clock=clock)
    return _kept(memory, _vectors(memory, embedder), store=store, quota=quota)


@repeatable
def _kept(memory: Memory, vectors: Sequence[Vector], *, store: Store, quota: Quota) -> MemoryRecord:
    with store.writing(memory.created_at) as tx:
        before = quota_use(quota, store)
        was_refused = _was_turned_down(memory, tx)
        status = Status.CANDIDATE if was_refused else Status.ACCEPTED
        record = tx.memories.add(memory, Standing(status=status))
        if vectors:
            tx.finding.meaning.put(vectors[0].model, {memory.id: vectors})
        refuse_beyond(quota, before=before, store=store)
        return record


def _memory(wish: AddMemory, *, store: Store, clock: Clock) -> Memory:
    now, store_id = clock.now(), own_store(store)
    if wish.expires_at is not None and wish.expires_at <= now:
        raise BadFieldError(field="expiry", problem="is not in the future.")
    refuse = SecretPolicy.REFUSE
    metadata = clean_metadata(wish.metadata, secrets=refuse)
    kind, more = kind_of(screened(wish.memory_type, what="type"))
    reason = reason_of(wish.source, metadata)
    return Memory(
        id=MemoryId(sortable("m", at=now, entropy=entropy_in(store_id, clock.entropy()))),
        claim=screen(wish.content, what="content", secrets=refuse).text.strip("\n"),
        kind=kind,
        scope=Scope.GLOBAL,
        created_at=now,
        evidence=(Evidence(type=EvidenceType.STATEMENT, reference=reason),),
        origin=Origin.TOOL,
        trust=Origin.TOOL,
        source=screened(source_of(wish.source), what="source"),
        space=store.space,
        importance=wish.importance,
        expires_at=wish.expires_at,
        metadata={**metadata, **more},
    )


def _vectors(memory: Memory, embedder: Embedder | None) -> Sequence[Vector]:
    if embedder is None:
        return ()
    try:
        return embedder.embed([embedded_text(memory)])[0]
    except NoMeaningError:
        return ()


def _was_turned_down(memory: Memory, tx: Transaction) -> bool:
    """Tell whether a person rejected, replaced or deprecated the same claim.

    The newest memory with this claim counts: a person may have accepted the claim again.
    """
    decided = OVER | {Status.ACCEPTED}
    within = Selection(space=memory.space, near_claim=memory.claim, statuses=decided)
    for record in tx.memories.find(within, Page(limit=_LOOKED_AT)):
        if says_the_same(record.memory.claim, memory.claim):
            return record.standing.status in OVER
    return False
