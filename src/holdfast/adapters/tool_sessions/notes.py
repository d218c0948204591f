"""One small file for each session of a tool; a lock lets one process at a time change it.

Redacts secrets in what tools send, before it is written into a note or a log.

Continues after the hook has answered, in a detached process that the tool does not wait for.

Logs hook errors, one line each, because a hook shows nobody its errors.

Finds the root of the repository around a folder, by names alone.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from holdfast.adapters.disk.failures import disk_problem
from holdfast.adapters.disk.file_locks import lock_within, open_lock
from holdfast.adapters.tool_sessions.trouble_log import redacted
from holdfast.domain.sessions.hook_calls import ToolSession

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from typing import Any


_SIGNS_OF_VALUES = "=:@ "
_SHORTEST_TOKEN = 16
_BETWEEN_WORDS = str.maketrans("/\\-_.", "     ")


def redacted_path(path: str) -> str:
    """Return a path without secrets.

    Every call of a hook writes paths. The rules take milliseconds to load, so they are loaded only
    for a path with a long word or a character that may introduce a value.
    """
    words = path.translate(_BETWEEN_WORDS).split()
    may_hold_one = any(len(word) >= _SHORTEST_TOKEN for word in words) or any(
        sign in path for sign in _SIGNS_OF_VALUES
    )
    return redacted(path) if may_hold_one else path


FOLDER = "sittings"
_ENDING = ".json"
_LARGEST = 1 << 20
# Without O_NONBLOCK, opening a pipe blocks until it has a writer.
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_LONGEST_NAME = 100
_PATIENCE_SECONDS = 0.3
_TURN_SECONDS = 0.7
_PLAIN = (str, int, bool)


class ToolSessionFiles:
    """The notes of a person's sessions. They hold ids and counts, never the conversation."""

    def __init__(self, home: str) -> None:
        self._folder = f"{home}/{FOLDER}"

    def change(self, session: str, change: Callable[[ToolSession], ToolSession]) -> ToolSession:
        """Change a note under its lock, and return the new note."""
        path = f"{self._folder}/{file_name(session)}"
        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            handle = open_lock(path)
            try:
                lock_within(handle, _PATIENCE_SECONDS)
                known = _read(handle, session)
                changed = change(known)
                if changed != known:
                    _write(handle, changed)
            finally:
                os.close(handle)
        except OSError as error:
            raise disk_problem(path, error) from error
        return changed

    @contextmanager
    def turn(self, session: str) -> Generator[None, None, None]:
        """Hold a session's lock, which is separate from its note: the note may change meanwhile."""
        path = f"{self._folder}/{file_name(session)}.turn"
        try:
            handle = open_lock(path)
        except OSError as error:
            raise disk_problem(path, error) from error
        try:
            try:
                lock_within(handle, _TURN_SECONDS)
            except OSError as error:
                raise disk_problem(path, error) from error
            yield
        finally:
            os.close(handle)

    def latest(self, *, limit: int) -> Sequence[ToolSession]:
        """Return the most recently changed notes, newest first."""
        found: list[ToolSession] = []
        notes = [one for one in self._times() if one[1].endswith(_ENDING)]
        for _, name in sorted(notes, key=lambda one: -one[0])[:limit]:
            with suppress(OSError):
                handle = os.open(f"{self._folder}/{name}", _READ)
                try:
                    found.append(_read(handle, name.removesuffix(_ENDING)))
                finally:
                    os.close(handle)
        return found

    def prune(self, *, before: int) -> None:
        """Remove the notes that have not changed since a moment."""
        for changed, name in self._times():
            if changed < before:
                with suppress(OSError):
                    os.unlink(f"{self._folder}/{name}")

    def _times(self) -> list[tuple[float, str]]:
        try:
            with os.scandir(self._folder) as entries:
                return [
                    (entry.stat(follow_symlinks=False).st_mtime, entry.name) for entry in entries
                ]
        except OSError:
            return []


def file_name(session: str) -> str:
    """Return a safe file name: no session id can lead out of the folder."""
    if session.isascii() and session.replace("-", "").replace("_", "").isalnum():
        return f"{session[:_LONGEST_NAME]}{_ENDING}"
    return f"x{session.encode('utf-8', 'replace').hex()[:_LONGEST_NAME]}{_ENDING}"


def _read(handle: int, session: str) -> ToolSession:
    try:
        shape = json.loads(os.pread(handle, _LARGEST, 0))
        return _session(shape, session)
    except (ValueError, TypeError, KeyError, AttributeError):
        return ToolSession(session=session)


def _write(handle: int, session: ToolSession) -> None:
    shape = {name: getattr(session, name) for name in ToolSession.__annotations__}
    shape["folder"] = redacted_path(session.folder)
    shape["transcript"] = redacted_path(session.transcript)
    shape["places"] = {
        folder: place
        for folder, place in session.places.items()
        if redacted_path(folder) == folder and redacted_path(place[0]) == place[0]
    }
    content = json.dumps(shape, default=dict).encode()
    os.ftruncate(handle, 0)
    os.pwrite(handle, content, 0)


def _session(shape: dict[str, object], session: str) -> ToolSession:
    """Parse a note; a field of an unexpected type gets its default."""
    plain = ToolSession(session=session)
    kept: dict[str, Any] = {"session": session}
    for name in ToolSession.__annotations__:
        usual, found = getattr(plain, name), shape.get(name)
        if isinstance(usual, _PLAIN) and type(found) is type(usual):
            kept[name] = found
        elif isinstance(usual, tuple) and isinstance(found, list):
            kept[name] = tuple(tuple(one) if isinstance(one, list) else one for one in found)
        elif isinstance(usual, dict) and isinstance(found, dict):
            kept[name] = {key: tuple(value) for key, value in found.items()}
    return ToolSession(**kept)


def root_of(folder: str) -> str:
    """Return the nearest folder with a ``.git``, else the folder itself.

    Symbolic links are not resolved: a tool names its files by the path of its folder.
    """
    start = here = os.path.abspath(folder)
    while not os.path.exists(f"{here}/.git"):
        above = os.path.dirname(here)
        if above == here:
            return start
        here = above
    return here
