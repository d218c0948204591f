"""Protect: make an existing memory sensitive, and remove every plain copy of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.checks.check import checks_in
from holdfast.domain.choices import LIVE, LinkKind, Status
from holdfast.domain.encryption.errors import SensitiveError
from holdfast.domain.encryption.placeholder import MADE_SENSITIVE, is_sensitive
from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import MemoryId, sortable
from holdfast.domain.memory.decision import offer_of
from holdfast.domain.memory.memory import MOST_EVIDENCE, Tombstone
from holdfast.domain.recall.finding import embedded_text
from holdfast.domain.review.traces import GoneText
from holdfast.domain.review_errors import NoOwnClaimError
from holdfast.domain.values import dataclass, field, replace
from holdfast.usecases.anchors.gather import cited_spans
from holdfast.usecases.encryption.keeping import (
    add_sensitive,
    refuse_artifact,
    refuse_removed,
    refuse_unencryptable,
    writing_cipher,
)
from holdfast.usecases.encryption.reading import decrypted
from holdfast.usecases.forgotten_places import gone_text, remove_traces
from holdfast.usecases.forgotten_records import forget_in_store, left_in_store
from holdfast.usecases.memory.forget import Forgotten
from holdfast.usecases.memory.protected_answers import clean_answers
from holdfast.usecases.memory.wordings import earlier_wordings, repetitions
from holdfast.usecases.naming import memory_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.offers import bury
from holdfast.usecases.screening import screened, scrubbed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.clock import Clock
    from holdfast.ports.encryption.ciphering import Cipher, KeyRing
    from holdfast.ports.pages.files import Traces
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.memory.wordings import Repetition

_ALREADY = "its text is encrypted already, and so is every earlier wording."
_PAGE = 500
_NOTE = "{name} is a note of an agent. Forget it; the agent notes it again as sensitive."


@dataclass(frozen=True, slots=True, kw_only=True)
class Protect:
    """A request to make a memory sensitive."""

    reference: str
    by: str = "person"
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectedMemory:
    """The sensitive memory, and the plain one that was forgotten for it.

    ``record`` is None in a dry run. ``forgotten`` has the earlier wordings, which became sensitive
    too; if the memory was sensitive before, it is the newest of them. ``repeated`` is what else in
    the store says nearly the same words, in clear.
    """

    record: MemoryRecord | None
    forgotten: Forgotten
    repeated: tuple[Repetition, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Meant:
    """The memory that was named, and its wordings in clear, newest first."""

    named: MemoryRecord
    plain: tuple[MemoryRecord, ...]
    texts: tuple[GoneText, ...]
    links: int
    repeated: tuple[Repetition, ...]
    names: Mapping[MemoryId, MemoryId] = field(default_factory=dict)
    """The ids that they had in clear, if all of them are encrypted."""

    @property
    def is_finished(self) -> bool:
        """Whether all wordings are encrypted, and only other places may have a text."""
        return bool(self.names)

    def gone(self, *, dry_run: bool) -> Forgotten:
        first, *rest = self.plain
        return Forgotten(record=first, links=self.links, dry_run=dry_run, earlier=tuple(rest))


def protect(
    wish: Protect,
    *,
    store: Store,
    clock: Clock,
    keys: KeyRing | None,
    traces_of: Callable[[str | None], Sequence[Traces]],
) -> ProtectedMemory:
    """Encrypt all wordings of a memory in new memories, and forget the plain ones everywhere.

    A memory never changes, so the sensitive one has another id. It has the same key, tags, pin,
    label and links, and decisions about it can still be undone. A memory that is sensitive may have
    earlier wordings in clear; then these are encrypted. If a run is stopped after the encryption,
    the same request removes what it left in other places.

    Raises:
        SensitiveError: It is sensitive already, and so are its earlier wordings.
        BadFieldError: It is a note of an agent, or has what cannot be encrypted.
        NoOwnClaimError: It is an offer about another memory.
        NoKeyError: There is no key to encrypt it with.
    """
    with store.reading() as tx:
        meant = _meant(wish, tx=tx)
    cipher = writing_cipher(keys)
    if wish.dry_run:
        return ProtectedMemory(
            record=None, forgotten=meant.gone(dry_run=True), repeated=meant.repeated
        )
    made = meant.named
    if not meant.is_finished:
        made, meant = _encrypted(wish, store=store, clock=clock, keys=keys, cipher=cipher)
    if meant.is_finished:
        meant = _decrypted(meant, store=store, cipher=cipher)
    forgotten, is_clean = _removed(meant, store=store, clock=clock, traces_of=traces_of)
    if meant.is_finished and is_clean:
        raise SensitiveError(memory_id=made.memory.id, problem=_ALREADY)
    exact = {trace.place for trace in forgotten.traces}
    repeated = tuple(one for one in meant.repeated if one.place not in exact)
    return ProtectedMemory(record=made, forgotten=forgotten, repeated=repeated)


def _removed(
    meant: _Meant,
    *,
    store: Store,
    clock: Clock,
    traces_of: Callable[[str | None], Sequence[Traces]],
) -> tuple[Forgotten, bool]:
    """Remove the texts outside the memories; return what was found, and whether it was nothing."""
    answers = clean_answers(meant.plain, store=store, clock=clock)
    repos = dict.fromkeys(one.memory.repo for one in meant.plain)
    traces = dict.fromkeys(
        trace for repo in repos for trace in remove_traces(meant.texts, traces_of(repo))
    )
    with store.reading() as tx:
        left = left_in_store(meant.texts, tx=tx)
    found = (*traces, *left)
    gone = replace(meant.gone(dry_run=False), not_yet=scrubbed(store), traces=found)
    return gone, not (answers or traces)


def _meant(wish: Protect, *, tx: Transaction) -> _Meant:
    named = tx.memories.get(memory_id(tx, wish.reference))
    wordings = (named, *earlier_wordings(named, tx=tx))
    plain = tuple(one for one in wordings if not is_sensitive(one.memory))
    if not plain:
        return _to_finish(named, wordings, tx=tx, dry_run=wish.dry_run)
    for one in plain:
        _refuse(one)
    texts = tuple(gone_text(one, tx=tx) for one in plain)
    return _Meant(
        named=named,
        plain=plain,
        texts=texts,
        links=len(tx.links.touching(plain[0].memory.id)),
        repeated=repetitions(
            plain, texts, beside={one.memory.id for one in wordings}, tx=tx, with_keys=True
        ),
    )


def _to_finish(
    named: MemoryRecord, wordings: Sequence[MemoryRecord], *, tx: Transaction, dry_run: bool
) -> _Meant:
    """Return the encrypted wordings under the ids that they had in clear.

    A run that was stopped has encrypted them, and may have left their text outside the store.

    Raises:
        SensitiveError: Nothing was ever in clear, or only a dry run is asked for.
    """
    names = _names_before({one.memory.id for one in wordings}, tx=tx)
    if dry_run or not names:
        raise SensitiveError(memory_id=named.memory.id, problem=_ALREADY)
    before = tuple(one for one in wordings if one.memory.id in names)
    return _Meant(named=named, plain=before, texts=(), links=0, repeated=(), names=names)


def _names_before(ids: Collection[MemoryId], *, tx: Transaction) -> dict[MemoryId, MemoryId]:
    """Return the ids that sensitive memories had in clear, by their ids now."""
    found: dict[MemoryId, MemoryId] = {}
    beyond = ""
    while graves := tx.names.tombstones(beyond=beyond, limit=_PAGE):
        for grave in graves:
            name = MemoryId(grave.reason.removeprefix(MADE_SENSITIVE))
            if grave.reason.startswith(MADE_SENSITIVE) and name in ids:
                found[name] = grave.memory_id
        beyond = graves[-1].memory_id
    return found


def _decrypted(meant: _Meant, *, store: Store, cipher: Cipher) -> _Meant:
    """Return what a stopped run has to finish, with the texts to look for."""
    names = frozenset(meant.names.values())
    plain: list[MemoryRecord] = []
    for one in meant.plain:
        record = decrypted(one, store=store, cipher=lambda: cipher)
        memory = replace(record.memory, id=meant.names[one.memory.id])
        plain.append(replace(record, memory=memory))
    texts = [
        GoneText(
            memory=one.memory.id,
            claim=one.memory.claim,
            names=names,
            embedded=tuple(dict.fromkeys((embedded_text(one.memory), one.memory.claim))),
            checks=checks_in(one.memory.metadata),
        )
        for one in plain
    ]
    return replace(meant, plain=tuple(plain), texts=tuple(texts))


def _refuse(record: MemoryRecord) -> None:
    memory, status = record.memory, record.standing.status
    if status is Status.NOTED:
        raise BadFieldError(field="memory", problem=_NOTE.format(name=memory.id))
    if (offer := offer_of(memory)) is not None:
        raise NoOwnClaimError(memory.id, about=offer.about)
    if status in LIVE:
        refuse_unencryptable(memory)
    else:
        refuse_artifact(memory)


@repeatable
def _encrypted(
    wish: Protect, *, store: Store, clock: Clock, keys: KeyRing | None, cipher: Cipher
) -> tuple[MemoryRecord, _Meant]:
    """Write the sensitive memories and remove the plain ones in one unit of work."""
    now, by = clock.now(), screened(wish.by, what="name")
    with store.writing(now) as tx:
        refuse_removed(cipher, keys)
        meant = _meant(wish, tx=tx)
        if meant.is_finished:
            return meant.named, meant
        # The oldest first, so that the new ones have the same order of arrival.
        names = {
            one.memory.id: MemoryId(sortable("m", at=now, entropy=clock.entropy()))
            for one in reversed(meant.plain)
        }
        links = tx.links.among(list(names))
        for old in reversed(meant.plain):
            _add(old, names, tx=tx, cipher=cipher)
        for link in links:
            if link.kind != LinkKind.CONTRADICTS:
                tx.links.put(link.renamed(names))
        _rename_in_decisions(names, tx=tx)
        for name, new in names.items():
            reason = f"{MADE_SENSITIVE}{new}"
            grave = Tombstone(memory_id=name, forgotten_at=now, forgotten_by=by, reason=reason)
            bury(grave, tx=tx)
        forget_in_store(meant.texts, tx=tx)
        name = meant.named.memory.id
        return tx.memories.get(names.get(name, name)), meant


def _add(
    old: MemoryRecord, names: Mapping[MemoryId, MemoryId], *, tx: Transaction, cipher: Cipher
) -> None:
    """Write the sensitive memory that takes the place of a plain one."""
    name = names[old.memory.id]
    memory = replace(old.memory, id=name, evidence=old.evidence[:MOST_EVIDENCE])
    standing = old.standing.renamed(names, wordless=True)
    if old.standing.label is not None:
        tx.memories.set_standing(old.memory.id, replace(old.standing, label=None))
    spans = cited_spans(old, tx=tx)
    add_sensitive(memory, standing, tx=tx, cipher=cipher, spans=spans)
    tx.memories.usage.put(name, old.usage)


def _rename_in_decisions(names: Mapping[MemoryId, MemoryId], *, tx: Transaction) -> None:
    """Let decisions be about the sensitive memories, so that they can be undone."""
    found = {one.id: one for name in names for one in tx.diary.decisions.about(name)}
    for decision in found.values():
        tx.diary.decisions.put(decision.renamed(names))
