"""A repository without a disk: what it says is what the test told it to say."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from holdfast.domain.code.code import CodeFound, Indexed, Neighbour, SymbolPlace
from holdfast.domain.code.commits import CommitsFound, CommitsRead
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.ids import SpanId
from holdfast.domain.lookup_errors import NoHistoryError, NoSuchRevisionError
from holdfast.domain.memory.anchor import (
    Arrivals,
    BranchPoint,
    CommitFate,
    CommitName,
    CommitPosition,
    FoundLines,
    LossHow,
    Revision,
    Rewrite,
    RewriteHow,
    Sighting,
    Verdict,
)
from holdfast.domain.memory.evidence import Span
from holdfast.domain.recall.bundle import Passage
from holdfast.ports.store.upkeep import Progress
from holdfast.ports.workspaces.contents import Contents


@dataclass
class PlainVerifier:
    """Spans are where they were unless ``seen`` says otherwise, by reference.

    ``seen_at`` says it for a commit; ``arrived_at`` says which heads have arrived there, and
    under no name which have arrived here. What was written on the branch itself is there,
    less the heads in ``earlier``: an earlier branch had the same name.
    """

    seen: dict[str, Sighting] = field(default_factory=dict)
    seen_at: dict[str, dict[str, Sighting]] = field(default_factory=dict)
    fate_of: dict[str, CommitFate] = field(default_factory=dict)
    arrived_at: dict[str | None, set[str]] = field(default_factory=dict)
    revisions: dict[str, Revision] = field(default_factory=dict)
    known_commits: dict[str, CommitName] = field(default_factory=dict)
    missing_commits: set[str] = field(default_factory=set)
    told: list[Mapping[str, Rewrite]] = field(default_factory=list)
    successors: dict[str, tuple[str, RewriteHow]] = field(default_factory=dict)
    earlier: set[str] = field(default_factory=set)
    examined: list[str] = field(default_factory=list)
    unnoted: list[str] = field(default_factory=list)
    looked_for: list[str] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    loss: LossHow = LossHow.RESET
    is_broken: bool = False
    is_nowhere: bool = False
    kept: Contents | None = None

    def contents(self) -> Contents | None:
        """Return the content of snapshots that the test gave."""
        return self.kept

    def examine(
        self, spans: Sequence[Span], *, at: str | None = None, is_noted: bool = True
    ) -> Mapping[SpanId, Sighting]:
        """Say what became of each span."""
        self._answer()
        self.unnoted += [] if is_noted else [span.reference for span in spans]
        self.examined += [span.reference for span in spans]
        said = self.seen if at is None else self.seen_at.get(at, {})
        return {span.id: said.get(span.reference, fresh(span)) for span in spans}

    def identify(self, commits: Collection[str]) -> Mapping[str, CommitName]:
        """Return the whole names; a commit that nobody called missing is here under its own."""
        self._answer()
        return {
            name: self.known_commits.get(name, CommitName(id=name, patch=None))
            for name in commits
            if name not in self.missing_commits
        }

    def fates(
        self, commits: Collection[CommitName], known: Mapping[str, Rewrite]
    ) -> Mapping[str, CommitFate]:
        """Say what became of each commit."""
        self._answer()
        self.told.append(known)
        lost = CommitFate(whereabouts=CommitPosition.LOST)
        return {commit.id: self.fate_of.get(commit.id, lost) for commit in commits}

    def arrived(
        self,
        points: Collection[BranchPoint],
        known: Mapping[str, Rewrite],
        *,
        at: str | None = None,
        home: str | None = None,
    ) -> Arrivals:
        """Return those that have arrived."""
        self._answer()
        self.told.append(known)
        self.looked_for += sorted({one.head for one in points})
        heads = self.arrived_at.get(at, set())
        there = [one for one in points if one.head in heads or self._is_home(one, home)]
        return Arrivals(points=frozenset(there), successors=self.successors)

    def _is_home(self, point: BranchPoint, home: str | None) -> bool:
        return home is not None and point.branch == home and point.head not in self.earlier

    def losses(
        self,
        points: Collection[BranchPoint],
        known: Mapping[str, Rewrite],
        *,
        at: str | None = None,
    ) -> Mapping[str, LossHow]:
        """Return those that the test said are lost."""
        self._answer()
        del known, at
        return {one.head: self.loss for one in points if one.head in self.lost}

    def resolve(self, revision: str) -> Revision:
        """Return the commit a name means."""
        self._answer()
        if revision not in self.revisions:
            raise NoSuchRevisionError(revision)
        return self.revisions[revision]

    def _answer(self) -> None:
        if self.is_broken:
            raise OutsideUnavailableError(who="git", words="it is not there")
        if self.is_nowhere:
            raise NoHistoryError


@dataclass
class PlainIndex:
    """Code or history that answers what the test told it to answer."""

    passages: tuple[Passage, ...] = ()
    places: tuple[SymbolPlace, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()
    error: Exception | None = None
    unread: int = 0
    unembedded: int = 0

    def refresh(self, progress: Progress, *, anew: bool = False) -> Indexed:
        """Do nothing, and say so."""
        progress(1, 1)
        return Indexed(files=1, symbols=2, read=int(anew))

    def search(self, question: str, *, limit: int) -> CodeFound:
        """Return the passages, whatever is asked."""
        del question
        if self.error is not None:
            raise self.error
        return CodeFound(
            passages=self.passages[:limit],
            files=1,
            unread=self.unread,
            unembedded=self.unembedded,
        )

    def named(self, reference: str, *, limit: int) -> Sequence[SymbolPlace]:
        """Return the places of that name."""
        return [one for one in self.places if one.symbol.name == reference][:limit]

    def around(self, place: SymbolPlace, *, hops: int, limit: int) -> Sequence[Neighbour]:
        """Return the neighbours within reach."""
        del place
        return [one for one in self.neighbours if one.hops <= hops][:limit]

    def close(self) -> None:
        """Do nothing: there is no file."""


@dataclass
class PlainHistory:
    """Commits that answer what the test told them to answer."""

    passages: tuple[Passage, ...] = ()
    is_read: bool = True
    unread: int = 0
    asked_at: list[str | None] = field(default_factory=list)

    def refresh(self, progress: Progress, *, since: datetime | None = None) -> CommitsRead:
        """Return how many there are."""
        progress(1, 1)
        return CommitsRead(total=0 if since else len(self.passages), new=0)

    def search(self, question: str, *, limit: int, at: str | None = None) -> CommitsFound | None:
        """Return the passages, whatever is asked, and note as of which commit it was asked."""
        del question
        self.asked_at.append(at)
        if not self.is_read:
            return None
        commits = len(self.passages)
        return CommitsFound(passages=self.passages[:limit], commits=commits, unread=self.unread)

    def close(self) -> None:
        """Do nothing: there is no file."""


def fresh(span: Span) -> Sighting:
    """The span is where it was."""
    return sighting(Verdict.FRESH, span.path, span.first, span.last)


def sighting(
    verdict: Verdict, path: str, first: int, last: int, *, change: tuple[str, ...] = ()
) -> Sighting:
    """The span is there."""
    place = FoundLines(path=path, first=first, last=last)
    return Sighting(verdict=verdict, places=(place,), change=change)
