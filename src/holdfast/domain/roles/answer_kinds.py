"""The kinds of answers that specialists give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind
from holdfast.domain.errors import BadFieldError
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpretation:
    """What a person wants: a title, the sort of work, and the parts that they named."""

    title: str
    sort: str = "other"
    parts: tuple[str, ...] = ()
    in_order: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDraft:
    """A task of a plan: a new one, or with ``reuse`` one that exists.

    ``after`` names other tasks of the plan by their keys. ``command`` is the name of a command
    whose success finishes the task.
    """

    key: str
    title: str
    reuse: str | None = None
    after: tuple[str, ...] = ()
    command: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanAnswer:
    """The answer of a planner; ``cites`` are the memories it relied on."""

    tasks: tuple[TaskDraft, ...] = ()
    cites: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedSign:
    """A sign that a task is done: a commit, and what it says."""

    task: str
    commit: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedClaim:
    """A claim from a source, which quotes it: a commit, or a turn of a transcript."""

    claim: str
    kind: Kind
    quote: str
    source: int
    turn: int = 0
    commit: str = ""
    rule: str = ""
    confidence: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryAnswer:
    """The answer of a historian."""

    summary: tuple[str, ...] = ()
    done: tuple[FinishedSign, ...] = ()
    claims: tuple[ProposedClaim, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CurateAnswer:
    """The answer of a curator: the numbers of the findings to fix, and what it says about them."""

    fix: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecapAnswer:
    """The words of a recap; the facts beside them come from the steps."""

    text: str


def in_order(tasks: Sequence[TaskDraft]) -> tuple[TaskDraft, ...]:
    """Return the tasks so that each follows those it comes after.

    Raises:
        BadFieldError: Some wait for each other.
    """
    left, placed = list(tasks), set[str]()
    found: list[TaskDraft] = []
    while left:
        ready = [one for one in left if placed.issuperset(one.after)]
        if not ready:
            names = ", ".join(one.key for one in left[:5])
            raise BadFieldError(
                field="plan", problem=f"has tasks that wait for each other: {names}."
            )
        found += ready
        placed |= {one.key for one in ready}
        left = [one for one in left if one.key not in placed]
    return tuple(found)
