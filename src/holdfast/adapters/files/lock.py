"""Who may write the pages of a clone: many read together, one writes alone."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.adapters.disk.turns import lock_within, open_lock
from holdfast.adapters.disk.whole import make_own_folder
from holdfast.domain.refusals import PagesBusyError

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

_PATIENCE_SECONDS = 30.0


@contextmanager
def held_lock(path: Path, *, shared: bool = False) -> Generator[None, None, None]:
    """Hold the lock of the pages; who only reads goes without where it cannot be made.

    Raises:
        PagesBusyError: Somebody else held it for too long, or it cannot be made.
    """
    try:
        make_own_folder(path.parent)
        file = open_lock(path)
    except OSError as error:
        if not shared:
            raise PagesBusyError(str(path), str(error.strerror)) from error
        yield
        return
    try:
        _take(file, path, shared=shared)
        yield
    finally:
        os.close(file)


def _take(file: int, path: Path, *, shared: bool) -> None:
    try:
        lock_within(file, _PATIENCE_SECONDS, shared=shared)
    except BlockingIOError as error:
        raise PagesBusyError(str(path), "another process holds it") from error
