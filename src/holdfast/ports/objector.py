"""The port that tells whether a claim is worth keeping."""

from __future__ import annotations

from typing import Protocol


class Objector(Protocol):
    """Judges a claim by its wording; it does not know whether the claim is true."""

    def objection(self, claim: str) -> str:
        """Return why the claim is not worth keeping, as a clause; empty if it is."""
        ...
