"""Evaluate on a person's own repository: is a decision found when its code changes again?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from holdfast.domain.choices import EvidenceType, Kind, Origin, Scope, Status
from holdfast.domain.code.commits import asked_of_history
from holdfast.domain.evaluation.benchmark import (
    Document,
    NothingToEvaluateError,
    Query,
    SetResult,
    Trial,
)
from holdfast.domain.memory.evidence import read_place
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.values import replace
from holdfast.usecases.evaluation.evaluate import BUDGETS, evaluate, judge
from holdfast.usecases.evaluation.ingesting import EvaluatedMemory, Ingested
from holdfast.usecases.memory.browse import Browse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.code.commits import Commit
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.anchors.surroundings import History, Surroundings
    from holdfast.usecases.evaluation.evaluate import Watcher, Workbench
    from holdfast.usecases.memory.browse import MemoryListing

NAME = "history"
DECISIONS = frozenset({Kind.DECISION, Kind.RULE, Kind.INVARIANT, Kind.GOTCHA, Kind.PLAN})
_PAGE = 200


class OwnMemory(EvaluatedMemory, Protocol):
    """A person's memory: it is only queried and listed, never written."""

    @property
    def surroundings(self) -> Surroundings:
        """Where the person works."""
        ...

    def browse(self, wish: Browse) -> MemoryListing:
        """List memories."""
        ...


def evaluate_history(
    *,
    memory: OwnMemory,
    history: History,
    bench: Workbench,
    limit: int | None = None,
    budgets: Sequence[int] = BUDGETS,
    watcher: Watcher = lambda *_: None,
) -> SetResult:
    """Ask with the messages of commits, and check whether the related memories are found.

    If decisions have lines or commits as evidence, each commit that changed these is a question to
    the person's own memory. Otherwise the messages of all commits are remembered in a separate
    store, and commits that name an earlier one ask for it.

    Raises:
        NothingToEvaluateError: Neither gives a question.
    """
    commits = history.commits()
    decisions = _decisions(memory)
    queries = _of_decisions(decisions, commits, history=history)[:limit]
    if queries:
        known = Ingested(documents={one.memory.id: (one.memory.id,) for one in _everything(memory)})
        trial = Trial(name=NAME, documents=(), queries=queries)
        judged = judge(
            trial,
            known,
            memory=memory,
            budgets=(),
            progress=lambda done, total: watcher("asking", done, total),
        )
        noun = "decision" if len(decisions) == 1 else "decisions"
        note = f"commits that touched the evidence of {len(decisions):,} {noun} of yours"
        return SetResult(name=NAME, judged=judged, memories=len(known.documents), notes=(note,))
    trial = _of_messages(commits, limit=limit)
    if not trial.queries:
        raise NothingToEvaluateError
    result = evaluate(NAME, [trial], bench=bench, budgets=budgets, watcher=watcher)
    note = "commits that name an earlier one ask for it among all earlier messages"
    return replace(result, notes=(note,))


def _decisions(memory: OwnMemory) -> list[MemoryRecord]:
    """Return the accepted decisions of this repository, newest first."""
    return [
        record
        for record in _everything(memory)
        if record.memory.kind in DECISIONS and record.memory.scope is Scope.REPO
    ]


def _everything(memory: OwnMemory) -> list[MemoryRecord]:
    """Return every accepted memory that reaches this place."""
    selection = Selection(place=memory.surroundings.place(), statuses=frozenset({Status.ACCEPTED}))
    found: list[MemoryRecord] = []
    page = Page(limit=_PAGE)
    while True:
        listing = memory.browse(Browse(selection=selection, page=page))
        found += listing.records
        if listing.beyond is None:
            return found
        page = replace(page, beyond=listing.beyond)


def _of_decisions(
    decisions: Sequence[MemoryRecord], commits: Sequence[Commit], *, history: History
) -> list[Query]:
    """Return a question for each commit that changed the evidence of decisions."""
    messages = {commit.id: commit.message for commit in commits}
    gold: dict[str, dict[MemoryId, None]] = {}
    for record in decisions:
        for item in record.evidence:
            for name in _behind(item.type, item.reference, messages, history=history):
                gold.setdefault(name, {})[record.memory.id] = None
    return [
        Query(id=name, text=messages[name], category="decision", gold=tuple(gold[name]))
        for name in messages
        if name in gold and messages[name].strip()
    ]


def _behind(
    sort: EvidenceType, reference: str, known: Sequence[str] | dict[str, str], *, history: History
) -> list[str]:
    """Return the commits behind one piece of evidence: those of its lines, or the named one."""
    if sort is EvidenceType.SPAN:
        touching = history.touching(read_place(reference))
        return [commit.id for commit in touching if commit.id in known]
    if sort is EvidenceType.COMMIT:
        return [name for name in known if name.startswith(reference.strip())]
    return []


def _of_messages(commits: Sequence[Commit], *, limit: int | None) -> Trial:
    """Return every message as a document, and the questions of later commits about earlier ones."""
    documents = [
        Document(
            id=commit.id,
            text=commit.message,
            claim=commit.message,
            origin=Origin.REPO,
            evidence=EvidenceType.COMMIT,
            reference=commit.id,
        )
        for commit in commits
    ]
    order = {commit.id: place for place, commit in enumerate(commits)}
    names = [commit.id for commit in commits]
    queries = [
        Query(
            id=commit.id,
            text=words,
            category="named",
            gold=named,
            among=frozenset(names[: order[commit.id]]),
        )
        for commit, words, named in asked_of_history(commits)
    ]
    return Trial(name=NAME, documents=documents, queries=queries[:limit])
