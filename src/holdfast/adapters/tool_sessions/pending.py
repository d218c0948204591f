"""Turns of coding tools that are not stored yet, one file of JSON lines for each session.

Each prompt, action and end appends a line, so a killed process leaves whole lines; half a line is
ignored. Every call of a hook comes through here, so modules are imported only when they are needed.
"""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.tool_sessions.notes import FOLDER, file_name, redacted_path
from holdfast.adapters.tool_sessions.trouble_log import redacted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from holdfast.domain.sessions.pending import PendingTurn

_ENDING = ".asked"
_OWNER_ONLY = 0o600
_LARGEST = 1 << 20
_LONGEST = 16 * 1024
_LONGEST_COMMAND = 1_000
_LONGEST_REPLY = 2_000
_SHORTEST_TOKEN = 16
_SIGNS = ("=", ":", "@", "\\\n", "\\\r", "\\ ")
_BETWEEN = str.maketrans("/\\-_.\"'", "       ")
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_BEGUN = ("session", "tool", "root", "key", "asked", "branch", "head")


class PendingTurnFiles:
    """The files of turns, beside the notes of sessions."""

    def __init__(self, home: str) -> None:
        self._folder = f"{home}/{FOLDER}"

    def begin(self, turn: PendingTurn) -> None:
        """Add a turn."""
        shape: dict[str, object] = {name: getattr(turn, name) for name in _BEGUN}
        # Cut after the redaction: half a secret is not recognised.
        shape["asked"] = _plain(turn.asked[: 4 * _LONGEST])[:_LONGEST]
        shape["root"] = redacted_path(turn.root)
        shape["branch"] = redacted_path(turn.branch)
        with suppress(OSError):
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            self._append(turn.session, {**shape, "began": turn.began}, _APPEND | os.O_CREAT)

    def add(self, session: str, *, commands: Sequence[str], paths: Sequence[str]) -> None:
        """Add what the tool does."""
        shape: dict[str, object] = {
            "commands": [_plain(command[:_LONGEST])[:_LONGEST_COMMAND] for command in commands],
            "paths": [redacted_path(_whole(path)) for path in paths],
        }
        with suppress(OSError):
            self._append(session, shape, _APPEND)

    def ask(self, session: str, what: str) -> None:
        """Add that the tool asks a person to allow something."""
        with suppress(OSError):
            self._append(session, {"asks": _plain(what[:_LONGEST])[:_LONGEST_COMMAND]}, _APPEND)

    def end(self, session: str, *, transcript: str, reply: str = "") -> bool:
        """Mark the newest turn as finished."""
        shape: dict[str, object] = {"end": redacted_path(transcript)}
        if reply:
            shape["reply"] = _plain(reply[: 4 * _LONGEST_REPLY])[:_LONGEST_REPLY]
        try:
            self._append(session, shape, _APPEND)
        except OSError:
            return False
        return True

    def _append(self, session: str, shape: dict[str, object], how: int) -> None:
        handle = os.open(self._path(session), how, _OWNER_ONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            if os.fstat(handle).st_size < _LARGEST:
                os.write(handle, json.dumps(shape).encode() + b"\n")
        finally:
            os.close(handle)

    def of(self, session: str) -> Sequence[PendingTurn]:
        """Return the turns of a session."""
        return _read(self._path(session))

    def left_in(self, root: str, *, limit: int) -> Sequence[PendingTurn]:
        """Return the newest turns in a repository's folder."""
        with suppress(OSError):
            with os.scandir(self._folder) as entries:
                mine = [one for one in entries if one.name.endswith(_ENDING)]
            mine.sort(key=lambda one: -one.stat(follow_symlinks=False).st_mtime)
            found = [turn for one in mine for turn in reversed(_read(one.path))]
            return [turn for turn in found if turn.root == redacted_path(root)][:limit]
        return []

    def clear(self, session: str, *, stored: Sequence[PendingTurn]) -> None:
        """Remove the turns, if all of them were stored and none was added since."""
        path = self._path(session)
        with suppress(OSError):
            handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                now = _read(path)
                if list(now) == list(stored) and all(turn.is_over for turn in now):
                    os.unlink(path)
            finally:
                os.close(handle)

    def _path(self, session: str) -> str:
        return f"{self._folder}/{file_name(session)}{_ENDING}"


def _read(path: str) -> list[PendingTurn]:
    try:
        handle = os.open(path, _READ)
        try:
            content = os.pread(handle, _LARGEST, 0)
        finally:
            os.close(handle)
    except OSError:
        return []
    turns: list[PendingTurn] = []
    for line in content.split(b"\n"):
        with suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError):
            _take(json.loads(line), turns)
    return turns


def _take(shape: dict[str, Any], turns: list[PendingTurn]) -> None:
    """Take one line in; a line that is not as it must be is left out."""
    from holdfast.domain.sessions.pending import PendingTurn
    from holdfast.domain.values import replace

    if "key" in shape:
        words: dict[str, Any] = {name: str(shape[name]) for name in _BEGUN}
        words["asked"] = _whole(words["asked"])
        if turns:
            turns[-1] = replace(_answered(turns[-1]), is_over=True)
        turns.append(PendingTurn(**words, began=int(shape["began"])))
    elif "end" in shape and turns:
        turns[-1] = replace(
            _answered(turns[-1]),
            is_over=True,
            transcript=str(shape["end"]),
            reply=_whole(str(shape.get("reply", ""))),
        )
    elif "asks" in shape and turns:
        asks = dict.fromkeys((*turns[-1].asks, _whole(str(shape["asks"]))))
        turns[-1] = replace(turns[-1], asks=tuple(asks))
    elif turns:
        last = _answered(turns[-1])
        turns[-1] = replace(
            last,
            commands=(*last.commands, *(_whole(str(one)) for one in shape["commands"])),
            paths=(*last.paths, *(_whole(str(one)) for one in shape["paths"])),
        )


def _answered(turn: PendingTurn) -> PendingTurn:
    """Return a turn that goes on: a tool waits for an answer before it does anything else."""
    from holdfast.domain.values import replace

    known = dict.fromkeys((*turn.answered, *turn.asks))
    return replace(turn, asks=(), answered=tuple(known)) if turn.asks else turn


def _plain(text: str) -> str:
    """Return a text without secrets; the rules are loaded only if it may hold one."""
    text = _whole(text)
    words = text.translate(_BETWEEN).split()
    may_hold_one = any(len(word) >= _SHORTEST_TOKEN for word in words) or any(
        sign in text for sign in _SIGNS
    )
    return redacted(text) if may_hold_one else text


def _whole(text: str) -> str:
    """Return a text that a store accepts: tools send NULs and halves of surrogate pairs too."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()
