"""Encryption keys and protected memories as JSON; no answer but one contains a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.exchange.shapes import record_json
from holdfast.domain.fields import time_text
from holdfast.surfaces.wire.memory import forgotten_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.encryption.keys import EncryptionKey
    from holdfast.usecases.encryption.keys import KeyCheck, KeyState
    from holdfast.usecases.encryption.rotating import Rotated
    from holdfast.usecases.encryption.whole import StoreEncryption
    from holdfast.usecases.memory.protecting import ProtectedMemory
    from holdfast.usecases.memory.wordings import Repetition

    Json = dict[str, object]


def key_json(key: EncryptionKey) -> Json:
    """Return a key without its text."""
    return {
        "id": key.id,
        "place": key.source.place.value,
        "name": key.source.name,
        "created_at": time_text(key.created_at),
        "current": key.is_current,
    }


def created_key_json(key: EncryptionKey, text: str) -> Json:
    """Return a new key; one that belongs into a variable comes with its text, which is nowhere."""
    is_shown = key.source.place == "environment"
    return {**key_json(key), "text": text if is_shown else None}


def removed_key_json(key: EncryptionKey, *, is_deleted: bool) -> Json:
    """Return a key that was taken out of the list, and whether it was deleted from its place."""
    return {**key_json(key), "deleted": is_deleted}


def keys_json(states: Iterable[KeyState]) -> Json:
    """Return the keys that are known here, and those that records need."""
    return {"keys": [_state(one) for one in states]}


def _state(state: KeyState) -> Json:
    return {
        "id": state.id,
        "key": None if state.key is None else key_json(state.key),
        "records": state.records,
        "problem": state.problem,
        "reads_store": state.reads_store,
    }


def store_encryption_json(done: StoreEncryption) -> Json:
    """Return the key of a whole store, now and before."""
    return {"key": done.key_id, "before": done.before, "changed": done.is_changed}


def rotated_json(done: Rotated) -> Json:
    """Return what a rotation did."""
    return {
        "key": key_json(done.key),
        "is_new": done.is_new,
        "records": done.records,
        "damaged": list(done.damaged),
        "not_yet": done.not_yet,
        "store_key": done.store_key,
    }


def key_check_json(found: KeyCheck) -> Json:
    """Return which records can be read."""
    return {**keys_json(found.keys), "read": found.read, "unreadable": dict(found.unreadable)}


def protected_json(done: ProtectedMemory) -> Json:
    """Return the sensitive memory, what was forgotten for it, and what says nearly the same."""
    made = None if done.record is None else record_json(done.record)
    repeated = [_repeated(one) for one in done.repeated]
    return {"memory": made, **forgotten_json([done.forgotten]), "repeated": repeated}


def _repeated(one: Repetition) -> Json:
    record = one.record
    return {
        "place": one.place,
        "status": None if record is None else record.standing.status.value,
        "claim": None if record is None else record.memory.claim,
    }
