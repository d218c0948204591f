"""The port for plug-ins that decide whether two claims contradict each other."""

from __future__ import annotations

from typing import Protocol

from holdfast.domain.review.suspicion import Suspicion


class Judge(Protocol):
    """A plug-in under the entry point group ``holdfast.judge``.

    It adds and withdraws suspected contradictions, but resolves none: a person decides about a
    suspicion, and can restore one that was withdrawn.
    """

    @property
    def name(self) -> str:
        """The name that the reasons show."""
        ...

    def judged(self, newer: str, older: str, found: Suspicion | None) -> Suspicion | None:
        """Return the suspicion about a pair, given that of the rules; None withdraws it.

        It may be called again with the same pair.
        """
        ...
