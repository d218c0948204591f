"""How many memories had drifted when each repository was last verified.

A small file, so that a prompt can show it: a line has the count, the moment and the repository.
It can be made anew at any time, and what is older than a month is not told any more.
"""

import os
import time

_FILE = "cache/drifted"
_MONTH_SECONDS = 30 * 86_400
_LARGEST = 1 << 20


def drifted_count(home: str) -> int:
    """Return how many memories have drifted, in all repositories that were verified of late."""
    return sum(count for count, _, _ in _read(home))


def note_drifted(home: str, repo: str, count: int) -> None:
    """Note how many memories of a repository have drifted; where that fails, nothing is lost."""
    lines = [one for one in _read(home) if one[2] != repo]
    if count:
        lines.append((count, int(time.time()), repo))
    from contextlib import suppress
    from pathlib import Path

    from holdfast.adapters.disk.whole import write_whole

    text = "".join(f"{many}\t{at}\t{name}\n" for many, at, name in lines)
    with suppress(OSError):
        write_whole(Path(home) / _FILE, text.encode(), durable=False)


def _read(home: str) -> list[tuple[int, int, str]]:
    try:
        handle = os.open(f"{home}/{_FILE}", os.O_RDONLY)
    except OSError:
        return []
    try:
        text = os.read(handle, _LARGEST).decode("utf-8", "replace")
    finally:
        os.close(handle)
    oldest = time.time() - _MONTH_SECONDS
    found = []
    for line in text.splitlines():
        words = line.split("\t")
        if len(words) == 3 and words[0].isdecimal() and words[1].isdecimal():  # noqa: PLR2004 - count, moment, repository
            found.append((int(words[0]), int(words[1]), words[2]))
    return [one for one in found if one[1] > oldest]
