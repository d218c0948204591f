"""One call of a hook: read, answer, leave. The tool that called is never held up by us.

Whatever goes wrong, the answer is the empty one, the exit code is 0, and a line in a log
says what it was.
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
    """Ends the process when the time is up, whatever it is in the middle of.

    A signal would wait for the library that is busy; another thread does not.
    """

    def __init__(self, home: str, words: Sequence[str]) -> None:
        self._running: LockType = allocate_lock()
        self._speaking: LockType = allocate_lock()
        self._home = home
        self._words = words

    def start(self) -> None:
        """Begin to count."""
        self._running.acquire()
        start_new_thread(self._watch, ())

    def met(self) -> bool:
        """Tell whether there was still time; from then on there is no hurry."""
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
    """Answer one call: the dialect, the event, and the payload on stdin. It returns 0, always.

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
    """Return the answer that says nothing, in the shape that the tool expects."""
    from holdfast.surfaces.hook.dialects import DIALECTS

    dialect = DIALECTS.get(words[0]) if words else None
    return "{}\n" if dialect is not None and dialect.needs_json else ""


def _standard_input() -> bytes:
    """Read all there is, so that the caller's pipe does not break; keep what could be a payload."""
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
        # Whoever asked has gone; a second try while the interpreter ends would complain aloud.
        sys.stdout = None


def _words_of(error: Exception) -> str:
    """Return what an error of ours says; of any other only its place, as it may quote a prompt."""
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
