"""Sync: make the pages of a repository and the store agree, without losing anybody's text."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.errors import InvalidError, NoHistoryError, StoreDamagedError, UnavailableError
from holdfast.domain.ids import MemoryId
from holdfast.domain.pages.page_entry import is_uid
from holdfast.domain.pages.syncing import QUIET, EntryOutcome, Synced, SyncStep
from holdfast.domain.pages.waiting_page import IN_WORDS, DecisionWords
from holdfast.domain.refusals import BranchChangedError, PagesNeedRepositoryError
from holdfast.domain.values import dataclass, field, replace
from holdfast.ports.pages.files import Base
from holdfast.usecases.naming import is_known
from holdfast.usecases.pages import sync_words as words
from holdfast.usecases.pages.sync_absence import not_in_files
from holdfast.usecases.pages.sync_evidence import Reader, cited_commits, cited_files
from holdfast.usecases.pages.sync_hand import Hand
from holdfast.usecases.pages.sync_labels import with_labels
from holdfast.usecases.pages.sync_leaving import left_for_sync
from holdfast.usecases.pages.sync_masking import masked_flaw, masked_outcome
from holdfast.usecases.pages.sync_plan import Sight, in_files, lines_said
from holdfast.usecases.pages.sync_register import look_here, read_register
from holdfast.usecases.pages.sync_steps import carry_out, is_due
from holdfast.usecases.pages.sync_twins import with_twins_named
from holdfast.usecases.pages.sync_waiting import write_waiting
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import SecretPolicy, screened

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from holdfast.domain.memory.entry import Flaw, Pages
    from holdfast.domain.memory.standpoint import CommitName
    from holdfast.ports.anchors.clone import Cited, Clone, FileThen
    from holdfast.ports.anchors.repository_settings import RepositorySettings
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.witness import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.pages.files import Notebook, Put
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.pages.sync_hand import Done
    from holdfast.usecases.pages.sync_plan import Planned
    from holdfast.usecases.pages.sync_register import Here, Register

_MOST_ASKED = 2
_MOST_REPLACED = 8
_TAKING = frozenset({SyncStep.TAKEN, SyncStep.PROPOSED, SyncStep.CONFLICT})
"""The steps that read a page's text as a memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sync:
    """A request to make the pages and the store agree.

    ``voice`` is the origin of uncommitted edits: a person or an agent. ``trusted`` are the proofs
    of entries that came with git, as a person was shown them. Without ``takes_in``, pages are
    written, but their edits wait, because nobody asked to take them in.
    """

    by: str
    voice: Origin
    trusted: frozenset[str] = frozenset()
    accepts_removals: bool = False
    takes_in: bool = True
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncPorts:
    """The ports that a sync needs."""

    store: Store
    clock: Clock
    surroundings: Surroundings
    notebook: Notebook
    witness: Verifier | None = None
    settings: RepositorySettings | None = None
    own_clone: Clone | None = None
    deciding: DecisionWords = IN_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class _Looked:
    """What was read before any lock was taken."""

    here: Here
    pages: Pages
    committed: Mapping[MemoryId, frozenset[str]] | None
    bases: Mapping[MemoryId, Base]
    flaws: tuple[Flaw, ...]
    mine: frozenset[str] = frozenset()
    unedited: frozenset[str] = frozenset()
    brought: frozenset[str] = frozenset()
    is_joining: bool = False
    files: Mapping[Cited, FileThen] = field(default_factory=dict)
    commits: Mapping[str, CommitName] = field(default_factory=dict)


def sync(wish: Sync, *, cabinet: SyncPorts) -> Synced:
    """Make the pages and the store agree, entry by entry.

    If only the file changed, its text is taken in. If only the store changed, the entry is
    rewritten. If both changed, both are kept, and a person decides. Entries that came with git
    wait.

    Raises:
        PagesNeedRepositoryError: There is no repository for the pages.
        BranchChangedError: Another branch was checked out meanwhile; nothing was changed.
        StoreDamagedError: A memory cannot be read; nothing was changed.
    """
    if not cabinet.notebook.exists():
        return Synced(has_pages=False, is_dry=wish.dry_run)
    looked = _look(cabinet, dry_run=wish.dry_run)
    with cabinet.store.reading() as tx:
        register = read_register(looked.here, at=cabinet.clock.now(), tx=tx)
        if left_out := cabinet.store.left_out:
            # A page entry whose memory cannot be read would look like a new one.
            problem = f"pages cannot be compared with what cannot be read: {' '.join(left_out)}"
            raise StoreDamagedError(cabinet.store.upkeep.facts().location, problem)
        plans = _plan(wish, looked, register, tx=tx)
        if wish.dry_run:
            return _told(looked, [_shown(plan.outcome) for plan in plans], is_dry=True)
        is_due_at_all = any(map(is_due, plans))
        done = [] if is_due_at_all else _done(wish, plans, register, cabinet, tx, looked)
    if is_due_at_all:
        done = _store(wish, _with_history(looked, plans, cabinet), cabinet)
    outcomes = _write(done, looked, cabinet)
    write_waiting(
        cabinet.notebook, store=cabinet.store, here=looked.here, deciding=cabinet.deciding
    )
    return _told(looked, outcomes, is_dry=False)


