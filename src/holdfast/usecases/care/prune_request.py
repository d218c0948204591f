"""A request to prune, the ports that it needs, and the plan that comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.care.pruning import Due, PruneCause, PruneStep
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import timedelta

    from holdfast.domain.care.pruning import PruneLimits, PrunePolicy
    from holdfast.domain.choices import Kind
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.entry import Head, Pages
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.text.paragraphs import DocumentParagraph
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.pages.files import Traces
    from holdfast.ports.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Prune:
    """A request to prune.

    ``kinds``, ``namespaces`` and ``causes`` restrict it; a kind that is named may also be a rule, a
    decision or an invariant. ``only`` restricts it to memories that were planned before. The three
    limits replace those of the policy. ``undoable`` leaves out removals. ``force`` allows more than
    the policy's share. ``has_notes`` includes the notes of agents.
    """

    by: str
    kinds: frozenset[Kind] = frozenset()
    namespaces: frozenset[str] = frozenset()
    causes: frozenset[PruneCause] = frozenset()
    only: frozenset[MemoryId] = frozenset()
    max_age: PruneLimits[timedelta | None] | None = None
    unused_for: PruneLimits[timedelta | None] | None = None
    min_relevance: PruneLimits[float] | None = None
    undoable: bool = False
    everywhere: bool = False
    force: bool = False
    dry_run: bool = False
    has_notes: bool = True

    @property
    def is_for_all(self) -> bool:
        """Whether it is restricted to no memories, so that turns of sessions are removed too."""
        return not (self.kinds or self.namespaces or self.causes or self.only or self.undoable)

    def adjusted(self, policy: PrunePolicy) -> PrunePolicy:
        """Return the policy with the limits of this request."""
        return replace(
            policy,
            max_age=self.max_age or policy.max_age,
            unused_for=self.unused_for or policy.unused_for,
            min_relevance=self.min_relevance or policy.min_relevance,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneItem:
    """A memory that is due: what is done about it, and why."""

    record: MemoryRecord
    step: PruneStep
    due: Due

    @property
    def name(self) -> MemoryId:
        """The id of the memory."""
        return self.record.memory.id


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldMemory:
    """A memory that is due and stays, with the reason."""

    record: MemoryRecord
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrunePlan:
    """What a run would do; ``most`` is how many of ``total`` memories it may change."""

    items: tuple[PruneItem, ...]
    held: tuple[HeldMemory, ...]
    total: int
    most: int
    head: Head

    @property
    def is_too_much(self) -> bool:
        """Whether the run needs force."""
        return len(self.items) > self.most

    def of(self, step: PruneStep) -> tuple[PruneItem, ...]:
        """Return the items of one step."""
        return tuple(one for one in self.items if one.step is step)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrunePorts:
    """The ports of pruning, the policy, and the texts of the repository around it."""

    store: Store
    clock: Clock
    surroundings: Surroundings
    heuristics: Heuristics
    policy: PrunePolicy
    traces_of: Callable[[str | None], Sequence[Traces]]
    pages: Pages | None = None
    documents: Sequence[DocumentParagraph] = ()
