"""What the repository's own documents say already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.already_written import Passage


class Documents(Protocol):
    """The pages people and tools read anyway: what stands there needs no memory."""

    def passages(self) -> Sequence[Passage]:
        """Return their paragraphs; a page that cannot be read must be passed over."""
        ...
