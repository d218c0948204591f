"""Forgetting on a full disk, when nothing else can be written."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.sqlite.database.files import remove
from holdfast.adapters.sqlite.memory.memories import SqliteMemories
from holdfast.adapters.sqlite.queries import SQL

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.adapters.sqlite.database.work import Work

_FORGETTING = frozenset({"memory.forgotten", "span.forgotten"})


def only_forgot(work: Work) -> bool:
    """Return whether a unit of work only forgot memories, so that it can be repeated."""
    return bool(work.forgotten) and work.did <= _FORGETTING


def forget_on_full_disk(
    work: Work, *, begin: Callable[[], Work], undo: Callable[[], None], reserve: str
) -> Work:
    """Free the reserve file and repeat the work; return the work that was committed."""
    remove(reserve)
    try:
        return _again(work, begin())
    except (apsw.FullError, apsw.IOError):
        undo()
    # The write-ahead log itself cannot grow. A checkpoint makes it start over; but not in the first
    # attempt, because a checkpoint can use up the space that was just freed.
    with suppress(apsw.Error):
        work.connection.execute(SQL["checkpoint"]).fetchall()
    return _again(work, begin())


def _again(work: Work, again: Work) -> Work:
    for tombstone in work.forgotten:
        SqliteMemories(again).forget(tombstone)
    again.connection.execute(SQL["commit"])
    return again
