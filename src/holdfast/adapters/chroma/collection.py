"""What the index asks of a Chroma, in a folder or on a server; and the header it keeps there.

A row is one vector of one memory. Its id names the memory, the change that wrote it and its part,
so a row never changes: writing it again has no effect, and an old writer cannot replace a new row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from holdfast.domain.errors import NoMeaningError
from holdfast.domain.recall.finding import VectorChange
from holdfast.domain.values import dataclass

Where = Mapping[str, object]
Metadata = Mapping[str, str | int | float | bool]
SEQUENCE, NUMBER = "sequence", "number"
_WHOLE = ("rows", "removed", "dimension", "number", "sequence")


class ChromaAwayError(NoMeaningError, code="chroma-away"):
    """Chroma does not answer, so recall searches by words only."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place} {problem}", place=place)


class ChromaMissingError(NoMeaningError, code="chroma-missing"):
    """A package that Chroma needs is not installed, so recall searches by words only."""

    def __init__(self, setting: str) -> None:
        super().__init__(
            f"recall.index is {setting}, and it needs the extra package:"
            " pip install 'holdfast[chroma]'",
            setting=setting,
        )


class RemoteIndexError(NoMeaningError, code="remote-index"):
    """A variable cannot choose who receives vectors; a person's settings can."""

    def __init__(self, *, source: str) -> None:
        super().__init__(
            f"{source} cannot send vectors to another machine; set recall.index in the settings",
            source=source,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCollection:
    """A collection that exists: its id, and the metadata that it was given."""

    id: str
    metadata: Metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorRow:
    """One vector, as little-endian 32-bit floats, with the memory and the change it belongs to."""

    sequence: int
    number: int
    part: int
    values: bytes = b""

    @property
    def id(self) -> str:
        """The id of the row in Chroma."""
        return f"{self.sequence}-{self.number}-{self.part}"


def read_row(name: str, values: bytes = b"") -> VectorRow | None:
    """Return the row with that id; None if Holdfast did not write it."""
    parts = name.split("-")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() for part in parts):  # noqa: PLR2004 - as above
        return None
    sequence, number, part = map(int, parts)
    return VectorRow(sequence=sequence, number=number, part=part, values=values)


class ChromaCalls(Protocol):
    """The calls of a Chroma. Every one raises ChromaAwayError if there is no valid answer."""

    def find(self, name: str) -> FoundCollection | None:
        """Return the collection with that name."""
        ...

    def create(self, name: str, metadata: Metadata) -> FoundCollection:
        """Create an empty collection that compares by the dot product.

        Chroma changes the numbers of a vector if it compares by cosine; the rows would then differ
        from those of the store. All vectors have length one, except for rounding.
        """
        ...

    def mark(self, found: FoundCollection, metadata: Metadata) -> None:
        """Replace the metadata of a collection."""
        ...

    def drop(self, name: str) -> None:
        """Remove a collection with all its rows; one that is missing is no error."""
        ...

    def count(self, found: FoundCollection) -> int:
        """Return the number of rows."""
        ...

    def put(self, found: FoundCollection, rows: Sequence[VectorRow]) -> None:
        """Write rows."""
        ...

    def remove(self, found: FoundCollection, ids: Sequence[str]) -> None:
        """Remove rows by id."""
        ...

    def query(
        self, found: FoundCollection, question: bytes, where: Where | None, limit: int
    ) -> Sequence[tuple[str, float]]:
        """Return the ids of the nearest rows with their cosines, nearest first."""
        ...

    def ids(self, found: FoundCollection, where: Where) -> Sequence[str]:
        """Return the ids of the rows with such metadata."""
        ...

    def page(
        self, found: FoundCollection, *, start: int, limit: int
    ) -> Sequence[tuple[str, bytes]]:
        """Return some rows with their vectors, in an order that stays the same."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ChromaHeader:
    """The progress of a collection, stored in its metadata.

    All changes up to the last one are in it. ``writer`` and ``until`` (seconds since 1970) say that
    somebody is writing more. ``removed`` counts rows that were removed: Chroma may still have their
    bytes in its files.
    """

    store_id: str
    dimension: int
    last: VectorChange = VectorChange(number=0, sequence=0, token=0)
    rows: int = 0
    removed: int = 0
    writer: str = ""
    until: float = 0.0

    def as_metadata(self) -> Metadata:
        """Return the header as metadata; a token as text, because some readers round numbers."""
        return {
            "holdfast": 1,
            "store": self.store_id,
            "dimension": self.dimension,
            "number": self.last.number,
            "sequence": self.last.sequence,
            "token": str(self.last.token),
            "rows": self.rows,
            "removed": self.removed,
            "writer": self.writer,
            "until": self.until,
        }


def read_metadata(metadata: Metadata) -> ChromaHeader | None:
    """Return the header in metadata; None if there is none, or if it is not valid."""
    whole = {name: metadata.get(name) for name in _WHOLE}
    store, token, writer = (metadata.get(name) for name in ("store", "token", "writer"))
    until = metadata.get("until")
    if not all(isinstance(one, int) and one >= 0 for one in whole.values()):
        return None
    if not isinstance(store, str) or not isinstance(writer, str) or not _is_number(token):
        return None
    numbers = {name: int(value or 0) for name, value in whole.items()}
    return ChromaHeader(
        store_id=store,
        dimension=numbers["dimension"],
        last=VectorChange(
            number=numbers["number"], sequence=numbers["sequence"], token=int(str(token))
        ),
        rows=numbers["rows"],
        removed=numbers["removed"],
        writer=writer,
        until=float(until) if isinstance(until, int | float) else 0.0,
    )


def _is_number(value: object) -> bool:
    return isinstance(value, str) and value.isascii() and value.isdigit()
