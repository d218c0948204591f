"""Policies of pruning: which memories are due, what is done about them, and why.

A limit may differ by kind of claim and by namespace of an agent, because those are what grows.
"""

from __future__ import annotations

import re
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from holdfast.domain.agents.agent import SHORT_TERM
from holdfast.domain.choices import Kind, Origin
from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.lifetime import GRACE, in_words, may_be_removed, read_lifetime
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from datetime import datetime

    from holdfast.domain.memory.memory import MemoryRecord, Usage

REASON = "prune: "
"""The start of the reason of a memory that pruning deprecated."""
ON_REQUEST = frozenset({Kind.RULE, Kind.DECISION, Kind.INVARIANT})
"""The kinds of accepted claims that are pruned only if a person asks for that kind."""
WHOLE = 100
RATING = 0.1
"""How much one rating changes the relevance of a memory; chosen by hand."""
_WORD = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z._-]{0,62}[0-9A-Za-z])?")

Limit = TypeVar("Limit")


class PruneCause(StrEnum):
    """Why a memory is due."""

    EXPIRED = "expired"
    AGE = "age"
    UNUSED = "unused"
    RELEVANCE = "relevance"
    DUPLICATE = "duplicate"
    GRACE = "grace"
    """It was deprecated by pruning, and the grace period is over."""


class PruneStep(StrEnum):
    """What is done about a memory that is due."""

    DEPRECATE = "deprecate"
    """It is not recalled any more; ``undo`` restores it."""
    REMOVE = "remove"
    """It is forgotten; only a tombstone stays."""


class PruneLimits(NamedTuple, Generic[Limit]):
    """A limit, and other limits for some kinds of claims or namespaces of agents."""

    usual: Limit
    named: Mapping[str, Limit]

    def those(self, kind: Kind, namespaces: Collection[str]) -> tuple[Limit, ...]:
        """Return the limits of its namespaces, else that of its kind, else the usual one."""
        found = tuple(self.named[name] for name in namespaces if name in self.named)
        return found or (self.named.get(kind.value, self.usual),)


