"""Any sequence of work leaves each backend and the reference store in agreement."""

from __future__ import annotations

import operator
import struct
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar
from uuid import uuid4

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.adapters.vectors.sidecar import Sidecar
from holdfast.domain.choices import EvidenceType, Kind, LinkKind, Origin, Scope, Status
from holdfast.domain.errors import HoldfastError
from holdfast.domain.ids import BundleId, DecisionId, MemoryId, SessionId, SpanId
from holdfast.domain.memory.anchor import RewriteHow
from holdfast.domain.memory.decision import StandingChange
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing, Usage
from holdfast.domain.memory.place import Place, SpaceId
from holdfast.domain.memory.selection import Page, Selection, View
from holdfast.domain.recall.finding import EmbeddingModel, Vector
from holdfast.domain.recall.learning import Tuning
from holdfast.domain.review.curation import Ability
from holdfast.ports.store.store import Store, Transaction
from tests.builders import (
    NOON,
    a_branch_point,
    a_bundle,
    a_decision,
    a_memory,
    a_reason,
    a_rewrite,
    a_session,
    a_span,
    a_tombstone,
    a_turn,
    an_anchor,
    an_item,
)
from tests.contract.steps import records_of
from tests.postgres_server import server
from tests.requirements import requirement

EVERYTHING = 10_000
IDS = [MemoryId(f"m_{number}") for number in range(6)]
ELSEWHERE = [MemoryId("m_8"), MemoryId("m_9")]
SPAN_IDS = [SpanId(f"s_{number}") for number in range(5)]
SESSION_IDS = [SessionId("i_1"), SessionId("i_2")]
BUNDLE_IDS = [BundleId("c_1"), BundleId("c_2")]
SPACES = [SpaceId("default"), SpaceId("team")]
REPOS = [None, "app", "lib"]
# No claim contains NUL: input checks refuse it, and SQLite counts no character after one.
TEXTS = (
    st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=20)
).filter(str.strip)
CLAIMS = ["Tokens rotate.", "the TOKENS rotate", "See src/app.py.", "A walrus, rotating.", "Größe"]
TERMS = [
    "token",
    "tokens",
    "rotate",
    "rotating",
    "walrus",
    "src/app.py",
    "app",
    "auth",
    "größe",
    "?",
]
COMMITS = ["a" * 40, "b" * 40, "c" * 40]
POINTS = [
    a_branch_point(),
    a_branch_point(branch="main", is_aside=False),
    a_branch_point(branch=None),
    a_branch_point(head="9" * 40, is_shared=True),
]
MOMENTS = [NOON + timedelta(hours=hours) for hours in range(-2, 3)]


MODELS = [EmbeddingModel(name="small", dimension=3), EmbeddingModel(name="flat", dimension=2)]
COMPONENTS = [-1.0, -0.5, 0.0, 0.25, 1.0]


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | values


def some(choices: Any) -> st.SearchStrategy[frozenset[Any]]:
    return st.frozensets(st.sampled_from(choices), max_size=2)


