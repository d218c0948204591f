"""Witness: check evidence against the repository, and compute the view of a checkout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType
from holdfast.domain.errors import UnavailableError
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.memory.anchor import (
    HOLDING,
    Arrivals,
    Checked,
    CommitFate,
    CommitName,
    CommitPosition,
    Rewrite,
    Sighting,
    Verdict,
    is_id,
    is_whole,
)
from holdfast.domain.memory.evidence import COMMIT, PATCH, UNREAD
from holdfast.domain.memory.selection import Checkout, View, view_of
from holdfast.domain.text.outside import name_outside
from holdfast.domain.values import dataclass, field, replace
from holdfast.usecases.anchors.artifacts import NOT_NOTED, ArtifactReader, cited_snapshots

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId, SpanId
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.memory.evidence import Evidence, Span
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import Place
    from holdfast.domain.workspaces.snapshot import FolderSnapshot
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.encryption.ciphering import Cipher
    from holdfast.ports.store.store import Store, Transaction

_NAME_MOVES = "its id was not noted, and the name means another commit in each checkout"
_OF_ANOTHER = "this repository does not have it, and the memory belongs to no single repository"
_NOT_READ = "its lines were never read here"
_CHECKABLE = frozenset({EvidenceType.SPAN, EvidenceType.COMMIT, EvidenceType.ARTIFACT})
HIDDEN_BRANCHES = "memories written only on {branches} are not shown here"
_TOLD_BRANCHES = 3
READER_PATIENCE = 0.1
"""How many seconds a reader waits for writers, to store results that it found on the way."""
_VERDICTS = {
    CommitPosition.REACHABLE: Verdict.FRESH,
    CommitPosition.REWRITTEN: Verdict.MOVED,
    CommitPosition.ELSEWHERE: Verdict.UNVERIFIABLE,
    CommitPosition.LOST: Verdict.ORPHANED,
    CommitPosition.UNVERIFIABLE: Verdict.UNVERIFIABLE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryPorts:
    """The ports that questions about the repository need."""

    store: Store
    clock: Clock
    surroundings: Surroundings
    verifier: Verifier
    cipher: Callable[[], Cipher] | None = None
    """Decrypts the evidence of sensitive memories, if the principal may read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedEvidence:
    """The checkable evidence of some memories, read from the store."""

    by_memory: Mapping[MemoryId, tuple[Evidence, ...]] = field(default_factory=dict)
    spans: Mapping[SpanId, Span] = field(default_factory=dict)
    rewrites: Mapping[str, Rewrite] = field(default_factory=dict)
    wanderers: frozenset[MemoryId] = frozenset()
    """Memories of another repository or of none: a commit missing here proves nothing."""
    snapshots: Mapping[str, FolderSnapshot | None] = field(default_factory=dict)
    """The cited snapshots that the store has; None for one whose row is damaged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceVerdicts:
    """The verdicts about the evidence of each memory, and newly detected rewrites."""

    by_memory: Mapping[MemoryId, tuple[Checked, ...]] = field(default_factory=dict)
    rewrites: tuple[Rewrite, ...] = ()
    note: str = ""


def cited(records: Iterable[MemoryRecord], *, repo: str | None, tx: Transaction) -> CitedEvidence:
    """Read the checkable evidence of memories: spans and commits."""
    records = list(records)
    by_memory = {record.memory.id: checkable(record) for record in records}
    evidence = [item for items in by_memory.values() for item in items]
    span_ids = {item.span for item in evidence if item.span is not None}
    spans = tx.anchors.spans.read(span_ids) if span_ids else {}
    return CitedEvidence(
        by_memory=by_memory,
        spans=spans,
        rewrites=known_rewrites(repo, _named(evidence), tx=tx),
        wanderers=frozenset(one.memory.id for one in records if one.memory.repo != repo),
        snapshots=cited_snapshots(evidence, tx=tx),
    )


def known_rewrites(
    repo: str | None, commits: Iterable[str], *, tx: Transaction
) -> dict[str, Rewrite]:
    """Return the stored replacements of commits, and of these in turn."""
    known: dict[str, Rewrite] = {}
    due = set(commits)
    while repo is not None and due:
        found = tx.anchors.past.rewrites_of(repo, due)
        known |= found
        due = {one.new for one in found.values()} - known.keys()
    return known


def check_evidence(
    asked: CitedEvidence,
    *,
    repo: str | None,
    at: datetime,
    verifier: Verifier | None,
    as_of: str | None = None,
    is_brief: bool = False,
) -> EvidenceVerdicts:
    """Check evidence; what the repository does not show is unverifiable, and a note says why.

    A brief check, for an answer or a hook, reads only some megabytes of the files of snapshots.

    Without a verifier nothing is checked, and there is no note; files of snapshots are unverifiable
    then. Newly detected rewrites are returned for storing.
    """
    if not any(asked.by_memory.values()):
        return EvidenceVerdicts()
    if verifier is None:
        return EvidenceVerdicts(by_memory=_artifacts_only(asked))
    contents = verifier.contents() if asked.snapshots else None
    files = ArtifactReader(asked.snapshots, contents, is_brief=is_brief)
    names = _named(item for items in asked.by_memory.values() for item in items)
    seen, unread = _seen(asked.spans, verifier, as_of=as_of)
    fates, unknown = _fates(names, asked.rewrites, verifier)
    by_memory = {
        memory_id: _renewed(
            [
                files.checked(item)
                if item.type is EvidenceType.ARTIFACT
                else _checked(item, seen, fates, is_of_here=memory_id not in asked.wanderers)
                for item in items
            ]
        )
        for memory_id, items in asked.by_memory.items()
    }
    found = [
        Rewrite(repo=repo, old=old, new=fate.now, how=fate.how, at=at)
        for old, fate in fates.items()
        if repo is not None
        and fate.now is not None
        and fate.how is not None
        and not fate.is_altered
        and old not in asked.rewrites
        and is_whole(old)
    ]
    return EvidenceVerdicts(by_memory=by_memory, rewrites=tuple(found), note=unread or unknown)


def not_checked(error: UnavailableError) -> str:
    """Return the note about evidence that could not be checked."""
    return f"evidence was not checked: {error}"


def _seen(
    spans: Mapping[SpanId, Span], verifier: Verifier, *, as_of: str | None
) -> tuple[Mapping[SpanId, Sighting], str]:
    """Return the sightings of spans, and a note if the repository could not be read."""
    if not spans:
        return {}, ""
    try:
        return verifier.examine(tuple(spans.values()), at=as_of), ""
    except UnavailableError as error:
        return dict.fromkeys(spans, _unverifiable(str(error))), not_checked(error)


def _artifacts_only(asked: CitedEvidence) -> dict[MemoryId, tuple[Checked, ...]]:
    """Check files of snapshots where no content can be read."""
    files = ArtifactReader(asked.snapshots, None)
    found = {
        memory_id: tuple(
            files.checked(item) for item in items if item.type is EvidenceType.ARTIFACT
        )
        for memory_id, items in asked.by_memory.items()
    }
    return {memory_id: checked for memory_id, checked in found.items() if checked}


def _fates(
    names: Mapping[str, CommitName], known: Mapping[str, Rewrite], verifier: Verifier
) -> tuple[Mapping[str, CommitFate], str]:
    """Ask what became of commits; without a repository the result is empty.

    The second value is a note if the repository could not be read.
    """
    if not names:
        return {}, ""
    try:
        return verifier.fates(tuple(names.values()), known), ""
    except NoHistoryError:
        return {}, ""
    except UnavailableError as error:
        unread = CommitFate(whereabouts=CommitPosition.UNVERIFIABLE, words=str(error))
        return dict.fromkeys(names, unread), not_checked(error)


def _renewed(checked: Sequence[Checked]) -> tuple[Checked, ...]:
    """Drop drifted evidence if later evidence of the same memory covers the same place."""
    return tuple(
        one
        for place, one in enumerate(checked)
        if not (
            one.sighting.verdict is Verdict.DRIFTED
            and any(_stands_there(later, one) for later in checked[place + 1 :])
        )
    )


def _stands_there(later: Checked, earlier: Checked) -> bool:
    return later.sighting.verdict in HOLDING and any(
        here.path == there.path and here.first <= there.last and there.first <= here.last
        for here in later.sighting.places
        for there in earlier.sighting.places
    )


def _named(evidence: Iterable[Evidence]) -> dict[str, CommitName]:
    """Return the commits that evidence names by id; other names are valid in one checkout only."""
    return {
        name: CommitName(id=name, patch=item.facts.get(PATCH))
        for item in evidence
        if item.type is EvidenceType.COMMIT and is_id(name := _commit(item))
    }


def _commit(item: Evidence) -> str:
    """Return the commit that evidence names, by its full id if that was recorded."""
    return item.facts.get(COMMIT, item.reference)


def checkable(record: MemoryRecord) -> tuple[Evidence, ...]:
    """Return the evidence of a memory that can be checked."""
    found = record.evidence
    return tuple(item for item in found if item.span is not None or item.type in _CHECKABLE)


def _checked(
    item: Evidence,
    seen: Mapping[SpanId, Sighting],
    fates: Mapping[str, CommitFate],
    *,
    is_of_here: bool,
) -> Checked:
    if item.type is EvidenceType.COMMIT:
        sighting = _of_commit(_commit(item), fates, is_of_here=is_of_here)
    elif item.span is None:
        sighting = _unverifiable(item.facts.get(UNREAD, _NOT_READ))
    else:
        sighting = seen.get(item.span) or _unverifiable(NOT_NOTED)
    commit = item.facts.get(COMMIT) if item.type is EvidenceType.COMMIT else None
    return Checked(reference=item.reference, span=item.span, sighting=sighting, commit=commit)


def _of_commit(name: str, fates: Mapping[str, CommitFate], *, is_of_here: bool) -> Sighting:
    """Convert the fate of a commit into a sighting, as for spans."""
    if not is_id(name):
        return _unverifiable(_NAME_MOVES)
    fate = fates.get(name)
    if fate is None:
        return _unverifiable(NOT_NOTED)
    if fate.whereabouts is CommitPosition.LOST and not is_of_here:
        return _unverifiable(_OF_ANOTHER)
    verdict = Verdict.DRIFTED if fate.is_altered else _VERDICTS[fate.whereabouts]
    return Sighting(verdict=verdict, how=fate.words, commit=fate.now)


def _unverifiable(how: str) -> Sighting:
    return Sighting(verdict=Verdict.UNVERIFIABLE, how=how)


def view(
    place: Place,
    *,
    tx: Transaction,
    verifier: Verifier | None,
    at: str | None = None,
    also: Collection[BranchPoint] = (),
) -> View:
    """Compute the view of a checkout or a commit; every reader judges memories by it.

    The view hides memories of other branches whose work is not part of it, and a memory is
    superseded only by one that reaches it. If the history cannot be read, nothing is hidden,
    because one memory too many is better than a missing one. ``also`` are branch points of records
    other than memories, to be judged with them.
    """
    if place.repo is None or verifier is None:
        return View()
    points = (*tx.anchors.past.branch_points(place.repo, aside_only=True), *also)
    if not points:
        return View()
    arrived, note = _arrived(place, points, at, tx=tx, verifier=verifier)
    unseen = frozenset(points) - arrived.points
    superseded = tx.anchors.past.supersessions(place.repo)
    seen = view_of(superseded, unseen=unseen, branch=place.branch, note=note)
    return replace(seen, successors=arrived.successors, renamed=arrived.renamed)


def rewrites_in(seen: View, *, repo: str | None, at: datetime) -> tuple[Rewrite, ...]:
    """Return the rewrites that computing the view detected, for storing."""
    return tuple(
        Rewrite(repo=repo, old=old, new=new, how=how, at=at)
        for old, (new, how) in seen.successors.items()
        if repo is not None
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewPorts:
    """The ports for computing the view of a checkout."""

    surroundings: Surroundings
    verifier: Verifier | None

    def view(self, tx: Transaction, *, branch: str | None = None) -> View:
        """Compute the view of this checkout, or of another branch of the repository."""
        place = self.surroundings.place()
        if branch is None or branch == place.branch:
            return view(place, tx=tx, verifier=self.verifier)
        there = replace(place, branch=branch)
        return view(there, tx=tx, verifier=self.verifier, at=f"refs/heads/{branch}")


def checkout_here(
    *, store: Store, surroundings: Surroundings, verifier: Verifier | None
) -> Checkout:
    """Read the checkout before a write transaction begins, because git may be slow."""
    place = surroundings.place()
    with store.reading() as tx:
        seen = view(place, tx=tx, verifier=verifier)
    return Checkout(place=place, point=surroundings.branch_point(), view=seen)


def _arrived(
    place: Place,
    points: Sequence[BranchPoint],
    at: str | None,
    *,
    tx: Transaction,
    verifier: Verifier,
) -> tuple[Arrivals, str]:
    """Return the branch points whose work is part of a commit, and a note about the others.

    A branch that has only candidates causes no note.
    """
    known = known_rewrites(place.repo, {point.head for point in points}, tx=tx)
    try:
        arrived = verifier.arrived(points, known, at=at, home=place.branch)
    except (NoHistoryError, UnavailableError) as error:
        return Arrivals(points=frozenset(points)), f"branches were not compared: {error}"
    unseen = frozenset(points) - arrived.points
    known_here = tx.anchors.past.accepted_aside(place.repo or "") if unseen else frozenset()
    told = View(
        unseen=frozenset(point for point in unseen if point.branch in known_here),
        renamed=arrived.renamed,
    )
    return arrived, _told(told.branches, place.branch)


def _told(names: Sequence[str], here: str | None) -> str:
    """Return a note about branches with hidden memories."""
    if not names:
        return ""
    shown = ", ".join(
        f"an earlier branch {name_outside(name)}" if name == here else name_outside(name)
        for name in names[:_TOLD_BRANCHES]
    )
    if rest := len(names[_TOLD_BRANCHES:]):
        shown += f" and {rest} more"
    return HIDDEN_BRANCHES.format(branches=shown)
