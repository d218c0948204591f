"""Orders the best commits of a search by their meaning too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import NoMeaningError
from holdfast.domain.recall.bundle import Reason
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.recall.bundle import Passage
    from holdfast.ports.recall.models import Embedder

COMPARED = 30
_WORDS_OF_A_COMMIT = 40
_MOST_WORDS = 40
# Eighteen questions about the histories of requests and flask: weights from 0.5 to 3 give the same.
_WEIGHT = 0.5


def with_meaning(
    passages: Sequence[Passage], question: str, model: Embedder | None
) -> list[Passage]:
    """Return commits with the likeness of their message to a short question, best first.

    Only the first ones by words are compared: each costs a few milliseconds, and messages have no
    stored vectors. A long text names what it means in its words.
    """
    first, rest = list(passages[:COMPARED]), passages[COMPARED:]
    if model is None or not first or len(question.split()) > _MOST_WORDS:
        return list(passages)
    texts = [" ".join(one.text.split()[1 : _WORDS_OF_A_COMMIT + 1]) for one in first]
    try:
        made = model.embed(texts)
        asked = model.ask(question).values
    except NoMeaningError:
        return list(passages)
    compared = [
        _raised(one, _cosine(vectors[0].values, asked), model.unrelated) if vectors else one
        for one, vectors in zip(first, made, strict=True)
    ]
    return sorted([*compared, *rest], key=lambda one: (-one.score, one.reference))


def _raised(passage: Passage, cosine: float, unrelated: float) -> Passage:
    likeness = (cosine - unrelated) / (1.0 - unrelated)
    if likeness <= 0:
        return passage
    reason = Reason(leg="meaning", amount=_WEIGHT * likeness, note=f"cosine {cosine:.2f}")
    return replace(
        passage,
        likeness=likeness,
        score=passage.score + reason.amount,
        reasons=(*passage.reasons, reason),
    )


def _cosine(one: bytes, other: bytes) -> float:
    """Return the cosine of two vectors of the length one."""
    pairs = zip(memoryview(one).cast("f"), memoryview(other).cast("f"), strict=True)
    return sum(mine * theirs for mine, theirs in pairs)
