"""Where it is kept which clones' pages a person trusted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.trusting import Trusted


class TrustBook(Protocol):
    """The clones that a person trusted, by their path on this machine."""

    def entries(self) -> Sequence[Trusted]:
        """Return every clone that is trusted, by path."""
        ...

    def put(self, trusted: Trusted) -> None:
        """Note that a clone is trusted; the same path again must replace."""
        ...

    def remove(self, clone: str) -> bool:
        """Take the note away; tell whether it was there."""
        ...
