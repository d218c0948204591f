"""The position of a memory in a conversation or a history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType, Origin
from holdfast.domain.recall.finding import ThreadPosition

if TYPE_CHECKING:
    from holdfast.domain.memory.memory import Memory

_MOST_DIGITS = 12
_MARKS = ("?", "\uff1f", "\u061f")


def turn_of(memory: Memory) -> ThreadPosition | None:
    """Return the turn of a memory: ``thread#7`` in its first evidence of type turn.

    A reference without a number gives no position in a thread, so the result is None.
    """
    for evidence in memory.evidence:
        if evidence.type is EvidenceType.TURN:
            thread, mark, number = evidence.reference.rpartition("#")
            if mark and thread and number.isascii() and number.isdigit():
                return ThreadPosition(
                    thread=thread,
                    number=int(number[:_MOST_DIGITS]),
                    is_agent=memory.origin is Origin.AGENT,
                    length=len(memory.claim),
                    asks=any(mark in memory.claim for mark in _MARKS),
                    is_question=memory.claim.rstrip(" ").endswith(_MARKS),
                )
    return None
