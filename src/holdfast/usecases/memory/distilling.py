"""Distil a bundle: its question and its claims as one claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import EvidenceUnreadableError

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.recall.bundle import Bundle
    from holdfast.ports.store.store import Transaction


def distilled(bundle: Bundle, *, at: datetime, tx: Transaction) -> str:
    """Return a bundle as one claim: the question, and the claims in it that are still valid.

    Raises:
        EvidenceUnreadableError: The bundle has no such memory, so there is nothing to store.
    """
    given = tx.memories.get_many([item.memory_id for item in bundle.items])
    known = [record.memory for record in given.values() if record.may_be_recalled_at(at)]
    if not known:
        raise EvidenceUnreadableError(
            bundle.id, "it holds no memories that still stand, so it says nothing to keep."
        )
    lines = [f"- {' '.join(memory.claim.split())} [{memory.id}]" for memory in known]
    return "\n".join([f"{bundle.question.text.strip()}:", *lines])
