"""Learn: fit the ranking weights of a space from the answers that people rated."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.memory.lifetime import check_lifetime
from holdfast.domain.recall.learning import (
    NothingLearnedError,
    Rated,
    Tuning,
    agreement,
    can_teach,
    learned,
    own_weights,
    parted,
    tuned,
)
from holdfast.domain.recall.weighing import Weights
from holdfast.domain.text.counting import counted
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime, timedelta

    from holdfast.domain.memory.place import SpaceId
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.domain.recall.learning import Agreement
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store, Transaction

_PAGE = 200
_DEFAULTS = Weights()


@dataclass(frozen=True, slots=True, kw_only=True)
class Learn:
    """A request to learn from answers up to this age; None means any age."""

    since: timedelta | None = None
    dry_run: bool = False


class LearningOutcome(StrEnum):
    """What happened to the weights."""

    KEPT = "kept"
    SHOWN = "shown"
    UNCHANGED = "unchanged"
    WORSE = "worse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """The weights of a space before and after; ``version`` is the newest version now.

    ``check`` is the agreement on the answers that were held out.
    """

    space: SpaceId
    before: Weights
    after: Weights
    outcome: LearningOutcome
    version: int
    learned_from: int = 0
    check: Agreement | None = None


@repeatable
def learn(wish: Learn, *, store: Store, clock: Clock, surroundings: Surroundings) -> Lesson:
    """Learn a space's weights from rated answers; store them unless held-out answers get worse.

    Raises:
        TooFewRatingsError: Too few answers were rated.
        BadLifetimeError: The age is not positive, or is over a century.
    """
    space, now = surroundings.place().space, clock.now()
    since = None if wish.since is None else now - check_lifetime(wish.since)
    with store.reading() as tx:
        history = tx.finding.tunings.history(space)
        teaching, held = parted(_rated(_answers(space, since, tx=tx), history))
    newest = history[-1] if history else None
    after = learned(teaching, _DEFAULTS)
    tuning = Tuning(
        space=space,
        version=0 if newest is None else newest.version,
        weights=own_weights(after, _DEFAULTS),
        learned_from=len(teaching),
        at=now,
        note=f"learned from {counted(len(teaching), 'answer')}",
    )
    lesson = _lesson(newest, tuning, dry_run=wish.dry_run)
    check = agreement(held, before=lesson.before, after=after, defaults=_DEFAULTS)
    lesson = replace(lesson, learned_from=len(teaching), check=check)
    if check.after < check.before:
        return replace(lesson, outcome=LearningOutcome.WORSE)
    if lesson.outcome is not LearningOutcome.KEPT:
        return lesson
    with store.writing(now) as tx:
        return replace(lesson, version=_put(tuning, tx=tx))


@repeatable
def reset_weights(
    *, dry_run: bool, store: Store, clock: Clock, surroundings: Surroundings
) -> Lesson:
    """Return to the defaults, as a new version."""
    space, now = surroundings.place().space, clock.now()
    with store.reading() if dry_run else store.writing(now) as tx:
        newest = tx.finding.tunings.of(space)
        return _back_to(_none(space, now), newest, dry_run=dry_run, tx=tx)


@repeatable
def undo_weights(
    *, dry_run: bool, store: Store, clock: Clock, surroundings: Surroundings
) -> Lesson:
    """Return to the version before the newest, as a new version; a second call reverts that.

    Raises:
        NothingLearnedError: There is no version.
    """
    space, now = surroundings.place().space, clock.now()
    with store.reading() if dry_run else store.writing(now) as tx:
        history = tx.finding.tunings.history(space)
        if not history:
            raise NothingLearnedError
        wanted = _none(space, now)
        if len(history) > 1:
            earlier = history[-2]
            wanted = replace(earlier, at=now, note=f"back to version {earlier.version}")
        return _back_to(wanted, history[-1], dry_run=dry_run, tx=tx)


def _none(space: SpaceId, at: datetime) -> Tuning:
    return Tuning(
        space=space, version=0, weights={}, learned_from=0, at=at, note="back to the defaults"
    )


def _back_to(wanted: Tuning, newest: Tuning | None, *, dry_run: bool, tx: Transaction) -> Lesson:
    version = 0 if newest is None else newest.version
    lesson = _lesson(newest, replace(wanted, version=version), dry_run=dry_run)
    if lesson.outcome is not LearningOutcome.KEPT:
        return lesson
    return replace(lesson, version=_put(wanted, tx=tx))


def _lesson(newest: Tuning | None, wanted: Tuning, *, dry_run: bool) -> Lesson:
    before, after = tuned(_DEFAULTS, newest), tuned(_DEFAULTS, wanted)
    kept = LearningOutcome.SHOWN if dry_run else LearningOutcome.KEPT
    return Lesson(
        space=wanted.space,
        before=before,
        after=after,
        outcome=LearningOutcome.UNCHANGED if before == after else kept,
        version=wanted.version,
    )


def _put(tuning: Tuning, *, tx: Transaction) -> int:
    """Store a tuning as the next version, after any stored meanwhile; return its number."""
    newest = tx.finding.tunings.of(tuning.space)
    version = 1 if newest is None else newest.version + 1
    tx.finding.tunings.put(replace(tuning, version=version))
    return version


def _answers(space: SpaceId, since: datetime | None, *, tx: Transaction) -> Iterator[Bundle]:
    """Return the answers of a space that can be learned from, the newest first."""
    beyond: str | None = None
    while found := tx.bundles.page(beyond=beyond, limit=_PAGE):
        recent = [bundle for bundle in found if since is None or bundle.asked_at >= since]
        if not recent:
            return
        for bundle in recent:
            if bundle.place.space == space and can_teach(bundle):
                yield bundle
        beyond = found[-1].id


def _rated(answers: Iterator[Bundle], history: Sequence[Tuning]) -> list[Rated]:
    """Return the answers in order of time, each with the weights that ranked it."""
    in_time = sorted(answers, key=lambda bundle: (bundle.asked_at, bundle.id))
    return [
        Rated(bundle=bundle, weights=tuned(_DEFAULTS, _in_force(history, bundle.asked_at)))
        for bundle in in_time
    ]


def _in_force(history: Sequence[Tuning], at: datetime) -> Tuning | None:
    return next((tuning for tuning in reversed(history) if tuning.at < at), None)
