"""Run a sync: read the pages and the store, plan, change the store, and write the pages."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.domain.errors import StoreDamagedError, UnavailableError
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.pages.syncing import Synced
from holdfast.domain.values import replace
from holdfast.usecases.pages.sync.apply import StoreChanges, apply_plans
from holdfast.usecases.pages.sync.convert import Reader, cited_commits, cited_files
from holdfast.usecases.pages.sync.foresee import READING, foreseen
from holdfast.usecases.pages.sync.masking import masked_flaw, masked_outcome
from holdfast.usecases.pages.sync.plan import changes_store, plan_sync
from holdfast.usecases.pages.sync.read import read_local, read_store, with_known_bases
from holdfast.usecases.pages.sync.write import shown, write_pages
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.pages.syncing import EntryOutcome
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.pages.sync import Sync, SyncPorts
    from holdfast.usecases.pages.sync.apply import AppliedPlan
    from holdfast.usecases.pages.sync.decide import Planned
    from holdfast.usecases.pages.sync.local_pages import LocalPages
    from holdfast.usecases.pages.sync.read import StoreState


def sync(wish: Sync, *, ports: SyncPorts) -> Synced:
    """Make the pages and the store agree, entry by entry.

    If only the file changed, its text is taken in. If only the store changed, the entry is
    rewritten. If both changed, both are kept, and a person decides. Entries that came with git
    wait.

    Raises:
        PagesNeedRepositoryError: There is no repository for the pages.
        BranchChangedError: Another branch was checked out meanwhile; nothing was changed.
        StoreDamagedError: A memory cannot be read; nothing was changed.
    """
    if not ports.notebook.exists():
        return Synced(has_pages=False, is_dry=wish.dry_run)
    local = read_local(ports, dry_run=wish.dry_run)
    with ports.store.reading() as tx:
        stored = read_store(local, at=ports.clock.now(), tx=tx)
        if left_out := ports.store.left_out:
            # A page entry whose memory cannot be read would look like a new one.
            problem = f"pages cannot be compared with what cannot be read: {' '.join(left_out)}"
            raise StoreDamagedError(ports.store.upkeep.facts().location, problem)
        local = with_known_bases(local, stored, tx=tx)
        plans = plan_sync(wish, local, stored)
        reader = _reader(ports, stored)
        if wish.dry_run:
            outcomes = [shown(foreseen(plan, reader)) for plan in plans]
            return _result(local, outcomes, is_dry=True)
        is_changing = any(map(changes_store, plans))
        applied = (
            [] if is_changing else _apply(wish, plans, reader, stored=stored, ports=ports, tx=tx)
        )
    if is_changing:
        reader = _with_history(reader, plans, ports)
        applied = _change_store(wish, local, stored, plans, reader, ports=ports)
    return _result(local, write_pages(applied, local, ports), is_dry=False)


@repeatable
def _change_store(
    wish: Sync,
    local: LocalPages,
    known: StoreState,
    plans: Sequence[Planned],
    reader: Reader,
    *,
    ports: SyncPorts,
) -> list[AppliedPlan]:
    """Change the store in one unit of work, based on its state inside that unit.

    Another process may have synced the same pages a moment ago, so the entries are planned again
    if the store has changed since the first plan.
    """
    now = ports.clock.now()
    with ports.store.writing(now) as tx:
        stored = read_store(local, at=now, tx=tx)
        if stored != replace(known, at=now):
            plans = plan_sync(wish, local, stored)
        reader = replace(reader, spans=stored.spans)
        return _apply(wish, plans, reader, stored=stored, ports=ports, tx=tx)


def _apply(
    wish: Sync,
    plans: Sequence[Planned],
    reader: Reader,
    *,
    stored: StoreState,
    ports: SyncPorts,
    tx: Transaction,
) -> list[AppliedPlan]:
    changes = StoreChanges(
        tx=tx,
        stored=stored,
        reader=reader,
        by=screened(wish.by, what="name"),
        heuristics=ports.heuristics,
        entries=sum(plan.step in READING for plan in plans),
    )
    return apply_plans(plans, changes)


def _reader(ports: SyncPorts, stored: StoreState) -> Reader:
    return Reader(
        checkout=stored.checkout,
        clock=ports.clock,
        surroundings=ports.surroundings,
        spans=stored.spans,
    )


def _with_history(reader: Reader, plans: Sequence[Planned], ports: SyncPorts) -> Reader:
    """Read the commits that new entries name, and the files at these commits, in one query."""
    entries = [
        (one.placed.entry, one.origin)
        for one in plans
        if one.placed is not None and one.step in READING
    ]
    files = {one for entry, _ in entries for one in cited_files(entry)}
    commits = {one for entry, origin in entries for one in cited_commits(entry, origin)}
    if ports.own_clone is not None:
        reader = replace(reader, files=ports.own_clone.files(files))
    if ports.verifier is None or not commits:
        return reader
    with suppress(NoHistoryError, UnavailableError):
        return replace(reader, commits=ports.verifier.identify(commits))
    return reader


def _result(local: LocalPages, outcomes: Sequence[EntryOutcome], *, is_dry: bool) -> Synced:
    set_aside = local.pages.aside
    return Synced(
        outcomes=tuple(map(masked_outcome, outcomes)),
        flaws=tuple(map(masked_flaw, local.flaws)),
        notes=tuple(messages.SET_ASIDE.format(page=one.page, copy=one.copy) for one in set_aside),
        entries=len(local.pages.entries),
        is_dry=is_dry,
    )
