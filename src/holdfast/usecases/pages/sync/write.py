"""Write the results of a sync to the pages, and record the versions that page and store share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Scope, Status
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.errors import InvalidError
from holdfast.domain.memory.place import DEFAULT_SPACE
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.pages.syncing import NO_EDITS, QUIET, Edits, SyncStep
from holdfast.domain.pages.waiting_page import WaitingEntry, waiting_page
from holdfast.domain.values import replace
from holdfast.ports.pages.files import Base
from holdfast.usecases.screening import SecretPolicy, screened

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.pages.syncing import EntryOutcome
    from holdfast.usecases.pages.sync import SyncPorts
    from holdfast.usecases.pages.sync.apply import AppliedPlan
    from holdfast.usecases.pages.sync.local_pages import CheckedOut, LocalPages

_MOST_REPLACED = 8
_CANDIDATES_PAGE = "memory/candidates.md"
_MOST_CANDIDATES = 200


def write_pages(
    applied: Sequence[AppliedPlan], local: LocalPages, ports: SyncPorts
) -> list[EntryOutcome]:
    """Write the changed entries to the pages, and record the agreed versions."""
    notebook, now = ports.notebook, int(ports.clock.now().timestamp())
    puts = [one.put for one in applied if one.put is not None]
    written = notebook.write(puts) if puts else ()
    paths = {id(one.put): one.path for one in written}
    away = {id(one.put) for one in written if one.is_elsewhere}
    bases = _agreed_bases(applied, local, paths, now)
    edits = _edits(applied, local)
    if bases != {**local.bases, **local.removed} or edits != NO_EDITS:
        notebook.set_bases(bases, edits=edits)
    write_candidates(local.checkout, ports)
    missed = messages.PAGE_UNREADABLE if local.pages.flaws else messages.SAVED_MEANWHILE
    new = {id(one.put) for one in written if one.is_new}
    return [
        replace(
            shown(_outcome(one, paths, away, missed), already_screened=one.screened),
            is_new_page=id(one.put) in new,
        )
        for one in applied
    ]


def _edits(applied: Sequence[AppliedPlan], local: LocalPages) -> Edits:
    """Return the edits of agents that are new or settled since the last sync."""
    known = local.pages.proposed
    proposed = {
        mark: origin
        for entry, origin in (one.proposal for one in applied if one.proposal is not None)
        for mark in (entry.digest, entry.text_mark)
    }
    agreed = [one.placed.entry for one in applied if one.placed is not None and one.tip is not None]
    settled = (mark for entry in agreed if known for mark in (entry.digest, entry.text_mark))
    return Edits(
        proposed={} if proposed.items() <= known.items() else proposed,
        settled=frozenset(mark for mark in settled if mark in known and mark not in proposed),
    )


def _agreed_bases(
    applied: Sequence[AppliedPlan], local: LocalPages, paths: Mapping[int, str | None], now: int
) -> dict[MemoryId, Base]:
    """Return the versions that page and store share now."""
    planned, head = {one.outcome.uid for one in applied}, local.checkout.head
    # With an unreadable part in the pages, an entry that is not found may still be there.
    bases = {uid: base for uid, base in local.bases.items() if uid in planned or local.pages.flaws}
    for one in applied:
        uid = one.outcome.uid
        if uid is None:
            continue
        is_out = one.put is not None and one.put.is_removal and paths.get(id(one.put)) is not None
        if one.is_dropped or is_out:
            known = bases.pop(uid, None)
            is_gone = one.outcome.step is SyncStep.DEPRECATED and not one.outcome.path
            if known is not None and is_gone:
                bases[uid] = Base(digest="", tip=known.tip, at=head, is_removed=True)
        elif one.outcome.step is SyncStep.REMOVAL_PROPOSED:
            bases[uid] = replace(local.bases[uid], is_removal_proposed=True)
        elif (base := _base(one, uid, local, paths, now)) is not None:
            bases[uid] = base
    for uid, removed in local.removed.items():
        bases.setdefault(uid, removed if uid in planned else replace(removed, at=head))
    return bases


def _base(
    one: AppliedPlan, uid: MemoryId, local: LocalPages, paths: Mapping[int, str | None], now: int
) -> Base | None:
    """Return the version that page and store share now; None if the file changed meanwhile."""
    if one.tip is None:
        return None
    known, head = local.bases.get(uid), local.checkout.head
    if one.put is not None and paths.get(id(one.put)) is not None:
        digest = one.put.entry.digest
    elif one.placed is not None:
        digest = one.placed.entry.digest
    else:
        return known
    is_committed = local.committed is not None and uid in local.committed
    before = None if known is None else known.head
    replaced, written = _replaced(one, digest, known, now)
    return Base(
        digest=digest,
        tip=one.tip,
        head=head if is_committed else before,
        at=head,
        held=_held(uid, digest, known, local),
        replaced=replaced,
        written=written,
        is_own=_is_own(one, uid, known),
    )


def _is_own(one: AppliedPlan, uid: MemoryId, known: Base | None) -> bool:
    """Tell whether Holdfast brought the text of this memory into the entry.

    The first memory of an entry that was on a page before is the page's own.
    """
    if known is not None and known.tip == one.tip:
        return known.is_own
    put = one.put
    if put is None or one.placed is not None or put.at is not None:
        return False
    return put.over is None or one.tip != uid


def _held(uid: MemoryId, digest: str, known: Base | None, local: LocalPages) -> str | None:
    """Return the digest that the last commit has, if it is or was agreed in this clone.

    A text that an earlier commit had counts only if nobody else changed the pages since then.
    """
    agreed: set[str | None] = {digest}
    if known is not None:
        is_of_here = known.at == local.checkout.head or known.at in local.own_commits
        agreed |= {known.digest, known.held if is_of_here else None}
    committed = (local.committed or {}).get(uid, frozenset())
    return next(iter(committed)) if len(committed) == 1 and committed <= agreed else None


def _replaced(
    one: AppliedPlan, digest: str, known: Base | None, now: int
) -> tuple[tuple[str, ...], int]:
    """Return the texts that our writes replaced, and when; a text that came back counts once."""
    over = None if one.put is None else one.put.over
    if over not in {None, digest}:
        before = () if known is None else known.replaced
        if over in before:
            replaced = tuple(text for text in before if text != over)
        else:
            replaced = (*before, over or "")[-_MOST_REPLACED:]
        return replaced, now if replaced else 0
    if known is not None and known.tip == one.tip:
        return known.replaced, known.written
    return (), 0


def _outcome(
    one: AppliedPlan, paths: Mapping[int, str | None], away: Collection[int], missed: str
) -> EntryOutcome:
    if one.put is None:
        return one.outcome
    path, is_away = paths.get(id(one.put)), id(one.put) in away
    if is_away and path is None:
        return replace(one.outcome, step=SyncStep.BEHIND, words=messages.OF_ANOTHER_COMMIT)
    if is_away:
        said = one.outcome.words
        words = "" if said in messages.EXPECTED else f"{said}; "
        return replace(one.outcome, path=path or "", words=f"{words}{messages.NEW_PAGE}")
    if path is None:
        step = SyncStep.WAITING if one.placed is None else one.outcome.step
        return replace(one.outcome, step=step, words=missed)
    return one.outcome if path == one.outcome.path else replace(one.outcome, path=path)


def shown(one: EntryOutcome, *, already_screened: str | None = None) -> EntryOutcome:
    """Return an outcome whose texts contain nothing that must not be shown.

    ``already_screened`` is the claim that was screened when it was stored.
    """
    if one.step in QUIET:
        return one
    try:
        claim, before = one.claim, one.before
        if claim != already_screened:
            claim = screened(claim, what="entry", secrets=SecretPolicy.REDACT)
        if before:
            before = screened(before, what="entry", secrets=SecretPolicy.REDACT)
    except InvalidError:
        return replace(one, claim="", before="")
    if claim == one.claim and before == one.before:
        return one
    return replace(one, claim=claim, before=before)


def write_candidates(checkout: CheckedOut, ports: SyncPorts) -> bool:
    """Write the page of open candidates in this checkout; tell whether it changed.

    Several spaces can sync one checkout, and there is one page. It lists the candidates of the
    default space; those of another space stay in that space until a person accepts them.
    """
    if checkout.place.space != DEFAULT_SPACE:
        return False
    wanted = Selection(
        place=checkout.place,
        scopes=frozenset({Scope.REPO}),
        statuses=frozenset({Status.CANDIDATE}),
        view=checkout.view,
    )
    with ports.store.reading() as tx:
        listed = tx.memories.find(wanted, Page(limit=_MOST_CANDIDATES, oldest_first=True))
        found = [one for one in listed if not is_sensitive(one.memory)]
        many = tx.memories.count(wanted) - len(listed) + len(found)
        names = [one.memory.id for one in found]
        contradictions = [
            link
            for link in (tx.links.among(names) if names else ())
            if link.kind == LinkKind.CONTRADICTS
        ]
        known = tx.memories.get_many(link.dst for link in contradictions)
        contradicted: dict[MemoryId, list[MemoryId]] = {}
        for link in contradictions:
            hidden = link.dst not in known or checkout.view.hides(known[link.dst].memory)
            contradicted.setdefault(link.src, []).extend([] if hidden else [link.dst])
        spans = tx.anchors.spans.read(
            {item.span for one in found for item in one.evidence if item.span is not None}
        )
    waiting = [
        WaitingEntry(record=one, rivals=tuple(sorted(contradicted.get(one.memory.id, ()))))
        for one in found
    ]
    text = waiting_page(waiting, spans=spans, more=many - len(found), deciding=ports.deciding)
    return ports.notebook.write_generated(_CANDIDATES_PAGE, text).is_changed
