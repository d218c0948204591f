"""The version of a memory: it changes with every decision, and not with every answer."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from holdfast.domain.errors import NoSuchError
from holdfast.domain.exchange.shapes import record_json
from holdfast.domain.memory.entry import canonical_json
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.service_errors import VersionChangedError

if TYPE_CHECKING:
    from holdfast.surfaces.http.table import RouteCall

# Every answer counts its memories; a client that decides does not care.
_COUNTS = frozenset({"access_count", "last_accessed", "good", "bad"})
_LETTERS = 32


def version_of(record: MemoryRecord) -> str:
    """Return the version of a memory, without its usage counts."""
    shape = {name: value for name, value in record_json(record).items() if name not in _COUNTS}
    return sha256(canonical_json(shape).encode()).hexdigest()[:_LETTERS]


def memory_named(call: RouteCall, reference: str) -> MemoryRecord:
    """Return the memory that a path names.

    Raises:
        NoSuchError: No memory has that id.
    """
    found = call.app.memories.show(reference)
    if not isinstance(found, MemoryRecord):
        raise NoSuchError(noun="memory", reference=reference)
    return found


def refuse_stale(call: RouteCall, reference: str) -> None:
    """Return if the header If-Match is missing, or names the current version of a memory.

    Raises:
        VersionChangedError: The memory has another version.
    """
    if call.if_match is None or call.if_match.strip() == "*":
        return
    record = memory_named(call, reference)
    given = {word.strip().strip('"') for word in call.if_match.split(",")}
    if version_of(record) not in given:
        raise VersionChangedError(record.memory.id)
