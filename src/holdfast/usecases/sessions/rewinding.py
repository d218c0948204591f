"""Rewind, fork, resume and reconcile sessions: a rewind hides turns, a fork copies them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import SessionId, sortable
from holdfast.domain.sessions.cache import TurnQuestion, rewound
from holdfast.domain.sessions.reconciling import ReconcileChoice, chosen
from holdfast.domain.sessions.session import Session
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.checking import known_rewrites
from holdfast.usecases.naming import session_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.sessions.caching import cache_of
from holdfast.usecases.sessions.reconciling import (
    WorkingCheckout,
    commits_now,
    lost_commits,
    what_happened,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.memory.anchor import BranchPoint, Rewrite
    from holdfast.domain.sessions.cache import CachedTurn, CacheNote, SessionCache
    from holdfast.domain.sessions.reconciling import Reconciliation
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.sessions.session_ports import SessionPorts

_LOOKED_AT = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptSession:
    """A session with what it keeps; ``turns`` are those that no rewind hides."""

    session: Session
    cache: SessionCache
    turns: tuple[CachedTurn, ...] = ()
    hidden: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciled:
    """What happened to a session's branch, what was done, and with which session work goes on.

    ``choice`` is ``ask`` if nothing was done because somebody must decide.
    """

    found: Reconciliation
    choice: ReconcileChoice
    session: SessionId | None = None
    turns: int = 0


def show_session(reference: str, *, ports: SessionPorts) -> KeptSession:
    """Return a session with what it keeps."""
    with ports.store.reading() as tx:
        return _kept(session_id(tx, reference), tx=tx, at=ports.clock.now())


def _kept(name: SessionId, *, tx: Transaction, at: datetime) -> KeptSession:
    session = tx.sessions.get(name)
    turns = tx.sessions.caches.turns(name)
    shown = tuple(turn for turn in turns if not turn.hidden)
    return KeptSession(
        session=session,
        cache=cache_of(session, tx=tx, at=at),
        turns=shown,
        hidden=len(turns) - len(shown),
    )


@repeatable
def rewind_session(reference: str, *, to: int | None, ports: SessionPorts) -> KeptSession:
    """Hide the turns after one; without a turn, undo the last rewind.

    Raises:
        BadFieldError: The session has no such turn, or nothing was rewound.
    """
    now = ports.clock.now()
    with ports.store.writing(now) as tx:
        session = tx.sessions.get(session_id(tx, reference))
        cache, caches = cache_of(session, tx=tx, at=now), tx.sessions.caches
        turns = caches.turns(session.id)
        if to is None:
            if not cache.rewinds:
                raise BadFieldError(field="session", problem="was not rewound.")
            last = cache.rewinds[-1]
            caches.put(replace(cache, rewinds=cache.rewinds[:-1], at=now))
            changed = [replace(turn, hidden=0) for turn in turns if turn.hidden == last.number]
        else:
            fresh, made = rewound(cache, to=to, at=now)
            caches.put(fresh)
            changed = [
                replace(turn, hidden=made.number)
                for turn in turns
                if turn.number > to and not turn.hidden
            ]
        for turn in changed:
            caches.put_turn(turn)
        return _kept(session.id, tx=tx, at=now)


@repeatable
def fork_session(reference: str, *, to: int | None, ports: SessionPorts) -> KeptSession:
    """Start a session here with copies of another one's turns, up to one of them.

    Raises:
        BadFieldError: The session has no such turn.
    """
    now = ports.clock.now()
    with ports.store.writing(now) as tx:
        return _forked(session_id(tx, reference), to, tx=tx, ports=ports, at=now)


def _forked(
    name: SessionId, to: int | None, *, tx: Transaction, ports: SessionPorts, at: datetime
) -> KeptSession:
    place, point = ports.surroundings.place(), ports.surroundings.branch_point()
    old = _kept(name, tx=tx, at=at)
    until = old.cache.last if to is None else to
    rewound(old.cache, to=until, at=at)  # refuses a turn that is not there
    made = Session(
        id=SessionId(sortable("i", at=at, entropy=ports.clock.entropy())),
        tool=ports.started_with(old.session.tool),
        user=old.session.user,
        repo=place.repo,
        branch=place.branch,
        started_at=at,
        branch_point=point,
    )
    tx.sessions.put(made)
    kept = [turn for turn in old.turns if turn.number <= until]
    for number, turn in enumerate(kept, start=1):
        was = turn.was if turn.point is None else (*turn.was, turn.point.head)
        tx.sessions.caches.put_turn(
            replace(
                turn,
                session_id=made.id,
                number=number,
                repo=place.repo,
                branch=place.branch,
                point=point,
                was=was,
                is_left=False,
            )
        )
    notes = tuple(
        replace(note, branch=place.branch, point=point, is_left=False)
        for note in old.cache.notes
        if note.is_open
    )
    fresh = cache_of(made, tx=tx, at=at)
    tx.sessions.caches.put(
        replace(fresh, last=len(kept), notes=notes, forked_from=(old.session.id, until))
    )
    return _kept(made.id, tx=tx, at=at)


@repeatable
def resume_session(reference: str, *, ports: SessionPorts) -> KeptSession:
    """Open a session again, so that it takes turns; one that is open stays as it is."""
    now = ports.clock.now()
    with ports.store.writing(now) as tx:
        session = tx.sessions.get(session_id(tx, reference))
        if session.finished_at is not None:
            tx.sessions.put(replace(session, finished_at=None))
        tx.sessions.caches.put(replace(cache_of(session, tx=tx, at=now), at=now))
        return _kept(session.id, tx=tx, at=now)


def reconcile_session(
    reference: str | None, *, wanted: ReconcileChoice | None, ports: SessionPorts
) -> Reconciled:
    """Compare a session with the checkout, and do what was chosen about it.

    Without a reference it is the session with the newest turn of this branch, or of the repository
    if the branch has none. Without a choice, only what needs no decision is done.

    Raises:
        BadFieldError: The choice is none of those that the case offers.
        OutsideUnavailableError: Git cannot be asked.
    """
    checkout = WorkingCheckout(surroundings=ports.surroundings, verifier=ports.verifier)
    with ports.store.reading() as tx:
        turn = _last_turn(reference, tx=tx, ports=ports)
        found = what_happened(None if turn is None else turn.point, checkout=checkout, tx=tx)
        if turn is None:
            return Reconciled(found=found, choice=ReconcileChoice.FRESH)
        kept = _kept(turn.session_id, tx=tx, at=ports.clock.now())
        gone = _lost(kept, checkout=checkout, tx=tx)
        present = _present(kept, checkout=checkout, tx=tx)
    # Turns of other branches are not told here, so they are not missed.
    mine = ports.surroundings.place().branch
    lost = [one for one in kept.turns if not one.is_left and one.branch == mine]
    found = replace(found, lost=sum(_is_of(one, gone) for one in lost))
    if wanted is not None and wanted not in (*found.choices, ReconcileChoice.ASK):
        may = ", ".join(found.choices)
        raise BadFieldError(field="choice", problem=f"is {wanted}; this case offers {may}.")
    choice = wanted or chosen(found, ReconcileChoice.ASK)
    session, moved = turn.session_id, 0
    if choice is ReconcileChoice.FORK:
        made = fork_session(session, to=None, ports=ports)
        leave_turns(session, gone, ports=ports)
        session, moved = made.session.id, len(made.turns)
    elif choice is ReconcileChoice.REBASE:
        # Nobody chose it: a turn whose commit was dropped is not tied to a checkout without it.
        without = gone if wanted is None else frozenset[str]()
        moved = rebase_session(session, without=without, present=present, ports=ports)
    elif choice is ReconcileChoice.FRESH:
        moved = leave_turns(session, gone, ports=ports)
    return Reconciled(found=found, choice=choice, session=session, turns=moved)


def _lost(kept: KeptSession, *, checkout: WorkingCheckout, tx: Transaction) -> frozenset[str]:
    """Return the commits of a session's turns and notes that are not part of the checkout."""
    kinds: tuple[CachedTurn | CacheNote, ...] = (*kept.turns, *kept.cache.notes)
    points = [one.point for one in kinds if one.point is not None]
    return lost_commits(points, checkout=checkout, tx=tx)


