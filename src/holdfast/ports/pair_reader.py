"""The port for a model that reads two claims together, and advises the person who reviews them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from holdfast.ports.store.upkeep import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPairs:
    """The score of each pair, from 0 to 1, and how many pairs are left for the next call.

    A pair without a score was left, or is in letters that the model cannot read.
    """

    scores: tuple[float | None, ...]
    left: int = 0


class PairReader(Protocol):
    """A model that says how likely it is that the newer of two claims contradicts the older one."""

    @property
    def name(self) -> str:
        """The name that the reasons show."""
        ...

    @property
    def threshold(self) -> float:
        """The least score at which a pair is shown to a person."""
        ...

    def scores(
        self, pairs: Sequence[tuple[str, str]], *, most_letters: int, progress: Progress
    ) -> ReadPairs:
        """Read pairs of a newer and an older claim, in their order.

        It must stop after ``most_letters`` letters; a pair that was read before must cost none. It
        must not be called in a transaction, because it may take a second.

        Raises:
            NoMeaningError: The model is missing, damaged or cannot be run.
        """
        ...

    def forget(self, claims: Collection[str]) -> None:
        """Remove the scores of all pairs with one of these claims from everything that is kept."""
        ...
