"""Handle one hook call: read the payload, answer, exit. A hook never blocks its tool.

On any error the answer is empty, the exit code is 0, and a line in a log says what happened.
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock, start_new_thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Sequence

    from holdfast.domain.memory.place import SpaceId

DEADLINE_SECONDS = 1.0
LARGEST_PAYLOAD = 4 * 1024 * 1024
_CHUNK = 1 << 16
_NEEDED_WORDS = 2


class Deadline:
    """Ends the process when its time limit is reached, whatever it is doing.

    A signal handler would wait for a busy C library; another thread does not.
    """

    def __init__(self, home: str, words: Sequence[str]) -> None:
        self._running: LockType = allocate_lock()
        self._speaking: LockType = allocate_lock()
        self._home = home
        self._words = words

    def start(self) -> None:
        """Start the timer."""
        self._running.acquire()
        start_new_thread(self._watch, ())

    def met(self) -> bool:
        """Return whether there was still time; the timer has no effect afterwards."""
        if not self._speaking.acquire(blocking=False):
            return False
        self._running.release()
        return True

    def _watch(self) -> None:
        if self._running.acquire(timeout=DEADLINE_SECONDS) or not self._speaking.acquire(
            blocking=False
        ):
            return
        os.write(1, empty_answer(self._words).encode())
        _note(self._home, self._words, f"gave up after {DEADLINE_SECONDS:g} s")
        os._exit(0)


def run(
    words: Sequence[str],
    *,
    home: str = "",
    space: SpaceId | None = None,
    deadline: Deadline | None = None,
) -> int:
    """Answer one call: the dialect, the event, and the payload on stdin. Always return 0.

    ``home`` is the folder of the space; no space means the default one.
    """
    try:
        answer = _answer(words, home, space)
    except Exception as error:  # noqa: BLE001 - the last door: the tool must go on, whatever this is
        _note(home, words, f"{type(error).__name__}: {_words_of(error)}")
        answer = empty_answer(words)
    if deadline is None or deadline.met():
        _say(answer)
    return 0


def _answer(words: Sequence[str], home: str, space: SpaceId | None) -> str:
    from holdfast.surfaces.hook.dialects import AUTO, DIALECTS

    if len(words) != _NEEDED_WORDS or words[0] not in (*DIALECTS, AUTO):
        _note(home, words, "no dialect and event of ours")
        return ""
    from holdfast.bootstrap.hooks.attending import has_store

    content = _standard_input()
    if not has_store(home):
        return empty_answer(words)
    if len(content) > LARGEST_PAYLOAD:
        _note(home, words, "a payload too large to read")
        return empty_answer(words)
    return _attended((words[0], words[1]), content, home, space)


def _attended(words: tuple[str, str], content: bytes, home: str, space: SpaceId | None) -> str:
    import json

    from holdfast.surfaces.hook.dialects import AUTO, detected
    from holdfast.surfaces.hook.reading import occasion_of
    from holdfast.surfaces.hook.speaking import spoken

    dialect, event = words
    try:
        payload = json.loads(content)
    except (ValueError, RecursionError):
        payload = None
    if not isinstance(payload, dict):
        _note(home, (dialect, event), "a payload that is no JSON object")
        return empty_answer((dialect, event))
    tool = detected(payload) if dialect == AUTO else dialect
    occasion = occasion_of(tool, event, payload)
    if occasion is None:
        _note(home, (tool, event), "an event or a session we do not know")
        return empty_answer((tool, event))
    from holdfast.bootstrap.hooks.attending import attended

    return spoken(tool, event, attended(occasion, home=home, space=space))


def empty_answer(words: Sequence[str]) -> str:
    """Return the empty answer in the tool's format."""
    from holdfast.surfaces.hook.dialects import DIALECTS

    dialect = DIALECTS.get(words[0]) if words else None
    return "{}\n" if dialect is not None and dialect.needs_json else ""


def _standard_input() -> bytes:
    """Read all of stdin, so that the caller's pipe does not break; keep at most a payload."""
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    kept = sys.stdin.buffer.read(LARGEST_PAYLOAD + 1)
    while sys.stdin.buffer.read(_CHUNK):
        continue
    return kept


def _say(answer: str) -> None:
    if not answer or sys.stdout is None:
        return
    try:
        sys.stdout.write(answer)
        sys.stdout.flush()
    except (OSError, ValueError):
        # The caller has closed the pipe; a second flush at interpreter exit would print an error.
        sys.stdout = None


def _words_of(error: Exception) -> str:
    """Return the message of a Holdfast error, and only the place of any other error.

    The message of another error may quote a prompt.
    """
    from holdfast.domain.errors import HoldfastError

    if isinstance(error, HoldfastError):
        return str(error)
    trace, place = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        place = f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"in {place}"


def _note(home: str, words: Sequence[str], what: str) -> None:
    from holdfast.bootstrap.hooks.attending import note_trouble

    note_trouble(home, who=" ".join(words[:_NEEDED_WORDS]) or "hook", what=what)
