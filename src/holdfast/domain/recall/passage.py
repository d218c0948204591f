"""Passages of code and history that answer a question: found, not remembered."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.choices import PassageKind
    from holdfast.domain.recall.bundle import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Some lines of a file or the message of a commit, with the parts of its score.

    ``reference`` is the place or the commit, ``title`` the symbol or the subject. ``beside`` lists
    related names: callers and callees, or the files that a commit changed. ``why_not`` says why
    the passage is left out.
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
