"""Pieces of code and of history that answer a question: found, not remembered."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.bundle import Reason
    from holdfast.domain.choices import PassageKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Some lines of a file or the words of a commit, with what speaks for them.

    ``reference`` is the place or the commit; ``title`` the symbol or the subject;
    ``beside`` the names that stand next to it: callers and callees, or the files it touched.
    ``why_not`` says why it is not given.
    """

    kind: PassageKind
    reference: str
    title: str
    text: str
    score: float
    reasons: tuple[Reason, ...] = ()
    beside: tuple[str, ...] = ()
    why_not: str = ""

    @property
    def text_hash(self) -> str:
        """The hash of exactly this text."""
        return hashlib.sha256(self.text.encode("utf-8", "replace")).hexdigest()
