"""A document: what a framework keeps under a name, exactly as the framework gave it.

Frameworks need their records back as they wrote them: a file of a memory tool, a value of a store,
an item of a conversation, a checkpoint of a graph. A memory is a claim, so it is not enough. A
document keeps the value, and may have a memory beside it that people and recalls see.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError, StaleError
from holdfast.domain.fields import Fields, time_text
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import canonical_json
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

LARGEST_DOCUMENT = 32 * 1024 * 1024
"""How many bytes the value of a document may have."""
LONGEST_LABEL = 1_000
MOST_LABELS = 64
_NOUN = "document"


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentName:
    """Where a document is: the collection of a framework, a path of labels in it, and a key."""

    collection: str
    namespace: tuple[str, ...] = ()
    key: str

    def __post_init__(self) -> None:
        """Refuse a name without a collection, and one that is too long."""
        if not self.collection:
            raise BadFieldError(field="collection", problem="is blank.")
        if len(self.namespace) > MOST_LABELS:
            raise BadFieldError(field="namespace", problem=f"has over {MOST_LABELS} labels.")
        if any(len(part) > LONGEST_LABEL for part in self.parts):
            raise BadFieldError(field="name", problem=f"has over {LONGEST_LABEL:,} characters.")

    @property
    def parts(self) -> tuple[str, ...]:
        """The collection, the labels and the key."""
        return (self.collection, *self.namespace, self.key)

    @property
    def path(self) -> str:
        """The labels as one text, which orders and compares like the labels."""
        return namespace_text(self.namespace)


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameworkDocument:
    """A value under a name; ``body`` is its JSON.

    ``place`` is the order in which documents came into the store; a new version keeps its place.
    ``memory_id`` is the memory that carries its text.
    """

    name: DocumentName
    body: str
    created_at: datetime
    updated_at: datetime
    place: int = 0
    version: int = 1
    expires_at: datetime | None = None
    memory_id: MemoryId | None = None

    @property
    def value(self) -> object:
        """The value."""
        return json.loads(self.body)

    def is_live_at(self, moment: datetime) -> bool:
        """Return whether the document exists at a moment; at its expiry it does not."""
        return self.expires_at is None or moment < self.expires_at


def namespace_text(namespace: tuple[str, ...]) -> str:
    """Return labels as one text; those that begin with them begin with ``prefix_text``."""
    return canonical_json(list(namespace))


def namespace_of(text: str) -> tuple[str, ...]:
    """Return the labels of their text."""
    return tuple(json.loads(text))


def prefix_text(namespace: tuple[str, ...]) -> str:
    """Return the beginning of the text of all longer namespaces that begin with these labels."""
    return f"{namespace_text(namespace)[:-1]}," if namespace else "["


def document_json(document: FrameworkDocument) -> dict[str, object]:
    """Return the JSON of a document, as exported."""
    return {
        "collection": document.name.collection,
        "namespace": list(document.name.namespace),
        "key": document.name.key,
        "body": document.body,
        "version": document.version,
        "created_at": time_text(document.created_at),
        "updated_at": time_text(document.updated_at),
        "expires_at": time_text(document.expires_at),
        "memory_id": document.memory_id,
    }


def document_from_json(shape: object) -> FrameworkDocument:
    """Return the document of its JSON; it gets its place when it is put.

    Raises:
        BadFieldError: A field is missing or has another type, or the body is no JSON.
    """
    fields = Fields(shape, noun=_NOUN)
    memory_id = fields.maybe_text("memory_id")
    body = fields.text("body")
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        raise BadFieldError(field="body", problem="is no JSON.") from None
    return FrameworkDocument(
        name=DocumentName(
            collection=fields.text("collection"),
            namespace=fields.words("namespace"),
            key=fields.text("key"),
        ),
        body=body,
        version=fields.whole("version"),
        created_at=fields.moment("created_at"),
        updated_at=fields.moment("updated_at"),
        expires_at=fields.maybe_moment("expires_at"),
        memory_id=None if memory_id is None else MemoryId(memory_id),
    )


class DocumentChangedError(StaleError, code="document-changed"):
    """The document is not at the version that the change is based on."""

    def __init__(self, key: str, *, expected: int, found: int) -> None:
        super().__init__(
            f"The document {key[:80]!r} has version {found}, not {expected}.",
            key=key[:80],
            expected=expected,
            found=found,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PutDocument:
    """A request to keep a value under a name.

    ``text`` is what the memory of the document says; empty if the document has none. ``source`` is
    the framework, and ``metadata`` is what it says about the text: both are the evidence of the
    memory. ``expects`` is the version that the caller has read: 0 if there must be none yet, None
    if any version may be replaced.

    ``carried_by`` is a memory that carries the text already, for a record about an earlier
    version; ``text`` is then empty. ``replaces`` is a memory whose place the new one takes, for a
    document that moves.
    """

    name: DocumentName
    value: object
    source: str
    text: str = ""
    memory_type: str = "fact"
    metadata: Mapping[str, object] = field(default_factory=dict)
    expires_at: datetime | None = None
    expects: int | None = None
    carried_by: MemoryId | None = None
    replaces: MemoryId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DropDocument:
    """A request to remove a document.

    Its memory is deprecated, so that people can still look at it; ``forgets`` removes it wholly.
    ``expects`` is the version that the caller has read; None if any version may be removed.
    """

    name: DocumentName
    source: str
    forgets: bool = False
    expects: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchDocuments:
    """A request for the documents of a collection whose texts are nearest to a question."""

    query: str
    collection: str
    namespace: tuple[str, ...] = ()
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDocument:
    """A document that a search found; ``score`` is larger for a better match, 1 at most."""

    document: FrameworkDocument
    score: float
