"""Records which memories had drifted when each checkout was last verified.

It is a small file, so that a prompt can show their number: a line has the ids, the time, the
repository and the checkout. It can be rebuilt at any time, and entries older than a month are
ignored.
"""

from __future__ import annotations

import os
import time

_FILE = "cache/drifted"
_MONTH_SECONDS = 30 * 86_400
_LARGEST = 1 << 22
_FIELDS = 4


def drifted_in(home: str, checkout: str) -> list[str]:
    """Return the memories that had drifted when a checkout was last verified."""
    return [memory for names, _, _, name in _read(home) if name == checkout for memory in names]


def drifted_everywhere(home: str) -> list[str]:
    """Return the drifted memories of all repositories, each as last verified."""
    latest = {repo: names for names, _, repo, _ in sorted(_read(home), key=lambda one: one[1])}
    return sorted({memory for names in latest.values() for memory in names})


def note_drifted(home: str, repo: str, checkout: str, names: list[str]) -> None:
    """Record the drifted memories of a checkout; a failure is ignored."""
    if "\n" in checkout:
        return
    lines = [one for one in _read(home) if one[3] != checkout]
    lines.append((names, int(time.time()), repo, checkout))
    from contextlib import suppress
    from pathlib import Path

    from holdfast.adapters.disk.whole import write_whole

    text = "".join(f"{','.join(ids)}\t{at}\t{of}\t{name}\n" for ids, at, of, name in lines)
    with suppress(OSError):
        write_whole(Path(home) / _FILE, text.encode("utf-8", "surrogateescape"), durable=False)


def _read(home: str) -> list[tuple[list[str], int, str, str]]:
    try:
        handle = os.open(f"{home}/{_FILE}", os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return []
    try:
        text = os.read(handle, _LARGEST).decode("utf-8", "surrogateescape")
    except OSError:
        return []
    finally:
        os.close(handle)
    oldest = time.time() - _MONTH_SECONDS
    found = []
    for line in text.split("\n"):
        words = line.split("\t", _FIELDS - 1)
        if len(words) == _FIELDS and words[1].isdecimal():
            names = [name for name in words[0].split(",") if name.startswith("m_")]
            found.append((names, int(words[1]), words[2], words[3]))
    return [one for one in found if one[1] > oldest]
