"""Hydrate: tell a new session where the work in this checkout stands, within a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError, UnavailableError
from holdfast.domain.lookup_errors import NoHistoryError, NoSuchRevisionError
from holdfast.domain.sessions.cache import (
    FEWEST_TOKENS,
    MOST_TOKENS,
    USUAL_TOKENS,
    NoteKind,
    TurnQuestion,
    once,
)
from holdfast.domain.sessions.preamble import WorkState, preamble
from holdfast.domain.tasks.finding import TaskFilter
from holdfast.domain.tasks.task import TaskKind, TaskStatus
from holdfast.domain.text.fencing import nonce_of
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.checking import known_rewrites
from holdfast.usecases.sessions.reconciling import WorkingCheckout, lost_commits, what_happened
from holdfast.usecases.tasks.ports import plan_line, unseen_from

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.memory.place import Place
    from holdfast.domain.sessions.cache import CachedTurn, CacheNote
    from holdfast.domain.sessions.plan_line import PlanLine
    from holdfast.domain.sessions.reconciling import Reconciliation
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.sessions.session_ports import SessionPorts

_HERE, _ELSEWHERE = 20, 60
_SESSIONS = 40
_SHOWN_TURNS = 12
_MILESTONES, _IN_WORK = 3, 5
_OPEN = frozenset({TaskStatus.OPEN, TaskStatus.STARTED, TaskStatus.BLOCKED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Hydrate:
    """A request for a preamble.

    ``branch`` is another branch than the checked out one. ``characters`` is a second limit, 0 for
    none. ``closing`` is a line for the end.
    """

    tokens: int = USUAL_TOKENS
    characters: int = 0
    branch: str | None = None
    closing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hydrated:
    """The fenced text, empty if there is nothing to tell, and what it was made from."""

    text: str
    standing: WorkState
    tokens: int = 0
    left_out: int = 0
    note: str = ""


def hydrate(wish: Hydrate, *, ports: SessionPorts) -> Hydrated:
    """Return where the work stands in this checkout, within the budget.

    Only turns and notes whose work is part of the checkout count; goals and questions belong to
    the repository, and are told on every branch. If git cannot be asked, those of
    the branch itself count.

    Raises:
        BadFieldError: The budget is out of range.
    """
    if not FEWEST_TOKENS <= wish.tokens <= MOST_TOKENS:
        problem = f"is {wish.tokens}; it must be from {FEWEST_TOKENS} to {MOST_TOKENS} tokens."
        raise BadFieldError(field="budget", problem=problem)
    standing, note = standing_here(wish.branch, ports=ports)
    count = ports.counter.count

    def fits(text: str) -> bool:
        is_short = not wish.characters or len(text) <= wish.characters
        return is_short and count(text) <= wish.tokens

    nonce = nonce_of(ports.clock.entropy())
    text, left_out = preamble(standing, nonce=nonce, fits=fits, closing=wish.closing)
    tokens = count(text) if text else 0
    return Hydrated(text=text, standing=standing, tokens=tokens, left_out=left_out, note=note)


def standing_here(branch: str | None, *, ports: SessionPorts) -> tuple[WorkState, str]:
    """Return where the work stands on the checked out branch or another one, and a note."""
    place, point = ports.surroundings.place(), ports.surroundings.branch_point()
    if place.repo is None:
        return WorkState(), "there is no repository here, so no session is shown"
    is_other = branch is not None and branch != place.branch
    if is_other:
        place, point = replace(place, branch=branch), None
    with ports.store.reading() as tx:
        if is_other:
            _refuse_unknown(place, tx=tx, ports=ports)
        seen = _seen(place, is_other=is_other, tx=tx, ports=ports)
        turns, notes, note = seen.turns, seen.notes, seen.note
        told = {(one.kind, one.text): one for one in notes if not one.is_proposed}
        found = None if is_other or note else _since_last_turn(place, tx=tx, ports=ports)
        milestones, in_work = _tasks(place, tx=tx, ports=ports)
    standing = WorkState(
        branch=place.branch,
        head=None if point is None else point.head,
        found=found,
        lost=seen.lost,
        aside=seen.aside,
        turns=tuple(turns[:_SHOWN_TURNS]),
        notes=tuple(told.values()),
        proposed=tuple(one for one in notes if one.is_proposed),
        milestones=milestones,
        in_work=in_work,
    )
    return standing, note


def _refuse_unknown(place: Place, *, tx: Transaction, ports: SessionPorts) -> None:
    """Return if a branch exists, or if sessions worked on it before it was deleted.

    Raises:
        NoSuchRevisionError: There is no such branch.
    """
    worked = TurnQuestion(repo=place.repo or "", branch=place.branch, limit=1)
    if ports.verifier is None or tx.sessions.caches.latest_turns(worked):
        return
    try:
        ports.verifier.resolve(f"refs/heads/{place.branch}")
    except NoSuchRevisionError as error:
        raise NoSuchRevisionError(place.branch or "") from error
    except UnavailableError:
        return


def _since_last_turn(
    place: Place, *, tx: Transaction, ports: SessionPorts
) -> Reconciliation | None:
    """Return what happened to this branch since its last turn; None if it has none."""
    mine = TurnQuestion(repo=place.repo or "", branch=place.branch, limit=_HERE)
    turns = tx.sessions.caches.latest_turns(mine)
    newest = next((turn for turn in turns if not turn.is_left), None)
    if newest is None:
        return None
    return what_happened(newest.point, checkout=_checkout(ports), tx=tx)


def _checkout(ports: SessionPorts) -> WorkingCheckout:
    return WorkingCheckout(surroundings=ports.surroundings, verifier=ports.verifier)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """The turns and open notes that are told here, newest first.

    ``lost`` are commits that they lost, and ``aside`` notes of the repository from branches whose
    work is not here. ``note`` says why git could not be asked.
    """

    turns: list[CachedTurn]
    notes: list[CacheNote]
    lost: frozenset[str]
    aside: frozenset[str]
    note: str


def _seen(place: Place, *, is_other: bool, tx: Transaction, ports: SessionPorts) -> _Seen:
    """Return what is told here; what was set aside is told only if its commit is here."""
    caches, repo = tx.sessions.caches, place.repo or ""
    mine = TurnQuestion(repo=repo, branch=place.branch, limit=_HERE)
    others = replace(mine, elsewhere=True, limit=_ELSEWHERE)
    turns = [*caches.latest_turns(mine), *caches.latest_turns(others)]
    notes = [note for one in caches.latest(repo, limit=_SESSIONS) for note in one.notes]
    state = caches.projects.get(repo)
    project = [] if state is None else list(state.notes)
    written: list[CachedTurn | CacheNote] = [*turns, *notes, *project]
    points = {one.point for one in written if one.point is not None}
    arrived, note = _arrived(points, place, is_other=is_other, tx=tx, ports=ports)

    lost = frozenset[str]()
    if arrived and not note:
        branch = place.branch if is_other else None
        lost = lost_commits(arrived, checkout=_checkout(ports), tx=tx, branch=branch)

    def counts(one: CachedTurn | CacheNote) -> bool:
        if one.point is None or arrived is None:
            return one.branch == place.branch
        # Only a turn of this very branch can have lost its commit; others never came here.
        is_left = one.is_left or one.branch != place.branch
        return one.point in arrived and not (is_left and one.point.head in lost)

    def is_behind(turn: CachedTurn) -> bool:
        return turn.point is not None and turn.point.head in lost

    # Of two copies of a turn, the one whose commit is here counts.
    seen = sorted(filter(counts, turns), key=is_behind)
    seen.sort(key=lambda turn: turn.at, reverse=True)
    general = [one for one in project if _is_general(one) or counts(one)]
    kept = [*general, *sorted(filter(counts, notes), key=lambda one: one.at, reverse=True)]
    return _Seen(
        turns=once(seen),
        notes=[one for one in kept if one.is_open],
        lost=lost,
        aside=frozenset(one.id for one in general if _is_aside(one) and not counts(one)),
        note=note,
    )


def _is_general(note: CacheNote) -> bool:
    """Tell whether a note of the repository is told on every branch.

    Goals and questions are. An artefact is in a commit, so it is told where that commit is.
    """
    return note.kind is not NoteKind.ARTEFACT or not _is_aside(note)


def _is_aside(note: CacheNote) -> bool:
    """Tell whether a note was written on another branch than the main one."""
    return note.point is not None and note.point.is_aside


def _arrived(
    points: Iterable[BranchPoint],
    place: Place,
    *,
    is_other: bool,
    tx: Transaction,
    ports: SessionPorts,
) -> tuple[frozenset[BranchPoint] | None, str]:
    """Return the points whose work is part of the checkout; None with a note if git cannot say."""
    points = frozenset(points)
    if not points:
        return frozenset(), ""
    if ports.verifier is None:
        return None, ""
    known = known_rewrites(place.repo, (point.head for point in points), tx=tx)
    at = f"refs/heads/{place.branch}" if is_other else None
    try:
        found = ports.verifier.arrived(points, known, at=at, home=place.branch)
    except (UnavailableError, NoHistoryError) as error:
        return None, f"only turns of this branch are shown: {error}"
    return found.points, ""


def _tasks(
    place: Place, *, tx: Transaction, ports: SessionPorts
) -> tuple[tuple[PlanLine, ...], tuple[PlanLine, ...]]:
    """Return the next milestones with what they wait for, and the tasks in work."""
    tasks, repo = tx.diary.tasks, place.repo or ""
    milestone = TaskFilter(repo=repo, kinds=frozenset({TaskKind.MILESTONE}), statuses=_OPEN)
    started = TaskFilter(repo=repo, statuses=frozenset({TaskStatus.STARTED}))
    due = tasks.find(milestone, limit=2 * _MILESTONES)
    busy = tasks.find(started, limit=2 * _IN_WORK)
    if not due and not busy:
        return (), ()
    unseen = unseen_from(place, tx=tx, verifier=ports.verifier)
    due = [one for one in due if one.aside not in unseen][:_MILESTONES]
    unmet = tasks.graph.dependencies([one.id for one in due], unmet=True)
    here = [one for one in busy if one.aside not in unseen][:_IN_WORK]
    marks = tuple(plan_line(one, waits=len(unmet[one.id])) for one in due)
    return marks, tuple(map(plan_line, here))
