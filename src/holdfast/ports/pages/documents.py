"""The documentation that a repository already has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.text.paragraphs import DocumentParagraph


class Documents(Protocol):
    """Pages that people and tools read anyway; their content needs no memory."""

    def passages(self) -> Sequence[DocumentParagraph]:
        """Return the paragraphs of all pages; a page that cannot be read must be skipped."""
        ...