def _look(cabinet: SyncPorts, *, dry_run: bool) -> _Looked:
    """Read the pages, after repairing what a merge left in them."""
    here = look_here(
        store=cabinet.store, surroundings=cabinet.surroundings, witness=cabinet.witness
    )
    if here.place.repo is None:
        raise PagesNeedRepositoryError
    notebook = cabinet.notebook
    healed = () if dry_run else tuple(notebook.heal())
    bases = notebook.bases()
    pages, settings = notebook.read(), cabinet.settings
    limits = () if settings is None else tuple(settings.flaws())
    looked = _Looked(
        here=here,
        pages=pages,
        committed=notebook.committed(),
        bases=bases,
        flaws=tuple(dict.fromkeys((*healed, *pages.flaws, *limits))),
        mine=_mine(bases.values(), here, cabinet.own_clone),
        is_joining=cabinet.own_clone is not None and cabinet.own_clone.is_joining(),
    )
    looked = _asked(looked, cabinet.own_clone)
    if cabinet.surroundings.standpoint() != here.point:
        raise BranchChangedError
    return looked


def _asked(looked: _Looked, clone: Clone | None) -> _Looked:
    """Ask git which edits that could be a person's own are in commits of others."""
    committed = looked.committed or {}
    changed = [
        one
        for one in looked.pages.entries
        if one.entry.uid is None
        or (base := looked.bases.get(one.entry.uid)) is None
        or base.digest != one.entry.digest
    ]
    fresh = [
        one
        for one in changed
        if one.entry.digest
        not in committed.get(one.entry.uid or MemoryId(one.entry.digest), frozenset())
    ]
    asked = changed if looked.mine else fresh
    if clone is None or not asked:
        return looked
    lines = {line for one in asked for line in lines_said(one)}
    return replace(
        looked,
        unedited=clone.unedited({one.path for one in fresh}) if fresh else frozenset(),
        brought=clone.brought(lines),
    )


def _mine(bases: Iterable[Base], here: Here, clone: Clone | None) -> frozenset[str]:
    """Return the commits since which the pages were changed only in this clone."""
    noted = [base.at for base in bases if base.at is not None]
    heads = Counter(head for head in noted if head != here.head)
    if clone is None:
        return frozenset()
    asked = [head for head, _ in heads.most_common(_MOST_ASKED)]
    return frozenset(head for head in asked if clone.is_made_here(head))


def _plan(wish: Sync, looked: _Looked, register: Register, *, tx: Transaction) -> list[Planned]:
    named = {one.entry.uid for one in looked.pages.entries if one.entry.uid is not None}
    unknown = [uid for uid in named if is_uid(uid) and uid not in register.owners]
    forgotten = frozenset(uid for uid in unknown if tx.names.tombstone(uid) is not None)
    seen = Sight(
        pages=looked.pages,
        committed=looked.committed,
        bases=looked.bases,
        register=register,
        # During an unfinished merge, an uncommitted text may be anybody's.
        voice=Origin.REPO if looked.is_joining else wish.voice,
        trusted=wish.trusted,
        forgotten=forgotten,
        foreign=frozenset(uid for uid in unknown if is_known(tx, uid, "m_")) - forgotten,
        accepts_removals=wish.accepts_removals,
        mine=looked.mine,
        unedited=looked.unedited,
        brought=looked.brought,
    )
    found = in_files(seen)
    plans = with_labels([*found, *not_in_files(found, seen)], known=register.labels)
    return left_for_sync(with_twins_named(plans), seen, takes_in=wish.takes_in)


@repeatable
def _store(wish: Sync, looked: _Looked, cabinet: SyncPorts) -> list[Done]:
    """Change the store in one unit of work, based on its state inside that unit.

    Another process may have synced the same pages a moment ago; a plan based on the earlier state
    would be carried out twice.
    """
    now = cabinet.clock.now()
    with cabinet.store.writing(now) as tx:
        register = read_register(looked.here, at=now, tx=tx)
        plans = _plan(wish, looked, register, tx=tx)
        return _done(wish, plans, register, cabinet, tx, looked)


def _with_history(looked: _Looked, plans: Sequence[Planned], cabinet: SyncPorts) -> _Looked:
    """Read the commits that new entries name, and the files at these commits, in one query."""
    taken = [
        (one.placed.entry, one.origin)
        for one in plans
        if one.placed is not None and one.step in _TAKING
    ]
    named = {one for entry, _ in taken for one in cited_files(entry)}
    commits = {one for entry, origin in taken for one in cited_commits(entry, origin)}
    files = {} if cabinet.own_clone is None else cabinet.own_clone.files(named)
    if cabinet.witness is None or not commits:
        return replace(looked, files=files)
    with suppress(NoHistoryError, UnavailableError):
        return replace(looked, files=files, commits=cabinet.witness.identify(commits))
    return replace(looked, files=files)