SAID_FOR = timedelta(days=90)
"""For how long what was said in sessions is kept, if nothing else is set; chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrunePolicy:
    """Which memories are due, and how much one run may do.

    ``keep`` are kinds, namespaces and tags that are never pruned. ``grace`` is how long a
    deprecated memory stays before it is removed. ``most`` is the share of all memories in percent
    that one run may deprecate and remove together. ``said_for`` is for how long what was said in
    sessions is kept; None means forever. ``keeps_said`` is whether agents and hooks may keep it.
    """

    max_age: PruneLimits[timedelta | None] = PruneLimits(
        usual=None, named={SHORT_TERM: timedelta(days=90)}
    )
    unused_for: PruneLimits[timedelta | None] = PruneLimits(
        usual=timedelta(days=365), named={Kind.OBSERVATION.value: timedelta(days=180)}
    )
    min_relevance: PruneLimits[float] = PruneLimits(usual=0.2, named={})
    keep: frozenset[str] = frozenset()
    grace: timedelta = GRACE
    most: int = 20
    finds_duplicates: bool = True
    said_for: timedelta | None = SAID_FOR
    keeps_said: bool = True


class Due(NamedTuple):
    """Why a memory is due, in one word and in one sentence."""

    cause: PruneCause
    why: str


def read_durations(text: str) -> PruneLimits[timedelta | None]:
    """Return the limits of ``never, observation=180d``: the usual one, and those with a name.

    Raises:
        BadFieldError: A part is not a duration or ``never``, or a name occurs twice.
    """
    return _read(text, read_lifetime, usual=None)


def read_relevance(text: str) -> PruneLimits[float]:
    """Return the limits of ``0.2, observation=0.3``.

    Raises:
        BadFieldError: A part is not a number from 0 to 1, or a name occurs twice.
    """
    return _read(text, _share, usual=0.0)


def read_kept(text: str) -> frozenset[str]:
    """Return the names of ``rule, release-notes``: kinds, namespaces and tags.

    Raises:
        BadFieldError: One of them is no name.
    """
    return frozenset(_named(one) for one in _parts(text))


def _share(text: str) -> float:
    if re.fullmatch(r"0(?:\.[0-9]{1,4})?|1(?:\.0{1,4})?", text) is None:
        raise BadFieldError(field="relevance", problem=f"'{text[:40]}' must be from 0 to 1.")
    return float(text)


def _read(text: str, reading: Callable[[str], Limit], *, usual: Limit) -> PruneLimits[Limit]:
    found: dict[str, Limit] = {}
    for part in _parts(text):
        name, mark, value = part.rpartition("=")
        name = _named(name.strip()) if mark else ""
        if name in found:
            raise BadFieldError(field="limit", problem=f"of '{name or 'all'}' is given twice.")
        found[name] = reading(value.strip())
    return PruneLimits(usual=found.pop("", usual), named=found)


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _named(word: str) -> str:
    if _WORD.fullmatch(word) is None:
        raise BadFieldError(field="name", problem=f"'{word[:40]}' must be a kind or a namespace.")
    return word


def relevance_of(importance: float, usage: Usage) -> float:
    """Return how relevant a memory is without a question, from 0 to 1.

    It is the importance that its author gave it, changed by the ratings of the answers it was in.
    """
    return min(1.0, max(0.0, importance + RATING * (usage.good - usage.bad)))


def due_by(
    record: MemoryRecord,
    policy: PrunePolicy,
    *,
    namespaces: Collection[str],
    at: datetime,
    restored_at: datetime | None = None,
) -> Due | None:
    """Return why a memory is due by age, use or relevance; None if it is not.

    A memory with a lifetime is judged by that lifetime, not by its age. ``restored_at`` is when a
    person undid its pruning: it counts as a use, and the person found the memory relevant.
    """
    memory = record.memory
    if memory.expires_at is not None:
        if may_be_removed(memory.expires_at, at=at):
            ago = in_words(at - memory.expires_at)
            return Due(PruneCause.EXPIRED, f"It expired {ago} ago.")
    else:
        age = at - (restored_at or memory.created_at)
        if limit := _passed(age, policy.max_age.those(memory.kind, namespaces)):
            why = f"It is {in_words(age)} old; the limit is {in_words(limit)}."
            return Due(PruneCause.AGE, why)
        uses = (memory.created_at, record.usage.last_accessed, record.standing.decided_at)
        idle = at - max(filter(None, (*uses, restored_at)))
        if limit := _passed(idle, policy.unused_for.those(memory.kind, namespaces)):
            return Due(PruneCause.UNUSED, f"No answer contained it for {in_words(idle)}.")
    if restored_at is not None:
        return None
    return _irrelevant(record, policy.min_relevance.those(memory.kind, namespaces))


def _passed(time: timedelta, limits: Collection[timedelta | None]) -> timedelta | None:
    """Return the longest limit if the time is over all of them; no limit is never passed."""
    known = [one for one in limits if one is not None]
    return max(known) if len(known) == len(limits) and time > max(known) else None


def _irrelevant(record: MemoryRecord, limits: Collection[float]) -> Due | None:
    usage = record.usage
    relevance = relevance_of(record.memory.importance, usage)
    if relevance >= min(limits):
        return None
    said = f"{usage.good} good and {usage.bad} bad ratings"
    if usage.good or usage.bad:
        # Agents do not rate what a person wrote.
        is_of_person = record.memory.origin is Origin.HUMAN
        said += " by people" if is_of_person else " by people or agents"
    why = f"Its relevance is {relevance:.2g}, below {min(limits):.2g}, with {said}."
    return Due(PruneCause.RELEVANCE, why)


def most_of(total: int, *, percent: int) -> int:
    """Return how many of so many memories one run may change: the share, rounded down.

    A share of less than one memory counts as one, so that a small store can be pruned at all.
    """
    return max(min(total, percent, 1), total * percent // WHOLE)
