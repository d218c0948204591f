"""The badge for a prompt, without the engine: two files, a few counts and a line.

Only what these need is imported, because a prompt asks for it again and again.
"""

from holdfast.adapters.machine import drifted
from holdfast.adapters.machine.folders import STORE_FILE, data_folder_name
from holdfast.adapters.sqlite.badge import badge_counts
from holdfast.domain.badge import badge

__all__ = ["badge_line", "counts", "data_folder_name", "note_drifted"]


def counts(home: str) -> tuple[int, int, int, int] | None:
    """Return how many candidates, conflicts, drifted memories and warnings wait in a home.

    '' is the usual home; None means that there is no store to look at.
    """
    folder = data_folder_name(home)
    found = badge_counts(f"{folder}/{STORE_FILE}")
    if found is None:
        return None
    candidates, conflicts, warnings = found
    return (candidates, conflicts, drifted.drifted_count(folder), warnings)


def badge_line(home: str) -> str:
    """Return the badge of the store in a home, or nothing."""
    found = counts(home)
    return "" if found is None else badge(*found)


def note_drifted(home: str, repo: str, count: int) -> None:
    """Note for the badge how many memories of a repository have drifted."""
    drifted.note_drifted(data_folder_name(home), repo, count)
