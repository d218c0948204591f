"""Compare the memories of two branches."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Scope, Status
from holdfast.domain.errors import BadFieldError
from holdfast.domain.lookup_errors import NoHistoryError, NoSuchRevisionError
from holdfast.domain.memory.anchor import HOLDING, Arrivals
from holdfast.domain.memory.selection import Selection, view_of
from holdfast.domain.values import dataclass
from holdfast.usecases.anchors.checking import (
    check_evidence,
    cited,
    known_rewrites,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.anchor import Revision
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import Place
    from holdfast.domain.memory.selection import View
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.anchors.checking import RepositoryPorts
from holdfast.usecases.anchors.verify import CheckedMemory, every

_BETWEEN = ".."
_CHECKED_OUT = ("HEAD", "@")
_HEADS = "refs/heads/"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedMemory:
    """A memory of the branch that supersedes or contradicts one of the base."""

    record: MemoryRecord
    other: MemoryRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchDifference:
    """The memories that a branch has and its base lacks, and those that its code makes doubtful."""

    base: Revision
    tip: Revision
    added: tuple[MemoryRecord, ...]
    changed: tuple[ChangedMemory, ...]
    contradicted: tuple[ChangedMemory, ...]
    doubted: tuple[CheckedMemory, ...]


def read_range(text: str) -> tuple[str, str]:
    """Parse ``main..feature``; a missing end means the checkout.

    Raises:
        BadFieldError: The text does not have two ends.
    """
    base, dots, tip = text.partition(_BETWEEN)
    if not dots or not (base or tip) or tip.startswith("."):
        problem = f"'{text}' has one end; write two revisions with two dots between them:"
        raise BadFieldError(field="range", problem=f"{problem} main..feature")
    return base or "HEAD", tip or "HEAD"


def difference(base: str, tip: str, *, ports: RepositoryPorts) -> BranchDifference:
    """Compare the memories of two revisions of this repository.

    Raises:
        NoHistoryError: There is no repository.
        NoSuchRevisionError: One of the names is not a commit.
    """
    place, now, verifier = ports.surroundings.place(), ports.clock.now(), ports.verifier
    if place.repo is None:
        raise NoHistoryError
    old, new = verifier.resolve(base), verifier.resolve(tip)
    with ports.store.reading() as tx:
        seen = _view_at(base, old, place, tx=tx, verifier=verifier)
        here = _live(place, seen, tx)
        there = _live(place, _view_at(tip, new, place, tx=tx, verifier=verifier), tx)
        fresh = [one for one in there.values() if seen.hides(one.memory)]
        changed, contradicted = _opposing(fresh, here, tx)
        kept = {name: record for name, record in here.items() if name in there}
        asked = cited(kept.values(), repo=place.repo, tx=tx)
    before = check_evidence(asked, repo=place.repo, at=now, verifier=verifier, as_of=old.id)
    after = check_evidence(asked, repo=place.repo, at=now, verifier=verifier, as_of=new.id)
    met = {one.record.memory.id for one in (*changed, *contradicted)}
    return BranchDifference(
        base=old,
        tip=new,
        added=tuple(one for one in fresh if one.memory.id not in met),
        changed=changed,
        contradicted=contradicted,
        doubted=tuple(
            CheckedMemory(record=record, evidence=after.by_memory[name])
            for name, record in kept.items()
            if record.standing.status is Status.ACCEPTED
            and any(one.sighting.verdict.is_doubtful for one in after.by_memory.get(name, ()))
            and any(one.sighting.verdict in HOLDING for one in before.by_memory.get(name, ()))
        ),
    )


def _view_at(
    name: str, revision: Revision, place: Place, *, tx: Transaction, verifier: Verifier
) -> View:
    """Return the view of a revision: the checkout, a branch with its own memories, or a commit."""
    repo = place.repo or ""
    points = tx.anchors.past.branch_points(repo, aside_only=True)
    known = known_rewrites(repo, {point.head for point in points}, tx=tx)
    branch, at = _end(name, revision, place, verifier)
    arrived = verifier.arrived(points, known, at=at, home=branch) if points else Arrivals()
    unseen = frozenset(points) - arrived.points
    return view_of(tx.anchors.past.supersessions(repo), unseen=unseen, branch=branch)


def _end(
    name: str, revision: Revision, place: Place, verifier: Verifier
) -> tuple[str | None, str | None]:
    """Return the branch that a name means, and the commit to ask the verifier about."""
    if name in _CHECKED_OUT or name == place.branch:
        return place.branch, None
    branch = name.removeprefix(_HEADS)
    with suppress(NoSuchRevisionError):
        # A tag may have the name of a branch; git then means the tag.
        if verifier.resolve(f"{_HEADS}{branch}").id == revision.id:
            return branch, revision.id
    return None, revision.id


def _live(place: Place, view: View, tx: Transaction) -> dict[MemoryId, MemoryRecord]:
    """Return the accepted memories and candidates of a repository in a view."""
    live = frozenset({Status.ACCEPTED, Status.CANDIDATE})
    wanted = Selection(place=place, scopes=frozenset({Scope.REPO}), statuses=live, view=view)
    return {one.memory.id: one for one in every(wanted, tx=tx)}


def _have_one_key(one: MemoryRecord, other: MemoryRecord) -> bool:
    return one.memory.key is not None and one.memory.key == other.memory.key


def _opposing(
    fresh: Iterable[MemoryRecord], standing: Mapping[MemoryId, MemoryRecord], tx: Transaction
) -> tuple[tuple[ChangedMemory, ...], tuple[ChangedMemory, ...]]:
    """Return which new memories supersede an accepted one, and which contradict one.

    Only memories of the base are compared; a third branch is not part of the comparison.
    """
    changed: list[ChangedMemory] = []
    contradicted: list[ChangedMemory] = []
    for record in fresh:
        links = [
            link
            for link in tx.links.touching(record.memory.id)
            if link.kind == LinkKind.CONTRADICTS
            or (link.kind == LinkKind.SUPERSEDES and link.src == record.memory.id)
        ]
        kinds = {link.other_end(record.memory.id): link.kind for link in links}
        for name, other in standing.items():
            if kinds.get(name) == LinkKind.SUPERSEDES or _have_one_key(record, other):
                changed.append(ChangedMemory(record=record, other=other))
            elif name in kinds:
                contradicted.append(ChangedMemory(record=record, other=other))
    return tuple(changed), tuple(contradicted)