rarely = st.sampled_from([False, False, False, True])
moments = st.sampled_from(MOMENTS)
keys = st.sampled_from(["rotation", "a key"])
labels = st.sampled_from(["DEC-001", "DEC-002"])
sources = st.sampled_from(["", "notes.md"])
tags = st.sampled_from(["auth", "tokens"])
points = st.sampled_from(POINTS)
reasons = st.builds(
    a_reason,
    type=st.sampled_from([EvidenceType.SPAN, EvidenceType.TURN]),
    reference=st.sampled_from(["one", "two", "talk#1", "talk#2", "talk#3"]),
    span=st.sampled_from([None, *SPAN_IDS]),
)
memories: st.SearchStrategy[Memory] = st.builds(
    a_memory,
    id=st.sampled_from(IDS),
    claim=st.sampled_from(CLAIMS) | TEXTS,
    kind=st.sampled_from([Kind.FACT, Kind.RULE]),
    scope=st.sampled_from(Scope),
    created_at=moments,
    evidence=st.lists(reasons, min_size=1, max_size=2).map(tuple),
    origin=st.sampled_from([Origin.HUMAN, Origin.AGENT]),
    source=sources,
    space=st.sampled_from(SPACES),
    workspace=st.sampled_from(["default", "w"]),
    repo=st.sampled_from(REPOS),
    key=maybe(keys),
    tags=st.lists(tags, unique=True).map(tuple),
    weight=st.floats(0, 10),
    expires_at=maybe(moments),
    branch_point=maybe(points),
)
standings = st.builds(
    Standing,
    status=st.sampled_from(Status),
    pinned=st.booleans(),
    label=maybe(labels),
    superseded_by=maybe(st.sampled_from(IDS)),
    decided_at=maybe(moments),
)
usages = st.builds(Usage, access_count=st.integers(0, 9), last_accessed=maybe(moments))
known = st.sampled_from([*IDS, *ELSEWHERE])
ends = st.lists(known, min_size=2, max_size=2, unique=True)
links = st.builds(
    lambda ends, kind, score: Link(src=ends[0], dst=ends[1], kind=kind, score=score),
    ends,
    st.sampled_from(["about", "supersedes", "compatible", "contradicts"]),
    st.floats(0, 1),
)
sessions = st.builds(
    a_session,
    id=st.sampled_from(SESSION_IDS),
    finished_at=maybe(moments),
    branch_point=maybe(points),
)
turns = st.builds(
    a_turn,
    id=st.integers(0, 3),
    session_id=st.sampled_from(SESSION_IDS),
    bundle_id=maybe(st.sampled_from(BUNDLE_IDS)),
    satisfied=maybe(st.booleans()),
)
bundles = st.builds(
    a_bundle,
    id=st.sampled_from(BUNDLE_IDS),
    items=st.lists(st.builds(an_item, score=st.floats(0, 1)), max_size=1).map(tuple),
    good=maybe(st.booleans()),
)
tunings = st.builds(
    Tuning,
    space=st.sampled_from(SPACES),
    version=st.integers(1, 3),
    weights=st.dictionaries(st.sampled_from(["meaning", "hop"]), st.floats(0, 1)),
    learned_from=st.integers(0, 9),
    at=moments,
    note=st.sampled_from(["", "learned"]),
)
spans = st.builds(
    a_span,
    id=st.sampled_from(SPAN_IDS),
    repo=st.sampled_from(REPOS),
    pinned=st.booleans(),
    anchor=maybe(st.builds(an_anchor, branch=st.sampled_from([None, "main", "größe"]))),
)
rewrites = st.builds(
    a_rewrite,
    repo=st.sampled_from(REPOS[1:]),
    old=st.sampled_from(COMMITS),
    new=st.sampled_from(COMMITS),
    how=st.sampled_from(RewriteHow),
    at=moments,
)


def vectors_of(model: EmbeddingModel) -> st.SearchStrategy[Vector]:
    """Generate vectors, some of them without a direction."""
    numbers = st.lists(
        st.sampled_from(COMPONENTS), min_size=model.dimension, max_size=model.dimension
    )
    return numbers.map(
        lambda values: Vector(model=model, values=struct.pack(f"<{len(values)}f", *values))
    )


puts = st.sampled_from(MODELS).flatmap(
    lambda model: st.tuples(
        st.just(model),
        st.dictionaries(
            known, st.lists(vectors_of(model), min_size=1, max_size=2), min_size=1, max_size=4
        ),
    )
)
questions = st.sampled_from(MODELS).flatmap(vectors_of)
selections = st.builds(
    Selection,
    space=maybe(st.sampled_from(SPACES)),
    place=maybe(
        st.builds(
            Place,
            space=st.sampled_from(SPACES),
            workspace=st.sampled_from(["default", "w"]),
            repo=st.sampled_from(REPOS),
        )
    ),
    scopes=some(Scope),
    kinds=some([Kind.FACT, Kind.RULE]),
    statuses=some(Status),
    origins=some([Origin.HUMAN, Origin.AGENT]),
    tags=st.frozensets(tags),
    key=maybe(keys),
    labels=st.frozensets(labels),
    source=maybe(sources),
    near_claim=maybe(st.sampled_from(CLAIMS)),
    superseded_by=maybe(st.sampled_from(IDS)),
    pinned=maybe(st.booleans()),
    recallable_at=maybe(moments),
    expired_at=maybe(moments),
    view=st.builds(
        View,
        unseen=some(POINTS),
        replaced=st.dictionaries(st.sampled_from(IDS), st.sampled_from(IDS), max_size=3),
        restored=some(IDS),
    ),
    branch=maybe(st.sampled_from(["main", "feature"])),
    as_of=maybe(moments),
)
few_fields = st.sets(st.sampled_from(sorted(Selection.__slots__)), min_size=1, max_size=2)


