"""The badge for a prompt, without the engine: a file, two counts and a line.

Only what these need is imported, because a prompt asks for it again and again.
"""

from holdfast.adapters.machine.folders import STORE_FILE, data_folder_name
from holdfast.adapters.sqlite.badge import badge_counts
from holdfast.domain.badge import badge

__all__ = ["badge_line", "counts", "data_folder_name"]


def counts(home: str) -> tuple[int, int] | None:
    """Return how many candidates and warnings wait in a home ('' for the usual one)."""
    return badge_counts(f"{data_folder_name(home)}/{STORE_FILE}")


def badge_line(home: str) -> str:
    """Return the badge of the store in a home, or nothing."""
    found = counts(home)
    return "" if found is None else badge(*found)
