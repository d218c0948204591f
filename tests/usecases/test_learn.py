"""A space learns its weights from rated answers, keeps what is no worse, and can go back."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.choices import Kind
from holdfast.domain.errors import BadLifetimeError
from holdfast.domain.ids import BundleId
from holdfast.domain.memory.place import DEFAULT_SPACE, Place, SpaceId
from holdfast.domain.recall.bundle import Bundle, Reason
from holdfast.domain.recall.learning import NothingLearnedError, TooFewRatingsError, Tuning
from holdfast.domain.recall.weighing import Weights
from holdfast.usecases.recall.learn import Learn, LearningOutcome
from tests.builders import (
    NOON,
    FixedClock,
    PlainSurroundings,
    a_bundle,
    a_tuning,
    an_item,
    one_left_out,
)
from tests.requirements import requirement
from tests.usecases.wishes import asked, said

DEFAULTS = Weights()
TEAM = SpaceId("team")
Parts = dict[str, float]
BY_WORDS: Parts = {"words": 0.5, "meaning": 0.1}
BY_MEANING: Parts = {"words": 0.1, "meaning": 0.5}


def parts(amounts: Parts) -> dict[str, object]:
    reasons = tuple(Reason(leg=leg, amount=amount) for leg, amount in amounts.items())
    return {"score": sum(amounts.values()), "reasons": reasons}


def rated(
    store: InMemoryStore,
    count: int,
    given: Parts = BY_MEANING,
    left: Parts = BY_WORDS,
    **changes: object,
) -> list[Bundle]:
    """Keep answers that gave one memory and left one out; bad ones unless something is said."""
    fields: dict[str, object] = {"good": False} | changes
    with store.writing(NOON) as tx:
        start = len(tx.bundles.page(beyond=None, limit=9_999))
        kept = [
            a_bundle(
                id=BundleId(f"c_{start + number:05}"),
                items=(an_item(**parts(given)),),
                left_out=(one_left_out(**parts(left)),),
                **fields,
            )
            for number in range(count)
        ]
        for bundle in kept:
            tx.bundles.put(bundle)
    return kept


def history(store: InMemoryStore, space: SpaceId = DEFAULT_SPACE) -> list[Tuning]:
    with store.reading() as tx:
        return list(tx.finding.tunings.history(space))


@requirement("learn.shown-and-undone")
def test_where_only_words_help_meaning_counts_less(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    rated(store, 40)
    rated(store, 40, BY_WORDS, BY_MEANING, good=True)

    lesson = holdfast.answers.learn(Learn())

    assert lesson.outcome is LearningOutcome.KEPT
    assert lesson.before == DEFAULTS
    assert lesson.after.meaning < DEFAULTS.meaning
    assert lesson.learned_from == 64
    assert lesson.check is not None
    assert (lesson.check.answers, lesson.check.worse) == (16, 0)
    assert history(store) == [
        Tuning(
            space=DEFAULT_SPACE,
            version=1,
            weights={"meaning": lesson.after.meaning},
            learned_from=64,
            at=NOON,
            note="learned from 64 answers",
        )
    ]


@requirement("learn.slow-and-bounded")
def test_with_few_ratings_hardly_anything_moves(holdfast: Holdfast, store: InMemoryStore) -> None:
    rated(store, 5)

    lesson = holdfast.answers.learn(Learn())

    assert lesson.after.meaning == pytest.approx(DEFAULTS.meaning, rel=0.1)


@requirement("learn.slow-and-bounded")
def test_with_fewer_than_five_ratings_nothing_is_learned(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    rated(store, 4)
    rated(store, 9, good=None)

    with pytest.raises(TooFewRatingsError, match="there are 4"):
        holdfast.answers.learn(Learn())

    assert history(store) == []


def test_the_same_ratings_teach_nothing_new(holdfast: Holdfast, store: InMemoryStore) -> None:
    rated(store, 20)
    first = holdfast.answers.learn(Learn())

    again = holdfast.answers.learn(Learn())

    assert (again.outcome, again.version) == (LearningOutcome.UNCHANGED, 1)
    assert again.before == again.after == first.after
    assert len(history(store)) == 1


@requirement("learn.shown-and-undone")
def test_a_dry_run_shows_what_would_change_and_changes_nothing(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    rated(store, 20)

    shown = holdfast.answers.learn(Learn(dry_run=True))

    assert (shown.outcome, shown.version) == (LearningOutcome.SHOWN, 0)
    assert shown.after != shown.before
    assert history(store) == []


@requirement("learn.shown-and-undone")
def test_weights_that_order_the_others_worse_are_not_kept(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    """Every fifth answer says the opposite of the rest, and by a hair."""
    for _ in range(20):
        rated(store, 4)
        rated(store, 1, {"words": 0.3, "meaning": 0.35}, {"words": 0.34, "meaning": 0.3}, good=True)

    lesson = holdfast.answers.learn(Learn())

    assert lesson.outcome is LearningOutcome.WORSE
    assert lesson.check is not None
    assert lesson.check.after < lesson.check.before
    assert lesson.check.worse == 20
    assert history(store) == []


def test_only_recent_answers_of_this_space_teach(
    holdfast: Holdfast, store: InMemoryStore, clock: FixedClock
) -> None:
    rated(store, 250, asked_at=NOON - timedelta(days=31))
    rated(store, 7, asked_at=NOON - timedelta(days=30))
    rated(store, 50, place=Place(space=TEAM))
    month, day = timedelta(days=30), timedelta(days=1)

    lesson = holdfast.answers.learn(Learn(since=month, dry_run=True))

    assert lesson.learned_from == 6
    assert holdfast.answers.learn(Learn(dry_run=True)).learned_from == 206
    clock.advance(days=1)
    with pytest.raises(TooFewRatingsError, match="there are 0"):
        holdfast.answers.learn(Learn(since=day))
    with pytest.raises(BadLifetimeError):
        holdfast.answers.learn(Learn(since=timedelta.max))


def test_what_one_space_learned_no_other_weighs_by(
    holdfast: Holdfast, store: InMemoryStore, surroundings: PlainSurroundings
) -> None:
    surroundings.at = Place(space=TEAM)
    rated(store, 20, place=surroundings.at)

    holdfast.answers.learn(Learn())

    assert len(history(store, TEAM)) == 1
    assert history(store) == []


def test_an_answer_is_judged_by_the_weights_of_its_time(
    holdfast: Holdfast, store: InMemoryStore, clock: FixedClock
) -> None:
    """The same memories, asked for after the share of meaning was halved, teach the same."""
    rated(store, 20)
    first = holdfast.answers.learn(Learn())
    with store.writing(NOON) as tx:
        tx.finding.tunings.put(a_tuning(version=2, weights={"meaning": DEFAULTS.meaning / 2}))
    later = NOON + timedelta(hours=1)
    left, given = (
        {"words": one["words"] * 1.5, "meaning": one["meaning"] / 2}
        for one in (BY_WORDS, BY_MEANING)
    )
    rated(store, 20, given, left, asked_at=later)
    clock.advance(hours=2)

    again = holdfast.answers.learn(Learn(since=timedelta(hours=1)))

    assert again.before.meaning == DEFAULTS.meaning / 2
    assert again.after.meaning == pytest.approx(first.after.meaning, abs=0.001)


@requirement("learn.shown-and-undone")
def test_undo_goes_back_one_version_and_again_brings_it_back(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    rated(store, 20)
    first = holdfast.answers.learn(Learn()).after
    rated(store, 60)
    second = holdfast.answers.learn(Learn()).after

    shown = holdfast.answers.undo_weights(dry_run=True)
    undone = holdfast.answers.undo_weights()
    redone = holdfast.answers.undo_weights()

    assert (shown.outcome, shown.version, shown.after) == (LearningOutcome.SHOWN, 2, first)
    assert (undone.outcome, undone.version) == (LearningOutcome.KEPT, 3)
    assert (undone.before, undone.after) == (second, first)
    assert (redone.version, redone.after) == (4, second)
    assert [one.note for one in history(store)][2:] == ["back to version 1", "back to version 2"]
    assert [one.learned_from for one in history(store)] == [16, 64, 16, 64]


@requirement("learn.shown-and-undone")
def test_undoing_the_first_version_brings_the_defaults_back(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    rated(store, 20)
    holdfast.answers.learn(Learn())

    undone = holdfast.answers.undo_weights()

    assert undone.after == DEFAULTS
    assert history(store)[-1].weights == {}


def test_there_is_nothing_to_undo_where_nothing_was_learned(holdfast: Holdfast) -> None:
    with pytest.raises(NothingLearnedError, match="no learned weights"):
        holdfast.answers.undo_weights()


@requirement("learn.shown-and-undone")
def test_a_reset_is_a_version_without_weights(holdfast: Holdfast, store: InMemoryStore) -> None:
    assert holdfast.answers.reset_weights().outcome is LearningOutcome.UNCHANGED
    rated(store, 20)
    learned = holdfast.answers.learn(Learn()).after

    shown = holdfast.answers.reset_weights(dry_run=True)
    reset = holdfast.answers.reset_weights()

    assert (shown.outcome, shown.version) == (LearningOutcome.SHOWN, 1)
    assert (reset.before, reset.after, reset.version) == (learned, DEFAULTS, 2)
    assert [dict(one.weights) for one in history(store)][1:] == [{}]
    assert holdfast.answers.undo_weights().after == learned


@requirement("learn.shown-and-undone")
def test_an_answer_is_weighed_by_what_its_space_learned(
    holdfast: Holdfast, store: InMemoryStore, surroundings: PlainSurroundings
) -> None:
    said(holdfast, "Tokens rotate hourly.", kind=Kind.RULE)

    def guiding() -> float:
        (item,) = asked(holdfast, "tokens").bundle.items
        return next(reason.amount for reason in item.reasons if reason.leg == "kind")

    before = guiding()
    with store.writing(NOON) as tx:
        tx.finding.tunings.put(a_tuning(weights={"guiding": DEFAULTS.guiding * 2}))
        tx.finding.tunings.put(a_tuning(space=TEAM, weights={"guiding": DEFAULTS.guiding / 2}))

    assert before == DEFAULTS.guiding
    assert guiding() == DEFAULTS.guiding * 2
    assert surroundings.at.space == DEFAULT_SPACE
    holdfast.answers.reset_weights()
    assert guiding() == DEFAULTS.guiding


def test_ratings_given_by_feedback_are_what_is_learned_from(holdfast: Holdfast) -> None:
    said(holdfast, "Tokens rotate hourly.", kind=Kind.RULE)
    said(holdfast, "Tokens are opaque.")
    said(holdfast, "Tokens are signed and rotate.")
    for number in range(10):
        bundle = asked(holdfast, f"do tokens rotate {number}", limit=1).bundle
        holdfast.answers.feedback(bundle.id, good=False)

    lesson = holdfast.answers.learn(Learn(since=timedelta(days=30)))

    assert lesson.learned_from == 8
    assert lesson.after.guiding < DEFAULTS.guiding
    assert replace(lesson.after, guiding=DEFAULTS.guiding) == DEFAULTS
