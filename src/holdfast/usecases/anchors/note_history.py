"""Record what git hooks report about the history: hints, never the only source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.branch_point import Rewrite, RewriteHow, is_whole
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.usecases.anchors.checking import RepositoryPorts


@repeatable
def note_rewrites(pairs: Sequence[tuple[str, str]], *, ports: RepositoryPorts) -> int:
    """Record that commits replaced others; return how many. Invalid names are skipped."""
    repo, now = ports.surroundings.place().repo, ports.clock.now()
    if repo is None:
        return 0
    rewrites = [
        Rewrite(repo=repo, old=old, new=new, how=RewriteHow.HOOK, at=now)
        for old, new in pairs
        if old != new and is_whole(old) and is_whole(new)
    ]
    if rewrites:
        with ports.store.writing(now) as tx:
            tx.anchors.past.put_rewrites(rewrites)
    return len(rewrites)


@repeatable
def note_head(*, ports: RepositoryPorts) -> bool:
    """Record the tip of a branch that memories were written on; tell whether that was needed."""
    repo, point = ports.surroundings.place().repo, ports.surroundings.branch_point()
    if repo is None or point is None or not point.is_aside:
        return False
    with ports.store.reading() as tx:
        known = tx.anchors.past.branch_points(repo, aside_only=True)
    if point in known or not any(one.branch == point.branch for one in known):
        return False
    with ports.store.writing(ports.clock.now()) as tx:
        tx.anchors.past.put_tip(repo, point)
    return True
