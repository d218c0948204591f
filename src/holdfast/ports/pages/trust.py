"""The list of clones whose pages a person trusts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.pages.trusting import Trusted


class TrustBook(Protocol):
    """The clones that a person trusts, by their path on this machine."""

    def entries(self) -> Sequence[Trusted]:
        """Return every trusted clone, ordered by path."""
        ...

    def put(self, trusted: Trusted) -> None:
        """Store that a clone is trusted; the same path again must replace its entry."""
        ...

    def remove(self, clone: str) -> bool:
        """Remove a clone from the list; return whether it was there."""
        ...