def narrowed(selection: Selection, names: set[str]) -> Selection:
    """Keep a few of the fields: a selection with all of them takes no memory."""
    return Selection(**{name: getattr(selection, name) for name in names})


@dataclass(frozen=True)
class Step:
    """One call in a transaction: a method by name, and its arguments."""

    method: str
    given: tuple[Any, ...]

    def taken(self, tx: Transaction) -> object:
        """Return the result of the call: a value, or the type of the error."""
        try:
            return operator.attrgetter(self.method)(tx)(*self.given)
        except HoldfastError as error:
            return type(error)


@dataclass(frozen=True)
class PutVectors:
    """A step that stores vectors."""

    given: tuple[EmbeddingModel, dict[MemoryId, list[Vector]]]

    def taken(self, tx: Transaction) -> object:
        return Step("finding.meaning.put", self.given).taken(tx)


@dataclass(frozen=True)
class Rated:
    """A step that counts a rating."""

    given: list[MemoryId]
    before: bool | None
    now: bool

    def taken(self, tx: Transaction) -> object:
        tx.memories.usage.rate(self.given, before=self.before, now=self.now)
        return None


def step(method: str, *given: st.SearchStrategy[Any]) -> st.SearchStrategy[Step]:
    return st.builds(Step, st.just(method), st.tuples(*given))


decisions = st.builds(
    a_decision,
    id=st.sampled_from([DecisionId("d_1"), DecisionId("d_2")]),
    changes=st.lists(
        st.builds(StandingChange, memory_id=known, before=maybe(standings), after=standings),
        max_size=2,
    ).map(tuple),
    linked=st.lists(links, max_size=1).map(tuple),
    undone_at=maybe(moments),
)
tombstones = st.builds(a_tombstone, memory_id=known, reason=st.sampled_from(["", "private"]))
buried = st.builds(a_tombstone, memory_id=st.sampled_from(ELSEWHERE))
adding = step("memories.add", memories, standings)
steps = st.one_of(
    adding,
    adding,
    step("memories.set_standing", known, standings),
    step("memories.usage.put", known, usages),
    st.builds(Rated, st.lists(known, max_size=3), maybe(st.booleans()), st.booleans()),
    step("memories.usage.count_given", st.lists(known, max_size=3), moments),
    step("anchors.reasons.add", known, reasons),
    step("memories.forget", tombstones),
    step("memories.forget", tombstones),
    step("names.bury", buried),
    step("links.put", links),
    step("links.put", links),
    step("links.remove", links),
    step("sessions.put", sessions),
    step("sessions.add_turn", turns),
    step("sessions.set_turn", turns),
    step("bundles.put", bundles),
    step("anchors.spans.put", spans),
    step("anchors.past.put_tip", st.sampled_from(REPOS[1:]), points),
    step("anchors.past.put_rewrites", st.lists(rewrites, max_size=3)),
    step("finding.tunings.put", tunings),
    step("diary.decisions.put", decisions),
    step("anchors.reasons.withdraw", known, reasons),
    st.builds(PutVectors, puts),
    st.builds(PutVectors, puts),
    step("finding.meaning.drop", st.sampled_from(["small", "flat", "unknown"])),
)


class ChangedMindError(Exception):
    """Raised to leave a unit of work in the middle."""


def done(
    store: Store, at: datetime, work: list[Step | PutVectors | Rated], *, changes_mind: bool
) -> list[object]:
    outcomes: list[object] = []
    with suppress(ChangedMindError), store.writing(at) as tx:
        outcomes += [each.taken(tx) for each in work]
        if changes_mind:
            raise ChangedMindError
    return outcomes


