"""The space that a store file belongs to; a file without a note belongs to the default one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.access_errors import NoSuchStoreError
from holdfast.domain.memory.place import DEFAULT_SPACE

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.domain.memory.place import SpaceId

_SPACE = "space"


def note_space(work: Work, space: SpaceId) -> None:
    """Note the space of a new file."""
    if space != DEFAULT_SPACE:
        work.set_meta(_SPACE, space)


def refuse_other_space(work: Work, space: SpaceId) -> None:
    """Refuse a file of another space, and say nothing about that space.

    Raises:
        NoSuchStoreError: The file belongs to another space.
    """
    if (work.meta(_SPACE) or DEFAULT_SPACE) != space:
        raise NoSuchStoreError(space)
