"""Forgetting when the disk is full and nothing else can be written."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.sqlite.asking import SQL
from holdfast.adapters.sqlite.files import remove
from holdfast.adapters.sqlite.memories import SqliteMemories

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.adapters.sqlite.work import Work

_FORGETTING = frozenset({"memory.forgotten", "span.forgotten"})


def only_forgot(work: Work) -> bool:
    """Tell whether a unit of work did nothing but forget, so that it can be done again."""
    return bool(work.forgotten) and work.did <= _FORGETTING


def forget_on_full_disk(
    work: Work, *, begin: Callable[[], Work], undo: Callable[[], None], reserve: str
) -> Work:
    """Give up the reserve and do the work again; return the one that was committed."""
    remove(reserve)
    try:
        return _again(work, begin())
    except (apsw.FullError, apsw.IOError):
        undo()
    # The log itself may not grow. Moving it into the database makes it start over; not
    # at first, though, for that can take the very space that was just given up.
    with suppress(apsw.Error):
        work.connection.execute(SQL["checkpoint"]).fetchall()
    return _again(work, begin())


def _again(work: Work, again: Work) -> Work:
    for tombstone in work.forgotten:
        SqliteMemories(again).forget(tombstone)
    again.connection.execute(SQL["commit"])
    return again
