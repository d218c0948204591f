"""A page of many entries: as much work for each as for one of few, and conflicts found too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime

import pytest

from holdfast.adapters.files import editing
from holdfast.adapters.files import entries as page_entries
from holdfast.adapters.files.entries import ReadEntry
from holdfast.adapters.files.page_text import PagePiece
from holdfast.adapters.files.page_writing import with_puts
from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.choices import Kind, LinkKind
from holdfast.domain.gates.secrets import SecretFound, find_secrets
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory import entry as entries
from holdfast.domain.memory.entry import Flaw, PageEntry
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.selection import View
from holdfast.domain.pages.syncing import SyncStep
from holdfast.domain.values import replace
from holdfast.ports.heuristics import Heuristics
from holdfast.ports.pages.files import Put
from holdfast.ports.store.store import Transaction
from holdfast.usecases import screening
from holdfast.usecases.pages.sync import Sync, conflicts, run
from holdfast.usecases.pages.sync.convert import Reader
from holdfast.usecases.pages.sync.decide import Planned
from holdfast.usecases.pages.sync.local_pages import LocalPages
from holdfast.usecases.pages.sync.plan import plan_sync
from holdfast.usecases.pages.sync.read import StoreState
from holdfast.usecases.review.conflicts import Conflict, note_conflicts
from tests.requirements import requirement
from tests.usecases.pages import UseCaseContext, from_git
from tests.usecases.wishes import SECRET, said

FEW, MANY = 40, 160


@pytest.fixture
def context(holdfast: Holdfast) -> UseCaseContext:
    return UseCaseContext(memory=holdfast)


def services(count: int) -> list[PageEntry]:
    return [
        PageEntry(body=f"Service {number} listens behind gateway {number}.", kind=Kind.DECISION)
        for number in range(count)
    ]


def counted(monkeypatch: pytest.MonkeyPatch, work: Callable[[], object]) -> int:
    """Return how many digests some work asked for."""
    asked = 0
    real = vars(entries)["entry_digest"]

    def digest(*said: object) -> str:
        nonlocal asked
        asked += 1
        made: str = real(*said)
        return made

    with monkeypatch.context() as patched:
        patched.setattr(entries, "entry_digest", digest)
        work()
    return asked


@requirement("files.work-grows-with-entries")
def test_naming_the_entries_of_a_page_takes_as_many_steps_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def steps(count: int) -> int:
        made = services(count)
        page = "".join(f"---\ntype: decision\n---\n{one.body}\n\n" for one in made).encode()
        puts = [
            Put(
                entry=replace(one, uid=MemoryId(f"m_{number}")),
                over=one.digest,
                at=("decisions.md", 1 + 5 * number),
            )
            for number, one in enumerate(made)
        ]
        return counted(monkeypatch, lambda: with_puts(page, "decisions.md", puts))

    assert steps(MANY) <= steps(FEW) * (MANY / FEW) * 1.1


@requirement("files.work-grows-with-entries")
def test_a_sync_of_many_entries_searches_the_store_for_none_of_them(
    context: UseCaseContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[MemoryRecord] = []

    def note(
        record: MemoryRecord,
        *,
        tx: Transaction,
        now: datetime,
        heuristics: Heuristics,
        view: View | None = None,
    ) -> list[Conflict]:
        searched.append(record)
        return note_conflicts(record, tx=tx, now=now, view=view, heuristics=heuristics)

    monkeypatch.setattr(conflicts, "note_conflicts", note)
    for one in services(MANY):
        context.notebook.add(one)

    steps = counted(monkeypatch, context.sync)

    assert searched == []
    assert steps <= 40 * MANY
    context.notebook.add(PageEntry(body="The queue is Redis.", kind=Kind.DECISION))
    context.sync()
    assert len(searched) == 1


def watched_searches(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often each text is searched for secrets from now on."""
    searched: Counter[str] = Counter()

    def found(text: str) -> tuple[SecretFound, ...]:
        searched[text] += 1
        return find_secrets(text)

    monkeypatch.setattr(screening, "find_secrets", found)
    return searched


