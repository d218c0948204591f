"""The cost of an answer without its items, whatever its random names are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.ids import BundleId
from holdfast.domain.recall.bundle import Shortage
from holdfast.domain.recall.rendering import framed, headline, nothing_given
from holdfast.domain.text.fencing import quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.domain.recall.bundle import Bundle

WIDEST = 999_999


def frame_cost(
    bundle: Bundle, nonce: str, count: Callable[[str], int], *, most: int = WIDEST
) -> int:
    """Return the cost of the first line, the fence and the notes, with at most so many hits."""
    header = _widest(bundle, budget=bundle.question.budget, most=most)
    return count(framed(header, quoted(["."], nonce=nonce), notes=bundle.notes))


def costly_id(name: BundleId) -> BundleId:
    """Return a bundle id whose random suffix costs at least as much as any other."""
    head, mark, end = name.rpartition("_")
    return BundleId(f"{head}{mark}{costly_letters(end)}")


def costly_letters(letters: str) -> str:
    """Return letters that no tokenizer merges, so that other random letters cost no more."""
    return ("1f" * len(letters))[: len(letters)]


def least_cost(bundle: Bundle, count: Callable[[str], int]) -> int:
    """Return the largest cost of an answer without items, for any budget in its first line."""
    header = _widest(bundle, budget=max(bundle.question.budget, WIDEST))
    include = bundle.question.include
    shortages = (None, Shortage(found=WIDEST, needs=WIDEST))
    said = [nothing_given(shortage, include) for shortage in shortages]
    return max(count(framed(header, [line], notes=bundle.notes)) for line in said)


def _widest(bundle: Bundle, *, budget: int, most: int = WIDEST) -> str:
    return headline(bundle.id, tokens=budget, budget=budget, items=most, left_out=most)
