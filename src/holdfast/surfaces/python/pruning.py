"""The method with which a person prunes memories, and what it returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, TypeVar, cast

from holdfast.domain.choices import Kind, choose
from holdfast.surfaces.python.advice import with_advice
from holdfast.surfaces.python.door import Door
from holdfast.surfaces.python.expecting import TRUTH, expect, expect_options
from holdfast.surfaces.python.keeping import as_request
from holdfast.surfaces.python.memories import HasId, Listing, Memory

if TYPE_CHECKING:
    from collections.abc import Sequence
    from enum import StrEnum
    from typing import Unpack

    from holdfast.usecases.care.prune import Pruned
    from holdfast.usecases.care.prune_request import PruneItem

    Choice = TypeVar("Choice", bound=StrEnum)


class PruneOptions(TypedDict, total=False):
    """The options of ``prune``.

    >>> options: holdfast.PruneOptions = {"max_age": "1y", "kinds": ["observation"]}
    >>> len(hf.prune(dry_run=True, **options))
    0
    """

    kinds: Sequence[str]
    namespaces: Sequence[str]
    causes: Sequence[str]
    max_age: str
    unused_for: str
    min_relevance: str
    undoable: bool
    everywhere: bool
    force: bool


class DueMemory(HasId):
    """A memory that is due for pruning: what is done about it, and why.

    >>> _ = hf.remember("The zebra sleeps.", because="I saw it.", importance=0.1)
    >>> (due,) = hf.prune(dry_run=True)
    >>> print(due.step, due.cause, due.why)
    deprecate relevance Its relevance is 0.1, below 0.2, with 0 good and 0 bad ratings.
    """

    __slots__ = ("item",)

    def __init__(self, item: PruneItem) -> None:
        self.item = item
        """The engine's own value; its fields may change between versions."""

    @property
    def id(self) -> str:
        """The id of the memory (``m_…``)."""
        return self.item.name

    @property
    def memory(self) -> Memory:
        """The memory as it was before."""
        return Memory(self.item.record)

    @property
    def step(self) -> str:
        """What is done: ``deprecate``, which can be undone, or ``remove``."""
        return self.item.step.value

    @property
    def cause(self) -> str:
        """Why it is due: expired, age, unused, relevance, duplicate or grace."""
        return self.item.due.cause.value

    @property
    def why(self) -> str:
        """The reason in one sentence."""
        return self.item.due.why

    def __repr__(self) -> str:
        """Return the id, and what is done about it."""
        return f"<{self.step} {self.id}: {self.why}>"


class PruneResult(Listing[DueMemory]):
    """The memories that were due, and what was done about them.

    >>> _ = hf.remember("The zebra sleeps.", because="I saw it.", importance=0.1)
    >>> result = hf.prune()
    >>> len(result.deprecated), result.removed, result.protected
    (1, (), {})
    >>> undone = hf.undo(*result.decision_ids)
    """

    __slots__ = ("pruned",)

    def __init__(self, pruned: Pruned) -> None:
        self.pruned = pruned
        """The engine's own value; its fields may change between versions."""
        super().__init__(map(DueMemory, pruned.plan.items))

    @property
    def is_dry_run(self) -> bool:
        """Whether nothing was changed, because only a dry run was asked for."""
        return self.pruned.dry_run

    @property
    def deprecated(self) -> tuple[str, ...]:
        """The ids of the memories that were deprecated; ``undo`` restores them."""
        changes = [change for one in self.pruned.decisions for change in one.changes]
        return tuple(change.memory_id for change in changes)

    @property
    def removed(self) -> tuple[str, ...]:
        """The ids of the memories that were removed."""
        return tuple(one.record.memory.id for one in self.pruned.forgotten)

    @property
    def protected(self) -> dict[str, str]:
        """The memories that were due and stay, each with the reason."""
        return {one.record.memory.id: one.why for one in self.pruned.plan.held}

    @property
    def decision_ids(self) -> tuple[str, ...]:
        """The ids for ``undo`` (``d_…``)."""
        return tuple(one.id for one in self.pruned.decisions)

    @property
    def remaining(self) -> tuple[str, ...]:
        """The places that still hold removed text, such as the history of git."""
        from holdfast.domain.review.traces import Reach

        traces = dict.fromkeys(one for gone in self.pruned.forgotten for one in gone.traces)
        left = [f"{one.place}: {one.advice}" for one in traces if one.reach is not Reach.REMOVED]
        return (*left, self.pruned.not_yet) if self.pruned.not_yet and self.removed else (*left,)

    def __repr__(self) -> str:
        """Return how many memories were due, deprecated and removed."""
        done = f"{len(self.deprecated)} deprecated, {len(self.removed)} removed"
        return f"PruneResult({len(self)} due, {done})"


@with_advice
class PruneMethods(Door):
    """The method of pruning."""

    def prune(self, *, dry_run: bool = False, **options: Unpack[PruneOptions]) -> PruneResult:
        """Deprecate memories that are due, and remove those that were so before; only a person may.

        The settings ``prune.*`` say what is due. Memories that are pinned, named, cited or
        checked are never pruned; rules, decisions and invariants only if ``kinds`` names them.

        >>> memory = hf.remember("The zebra sleeps.", because="I saw it.", importance=0.1)
        >>> [due.id == memory.id for due in hf.prune(dry_run=True)]
        [True]
        >>> hf.prune().deprecated == (memory.id,)
        True
        >>> print(hf.get(memory).status)
        deprecated
        """
        from holdfast.domain.care.pruning import PruneCause, read_durations, read_relevance
        from holdfast.usecases.care.prune_request import Prune

        expect("prune", TRUTH, dry_run=dry_run)
        expect_options("prune", options, PruneOptions)
        given = as_request(options)
        age, unused = options.get("max_age"), options.get("unused_for")
        least = options.get("min_relevance")
        wish = Prune(
            by=self._person(),
            kinds=_chosen(Kind, given.get("kinds", ()), what="kind"),
            namespaces=frozenset(cast("Sequence[str]", given.get("namespaces", ()))),
            causes=_chosen(PruneCause, given.get("causes", ()), what="cause"),
            max_age=None if age is None else read_durations(age),
            unused_for=None if unused is None else read_durations(unused),
            min_relevance=None if least is None else read_relevance(least),
            undoable=bool(options.get("undoable")),
            everywhere=bool(options.get("everywhere")),
            force=bool(options.get("force")),
            dry_run=dry_run,
        )
        pruned = self.app.care.prune(wish)
        if pruned.decisions:
            self._write_pages()
        if pruned.forgotten and self._machine is not None:
            self._machine.beside_store.write_again(pruned.forgotten, holdfast=self.app, by=wish.by)
        return PruneResult(pruned)


def _chosen(choices: type[Choice], given: object, *, what: str) -> frozenset[Choice]:
    return frozenset(choose(choices, word, what=what) for word in cast("Sequence[str]", given))
