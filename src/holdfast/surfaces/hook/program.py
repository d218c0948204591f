"""Handle one hook call: read the payload, answer, exit. A hook never blocks its tool.

On any error the answer is empty, the exit code is 0, and a line in a log says what happened.
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock, start_new_thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import signal
    from _thread import LockType
    from collections.abc import Sequence

    from holdfast.domain.memory.place import SpaceId
else:
    # The usual module adds enumerations, which every call would wait for.
    import _signal as signal

DEADLINE_SECONDS = 3.0
"""The longest time of a call. A tool gives the hooks that Holdfast installs 5 seconds."""
SHORT_DEADLINE_SECONDS = 2.0
"""The same for a call that its tool gives 3 seconds."""
LARGEST_PAYLOAD = 4 * 1024 * 1024
_CHUNK = 1 << 16
_THREAD_IS_FIRST_SECONDS = 0.5
_NEEDED_WORDS = 2


class Deadline:
    """Ends the process when its time limit is reached, whatever it is doing.

    Two timers, because each waits for something. A thread cannot run while the main thread computes
    without a pause, as a regular expression does. A signal handler runs in the main thread, and
    between the steps of a regular expression too, but not while a C library works or waits.
    """

    def __init__(self, home: str, words: Sequence[str]) -> None:
        self._running: LockType = allocate_lock()
        self._speaking: LockType = allocate_lock()
        self._is_met = False
        self._home = home
        self._words = words
        self._seconds = _seconds_for(words)

    def start(self) -> None:
        """Start the timer."""
        self._running.acquire()
        start_new_thread(self._watch, ())
        signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, self._seconds + _THREAD_IS_FIRST_SECONDS)

    def met(self) -> bool:
        """Return whether there was still time; the timer has no effect afterwards."""
        # Stopped first: a signal after the next line would take this answer for one of the thread.
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._is_met = self._speaking.acquire(blocking=False)
        if self._is_met:
            self._running.release()
        else:
            signal.setitimer(signal.ITIMER_REAL, _THREAD_IS_FIRST_SECONDS)
        return self._is_met

    def _watch(self) -> None:
        if not self._running.acquire(timeout=self._seconds):
            self._give_up()

    def _ring(self, _number: int, _frame: object) -> None:
        self._give_up()
        if not self._is_met:
            # The thread has given up, but cannot go on while this one computes.
            _leave()

    def _give_up(self) -> None:
        answer = empty_answer(self._words).encode()
        if not self._speaking.acquire(blocking=False):
            return
        try:
            os.write(1, answer)
            _note(self._home, self._words, f"gave up after {self._seconds:g} s")
        finally:
            _leave()


def _leave() -> None:
    try:
        _end_programs()
    finally:
        os._exit(0)


def _end_programs() -> None:
    """End what this process started and waits for; it would go on alone.

    Nothing is imported, because the other thread may be in the middle of an import. A module that
    is not loaded has started nothing.
    """
    starting = sys.modules.get("holdfast.adapters.processes.exchanging")
    kill = getattr(starting, "kill_started", None)
    if kill is not None:
        kill()


def _seconds_for(words: Sequence[str]) -> float:
    """Return the time limit of a call, which is shorter than the time that its tool waits."""
    from holdfast.surfaces.hook.dialects import DIALECTS, END

    dialect = DIALECTS.get(words[0]) if words else None
    is_short = dialect is not None and (
        dialect.is_hasty or any(dialect.events.get(word) == END for word in words[1:])
    )
    return min(SHORT_DEADLINE_SECONDS, DEADLINE_SECONDS) if is_short else DEADLINE_SECONDS


class Outlet:
    """Writes one answer to stdout, if the time limit has not been reached before."""

    def __init__(self, deadline: Deadline | None, *, empty: str = "") -> None:
        """Start; ``empty`` is written in place of an empty answer."""
        self._deadline = deadline
        self._empty = empty
        self._is_open = True

    def say(self, answer: str) -> bool:
        """Write the answer; return whether it was written. A second answer is not written."""
        if not self._is_open:
            return False
        self._is_open = False
        return (self._deadline is None or self._deadline.met()) and _is_written(
            answer or self._empty
        )


def run(
    words: Sequence[str],
    *,
    home: str = "",
    space: SpaceId | None = None,
    deadline: Deadline | None = None,
    empty: str = "",
) -> int:
    """Answer one call: the dialect, the event, and the payload on stdin. Always return 0.

    ``home`` is the folder of the space; no space means the default one. ``empty`` is written in
    place of an empty answer.
    """
    outlet = Outlet(deadline, empty=empty)
    try:
        rest = _answer(words, outlet, home, space)
    except Exception as error:  # noqa: BLE001 - the last door: the tool must go on, whatever this is
        _note(home, words, f"{type(error).__name__}: {_words_of(error)}")
        rest = empty_answer(words)
    outlet.say(rest)
    return 0


def _answer(words: Sequence[str], outlet: Outlet, home: str, space: SpaceId | None) -> str:
    """Answer a call that can be read through the outlet; return what is to be said otherwise."""
    from holdfast.surfaces.hook.dialects import AUTO, DIALECTS

    if len(words) != _NEEDED_WORDS or words[0] not in (*DIALECTS, AUTO):
        _note(home, words, "name a tool and one event of it, as in holdfast hook claude PreToolUse")
        return ""
    from holdfast.bootstrap.hooks.attending import has_store

    content = _standard_input()
    if not has_store(home):
        return empty_answer(words)
    if len(content) > LARGEST_PAYLOAD:
        _note(home, words, "a payload too large to read")
        return empty_answer(words)
    return _attended((words[0], words[1]), content, outlet, home, space)


def _attended(
    words: tuple[str, str], content: bytes, outlet: Outlet, home: str, space: SpaceId | None
) -> str:
    import json

    from holdfast.surfaces.hook.dialects import AUTO, DIALECTS, detected
    from holdfast.surfaces.hook.reading import hook_call_of
    from holdfast.surfaces.hook.speaking import spoken

    dialect, event = words
    try:
        payload = json.loads(content)
    except (ValueError, RecursionError):
        payload = None
    is_object = isinstance(payload, dict)
    tool = dialect if dialect != AUTO else detected(payload if is_object else {})
    if event not in DIALECTS[tool].events:
        return _without_event((tool, event), ", ".join(DIALECTS[tool].events), home)
    if not is_object:
        _note(home, (tool, event), "a payload that is no JSON object")
        return empty_answer((tool, event))
    hook_call = hook_call_of(tool, event, payload)
    if hook_call is None:
        _note(home, (tool, event), "a payload that names no session")
        return empty_answer((tool, event))
    from holdfast.bootstrap.hooks.attending import attend

    attend(
        hook_call,
        say=lambda answer: outlet.say(spoken(tool, event, answer)),
        home=home,
        space=space,
    )
    return ""


def _without_event(words: tuple[str, str], known: str, home: str) -> str:
    """Say in the log, and on stderr for whoever typed it, that a tool has no such event."""
    why = f"{words[0]} has no such event; it has {known}"
    _note(home, words, why)
    if sys.stderr is not None:
        # The event itself is not repeated: whatever was typed, it may hold a secret.
        sys.stderr.write(f"holdfast hook: {why}\n")
    return empty_answer(words)


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


def _is_written(answer: str) -> bool:
    if not answer or sys.stdout is None:
        return not answer
    try:
        sys.stdout.write(answer)
        sys.stdout.flush()
    except (OSError, ValueError):
        # The caller has closed the pipe; a second flush at interpreter exit would print an error.
        sys.stdout = None
        return False
    return True


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