def _done(
    wish: Sync,
    plans: Sequence[Planned],
    register: Register,
    cabinet: SyncPorts,
    tx: Transaction,
    looked: _Looked,
) -> list[Done]:
    reader = Reader(
        here=register.here,
        clock=cabinet.clock,
        surroundings=cabinet.surroundings,
        spans=register.spans,
        files=looked.files,
        commits=looked.commits,
    )
    by = screened(wish.by, what="name")
    entries = sum(plan.step in _TAKING for plan in plans)
    hand = Hand(tx=tx, register=register, reader=reader, by=by, entries=entries)
    done = [carry_out(plan, hand) for plan in plans]
    hand.close()
    return done


def _write(done: Sequence[Done], looked: _Looked, cabinet: SyncPorts) -> list[EntryOutcome]:
    """Write the missing entries to the pages, and record the agreed versions."""
    notebook, now = cabinet.notebook, int(cabinet.clock.now().timestamp())
    puts = [one.put for one in done if one.put is not None]
    paths = {one.put: one.path for one in notebook.write(puts)} if puts else {}
    planned = {one.outcome.uid for one in done}
    gone = [] if looked.pages.flaws else [uid for uid in looked.bases if uid not in planned]
    agreed: dict[MemoryId, Base | None] = dict.fromkeys(gone)
    for one in done:
        if one.outcome.uid is not None and (one.is_dropped or one.tip is not None):
            base = _base(one, looked, paths, now)
            if base is not None or one.is_dropped:
                agreed[one.outcome.uid] = base
    agreed |= _proposed_removals(done, looked.bases)
    before = dict(looked.bases)
    bases = {uid: base for uid, base in {**before, **agreed}.items() if base is not None}
    if bases != before:
        notebook.set_bases(bases)
    return [_shown(_outcome(one, paths), passed=one.passed) for one in done]


def _proposed_removals(
    done: Sequence[Done], bases: Mapping[MemoryId, Base]
) -> dict[MemoryId, Base]:
    """Return the bases of entries whose removal waits for a person, marked as such."""
    uids = [one.outcome.uid for one in done if one.outcome.step is SyncStep.REMOVAL_PROPOSED]
    return {uid: replace(bases[uid], is_removal_proposed=True) for uid in uids if uid is not None}


def _base(one: Done, looked: _Looked, paths: Mapping[Put, str | None], now: int) -> Base | None:
    """Return the version that file and store agree on now; None if the file changed meanwhile."""
    uid, tip = one.outcome.uid, one.tip
    if uid is None or tip is None:
        return None
    if one.put is not None and paths.get(one.put) is not None:
        digest = one.put.entry.digest
    elif one.placed is not None:
        digest = one.placed.entry.digest
    else:
        return looked.bases.get(uid)
    here, known = looked.here.head, looked.bases.get(uid)
    is_committed = looked.committed is not None and uid in looked.committed
    before = None if known is None else known.head
    base = Base(digest=digest, tip=tip, head=here if is_committed else before, at=here)
    if one.put is not None and one.put.over not in {None, digest}:
        replaced = _replaced(known, one.put.over or "")
        return replace(base, replaced=replaced, written=now if replaced else 0)
    if known is not None and known.tip == tip:
        return replace(base, replaced=known.replaced, written=known.written)
    return base


def _replaced(known: Base | None, over: str) -> tuple[str, ...]:
    """Return the texts that our writes replaced; a text that came back counts only once."""
    before = () if known is None else known.replaced
    if over in before:
        return tuple(one for one in before if one != over)
    return (*before, over)[-_MOST_REPLACED:]


def _outcome(one: Done, paths: Mapping[Put, str | None]) -> EntryOutcome:
    if one.put is None:
        return one.outcome
    path = paths.get(one.put)
    if path is None:
        step = SyncStep.WAITING if one.placed is None else one.outcome.step
        return replace(one.outcome, step=step, words=words.LATER)
    return replace(one.outcome, path=path)


def _shown(one: EntryOutcome, *, passed: str | None = None) -> EntryOutcome:
    """Return an outcome whose texts contain nothing that must not be shown.

    ``passed`` is the claim that passed the gates when it was stored; it is not screened again.
    """
    if one.step in QUIET:
        return one
    try:
        claim = one.claim
        if claim != passed:
            claim = screened(claim, what="entry", secrets=SecretPolicy.REDACT)
        before = screened(one.before, what="entry", secrets=SecretPolicy.REDACT)
    except InvalidError:
        return replace(one, claim="", before="")
    return replace(one, claim=claim, before=before)


def _told(looked: _Looked, outcomes: Sequence[EntryOutcome], *, is_dry: bool) -> Synced:
    return Synced(
        outcomes=tuple(map(masked_outcome, outcomes)),
        flaws=tuple(map(masked_flaw, looked.flaws)),
        notes=tuple(words.ASIDE.format(page=one.page, copy=one.copy) for one in looked.pages.aside),
        entries=len(looked.pages.entries),
        is_dry=is_dry,
    )
