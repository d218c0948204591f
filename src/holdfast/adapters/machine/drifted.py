"""Records which memories had drifted when each checkout was last verified.

It is a small file, so that a prompt can show their number: a line has the ids, the time, the
repository and the checkout. It can be rebuilt at any time, and entries older than a month are
ignored.
"""

from __future__ import annotations

import time

from holdfast.adapters.machine.tab_file import read_records, write_records

_FILE = "cache/drifted"
_MONTH_SECONDS = 30 * 86_400
_LARGEST = 1 << 22


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
    records = [(",".join(ids), str(at), of, name) for ids, at, of, name in lines]
    write_records(f"{home}/{_FILE}", records)


def _read(home: str) -> list[tuple[list[str], int, str, str]]:
    oldest = time.time() - _MONTH_SECONDS
    found = []
    for ids, at, repo, checkout in read_records(f"{home}/{_FILE}", largest=_LARGEST):
        if at.isdecimal():
            names = [name for name in ids.split(",") if name.startswith("m_")]
            found.append((names, int(at), repo, checkout))
    return [one for one in found if one[1] > oldest]
