"""Registers Holdfast's merge driver for pages in the git configuration of one clone."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.repository import ask_git
from holdfast.domain.errors import OutsideUnavailableError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.git.reading.repository import Repository

DRIVER = "holdfast"
_NAME = "joins the pages of holdfast entry by entry"


def set_merge_driver(repository: Repository, program: Sequence[str]) -> bool:
    """Register Holdfast as merge driver; return whether that changed anything.

    The setting is local to the clone: a clone or a pull cannot set it.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot write its settings.
    """
    words = " ".join(shlex.quote(word).replace("%", "%%") for word in program)
    wanted = {"name": _NAME, "driver": f"{words} merge-file %O %A %B %P"}
    changed = [
        (f"merge.{DRIVER}.{key}", value)
        for key, value in wanted.items()
        if _setting(repository, f"merge.{DRIVER}.{key}") != value
    ]
    for name, value in changed:
        status, _, trouble = ask_git(repository, "config", "--local", "--replace-all", name, value)
        if status != 0:
            raise OutsideUnavailableError(who="git", words=trouble)
    return bool(changed)


def _setting(repository: Repository, name: str) -> str | None:
    status, value, _ = ask_git(repository, "config", "--local", "--get", name)
    return value.removesuffix("\n") if status == 0 else None
