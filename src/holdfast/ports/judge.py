"""What reads two claims together and says whether both can be true."""

from __future__ import annotations

from typing import Protocol

from holdfast.domain.conflict import Suspicion


class Judge(Protocol):
    """A plug-in under the entry point group ``holdfast.judge``.

    It adds suspicions and withdraws them. It resolves nothing: a person decides about what
    it suspects, and can take back what it withdrew.
    """

    @property
    def name(self) -> str:
        """What it is called in the reasons."""
        ...

    def judged(self, newer: str, older: str, found: Suspicion | None) -> Suspicion | None:
        """Return what it suspects of a pair, given what the rules found; nothing withdraws that.

        It may be asked about the same pair again.
        """
        ...
