"""Learn a space's weights for the parts of a score from ratings: slowly and within bounds.

A stored bundle names the parts of every score, so it can be rescored without searching again.
Learning always starts from the defaults: the same ratings give the same weights, however often
they are read.
"""

from __future__ import annotations

import math
from operator import mul
from typing import TYPE_CHECKING

from holdfast.domain.errors import NotFoundError
from holdfast.domain.recall.weighing import LEARNABLE, Weights
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.memory.place import SpaceId
    from holdfast.domain.recall.bundle import Bundle, BundleItem, LeftOut, Reason

# Chosen by hand (decision 29).
FEWEST = 5
_EVERY = 5
_LEAST, _MOST = 0.5, 2.0
_MOST_SHARE = 0.9
_STEPS = 30
_STEEP = 4.0
_STEEPEST = 60.0
# How strongly the defaults pull: five ratings that agree move a weight by some hundredths.
_PULL = 200.0
_ON_EACH_SIDE = 5
_DIGITS = 4
_SHARE = "meaning"
# One factor per part: bundles do not record how much each weight contributed to a part.
_WEIGHTS_OF: dict[str, tuple[str, ...]] = {
    _SHARE: ("meaning",),
    "named": ("named",),
    "link": ("hop",),
    "neighbours": ("before", "asked", "after", "answered"),
    "thread": ("thread",),
    "closing": ("closing",),
    "exact": ("exact",),
    "kind": ("guiding",),
}


class TooFewRatingsError(NotFoundError, code="too-few-ratings"):
    """Too few answers were rated to learn from them."""

    def __init__(self, found: int) -> None:
        super().__init__(
            f"Learning needs {FEWEST} rated answers that gave some memories and left others out;"
            f" there are {found}.",
            found=found,
            needed=FEWEST,
        )


class NothingLearnedError(NotFoundError, code="nothing-learned"):
    """There are no learned weights to undo."""

    hint: str = "The default weights are in use."


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The learned weights of one space from a moment on; none means the defaults."""

    space: SpaceId
    version: int
    weights: Mapping[str, float]
    learned_from: int
    at: datetime
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """An answer that was rated, and the weights that ranked it."""

    bundle: Bundle
    weights: Weights


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The share of rated pairs that weights order correctly, and how many answers changed."""

    answers: int
    before: float
    after: float
    better: int
    worse: int


@dataclass(frozen=True, slots=True)
class _Pair:
    """A memory that should rank above another, and their score gap as a function of the factors."""

    rest: float
    moves: tuple[tuple[int, float], ...]

    def gap(self, factors: Sequence[float]) -> float:
        return self.rest + sum([move * factors[leg] for leg, move in self.moves])


def tuned(weights: Weights, tuning: Tuning | None) -> Weights:
    """Return the weights with the learned ones of the space, each clipped to its bounds.

    Names that are unknown or not learnable are ignored.
    """
    if tuning is None:
        return weights
    own = {name: value for name, value in tuning.weights.items() if name in LEARNABLE}
    return replace(weights, **{name: _bounded(name, own[name], weights) for name in own})


def own_weights(learned_ones: Weights, defaults: Weights) -> dict[str, float]:
    """Return the weights that differ from the defaults, by name, as a tuning holds them."""
    pairs = {name: (getattr(learned_ones, name), getattr(defaults, name)) for name in LEARNABLE}
    return {name: value for name, (value, default) in pairs.items() if value != default}


def can_teach(bundle: Bundle) -> bool:
    """Tell whether an answer was rated and has memories both given and left out."""
    return bundle.good is not None and bool(bundle.items) and bool(bundle.left_out)


def parted(rated: Sequence[Rated]) -> tuple[list[Rated], list[Rated]]:
    """Split the answers into those to learn from and a fifth to check on.

    Raises:
        TooFewRatingsError: There are not enough of them.
    """
    if len(rated) < FEWEST:
        raise TooFewRatingsError(len(rated))
    held = list(rated[_EVERY - 1 :: _EVERY])
    return [one for place, one in enumerate(rated, start=1) if place % _EVERY], held


def learned(rated: Sequence[Rated], defaults: Weights) -> Weights:
    """Return weights that rank helpful memories above those left out, and unhelpful ones below.

    The method is gradient descent on a logistic loss over pairs. Each answer has the same
    influence, however many memories it has. The defaults act as regularisation, so that few
    ratings change little.
    """
    answers = [_pairs(one, defaults) for one in rated]
    limits = [_limits(leg, defaults) for leg in _WEIGHTS_OF]
    step = 1.0 / (_PULL + sum(_curvature(pairs) for pairs in answers))
    factors = [1.0] * len(limits)
    for _ in range(_STEPS):
        slope = _slope(answers, factors)
        factors = [
            min(most, max(least, factor - step * (down + _PULL * (factor - 1.0))))
            for factor, down, (least, most) in zip(factors, slope, limits, strict=True)
        ]
    return _weights(factors, defaults)


