"""Notes of a store file about itself: its space, and whether it is an unfinished copy.

A file without a note of its space belongs to the default one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.access_errors import NoSuchStoreError
from holdfast.domain.database_errors import UnfinishedCopyError
from holdfast.domain.memory.place import DEFAULT_SPACE

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.domain.memory.place import SpaceId

SPACE = "space"
COPYING = "copying"
"""The note of a store that is an unfinished copy: the mark of its source."""


def note_space(work: Work, space: SpaceId) -> None:
    """Note the space of a new file."""
    if space != DEFAULT_SPACE:
        work.set_meta(SPACE, space)


def refuse_other_space(work: Work, space: SpaceId) -> None:
    """Refuse a file of another space, and say nothing about that space.

    Raises:
        NoSuchStoreError: The file belongs to another space.
    """
    if (work.meta(SPACE) or DEFAULT_SPACE) != space:
        raise NoSuchStoreError(space)


def refuse_unfinished_copy(work: Work) -> None:
    """Refuse a store that is an unfinished copy.

    Raises:
        UnfinishedCopyError: Not all rows were copied yet.
    """
    if work.meta(COPYING) is not None:
        raise UnfinishedCopyError(work.path)
