"""The cost of an answer without its items, whatever its random names are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.ids import BundleId
from holdfast.domain.recall.bundle import Shortage
from holdfast.domain.recall.rendering import framed, headline, no_items
from holdfast.domain.text.fencing import quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.domain.recall.bundle import Bundle

WIDEST = 999_999


def frame_cost(bundle: Bundle, nonce: str, count: Callable[[str], int]) -> int:
    """Return the cost of the first line, the fence and the notes."""
    header = _widest(bundle, budget=bundle.question.budget)
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
    said = (no_items(None), no_items(Shortage(found=WIDEST, needs=WIDEST)))
    return max(count(framed(header, [line], notes=bundle.notes)) for line in said)


def _widest(bundle: Bundle, *, budget: int) -> str:
    return headline(bundle.id, tokens=WIDEST, budget=budget, items=WIDEST, left_out=WIDEST)
