"""Do the same with each of several claims; an error names the claim that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from holdfast.domain.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Item = TypeVar("Item")
    Made = TypeVar("Made")


def each_claim(claims: Sequence[Item], work: Callable[[Item], Made]) -> list[Made]:
    """Return the result for each claim; the fact ``index`` of an error counts them from 0.

    Raises:
        InvalidError: A claim is wrong; if there are several, the message says which.
    """
    made: list[Made] = []
    try:
        for claim in claims:
            made.append(work(claim))
    except InvalidError as error:
        if len(claims) > 1:
            error.args = (f"Claim {len(made) + 1:,} of {len(claims):,}: {error.message}",)
            vars(error)["index"] = len(made)
        raise
    return made
