"""Protect: make an existing memory sensitive, and remove every plain copy of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LIVE, LinkKind, Origin
from holdfast.domain.encryption.errors import SensitiveError
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.errors import AlreadyDecidedError
from holdfast.domain.ids import MemoryId, sortable
from holdfast.domain.memory.memory import MOST_EVIDENCE
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.encryption.keeping import (
    add_sensitive,
    refuse_removed,
    refuse_unencryptable,
    writing_cipher,
)
from holdfast.usecases.memory.forget import Forget, forget_everywhere
from holdfast.usecases.naming import memory_id
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.clock import Clock
    from holdfast.ports.encryption.ciphering import Cipher, KeyRing
    from holdfast.ports.pages.files import Traces
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.memory.forget import Forgotten

_ALREADY = "its text is encrypted already."
_RULE = "only a candidate or what is accepted can be made sensitive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Protect:
    """A request to make a memory sensitive."""

    reference: str
    by: str = "person"
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectedMemory:
    """The sensitive memory, and the plain one that was forgotten for it.

    ``record`` is None in a dry run.
    """

    record: MemoryRecord | None
    forgotten: Forgotten


def protect(
    wish: Protect,
    *,
    store: Store,
    clock: Clock,
    keys: KeyRing | None,
    traces_of: Callable[[str | None], Sequence[Traces]],
) -> ProtectedMemory:
    """Encrypt the text of a memory in a new memory, then forget the old one everywhere.

    A memory never changes, so the sensitive one has another id. It has the same key, tags, pin,
    label and links. If the second step is stopped, asking again forgets the old one.

    Raises:
        SensitiveError: It is sensitive already.
        AlreadyDecidedError: It is neither a candidate nor accepted.
        NoKeyError: There is no key to encrypt it with.
    """
    with store.reading() as tx:
        _refuse(tx.memories.get(memory_id(tx, wish.reference)))
    cipher = writing_cipher(keys)
    made = None
    if not wish.dry_run:
        made = _encrypted(wish, store=store, clock=clock, keys=keys, cipher=cipher)
    reason = "made sensitive" if made is None else f"made sensitive as {made.memory.id}"
    forget = Forget(reference=wish.reference, by=wish.by, reason=reason, dry_run=wish.dry_run)
    gone = forget_everywhere(
        forget, origin=Origin.HUMAN, store=store, clock=clock, traces_of=traces_of
    )
    return ProtectedMemory(record=made, forgotten=gone)


def _refuse(record: MemoryRecord) -> None:
    if is_sensitive(record.memory):
        raise SensitiveError(memory_id=record.memory.id, problem=_ALREADY)
    if record.standing.status not in LIVE:
        raise AlreadyDecidedError(record.memory.id, record.standing.status.value, rule=_RULE)
    refuse_unencryptable(record.memory)


@repeatable
def _encrypted(
    wish: Protect, *, store: Store, clock: Clock, keys: KeyRing | None, cipher: Cipher
) -> MemoryRecord:
    now = clock.now()
    with store.writing(now) as tx:
        refuse_removed(cipher, keys)
        old = tx.memories.get(memory_id(tx, wish.reference))
        _refuse(old)
        name = MemoryId(sortable("m", at=now, entropy=clock.entropy()))
        memory = replace(old.memory, id=name, evidence=old.evidence[:MOST_EVIDENCE])
        standing = old.standing
        if old.standing.label is not None:
            tx.memories.set_standing(old.memory.id, replace(old.standing, label=None))
        made = add_sensitive(memory, standing, (), tx=tx, cipher=cipher)
        _carry_links(old, made, tx=tx)
        return made


def _carry_links(old: MemoryRecord, made: MemoryRecord, *, tx: Transaction) -> None:
    """Give the new memory the links of the old one; what it superseded stays superseded."""
    for link in tx.links.touching(old.memory.id):
        if link.kind == LinkKind.CONTRADICTS:
            continue
        if link.src == old.memory.id:
            tx.links.put(replace(link, src=made.memory.id))
        else:
            tx.links.put(replace(link, dst=made.memory.id))
