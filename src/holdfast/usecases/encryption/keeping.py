"""Keep a sensitive memory: its text is encrypted before anything of it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.checks.check import checks_in
from holdfast.domain.choices import LIVE, EvidenceType, Origin, Status
from holdfast.domain.encryption.errors import KeyMissingError, NoKeyError
from holdfast.domain.encryption.sensitive import (
    compared_form,
    text_of,
    without_text,
)
from holdfast.domain.errors import BadFieldError
from holdfast.domain.exchange.shapes import span_json
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.identity import KnownClaim, NewClaim, ReplacingClaim
from holdfast.domain.memory.memory import Standing
from holdfast.usecases.review.recognise import accepted_under_key, is_seen_from

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.identity import Identity
    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.domain.memory.selection import View
    from holdfast.ports.encryption.ciphering import Cipher, KeyRing
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.review.deciding import DecisionLedger

_NO_CHECKS = "cannot be part of a sensitive memory, because others must read it to run it."
_NO_ARTIFACT = (
    "of a sensitive memory cannot be an artifact, as in {name}: nobody could see that it is still"
    " cited."
)


def writing_cipher(keys: KeyRing | None) -> Cipher:
    """Return a cipher whose keys are read: a keyring may ask a person, and nobody may wait for it.

    Raises:
        NoKeyError: There is no key here to encrypt with.
        KeyMissingError: The key cannot be read.
    """
    if keys is None:
        raise NoKeyError
    cipher = keys.cipher()
    cipher.encrypt("", "")
    cipher.digests("")
    return cipher


def refuse_removed(cipher: Cipher, keys: KeyRing | None) -> None:
    """Refuse to encrypt with a key that was removed since; a unit of work asks this first.

    Raises:
        KeyMissingError: It was removed.
    """
    if keys is None or (why := keys.problem(cipher.key_id)):
        raise KeyMissingError(key_id=cipher.key_id, why="" if keys is None else why)


def refuse_unencryptable(memory: Memory) -> None:
    """Refuse what a sensitive memory cannot have, because others need to read it.

    Raises:
        BadFieldError: It has a check, or cites an artifact.
    """
    if checks_in(memory.metadata):
        raise BadFieldError(field="check", problem=_NO_CHECKS)
    refuse_artifact(memory)


def refuse_artifact(memory: Memory) -> None:
    """Refuse a memory whose evidence is a file of a snapshot.

    Raises:
        BadFieldError: It cites an artifact.
    """
    if any(one.type is EvidenceType.ARTIFACT for one in memory.evidence):
        raise BadFieldError(field="evidence", problem=_NO_ARTIFACT.format(name=memory.id))


def recognise_sensitive(
    memory: Memory, *, tx: Transaction, view: View | None, cipher: Cipher
) -> Identity:
    """Find out whether the store knows a sensitive claim, by its key and by keyed hashes.

    The hashes of two claims are equal only if they were made with the same key, so the hashes of
    every available key are compared.
    """
    digests = cipher.digests(compared_form(text_of(memory)))
    names = [MemoryId(one.record) for one in tx.names.ciphertexts.with_digests(digests)]
    same = [
        record
        for record in tx.memories.get_many(names).values()
        if _is_same_topic(record, memory) and is_seen_from(memory, record, view)
    ]
    if same:
        return KnownClaim(record=same[-1])
    accepted = accepted_under_key(memory, tx=tx, view=view)
    if accepted:
        return ReplacingClaim(record=max(accepted, key=lambda record: record.sequence))
    return NewClaim()


def _is_same_topic(record: MemoryRecord, memory: Memory) -> bool:
    known = record.memory
    if record.standing.status not in LIVE or not known.is_live_at(memory.created_at):
        return False
    if memory.origin is Origin.HUMAN and record.standing.status is not Status.ACCEPTED:
        return False
    topic = (known.space, known.workspace, known.repo, known.scope, known.key)
    wanted = (memory.space, memory.workspace, memory.repo, memory.scope, memory.key)
    return topic == wanted and (memory.key is not None or known.kind is memory.kind)


def add_sensitive(
    memory: Memory,
    standing: Standing,
    *,
    tx: Transaction,
    cipher: Cipher,
    spans: Sequence[Span] = (),
    ledger: DecisionLedger | None = None,
) -> MemoryRecord:
    """Write a memory without its text, and its text with the spans it cites as a ciphertext.

    With a ledger it is a part of a decision, so that undo takes it back.
    """
    text = text_of(memory, [span_json(span) for span in spans])
    ciphertext = cipher.encrypt(memory.id, text, compared=compared_form(text))
    add = tx.memories.add if ledger is None else ledger.add
    record = add(without_text(memory), standing)
    tx.names.ciphertexts.put(ciphertext)
    return record
