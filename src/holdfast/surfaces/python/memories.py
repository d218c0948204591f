"""Memories as Python programs receive them.

Each class is a view of a value of the engine. The names here are stable; the engine's own value is
available too, and its fields may change between versions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar, overload

from holdfast.domain.memory.anchor import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime
    from typing import Self

    from holdfast.domain.choices import Kind, Origin, Scope, Status
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.usecases.memory.remember import Remembered, RememberOutcome

_LONGEST_SHOWN = 60
_WORST_FIRST = (Verdict.ORPHANED, Verdict.DRIFTED, Verdict.UNVERIFIABLE, Verdict.MOVED)
Item_co = TypeVar("Item_co", covariant=True)


def shortened(text: str) -> str:
    """Return a text on one line, quoted, and cut if it is long."""
    line = " ".join(text.split())
    return repr(line if len(line) <= _LONGEST_SHOWN else f"{line[: _LONGEST_SHOWN - 1]}…")


def worst(verdicts: Iterable[Verdict]) -> Verdict | None:
    """Return the worst of some verdicts; None if there are none."""
    said = set(verdicts)
    return next((one for one in _WORST_FIRST if one in said), Verdict.FRESH if said else None)


class HasId:
    """Something with an id; every method that takes an id takes one of these too."""

    __slots__ = ()

    @property
    def id(self) -> str:
        """The id."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        """Return whether it is the same thing, by its id; two views of it may differ in age."""
        if isinstance(other, type(self)) or isinstance(self, type(other)):
            return isinstance(other, HasId) and self.id == other.id
        return False

    def __hash__(self) -> int:
        """Return the hash of the id."""
        return hash(self.id)


class Listing(Sequence[Item_co]):
    """Some values in order; it has a length, and it is false if it is empty."""

    __slots__ = ("_items",)

    def __init__(self, items: Iterable[Item_co]) -> None:
        self._items = tuple(items)

    @overload
    def __getitem__(self, index: int) -> Item_co: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Item_co, ...]: ...

    def __getitem__(self, index: int | slice) -> Item_co | tuple[Item_co, ...]:
        """Return one value, or a tuple of some."""
        return self._items[index]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._items)


class ListPart(tuple[Item_co, ...]):
    """Some values of a longer list, as a tuple.

    ``next`` is the cursor of the part that follows, and None in the last one. ``total`` is the
    length of the whole list, if it is known without reading the list; a search by words counts at
    most 1,000 and has one part.

    >>> _ = hf.remember_all(["Tokens rotate.", "Carts expire."], because="We decided it.")
    >>> part = hf.list(limit=1)
    >>> part.total, [memory.text for memory in part]
    (2, ['Carts expire.'])
    >>> while part.next:
    ...     part = hf.list(limit=1, cursor=part.next)
    ...     print(part[0].text)
    Tokens rotate.
    """

    _next: str | None
    _total: int | None

    def __new__(
        cls,
        items: Iterable[Item_co] = (),
        *,
        following: str | None = None,
        total: int | None = None,
    ) -> Self:
        """Make a part of a list."""
        made = super().__new__(cls, items)
        made._next, made._total = following, total
        return made

    @property
    def next(self) -> str | None:
        """The cursor of the part that follows; None in the last one."""
        return self._next

    @property
    def total(self) -> int | None:
        """The length of the whole list; None if it is not known."""
        return self._total


class Memory(HasId):
    """One memory: its text, what it rests on, and what people decided about it.

    >>> memory = hf.remember("Tokens rotate hourly.", kind="rule", because="We decided it.")
    >>> print(memory)
    Tokens rotate hourly.
    >>> print(memory.kind, memory.status, memory.pinned)
    rule accepted False
    >>> [str(one) for one in memory.evidence]
    ['statement: We decided it.']
    """

    __slots__ = ("record",)

    def __init__(self, record: MemoryRecord) -> None:
        self.record = record
        """The engine's own value; its fields may change between versions."""

    @property
    def id(self) -> str:
        """The id (``m_…``)."""
        return self.record.memory.id

    @property
    def text(self) -> str:
        """The claim."""
        return self.record.memory.claim

    @property
    def kind(self) -> Kind:
        """The sort of claim, such as ``rule`` or ``gotcha``; it compares equal to its text."""
        return self.record.memory.kind

    @property
    def scope(self) -> Scope:
        """How far it reaches: ``repo``, ``workspace`` or ``global``."""
        return self.record.memory.scope

    @property
    def status(self) -> Status:
        """``accepted``, ``candidate``, ``rejected``, ``superseded`` or ``deprecated``."""
        return self.record.standing.status

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What it rests on; ``str(evidence)`` is one line, ``evidence.reference`` the place."""
        return self.record.evidence

    @property
    def key(self) -> str | None:
        """The key, under which one memory is accepted at a time."""
        return self.record.memory.key

    @property
    def label(self) -> str | None:
        """The label."""
        return self.record.standing.label

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags."""
        return self.record.memory.tags

    @property
    def is_sensitive(self) -> bool:
        """Whether its text is encrypted, and a placeholder stands in its place."""
        from holdfast.domain.encryption.placeholder import is_sensitive

        return is_sensitive(self.record.memory)

    @property
    def pinned(self) -> bool:
        """Whether it is pinned: it never expires and is always considered."""
        return self.record.standing.pinned

    @property
    def origin(self) -> Origin:
        """Who said it: ``human``, ``agent``, ``tool``, ``repo`` or ``web``."""
        return self.record.memory.origin

    @property
    def source(self) -> str:
        """The tool or person it came through."""
        return self.record.memory.source

    @property
    def repo(self) -> str | None:
        """The repository it belongs to."""
        return self.record.memory.repo

    @property
    def branch(self) -> str | None:
        """The branch it was written on."""
        return self.record.memory.branch

    @property
    def created_at(self) -> datetime:
        """When it was remembered, in UTC."""
        return self.record.memory.created_at

    @property
    def expires_at(self) -> datetime | None:
        """When it expires; None if never."""
        return self.record.memory.expires_at

    @property
    def superseded_by(self) -> str | None:
        """The id of the memory that replaced it."""
        return self.record.standing.superseded_by

    @property
    def metadata(self) -> Mapping[str, object]:
        """What the program that remembered it stored with it."""
        facts = self.record.memory.metadata
        return {name: value for name, value in facts.items() if name != "holdfast.checks"}

    @property
    def checks(self) -> tuple[str, ...]:
        """What must hold in the files of the repository, one text for each check."""
        from holdfast.domain.checks.check import checks_in

        return checks_in(self.record.memory.metadata)

    def __str__(self) -> str:
        """Return the claim."""
        return self.text

    def __repr__(self) -> str:
        """Return the claim, the id, the kind and the status."""
        name = type(self).__name__
        rest = f"id={self.id!r}, kind={self.kind.value!r}, status={self.status.value!r}"
        return f"{name}({shortened(self.text)}, {rest})"


