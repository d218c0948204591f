"""Ask git who changed the pages since the last sync: this clone's person, or somebody else."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from holdfast.domain.ids import MemoryId
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.memory.entry import PlacedEntry
    from holdfast.ports.anchors.clone import Clone
    from holdfast.usecases.pages.sync.local_pages import LocalPages

_MOST_HEADS = 2


def with_authors(local: LocalPages, clone: Clone) -> LocalPages:
    """Return the pages with what git says about the authors of changed entries."""
    agreed = (*local.bases.values(), *local.removed.values())
    own = own_commits((one.at for one in agreed), local.checkout.head, clone)
    local = _with_reverts(replace(local, own_commits=own), clone)
    return _with_foreign_lines(_with_removals(local, clone), clone)


def lines_of(placed: PlacedEntry) -> set[str]:
    """Return the lines of an entry's text that are not blank."""
    return {line.strip() for line in placed.entry.body.splitlines() if line.strip()}


def uid_line(uid: MemoryId | None) -> str:
    """Return the line of a page that names the uid of an entry."""
    return f"uid: {uid}"


def own_commits(synced_at: Iterable[str | None], head: str, clone: Clone) -> frozenset[str]:
    """Return the commits since which the pages were changed only in this clone."""
    return frozenset(at for at in _asked(synced_at, head) if clone.is_made_here(at))


def _asked(synced_at: Iterable[str | None], head: str) -> list[str]:
    """Return the commits of earlier syncs that git is asked about, the most frequent ones."""
    heads = Counter(at for at in synced_at if at is not None)
    heads.pop(head, None)
    return [at for at, _ in heads.most_common(_MOST_HEADS)]


def _with_reverts(local: LocalPages, clone: Clone) -> LocalPages:
    """Ask git whether reverts of a person explain the entries that changed."""
    bases = [local.last_agreed(one.entry.uid) for one in _changed(local)]
    since = [one.at for one in bases if one is not None and one.at not in local.own_commits]
    asked = _asked(since, local.checkout.head)
    found = frozenset(at for at in asked if clone.is_made_here(at, reverts=True))
    return replace(local, own_reverts=found)


def _with_removals(local: LocalPages, clone: Clone) -> LocalPages:
    """Ask git which missing entries were committed and removed here since the last sync.

    No sync saw them in a commit. Commits of others explain nothing.
    """
    there = {one.entry.uid for one in local.pages.entries} | (local.committed or {}).keys()
    gone = {
        uid: one.at for uid, one in local.bases.items() if one.head is None and uid not in there
    }
    found: set[str] = set()
    for at in _asked(gone.values(), local.checkout.head):
        if at in local.own_commits or clone.is_made_here(at, reverts=True):
            found |= clone.held_since(at, [uid for uid, since in gone.items() if since == at])
    return replace(local, held_since=frozenset(map(MemoryId, found)))


def _changed(local: LocalPages) -> list[PlacedEntry]:
    return [one for one in local.pages.entries if not local.is_unchanged(one.entry)]


def _with_foreign_lines(local: LocalPages, clone: Clone) -> LocalPages:
    """Ask git which edits that could be a person's own are in commits of others."""
    changed = _changed(local)
    fresh = [one for one in changed if not local.is_in_commit(one.entry)]
    asked = changed if local.own_commits else fresh
    if not asked:
        return local
    lines = {line for one in asked for line in lines_of(one)}
    uids = {one.entry.uid for one in asked if one.entry.uid}
    bases = [local.last_agreed(one.entry.uid) for one in asked]
    if None in bases:
        bases += local.bases.values()
    since = {one.at for one in bases if one is not None and one.at is not None}
    brought = clone.brought(lines | set(map(uid_line, uids)), entries=uids, since=since)
    return replace(
        local,
        unedited=clone.unedited({one.path for one in fresh}) if fresh else frozenset(),
        brought=brought,
    )