def _present(kept: KeptSession, *, checkout: WorkingCheckout, tx: Transaction) -> dict[str, str]:
    """Return the commits of turns whose work is in the checkout, with the commit that has it."""
    heads = {turn.point.head for turn in kept.turns if turn.point is not None}
    return commits_now(heads, checkout=checkout, tx=tx)


def _is_of(one: CachedTurn | CacheNote, commits: Collection[str]) -> bool:
    return one.point is not None and one.point.head in commits


@repeatable
def leave_turns(reference: str, commits: Collection[str], *, ports: SessionPorts) -> int:
    """Set the turns and notes of some commits aside; return how many turns.

    They count again where their commit is.
    """
    now = ports.clock.now()
    with ports.store.writing(now) as tx:
        kept = _kept(session_id(tx, reference), tx=tx, at=now)
        left = [turn for turn in kept.turns if not turn.is_left and _is_of(turn, commits)]
        for turn in left:
            tx.sessions.caches.put_turn(replace(turn, is_left=True))
        notes = tuple(
            replace(note, is_left=note.is_left or _is_of(note, commits))
            for note in kept.cache.notes
        )
        tx.sessions.caches.put(replace(kept.cache, notes=notes, at=now))
    return len(left)


def _last_turn(reference: str | None, *, tx: Transaction, ports: SessionPorts) -> CachedTurn | None:
    if reference is not None:
        name = session_id(tx, reference)
        turns: Sequence[CachedTurn] = tx.sessions.caches.turns(name)
        shown = [turn for turn in turns if not turn.hidden]
        return shown[-1] if shown else None
    place = ports.surroundings.place()
    here = TurnQuestion(repo=place.repo or "", branch=place.branch, limit=_LOOKED_AT)
    ask = tx.sessions.caches.latest_turns
    for question in (here, replace(here, elsewhere=True)):
        found = next((turn for turn in ask(question) if not turn.is_left), None)
        if found is not None:
            return found
    return None