class KeptMemory(Memory):
    """The memory that a call of ``remember`` made or found, and what happened.

    >>> first = hf.remember("Ports are closed.", because="I saw it.")
    >>> again = hf.remember("Ports are closed.", because="I saw it again.")
    >>> print(first.outcome, again.outcome, first.id == again.id)
    added evidence-added True
    """

    __slots__ = ("_remembered",)

    def __init__(self, remembered: Remembered) -> None:
        super().__init__(remembered.record)
        self._remembered = remembered

    @property
    def outcome(self) -> RememberOutcome:
        """What happened to the claim.

        ``added``, ``evidence-added``, ``evidence-offered``, ``known``, ``renewed`` or
        ``superseded``.
        """
        return self._remembered.outcome

    @property
    def replaced(self) -> Memory | None:
        """The memory that it superseded."""
        old = self._remembered.replaced
        return None if old is None else Memory(old)

    @property
    def changed(self) -> tuple[str, ...]:
        """The options that gave a known memory a new version, such as ``ttl``."""
        return self._remembered.changed

    @property
    def not_applied(self) -> tuple[str, ...]:
        """The options of an agent that only a person may set, such as ``pinned``."""
        return self._remembered.not_applied

    @property
    def inherited(self) -> tuple[str, ...]:
        """The options that it took over from what it replaces, such as ``label``."""
        return self._remembered.inherited

    @property
    def same_claim(self) -> Memory | None:
        """The memory that has the same claim under another kind or key."""
        twin = self._remembered.twin
        return None if twin is None else Memory(twin)

    @property
    def conflicts(self) -> tuple[Memory, ...]:
        """The accepted memories that it seems to contradict."""
        return tuple(Memory(one.standing) for one in self._remembered.conflicts)

    @property
    def removed(self) -> tuple[str, ...]:
        """What was removed from the text because it was hidden or secret."""
        screened = self._remembered.screened
        return (*(one.name for one in screened.removed), *screened.redacted)
