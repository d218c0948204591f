"""Undo: undo decisions, one after the other, the newest first."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.encryption.placeholder import MADE_SENSITIVE, is_sensitive
from holdfast.domain.errors import BadFieldError, NotFoundError
from holdfast.domain.ids import DecisionId
from holdfast.domain.review_errors import (
    DecidedSinceError,
    NothingToUndoError,
    UndoRevealsError,
)
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import check_limit, full_id, memory_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import screened
from holdfast.usecases.stored_texts import every_decision

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.domain.memory.decision import Decision, StandingChange
    from holdfast.domain.memory.memory import Standing
    from holdfast.domain.memory.place import Place
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store, Transaction

_MOST_STEPS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """A request to undo decisions.

    ``reference`` is a decision, or a memory whose newest decision is meant, by any person. Without
    it the newest decisions of this person are meant, as many as there are steps: those about
    memories of this repository, or of any with ``is_everywhere``.
    """

    by: str
    reference: str | None = None
    steps: int = 1
    dry_run: bool = False
    is_everywhere: bool = False


@repeatable
def undo(
    wish: Undo, *, store: Store, clock: Clock, surroundings: Surroundings
) -> Sequence[Decision]:
    """Undo decisions and return them; a dry run only returns them.

    Memories that a decision created are deprecated, not removed. A pin or a label that a memory
    took over from what it replaced is removed from it; every other one stays as it is.

    Raises:
        NothingToUndoError: There are fewer decisions that can be undone.
        DecidedSinceError: A memory of it has a later decision.
        UndoRevealsError: A wording in clear of what is sensitive would be accepted again.
    """
    now, person = clock.now(), screened(wish.by, what="name")
    place = None if wish.is_everywhere else surroundings.place()
    if not 1 <= wish.steps <= _MOST_STEPS:
        raise BadFieldError(field="steps", problem=f"must be between 1 and {_MOST_STEPS}.")
    if wish.dry_run:
        with store.reading() as tx:
            meant = _meant(wish, person, place, tx)
            for one in meant:
                _refuse_revealing(one, tx=tx)
            return meant
    with store.writing(now) as tx:
        meant = _meant(wish, person, place, tx)
        return [_taken_back(one, by=person, at=now, tx=tx) for one in meant]


def decisions(
    *, limit: int, store: Store, surroundings: Surroundings, everywhere: bool = False
) -> Sequence[Decision]:
    """Return the newest decisions about memories here, including those that were undone."""
    check_limit(limit)
    place = None if everywhere else surroundings.place()
    with store.reading() as tx:
        here = (one for one in every_decision(tx) if _is_here(one, place, tx))
        return tuple(islice(here, limit))


def _is_here(decision: Decision, place: Place | None, tx: Transaction) -> bool:
    """Tell whether a decision is about a memory of a place, or of no repository."""
    if place is None:
        return True
    touched = tx.memories.get_many(decision.memories).values()
    return any(one.memory.repo in {None, place.repo} for one in touched)


def _meant(wish: Undo, person: str, place: Place | None, tx: Transaction) -> Sequence[Decision]:
    steps = wish.steps
    if wish.reference is None:
        mine = (one for one in every_decision(tx) if one.undone_at is None and one.by == person)
        standing = list(islice((one for one in mine if _is_here(one, place, tx)), wish.steps))
        about = f"of {person}" + ("" if place is None else " about memories here")
    elif wish.reference.startswith("d_"):
        name = DecisionId(full_id(tx, wish.reference))
        standing = [one for one in [tx.diary.decisions.get(name)] if one.undone_at is None]
        about, steps = name, 1
    else:
        memory = memory_id(tx, wish.reference)
        of_it = [one for one in tx.diary.decisions.about(memory) if one.undone_at is None]
        standing, about = of_it[: wish.steps], f"about {memory}"
    if len(standing) < steps:
        raise NothingToUndoError(about, found=len(standing), asked=steps)
    return standing


def _taken_back(decision: Decision, *, by: str, at: datetime, tx: Transaction) -> Decision:
    _refuse_revealing(decision, tx=tx)
    for change in decision.changes:
        _put_back(change, decision, by=by, at=at, tx=tx)
    for link in decision.linked:
        tx.links.remove(link)
    for link in decision.unlinked:
        with suppress(NotFoundError):
            tx.links.put(link)
    for one in decision.withdrawn:
        with suppress(NotFoundError):
            tx.anchors.reasons.add(one.memory_id, one.evidence)
    for one in decision.strengthened:
        tx.anchors.reasons.withdraw(one.memory_id, one.evidence)
    undone = replace(decision, undone_at=at)
    tx.diary.decisions.put(undone)
    return undone


def _refuse_revealing(decision: Decision, *, tx: Transaction) -> None:
    """Refuse to accept a wording in clear again if its successor was made sensitive.

    Raises:
        UndoRevealsError: A change of the decision would.
    """
    for change in decision.changes:
        later = change.after.superseded_by
        grave = None if later is None else tx.names.tombstone(later)
        if grave is None or not grave.reason.startswith(MADE_SENSITIVE):
            continue
        if not is_sensitive(tx.memories.get(change.memory_id).memory):
            raise UndoRevealsError(
                decision.id,
                memory_id=change.memory_id,
                sensitive_id=grave.reason.removeprefix(MADE_SENSITIVE),
            )


def _put_back(
    change: StandingChange, decision: Decision, *, by: str, at: datetime, tx: Transaction
) -> None:
    now = tx.memories.get(change.memory_id).standing
    if _decided(now) != _decided(change.after):
        raise DecidedSinceError(change.memory_id, by=now.decided_by)
    before = change.before
    if before is None:
        reason = f"{decision.action.value} {decision.id} was undone"
        gone = replace(now, status=Status.DEPRECATED, decided_by=by, decided_at=at, reason=reason)
        tx.memories.set_standing(change.memory_id, gone)
        return
    after = change.after
    pinned = before.pinned if now.pinned == after.pinned else now.pinned
    label = before.label if now.label == after.label else now.label
    tx.memories.set_standing(change.memory_id, replace(before, pinned=pinned, label=label))


def _decided(standing: Standing) -> tuple[object, ...]:
    """Return what was decided; a pin or a label that was set since does not stop the undo."""
    return (
        standing.status,
        standing.superseded_by,
        standing.decided_by,
        standing.decided_at,
        standing.reason,
    )
