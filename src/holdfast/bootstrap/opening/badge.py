"""The badge for a prompt, from a few small files, without the whole application.

Imports are kept to the minimum, because every prompt runs this module.
"""

from __future__ import annotations

import os

from holdfast.adapters.git.reading.light import BOOK_FILE, common_dir_of, find_checkout, identity_of
from holdfast.adapters.machine import caches
from holdfast.adapters.machine.folders import STORE_FILE, data_folder_name
from holdfast.adapters.sqlite.badge import accepted_among, badge_counts, outside_head
from holdfast.bootstrap.plugs.encryption import store_keys
from holdfast.domain.review.badge import badge

__all__ = [
    "LOOK",
    "badge_line",
    "counts",
    "data_folder_name",
    "drifted_in",
    "note_drifted",
    "state_folder",
    "warnings_of",
]

LOOK = "holdfast doctor"
"""The command that shows the warnings of a store."""

_WORKSPACE, _STORE = "HOLDFAST_WORKSPACE", "HOLDFAST_STORE"
_REMOTE = ("https://", "http://")
_DEFAULT_SPACE = "default"


def counts(home: str, folder: str = "", space: str = "") -> tuple[int, int, int, int] | None:
    """Return how many candidates, conflicts, drifted memories and warnings a checkout has.

    '' is the usual home, the current folder, and the default space; None means that there is no
    store.
    """
    data = data_folder_name(home)
    if os.environ.get(_STORE, "").startswith(_REMOTE):
        return None  # a prompt must not wait for a server
    git_dir, branch = find_checkout(folder) or ("", "")
    if os.environ.get(_STORE):
        doubtful = caches.drifted_in(state_folder(home), _checkout(git_dir, branch))
        return (*_waiting_here((home, folder, space), git_dir, branch), len(doubtful), 0)
    identity = identity_of(common_dir_of(git_dir)) if git_dir else ""
    found = badge_counts(
        f"{data}/{STORE_FILE}",
        identity=identity or _doubtful(git_dir),
        book=f"{data}/{BOOK_FILE}",
        branch=branch,
        space="" if space == _DEFAULT_SPACE else space,
        key_of=store_keys(data),
    )
    if found is None:
        return None
    waiting, warnings = found
    if waiting is None:
        waiting = _waiting_here((home, folder, space), git_dir, branch)
    doubtful = caches.drifted_in(data, _checkout(git_dir, branch))
    accepted = accepted_among(f"{data}/{STORE_FILE}", doubtful, key_of=store_keys(data))
    return (*waiting, accepted, warnings)


def _waiting_here(where: tuple[str, str, str], git_dir: str, branch: str) -> tuple[int, int]:
    """Return the counts of the application, cached for the prompts of a minute.

    The state is read first, so a change during the count makes the next prompt count again.
    """
    home, folder, space = where
    data, shared = state_folder(home), common_dir_of(git_dir)
    sequence, head = (0, _STORE) if os.environ.get(_STORE) else _head_in(data)
    state = caches.state_of(
        *(git_dir, branch, str(sequence), head, space, os.environ.get(_WORKSPACE, "")),
        files=(
            *(f"{git_dir}/HEAD", f"{git_dir}/logs/HEAD", f"{shared}/packed-refs"),
            *(f"{shared}/refs/heads", f"{shared}/refs/heads/{branch}"),
            f"{data_folder_name(home)}/config.toml",
        ),
    )
    waiting = caches.counted(data, state) if head else None
    if waiting is None:
        from holdfast.bootstrap.opening.counting import waiting_here

        waiting = waiting_here(home, folder, space)
        if head:
            caches.note_counted(data, state, waiting)
    return waiting


def _head_in(data: str) -> tuple[int, str]:
    return outside_head(f"{data}/{STORE_FILE}-head")


def badge_line(home: str, folder: str = "", space: str = "") -> str:
    """Return the badge of a checkout; empty if there is nothing to show."""
    found = counts(home, folder, space)
    return "" if found is None else badge(*found, look=LOOK)


def warnings_of(home: str) -> int:
    """Return how many warnings the badge shows for the store in a home."""
    data = data_folder_name(home)
    if os.environ.get(_STORE):
        return 0
    path = f"{data}/{STORE_FILE}"
    found = badge_counts(path, identity="", book="", branch="", key_of=store_keys(data))
    return 0 if found is None else found[1]


def drifted_in(home: str, folder: str | None) -> int:
    """Return how many memories have drifted in the checkout of a folder; None means everywhere.

    Memories that were forgotten, replaced or rejected since do not count.
    """
    data, kept = data_folder_name(home), state_folder(home)
    if folder is None:
        doubtful = caches.drifted_everywhere(kept)
    else:
        doubtful = caches.drifted_in(kept, _checkout(*(find_checkout(folder) or ("", ""))))
    if os.environ.get(_STORE):
        return len(doubtful)
    return accepted_among(f"{data}/{STORE_FILE}", doubtful, key_of=store_keys(data))


def note_drifted(home: str, repo: str, folder: str, names: list[str]) -> None:
    """Record for the badge which memories have drifted in the checkout of a folder."""
    checkout = _checkout(*(find_checkout(folder) or ("", "")))
    caches.note_drifted(state_folder(home), repo, checkout, names)


def state_folder(home: str) -> str:
    """Return the folder of the caches: that of the store file, or one for a store on a server."""
    if not os.environ.get(_STORE):
        return data_folder_name(home)
    from holdfast.bootstrap.plugs.addresses import state_folder_name

    return state_folder_name(home)


def _checkout(git_dir: str, branch: str) -> str:
    return f"{git_dir}\t{branch}"


def _doubtful(git_dir: str) -> str:
    """Return a name that matches no record, for a git folder whose identity is uncertain."""
    return f"doubtful {git_dir}" if git_dir else ""