def contents(store: Store) -> dict[str, object]:
    with store.reading() as tx:
        return {
            "memories": tx.memories.find(Selection(), Page(limit=EVERYTHING, oldest_first=True)),
            "many": list(tx.memories.get_many([*reversed(IDS), *ELSEWHERE]).items()),
            "by id": [Step("memories.get", (each,)).taken(tx) for each in [*IDS, *ELSEWHERE]],
            "tombstones": tx.names.tombstones(beyond="", limit=EVERYTHING),
            "names": [tx.names.starting(prefix, limit=5) for prefix in ("", "m_", "s_", "i_1")],
            "links": tx.links.page(beyond=None, limit=EVERYTHING),
            "contradictions": [
                tx.links.contradictions(beyond=None, limit=EVERYTHING),
                tx.links.contradictions(
                    beyond=Link(src=IDS[0], dst=IDS[-1], kind=LinkKind.CONTRADICTS), limit=2
                ),
            ],
            "decisions": tx.diary.decisions.page(beyond=None, limit=EVERYTHING),
            "decided": [tx.diary.decisions.about(each) for each in [*IDS, *ELSEWHERE]],
            "neighbours": [tx.links.touching(each) for each in IDS],
            "sessions": tx.sessions.page(beyond=None, limit=EVERYTHING),
            "turns": [tx.sessions.turns(each) for each in SESSION_IDS],
            "answered": [tx.sessions.turns_with(each) for each in BUNDLE_IDS],
            "bundles": tx.bundles.page(beyond=None, limit=EVERYTHING),
            "spans": tx.anchors.spans.page(beyond=None, limit=EVERYTHING),
            "pinned spans": [tx.anchors.spans.pinned(repo) for repo in REPOS],
            "read spans": tx.anchors.spans.read([*SPAN_IDS, SpanId("s_99")]),
            "citing": tx.anchors.spans.citing([*SPAN_IDS, SpanId("s_99")]),
            "past": [histories(tx, repo) for repo in ("app", "lib")],
            "rewrites": tx.anchors.past.rewrites(beyond=None, limit=EVERYTHING),
            "tunings": [tx.finding.tunings.history(space) for space in SPACES],
            "models": tx.finding.meaning.models(),
            "lacking": [
                tx.finding.meaning.lacking(model.name, beyond=None, limit=9) for model in MODELS
            ],
            "events": [
                (event.sequence, event.at_millis, event.action, event.subject)
                for event in tx.diary.events.since(0, limit=EVERYTHING)
            ],
        }


def histories(tx: Transaction, repo: str) -> list[object]:
    """Return what a store knows about a repository: spans, standpoints and rewrites."""
    past = tx.anchors.past
    return [
        tx.anchors.spans.within(repo, beyond=None, limit=3),
        tx.anchors.spans.within(repo, beyond="s_1", limit=2),
        past.branch_points(repo, aside_only=True),
        past.branch_points(repo, aside_only=False),
        past.supersessions(repo),
        past.rewrites_of(repo, COMMITS[:2]),
        past.rewrites(beyond=a_rewrite(repo=repo, old=COMMITS[0]), limit=2),
    ]


def in_pages(store: Store, selection: Selection, page: Page) -> list[MemoryRecord]:
    seen: list[MemoryRecord] = []
    with store.reading() as tx:
        while found := tx.memories.find(selection, page):
            seen += found
            page = Page(limit=page.limit, beyond=found.beyond, oldest_first=page.oldest_first)
    return seen


def hits(store: Store, terms: list[str], within: Selection) -> set[MemoryId]:
    with store.reading() as tx:
        found = tx.finding.words.search(terms, within, limit=EVERYTHING)
        return {record.memory.id for record in records_of(tx, found)}


def near(store: Store, question: Vector, within: Selection, limit: int) -> list[object]:
    """Return the result of every kind of search by meaning, for each model."""
    with store.reading() as tx:
        meaning = tx.finding.meaning
        try:
            found: list[object] = list(meaning.search(question, within, limit=limit).hits)
        except HoldfastError as error:
            return [type(error)]
        numbers = range(1, 12)
        return [*found, dict(meaning.likeness(question, numbers))]


def around(store: Store, within: Selection) -> dict[str, object]:
    with store.reading() as tx:
        everything = range(1, 20)
        return {
            "turns": tx.finding.around.turns(everything),
            "beside": tx.finding.around.beside([1, 3, 5], within, reach=1),
            "named": tx.finding.around.named(["Rotation", "a key", "walrus"], within, limit=2),
            "read": tx.finding.around.read([3, 1, 99]),
            "closing": tx.finding.around.closing(["talk", "none"], within, last=2, shorter=3),
        }


