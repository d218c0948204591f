"""The port that tells whether a claim is worth keeping, and whether a person must read it."""

from __future__ import annotations

from typing import Protocol


class Objector(Protocol):
    """Judges a claim by its wording; it does not know whether the claim is true."""

    def objection(self, claim: str) -> str:
        """Return why the claim is not worth keeping, as a clause; empty if it is."""
        ...

    def doubts(self, claim: str, *names: str) -> tuple[str, ...]:
        """Return why a claim needs a person, as clauses; empty if it only describes code.

        ``names`` are other texts of the proposer, such as the key and the tags. A claim that is not
        understood must be doubted.
        """
        ...
