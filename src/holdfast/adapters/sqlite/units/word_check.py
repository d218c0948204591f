"""Settle the keyword index before a commit, and compare it with the texts from time to time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.work import Work

EVERY = 256
"""How many changes lie between two comparisons."""
_MOST = 20_000
"""In a larger store one comparison would take longer than a write may."""


def settle_words(work: Work) -> None:
    """Write the changed words before a commit; it would do so too, but damage would undo it all.

    Every unit of work adds a small part to the index, and a search reads every part. SQLite merges
    up to 16 of them at once, and hundreds of pages in one commit of 64; here each unit of work that
    adds a memory merges a few pages.
    """
    work.run("flush_words")
    if "memory.added" in work.did:
        work.run("merge_words")
    recheck_words(work)


def recheck_words(work: Work) -> None:
    """Compare the index with the texts if enough has changed since; rebuild it if they differ.

    A flipped bit in the index changes answers, and SQLite does not notice it. Checksums for each
    search were too expensive (decision 124).
    """
    before = work.newest_before()
    begun = 0 if before is None else before[0]
    if begun // EVERY != work.head().sequence // EVERY and work.last_sequence() <= _MOST:
        work.run("check_words")  # a statement that meets a damaged index rebuilds it
