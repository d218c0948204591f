"""Trust: accept the entries of a clone's pages exactly as they were shown; or undo that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin, Scope, Status
from holdfast.domain.memory.decision import Action
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.pages.trusting import Pending, Trusted, shown_hash, tree_hash
from holdfast.domain.refusals import PagesChangedError
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.pages.session_files import notice_ignored
from holdfast.usecases.pages.sync import Sync
from holdfast.usecases.pages.sync.apply import TRUSTED
from holdfast.usecases.pages.task_pages import sync_with_tasks
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.deciding import DecisionLedger
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import Place
    from holdfast.domain.pages.syncing import EntryOutcome, Synced
    from holdfast.ports.pages.files import TrustBook
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.pages.sync import SyncPorts

_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """A request to accept what was shown, in a clone, in somebody's name."""

    clone: str
    by: str
    shown: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Revoked:
    """What a trust that was taken back changed: the memories, and the files that wait again."""

    memories: tuple[MemoryRecord, ...]
    files: tuple[str, ...] = ()


def pending(*, by: str, ports: SyncPorts) -> Pending:
    """Return the entries that came with git and were not accepted here; nothing is changed."""
    found = sync_with_tasks(Sync(by=by, voice=Origin.HUMAN, dry_run=True), ports=ports)
    outcomes = tuple(one for one in found.outcomes if one.proof is not None)
    return Pending(
        outcomes=outcomes,
        shown=shown_hash(one.proof for one in outcomes if one.proof is not None),
        tree=tree_hash(ports.notebook.read()),
        flaws=found.flaws,
    )


def trust(wish: Trust, *, ports: SyncPorts, book: TrustBook) -> Synced:
    """Accept exactly what was shown, and record who trusted this clone, and when.

    An entry that contradicts an accepted memory is not accepted: it waits, and is reported.

    Raises:
        PagesChangedError: The pages differ from what was shown.
    """
    now = pending(by=wish.by, ports=ports)
    if now.shown != wish.shown:
        raise PagesChangedError
    accepted = Sync(by=wish.by, voice=Origin.HUMAN, trusted=now.proofs, takes_in=False)
    done = sync_with_tasks(accepted, ports=ports)
    name = screened(wish.by, what="name")
    book.put(Trusted(clone=wish.clone, tree=now.tree, by=name, at=ports.clock.now()))
    return done


def ignore_sessions(*, by: str, ports: SyncPorts) -> Sequence[EntryOutcome]:
    """Leave the session files of others alone that wait here, whatever they say later.

    Return these files.
    """
    found = pending(by=by, ports=ports).outcomes
    theirs = [one for one in found if one.words == messages.SESSION_FROM_GIT]
    ignored = frozenset(one.proof or "" for one in theirs)
    wish = Sync(by=by, voice=Origin.HUMAN, ignored=ignored, takes_in=False)
    sync_with_tasks(wish, ports=ports)
    return theirs


def notice_sessions(*, ports: SyncPorts) -> None:
    """Let the session files wait again that were left alone."""
    if ports.session_files is not None:
        notice_ignored(files=ports.session_files)


@repeatable
def revoke(*, clone: str, by: str, ports: SyncPorts, book: TrustBook) -> list[MemoryRecord]:
    """Turn memories that were accepted by trust into candidates again; return them.

    The memories that they superseded are accepted again.
    """
    now, place = ports.clock.now(), ports.surroundings.place()
    with ports.store.writing(now) as tx:
        ledger = DecisionLedger(
            by=screened(by, what="name"), at=now, tx=tx, heuristics=ports.heuristics
        )
        found = list(_accepted_by_trust(place, tx=tx))
        for record in found:
            ledger.settle(record, Status.CANDIDATE)
            replaced = Selection(place=place, superseded_by=record.memory.id)
            for old in tx.memories.find(replaced, Page(limit=_AT_ONCE)):
                ledger.settle(old, Status.ACCEPTED)
        ledger.close(Action.TRUST, entropy=ports.clock.entropy())
        taken_back = tx.memories.get_many(record.memory.id for record in found)
    book.remove(clone)
    return list(taken_back.values())


def _accepted_by_trust(place: Place, *, tx: Transaction) -> Iterator[MemoryRecord]:
    wanted = Selection(
        place=place,
        scopes=frozenset({Scope.REPO}),
        statuses=frozenset({Status.ACCEPTED}),
        origins=frozenset({Origin.REPO}),
    )
    page = Page(limit=_AT_ONCE, oldest_first=True)
    while found := tx.memories.find(wanted, page):
        yield from (one for one in found if one.standing.reason == TRUSTED)
        page = replace(page, beyond=found.beyond)
