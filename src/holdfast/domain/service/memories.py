"""The memory service's view of memories: its fields, and how ordinary memories carry them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, LinkKind
from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.decision import RESERVED
from holdfast.domain.memory.entry import canonical_json
from holdfast.domain.memory.link import SERVICE_KIND
from holdfast.domain.service.ids import one_line, uuid_of
from holdfast.domain.service.similarity import NEAR_ENOUGH
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import Memory, MemoryRecord

SERVICE = "memory-service"
"""The source of everything that the service adds; the source that it names follows a colon."""
TYPE = f"{RESERVED}type"
"""The metadata name of a memory's type, where the type is no kind of Holdfast."""
LONGEST_TYPE, LONGEST_SOURCE, LONGEST_QUERY = 50, 100, 8_192
MOST = 1_000
"""How many memories a call returns at most."""
_KINDS = {kind.value: kind for kind in Kind}
_JUDGED = frozenset({LinkKind.CONTRADICTS, LinkKind.COMPATIBLE, LinkKind.WITHDRAWN})
_SHOWN_METADATA = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class AddMemory:
    """A request to add a memory."""

    content: str
    memory_type: str = Kind.FACT.value
    source: str | None = None
    importance: float = 0.5
    metadata: Mapping[str, object] = field(default_factory=dict)
    expires_at: datetime | None = None

    def __post_init__(self) -> None:
        """Refuse a blank content, and a type or a source that is not one short line."""
        if not self.content.strip():
            raise BadFieldError(field="content", problem="is blank; a memory needs a text.")
        one_line(self.memory_type, "type", LONGEST_TYPE)
        if self.source is not None:
            one_line(self.source, "source", LONGEST_SOURCE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchMemories:
    """A request for the memories nearest to a question."""

    query: str
    limit: int = 5
    min_similarity: float = NEAR_ENOUGH

    def __post_init__(self) -> None:
        """Refuse a blank or long question, a limit out of range, and a similarity that is none."""
        if not self.query.strip():
            raise BadFieldError(field="query", problem="is blank; say what you look for.")
        if len(self.query) > LONGEST_QUERY:
            problem = f"has {len(self.query):,} characters; {LONGEST_QUERY:,} at most."
            raise BadFieldError(field="query", problem=problem)
        check_limit(self.limit)
        if not -1.0 <= self.min_similarity <= 1.0:
            raise BadFieldError(field="least similarity", problem="must be between -1 and 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Relate:
    """A request to state how one memory is related to another, by their UUIDs."""

    source: str
    target: str
    relationship_type: str
    strength: float = 0.5

    def __post_init__(self) -> None:
        """Refuse a type that is blank, too long or not one line, and a strength out of range."""
        one_line(self.relationship_type, "type of the relationship", LONGEST_TYPE)
        if not 0.0 <= self.strength <= 1.0:
            raise BadFieldError(field="strength", problem="must be between 0 and 1.")

    @property
    def kind(self) -> str:
        """The kind of the link that states the relationship."""
        return f"{SERVICE_KIND}{self.relationship_type.strip()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceMemory:
    """A memory as the service returns it; ``similarity`` is that to the question of a search."""

    record: MemoryRecord
    similarity: float | None = None
    relationship_type: str | None = None
    strength: float | None = None

    @property
    def id(self) -> str:
        """The UUID."""
        return uuid_of(self.record.memory.id)

    @property
    def memory_type(self) -> str:
        """The type that was given, or the kind of an ordinary memory."""
        memory = self.record.memory
        return str(memory.metadata.get(TYPE, memory.kind.value))

    @property
    def source(self) -> str | None:
        """The source that was given; None if none was."""
        given = self.record.memory.source
        return given.removeprefix(SERVICE).removeprefix(":") or None

    @property
    def metadata(self) -> dict[str, object]:
        """The metadata that was given."""
        given = self.record.memory.metadata
        return {name: value for name, value in given.items() if name != TYPE}


def check_limit(limit: int) -> None:
    """Refuse to return no memories, or too many.

    Raises:
        BadFieldError: The limit is out of range.
    """
    if not 1 <= limit <= MOST:
        raise BadFieldError(field="limit", problem=f"must be between 1 and {MOST:,}.")


def kind_of(memory_type: str) -> tuple[Kind, dict[str, object]]:
    """Return the kind of a memory of that type, and the metadata that keep another type."""
    words = memory_type.strip()
    kind = _KINDS.get(words)
    return (Kind.FACT, {TYPE: words}) if kind is None else (kind, {})


def source_of(source: str | None) -> str:
    """Return the source of a memory of the service."""
    return SERVICE if source is None else f"{SERVICE}:{source.strip()}"


def reason_of(source: str | None, metadata: Mapping[str, object]) -> str:
    """Return the evidence of a memory of the service in words: its source and its metadata."""
    words = f"A service added it; source: {source.strip() if source else 'none given'}"
    if not metadata:
        return f"{words}."
    shown = canonical_json(metadata)
    return f"{words}; metadata: {shown[:_SHOWN_METADATA]}{'…' * (len(shown) > _SHOWN_METADATA)}"


def relationship_of(link: Link, memory: Memory) -> str | None:
    """Return the type of the relationship that a link states from a memory.

    A link to the memory is none, and neither is a link that only records a judgement.
    """
    if link.src != memory.id or link.kind in _JUDGED:
        return None
    return link.kind.removeprefix(SERVICE_KIND)