def agreement(
    rated: Sequence[Rated], *, before: Weights, after: Weights, defaults: Weights
) -> Agreement:
    """Return the share of pairs that two sets of weights order correctly."""
    answers = [_pairs(one, defaults) for one in rated]
    old = [_in_order(pairs, _factors(before, defaults)) for pairs in answers]
    new = [_in_order(pairs, _factors(after, defaults)) for pairs in answers]
    return Agreement(
        answers=len(answers),
        before=_mean(old),
        after=_mean(new),
        better=sum(now > then for then, now in zip(old, new, strict=True)),
        worse=sum(now < then for then, now in zip(old, new, strict=True)),
    )


def _pairs(one: Rated, defaults: Weights) -> list[_Pair]:
    bundle = one.bundle
    given, left = bundle.items[:_ON_EACH_SIDE], bundle.left_out[:_ON_EACH_SIDE]
    share = _share(one)
    was = _factors(one.weights, defaults)
    scales = [_ratio(1.0, factor) for factor in was]
    sign = 1.0 if bundle.good else -1.0
    above = [(item.score, _moves(item, share, scales, defaults)) for item in given]
    below = [(item.score, _moves(item, share, scales, defaults)) for item in left]
    pairs: list[_Pair] = []
    for high, high_moves in above:
        for low, low_moves in below:
            apart = [sign * (x - y) for x, y in zip(high_moves, low_moves, strict=True)]
            rest = sign * (high - low) - sum(map(mul, apart, was))
            moves = tuple((leg, move) for leg, move in enumerate(apart) if move)
            pairs.append(_Pair(rest, moves))
    return pairs


def _moves(
    item: BundleItem | LeftOut, share: float | None, scales: Sequence[float], defaults: Weights
) -> list[float]:
    """Return how much the score grows for each factor that grows by one."""
    amounts: dict[str, float] = {}
    for reason in item.reasons:
        amounts[reason.leg] = amounts.get(reason.leg, 0.0) + reason.amount
    moves = [amounts.get(leg, 0.0) * scale for leg, scale in zip(_WEIGHTS_OF, scales, strict=True)]
    if share is None:
        moves[0] = 0.0
    else:
        by_meaning = amounts.get("meaning", 0.0) / share
        moves[0] = defaults.meaning * (by_meaning - amounts.get("words", 0.0) / (1.0 - share))
    return moves


def _share(one: Rated) -> float | None:
    """Return the share of meaning in an answer's scores; None if it differed or was not used.

    No amount exceeds the share. If one does, the answer had a larger share: its question was about
    code, or no hit contained much of the question's words.
    """
    share = one.weights.meaning
    heard = [abs(reason.amount) for reason in _reasons(one.bundle) if reason.leg == "meaning"]
    fits = bool(heard) and 0.0 < share < 1.0 and max(heard) <= share + 10**-_DIGITS
    return share if fits else None


def _reasons(bundle: Bundle) -> Iterable[Reason]:
    items: tuple[BundleItem | LeftOut, ...] = (*bundle.items, *bundle.left_out)
    return (reason for item in items for reason in item.reasons)


def _slope(answers: Sequence[Sequence[_Pair]], factors: Sequence[float]) -> list[float]:
    slope = [0.0] * len(factors)
    for pairs in answers:
        for pair in pairs:
            steep = max(-_STEEPEST, min(_STEEPEST, _STEEP * pair.gap(factors)))
            pull = _STEEP / (1.0 + math.exp(steep)) / len(pairs)
            for leg, move in pair.moves:
                slope[leg] -= pull * move
    return slope


def _curvature(pairs: Sequence[_Pair]) -> float:
    """Return an upper bound of the loss's curvature for an answer, which limits the step size."""
    squares = [sum(move * move for _, move in pair.moves) for pair in pairs]
    return _STEEP * _STEEP / 4.0 * _mean(squares)


def _in_order(pairs: Sequence[_Pair], factors: Sequence[float]) -> float:
    return _mean([float(pair.gap(factors) > 0.0) for pair in pairs])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _factors(weights: Weights, defaults: Weights) -> list[float]:
    """Return the ratio of each part's weight to its default."""
    return [
        _ratio(
            sum(getattr(weights, name) for name in names),
            sum(getattr(defaults, name) for name in names),
        )
        for names in _WEIGHTS_OF.values()
    ]


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _weights(factors: Sequence[float], defaults: Weights) -> Weights:
    changed = {
        name: round(_bounded(name, getattr(defaults, name) * factor, defaults), _DIGITS)
        for names, factor in zip(_WEIGHTS_OF.values(), factors, strict=True)
        for name in names
    }
    return replace(defaults, **changed)


def _limits(leg: str, defaults: Weights) -> tuple[float, float]:
    if leg != _SHARE or not defaults.meaning:
        return _LEAST, _MOST
    return _LEAST, min(_MOST, _MOST_SHARE / defaults.meaning)


def _bounded(name: str, value: float, defaults: Weights) -> float:
    default: float = getattr(defaults, name)
    most = min(_MOST * default, _MOST_SHARE) if name == _SHARE else _MOST * default
    return max(_LEAST * default, min(most, value))