# Shrinking a failure takes a while; the explain phase would take far too long.
MODERATE = settings(
    max_examples=20,
    stateful_step_count=15,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
)


class StoresAgree(RuleBasedStateMachine):
    """Runs the same steps on the reference store and another backend, and compares them."""

    amount: ClassVar[settings] = MODERATE

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.tenant = uuid4()
        self.reference = InMemoryStore()
        self.other = self.opened()

    def opened(self) -> Store:
        """Open the same store, as another process would."""
        return SqliteStore.open(Path(self.folder.name) / "holdfast.db", index=Sidecar)

    @initialize(added=st.lists(adding, min_size=3, max_size=6))
    def begin(self, added: list[Step]) -> None:
        spans_first = [Step("anchors.spans.put", (a_span(id=span_id),)) for span_id in SPAN_IDS]
        self.work(NOON, [*spans_first, *added], changes_mind=False)

    @rule(at=moments, work=st.lists(steps, min_size=1, max_size=8), changes_mind=rarely)
    def work(self, at: datetime, work: list[Step | PutVectors | Rated], changes_mind: bool) -> None:  # noqa: FBT001
        expected = done(self.reference, at, work, changes_mind=changes_mind)

        assert done(self.other, at, work, changes_mind=changes_mind) == expected

    @rule(
        chosen=st.lists(st.builds(narrowed, selections, few_fields), min_size=1, max_size=8),
        limit=st.integers(1, 4),
        oldest_first=st.booleans(),
    )
    def find(self, chosen: list[Selection], limit: int, oldest_first: bool) -> None:  # noqa: FBT001
        for selection in chosen:
            self.find_one(selection, Page(limit=limit, oldest_first=oldest_first))

    def find_one(self, selection: Selection, page: Page) -> None:
        with self.reference.reading() as tx:
            everything = tx.memories.find(Selection(), Page(limit=EVERYTHING, oldest_first=True))
        taken = [selection.view.seen(record) for record in everything if selection.takes(record)]
        expected = taken if page.oldest_first else taken[::-1]

        for store in (self.reference, self.other):
            assert in_pages(store, selection, page) == expected
            with store.reading() as tx:
                assert tx.memories.count(selection) == len(expected)

    @rule(
        terms=st.lists(st.sampled_from(TERMS), max_size=3),
        within=st.builds(narrowed, selections, few_fields),
    )
    def search(self, terms: list[str], within: Selection) -> None:
        assert hits(self.other, terms, within) == hits(self.reference, terms, within)

    @rule(
        question=questions,
        within=st.builds(narrowed, selections, few_fields),
        limit=st.integers(1, 5),
    )
    def mean(self, question: Vector, within: Selection, limit: int) -> None:
        for chosen in (within, Selection()):
            expected = near(self.reference, question, chosen, limit)
            assert near(self.other, question, chosen, limit) == expected

    @rule(within=st.builds(narrowed, selections, few_fields))
    def look_around(self, within: Selection) -> None:
        for chosen in (within, Selection()):
            assert around(self.other, chosen) == around(self.reference, chosen)

    @rule()
    def scrub(self) -> None:
        if Ability.SCRUB in self.other.upkeep.abilities:
            self.other.upkeep.scrub()

    @rule()
    def open_again(self) -> None:
        self.other.close()
        self.other = self.opened()

    @invariant()
    def they_hold_the_same(self) -> None:
        ours, theirs = contents(self.reference), contents(self.other)

        for noun, expected in ours.items():
            assert (noun, theirs[noun]) == (noun, expected)

    def teardown(self) -> None:
        self.other.close()
        self.folder.cleanup()


class PostgresAgrees(StoresAgree):
    """The same with a store on a server, where each step takes several times as long."""

    amount = settings(MODERATE, max_examples=6)

    def opened(self) -> Store:
        return PostgresStore.open(server().url(), PostgresOptions(tenant=self.tenant))


@requirement("store.backends-agree")
@pytest.mark.parametrize("few", [200, 0], ids=["a small store", "a large store"])
@pytest.mark.parametrize("backend", [StoresAgree, PostgresAgrees], ids=["sqlite", "postgres"])
def test_any_sequence_of_work_leaves_the_stores_in_agreement(
    backend: type[StoresAgree], few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.adapters.sqlite.memory.memories._FEW", few)

    run_state_machine_as_test(backend, settings=backend.amount)
