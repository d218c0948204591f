"""The ids of the memory service are UUIDs; each one stands for exactly one id of Holdfast.

A memory's id has 128 bits, as many as a UUID, so both are two spellings of one number. A store's
UUID follows from its owner, and its text is the name of the store's space.

A memory that the service adds gets an id that is a UUID of version 7 and contains the first 32
bits of its store's UUID. So a memory's id alone leads to its store.
"""

from __future__ import annotations

import re
from hashlib import md5
from typing import TYPE_CHECKING, NewType
from uuid import UUID, uuid5

from holdfast.domain.errors import BadFieldError, NoSuchError
from holdfast.domain.ids import MemoryId, number_of, of_number
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.memory.place import SpaceId

StoreId = NewType("StoreId", str)
"""The UUID of a store in its usual spelling; the store's space has the same name."""

STORE_NOUN, MEMORY_NOUN = "memory store", "stored memory"
LONGEST_NAME = 100
_NAMESPACE = UUID("5f1a6f7e-3c1b-5d0a-9a53-2f0f7f3c7d11")
_USER_PREFIX, _TENANT_PREFIX = "holdfast:user:", "holdfast:tenant:"
_URL_NAMESPACE = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
_PREFIX = "m_"
# The layout of version 7: 48 bits of time, 4 of version, 12 random, 2 of variant, 62 free.
_VERSION_AT, _VERSION_BITS = 76, 4
_VARIANT_AT, _VARIANT_BITS = 62, 2
_HINT_AT, _HINT_BITS = 30, 32
_VERSION, _VARIANT = 7, 2
_UUID_BITS = 128
_OWN_FORM = re.compile(r"m_[0-7][0-9a-hjkmnp-tv-z]{25}")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreOwner:
    """Whose store it is: a tenant and a user, by UUID, and the name of the store."""

    tenant: UUID
    user: UUID
    store_name: str

    @property
    def store_id(self) -> StoreId:
        """The UUID of the owner's store; the same owner always has the same one."""
        named = f"{self.tenant}/{self.user}/{self.store_name}"
        return StoreId(str(uuid5(_NAMESPACE, named)))


def read_owner(tenant: str, user: str, store_name: str) -> StoreOwner:
    """Return the owner of a store; a tenant or user that is no UUID is a name of one.

    Raises:
        BadFieldError: One of them is blank or too long, or the store's name has a line break.
    """
    return StoreOwner(
        tenant=_named(tenant, "tenant", _TENANT_PREFIX),
        user=_named(user, "user", _USER_PREFIX),
        store_name=one_line(store_name, "store name", LONGEST_NAME),
    )


def read_tenant(tenant: str) -> UUID:
    """Return the UUID of a tenant, from its UUID or its name.

    Raises:
        BadFieldError: It is blank or too long.
    """
    return _named(tenant, "tenant", _TENANT_PREFIX)


def given_name(tenant: str) -> str:
    """Return the name of a tenant; empty if its UUID is given instead."""
    words = tenant.strip()
    try:
        UUID(words)
    except ValueError:
        return words
    return ""


def refuse_other_tenant(tenant: UUID, *, bound_to: UUID | None) -> None:
    """Refuse a tenant that a memory service is not bound to; one that is bound to none serves all.

    Raises:
        BadFieldError: It is bound to another tenant.
    """
    if bound_to not in {None, tenant}:
        problem = "is not the one that this service was opened for."
        raise BadFieldError(field="tenant", problem=problem)


def one_line(text: str, field: str, most: int) -> str:
    """Return a short text without surrounding space.

    Raises:
        BadFieldError: It is blank, too long, or has characters that are no letters or signs.
    """
    words = text.strip()
    if not words:
        raise BadFieldError(field=field, problem="is blank.")
    if len(words) > most:
        raise BadFieldError(field=field, problem=f"has {len(words):,} characters; {most} at most.")
    if not words.isprintable():
        raise BadFieldError(field=field, problem="must be one line of printable characters.")
    return words


def _named(name: str, field: str, prefix: str) -> UUID:
    words = one_line(name, field, LONGEST_NAME)
    try:
        return UUID(words)
    except ValueError:
        return uuid5(_URL_NAMESPACE, f"{prefix}{words}")


def read_store_id(text: str) -> StoreId:
    """Return a store's id in its usual spelling.

    Raises:
        NoSuchError: It is no UUID, so no store has it.
    """
    return StoreId(str(_uuid(text, STORE_NOUN)))


def is_of_service(space: SpaceId) -> bool:
    """Tell whether a space may be a store of the service: its name is a UUID."""
    try:
        return str(UUID(space)) == space
    except ValueError:
        return False


def read_memory(text: str) -> str:
    """Return the UUID of a memory in its usual spelling.

    Raises:
        NoSuchError: It is no UUID, so no memory has it.
    """
    return str(_uuid(text, MEMORY_NOUN))


def memory_id_of(text: str) -> MemoryId:
    """Return the id of Holdfast that a UUID stands for.

    Raises:
        NoSuchError: It is no UUID, so no memory has it.
    """
    return MemoryId(of_number("m", _uuid(text, MEMORY_NOUN).int))


def uuid_of(memory_id: MemoryId) -> str:
    """Return the UUID of a memory.

    An id of another form, which a page of a repository may name, gets the hash of its text.
    """
    if _OWN_FORM.fullmatch(memory_id) is None:
        return str(UUID(md5(memory_id.encode(), usedforsecurity=False).hexdigest()))
    return str(UUID(int=number_of(memory_id.removeprefix(_PREFIX))))


def entropy_in(store_id: StoreId, drawn: int) -> int:
    """Return 80 random bits as a new memory of a store has them: a version, a variant, a hint."""
    fixed = (
        (_VERSION_AT, _VERSION_BITS, _VERSION),
        (_VARIANT_AT, _VARIANT_BITS, _VARIANT),
        (_HINT_AT, _HINT_BITS, _first_bits(UUID(store_id))),
    )
    for at, bits, value in fixed:
        drawn = drawn & ~(((1 << bits) - 1) << at) | value << at
    return drawn


def hint_in(memory: str) -> str:
    """Return the first eight digits of the UUID of the store that a memory's UUID points to."""
    return f"{UUID(memory).int >> _HINT_AT & (1 << _HINT_BITS) - 1:08x}"


def _first_bits(number: UUID) -> int:
    return number.int >> _UUID_BITS - _HINT_BITS


def _uuid(text: str, noun: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise NoSuchError(noun=noun, reference=text[:LONGEST_NAME]) from None


def is_store_id(space: str) -> bool:
    """Return whether a space is the own space of a store of the memory service."""
    return is_uuid(space)


def is_uuid(text: str) -> bool:
    """Return whether a text is a UUID in its usual spelling, in small letters."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
