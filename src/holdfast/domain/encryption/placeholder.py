"""The placeholder of a sensitive memory: what stands in the store in place of its claim.

``is_sensitive`` is the one test that every reader uses. A sensitive memory has its placeholder as
its claim, so that whatever is made from a memory, such as an index, a page, an answer or a cache,
contains the placeholder and never the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.domain.choices import Kind
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import Memory

WHY_NOT = "it is sensitive, and its text is encrypted"
"""Why an answer leaves out a sensitive memory."""
MADE_SENSITIVE = "made sensitive as "
"""How the reason of a tombstone begins whose memory became sensitive; the new id follows."""


def placeholder(kind: Kind, memory_id: MemoryId) -> str:
    """Return the claim of a sensitive memory as everybody sees it."""
    return f"Sensitive {kind.value}, encrypted: {memory_id}"


def is_sensitive(memory: Memory) -> bool:
    """Tell whether the text of a memory is encrypted; no other memory can have its placeholder."""
    return memory.claim.startswith("Sensitive ") and memory.claim == placeholder(
        memory.kind, memory.id
    )
