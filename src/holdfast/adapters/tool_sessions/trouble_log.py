"""The log of what went wrong in hooks; no secret is written to it."""

from __future__ import annotations

import fcntl
import os
import time


def redacted(text: str) -> str:
    """Return a text with every secret replaced by a placeholder."""
    from holdfast.domain.gates.secrets import find_secrets, redact

    found = find_secrets(text)
    return redact(text, found) if found else text


LOG_FILE = "hook.log"
LARGEST = 64 * 1024
_KEPT = LARGEST // 2
_LONGEST_LINE = 300
_LONGEST_LOG_NAME = 60
_LONGEST_TEXT = 64 * 1024
_OWNER_ONLY = 0o600


def note_trouble(home: str, *, who: str, what: str) -> None:
    """Append a line without secrets; the oldest lines are dropped when there are too many.

    A log that cannot be written is skipped.
    """
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    # Truncated after the redaction: half a secret is not recognised.
    name, trouble = redacted(who[:_LONGEST_TEXT]), redacted(what[:_LONGEST_TEXT])
    line = " ".join(f"{stamp} {name[:_LONGEST_LOG_NAME]}: {trouble}".split())
    plain = "".join(letter if letter.isprintable() else "?" for letter in line)[:_LONGEST_LINE]
    try:
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
        handle = os.open(f"{home}/{LOG_FILE}", flags, _OWNER_ONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.write(handle, f"{plain}\n".encode())
            if os.fstat(handle).st_size > LARGEST:
                _shorten(handle)
        finally:
            os.close(handle)
    except OSError:
        return


def _shorten(handle: int) -> None:
    size = os.fstat(handle).st_size
    kept = os.pread(handle, _KEPT, size - _KEPT).partition(b"\n")[2]
    os.ftruncate(handle, 0)
    os.write(handle, kept)


def read_trouble(home: str, *, limit: int) -> list[str]:
    """Return the newest lines, newest last."""
    try:
        with open(f"{home}/{LOG_FILE}", encoding="utf-8", errors="replace") as file:
            return file.read(2 * LARGEST).splitlines()[-limit:]
    except OSError:
        return []
