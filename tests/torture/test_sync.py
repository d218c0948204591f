"""Syncs are killed at random moments, for seconds."""

from __future__ import annotations

from tests.requirements import requirement
from tests.torture.test_short import check


@requirement("files.killed-sync-loses-nothing")
def test_a_killed_sync_leaves_pages_and_store_whole_and_the_next_one_ends_it() -> None:
    check("sync")
