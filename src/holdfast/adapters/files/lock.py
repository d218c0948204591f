"""The lock of a clone's pages: many readers at once, or one writer."""

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
    """Hold the lock of the pages; a reader continues without it if it cannot be created.

    Raises:
        PagesBusyError: Another process held it past the timeout, or it cannot be created.
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