@requirement("files.entries-are-screened-once")
def test_a_sync_searches_the_text_of_each_new_entry_for_secrets_once(
    context: UseCaseContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = watched_searches(monkeypatch)
    entries_of_page = services(MANY)
    for one in entries_of_page:
        context.notebook.add(one)

    told = context.sync().told

    assert [one.step for one in told] == [SyncStep.TAKEN] * MANY
    assert [searched[one.body] for one in entries_of_page] == [1] * MANY
    assert searched.total() <= MANY + FEW


@requirement("files.entries-are-screened-once")
def test_a_label_of_a_persons_own_is_searched_for_secrets(context: UseCaseContext) -> None:
    context.notebook.add(PageEntry(body="The queue is Redis.", kind=Kind.DECISION, label=SECRET))
    context.notebook.add(
        PageEntry(body="Logs are kept a week.", kind=Kind.DECISION, label="logs-kept")
    )

    told = context.sync().told

    assert [one.step for one in told] == [SyncStep.REFUSED, SyncStep.TAKEN]


@requirement("files.entries-are-screened-once")
def test_proposals_and_rivals_are_searched_for_secrets_once(
    context: UseCaseContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = watched_searches(monkeypatch)
    said(context.memory, "The payment queue runs on Redis 6.", kind=Kind.DECISION)
    made = [
        *services(FEW),
        PageEntry(body="The payment queue runs on Redis 7.", kind=Kind.DECISION),
    ]
    from_git(context, *made)

    told = context.sync().told

    assert {one.step for one in told} == {SyncStep.PROPOSED, SyncStep.WRITTEN}
    assert [searched[one.body] for one in made] == [1] * len(made)


@requirement("files.work-grows-with-entries")
def test_conflicts_among_many_entries_and_with_what_stands_are_noted(
    context: UseCaseContext, store: InMemoryStore
) -> None:
    standing = said(context.memory, "The payment queue runs on Redis 6.", kind=Kind.DECISION)
    for one in services(MANY):
        context.notebook.add(one)
    context.notebook.add(PageEntry(body="The payment queue runs on Redis 7.", kind=Kind.DECISION))
    context.notebook.add(PageEntry(body="Invoices are sent on Mondays.", kind=Kind.DECISION))
    context.notebook.add(PageEntry(body="Invoices are sent on Fridays.", kind=Kind.DECISION))

    context.sync()

    with store.reading() as tx:
        links = tx.links.page(beyond=None, limit=100)
    noted = [link for link in links if link.kind == LinkKind.CONTRADICTS]
    assert len(noted) == 2
    assert standing.memory.id in {link.dst for link in noted}


@requirement("files.work-grows-with-entries")
def test_long_claims_that_share_one_word_are_not_compared(
    context: UseCaseContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[str, str]] = []

    def noted(newer: MemoryRecord, older: MemoryRecord, *, heuristics: Heuristics) -> None:
        assert heuristics is context.memory.heuristics
        compared.append((newer.memory.claim, older.memory.claim))

    monkeypatch.setattr(conflicts, "suspected", noted)
    long = "Parser {0}a{1} reads {0}b{1} before {0}c{1} writes {0}d{1} into {0}e{1} twice {0}f{1}."
    for number in range(MANY):
        context.notebook.add(PageEntry(body=long.format("x", number), kind=Kind.DECISION))
    for claim in (
        "Walruses sleep near harbours, say all seven old keepers here.",
        "Walruses eat clams from muddy bottoms during long cold winters.",
        "Otters crack shells.",
        "Otters hold hands.",
    ):
        context.notebook.add(PageEntry(body=claim, kind=Kind.DECISION))

    context.sync()

    assert [pair for pair in compared if "Parser" not in pair[0]] == [
        ("Otters hold hands.", "Otters crack shells.")
    ]


@requirement("files.work-grows-with-entries")
def test_many_entries_that_came_with_git_are_proposed_and_then_trusted(
    context: UseCaseContext,
) -> None:
    from_git(context, *services(MANY))

    assert context.steps() == [SyncStep.PROPOSED] * MANY

    proofs = frozenset(one.proof for one in context.sync().told if one.proof is not None)
    assert context.steps(trusted=proofs) == [SyncStep.TAKEN] * MANY


@requirement("files.work-grows-with-entries")
def test_the_entries_are_planned_once_if_the_store_stays_the_same(
    context: UseCaseContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[StoreState] = []

    def noted(wish: Sync, local: LocalPages, stored: StoreState) -> list[Planned]:
        planned.append(stored)
        return plan_sync(wish, local, stored)

    monkeypatch.setattr(run, "plan_sync", noted)
    for one in services(FEW):
        context.notebook.add(one)

    assert context.steps() == [SyncStep.TAKEN] * FEW
    assert len(planned) == 1


@requirement("files.work-grows-with-entries")
def test_the_entries_are_planned_again_if_the_store_has_changed_meanwhile(
    context: UseCaseContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "Service 1 listens behind gateway 1."
    planned: list[StoreState] = []

    def noted(wish: Sync, local: LocalPages, stored: StoreState) -> list[Planned]:
        planned.append(stored)
        return plan_sync(wish, local, stored)

    def remembered_meanwhile(reader: Reader, *_: object) -> Reader:
        said(context.memory, text, kind=Kind.DECISION)
        return reader

    monkeypatch.setattr(run, "plan_sync", noted)
    monkeypatch.setattr(run, "_with_history", remembered_meanwhile)
    context.notebook.add(PageEntry(body=text, kind=Kind.DECISION))

    assert context.steps() == [SyncStep.WRITTEN]
    assert [len(stored.chains) for stored in planned] == [0, 1]


@requirement("files.work-grows-with-entries")
def test_a_first_sync_reads_each_piece_of_a_page_once_before_and_once_after_its_write(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = services(FEW)
    page = "".join(f"---\ntype: decision\n---\n{one.body}\n\n" for one in made).encode()
    puts = [
        Put(entry=replace(one, uid=MemoryId(f"m_{number}")), over=one.digest, at=("a.md", number))
        for number, one in enumerate(made)
    ]
    real = page_entries.read_piece
    read: list[PagePiece] = []

    def noted(piece: PagePiece, path: str, *, is_plain: bool = False) -> ReadEntry | Flaw | None:
        read.append(piece)
        return real(piece, path, is_plain=is_plain)

    for module in (page_entries, editing):
        monkeypatch.setattr(module, "read_piece", noted)
    page_entries.read_pieces.cache_clear()

    assert len(with_puts(page, "a.md", puts).taken) == FEW
    assert len(read) == 2 * FEW