@repeatable
def rebase_session(
    reference: str,
    *,
    without: Collection[str] = (),
    present: Mapping[str, str] | None = None,
    ports: SessionPorts,
) -> int:
    """Tie the turns and notes of a session to this checkout; return how many turns moved.

    A turn whose commit git replaced by a known one is tied to that one, and each other turn to the
    commit that is checked out. ``present`` has commits of turns, with the commits of the checkout
    that have their work; a turn stays at a commit that is still part of the checkout. Those of the
    commits ``without`` stay as they are.
    """
    now = ports.clock.now()
    place, point = ports.surroundings.place(), ports.surroundings.branch_point()
    with ports.store.writing(now) as tx:
        kept = _kept(session_id(tx, reference), tx=tx, at=now)
        heads = [turn.point.head for turn in kept.turns if turn.point is not None]
        known = known_rewrites(place.repo, heads, tx=tx)
        moved = 0
        for turn in kept.turns:
            if _is_of(turn, without):
                continue
            new = _moved_to(turn.point, known, present or {}, point)
            if (turn.point, turn.branch, turn.is_left) == (new, place.branch, False):
                continue
            is_same = turn.point is None or (new is not None and turn.point.head == new.head)
            was = turn.was if turn.point is None or is_same else (*turn.was, turn.point.head)
            tied = replace(turn, branch=place.branch, point=new, was=was, is_left=False)
            tx.sessions.caches.put_turn(tied)
            moved += 1
        notes = tuple(
            note
            if _is_of(note, without)
            else replace(note, branch=place.branch, point=point, is_left=False)
            for note in kept.cache.notes
        )
        tx.sessions.caches.put(replace(kept.cache, notes=notes, branch=place.branch, at=now))
    return moved


def _moved_to(
    was: BranchPoint | None,
    known: Mapping[str, Rewrite],
    present: Mapping[str, str],
    now: BranchPoint | None,
) -> BranchPoint | None:
    """Return where the work of a turn is now; without proof, the checkout."""
    if was is None or now is None or was.head not in present:
        return now if was is None else _followed(was, known, now)
    head = present[was.head]
    return was if (head, was.branch) == (was.head, now.branch) else replace(now, head=head)


def _followed(
    was: BranchPoint, known: Mapping[str, Rewrite], now: BranchPoint | None
) -> BranchPoint | None:
    """Return where the commit of a turn is now; without a known replacement, the checkout."""
    head, seen = was.head, set[str]()
    while head in known and head not in seen:
        seen.add(head)
        head = known[head].new
    return now if now is None or head == was.head else replace(now, head=head)
