"""What of a step is recorded: texts that people can delete elsewhere only as hashes.

A memory can be forgotten and a task deleted; no copy of their text may stay in a step. So inputs
name them by id, with a hash of the text that was read, and answers keep hashes of what they say.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.domain.roles.step import StepWork

if TYPE_CHECKING:
    from collections.abc import Sequence

_HASHED = {
    StepWork.PLAN: ("tasks", ("title", "why")),
    StepWork.HISTORY: ("claims", ("claim", "quote")),
}
_LENGTH = 16


def mark_of(*texts: str) -> str:
    """Return a short hash of texts; the same texts always have the same one."""
    whole = "\0".join(texts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(whole).hexdigest()[:_LENGTH]


def recorded_answer(work: StepWork, outputs: Mapping[str, object]) -> dict[str, object]:
    """Return an answer as it is recorded: without the texts of tasks and claims."""
    found = dict(outputs)
    if work in _HASHED:
        name, texts = _HASHED[work]
        items = found.get(name)
        listed: Sequence[object] = items if isinstance(items, list) else ()
        found[name] = [_hashed(item, texts) for item in listed]
    return found


def _hashed(item: object, texts: tuple[str, ...]) -> object:
    if not isinstance(item, Mapping):
        return item
    return {
        name: mark_of(str(value)) if name in texts and value else value
        for name, value in item.items()
    }
