"""Reads and atomically writes the files of other programs; creates and removes folders."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import read_plain
from holdfast.domain.refusals import SettingsUnreadableError

if TYPE_CHECKING:
    from collections.abc import Sequence

_LARGEST = 8 * 1024 * 1024
_PROGRAM = 0o755


def text_of(path: Path) -> str | None:
    """Return the text of a file, or None if it does not exist.

    Raises:
        SettingsUnreadableError: It cannot be read, or is not text.
    """
    try:
        held = read_plain(path, follows_link=True, most=_LARGEST + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SettingsUnreadableError(str(path), 1, str(error.strerror)) from error
    if len(held) > _LARGEST:
        raise SettingsUnreadableError(str(path), 1, "it is larger than any settings are")
    try:
        return held.decode("utf-8")
    except UnicodeDecodeError as error:
        line = held[: error.start].count(b"\n") + 1
        raise SettingsUnreadableError(str(path), line, "it is no text in UTF-8") from error


def known_text(path: Path) -> str:
    """Return the beginning of an instruction file; empty if it cannot be read, or is no file.

    A repository may contain a link in its place, also one to a device without an end.
    """
    try:
        return read_plain(path, follows_link=True, most=_LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""


def make_folders(path: Path) -> tuple[str, ...]:
    """Create the folders that a new file needs; return those created, outermost first."""
    missing = [one for one in path.parents if not one.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    return tuple(str(one) for one in reversed(missing))


def drop_folders(folders: Sequence[str]) -> tuple[str, ...]:
    """Remove folders that Holdfast created, unless they are in use; return those left."""
    left: list[str] = []
    for name in reversed(folders):
        try:
            Path(name).rmdir()
        except FileNotFoundError:
            continue
        except OSError:
            left.insert(0, name)
    return tuple(left)


def store(path: Path, text: str | None, *, is_program: bool) -> None:
    """Write a file atomically, with its earlier permissions; or remove it."""
    if text is None:
        path.unlink(missing_ok=True)
        return
    fresh = path.with_name(f".{path.name}.new-holdfast")
    try:
        with fresh.open("wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            fresh.chmod(path.stat().st_mode & 0o7777)
        if is_program:
            fresh.chmod(_PROGRAM)
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
