"""Two spaces of one installation: neither sees or changes anything of the other."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any
from uuid import uuid4
from weakref import finalize

import pytest

from docs.generator.reached import VERBS, Verb
from holdfast.adapters.encryption.key_ring import KeyRingFile
from holdfast.adapters.inmemory.notebook import InMemoryNotebook
from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions
from holdfast.adapters.workspaces.contents import PackedContents
from holdfast.adapters.workspaces.folder import DiskFolder
from holdfast.app import Holdfast
from holdfast.app.attachments import KeptFolder
from holdfast.app.filing import Filing
from holdfast.bootstrap.plugs.checks import check_ports
from holdfast.bootstrap.plugs.workers import MachineWorkers
from holdfast.bootstrap.service.stated import NoDocuments
from holdfast.domain.access_errors import NoSuchStoreError
from holdfast.domain.care.pruning import read_durations
from holdfast.domain.choices import Kind, Origin, Status
from holdfast.domain.documents.document import DocumentName, DropDocument, SearchDocuments
from holdfast.domain.errors import HoldfastError, NotFoundError
from holdfast.domain.exchange.foreign import Foreign
from holdfast.domain.ids import BundleId, MemoryId, SessionId, SpanId
from holdfast.domain.lookup_errors import NoModelError
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.memory.evidence import FilePlace
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.place import Place, SpaceId
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.question import Question
from holdfast.domain.refusals import NotOfferedError
from holdfast.domain.review.curation import Concern, MemoryTrouble, Remedy
from holdfast.domain.review.curation import TidyStep as CareStep
from holdfast.domain.review_errors import NothingOfThatSourceError
from holdfast.domain.service.ids import uuid_of
from holdfast.domain.service.memories import AddMemory, Relate, SearchMemories
from holdfast.domain.sessions.said import SaidBy
from holdfast.domain.sessions.session import Interaction
from holdfast.domain.sessions.transcript import Transcript
from holdfast.domain.values import replace
from holdfast.domain.workspaces.snapshot import CycleMoment
from holdfast.heuristics.english import ENGLISH
from holdfast.ports.pair_reader import ReadPairs
from holdfast.ports.store.store import Store
from holdfast.ports.store.upkeep import Progress
from holdfast.usecases.agents.cycling import FinishCycle, ProposeAction
from holdfast.usecases.agents.deleting import DeleteAgent
from holdfast.usecases.agents.noting import AgentNote
from holdfast.usecases.agents.opening import AgentOpening, OpenAgent
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.anchors.verify import CheckedMemory, Verify
from holdfast.usecases.care.prune_request import Prune
from holdfast.usecases.care.working import WorkOrder
from holdfast.usecases.checks.accepting import AcceptCommands
from holdfast.usecases.checks.check_ports import CheckPorts
from holdfast.usecases.checks.run_checks import RunChecks
from holdfast.usecases.exchange.take_over import TakeOver
from holdfast.usecases.memory.browse import Browse
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.memory.protecting import Protect
from holdfast.usecases.memory.remember import Remember
from holdfast.usecases.pages.sync import Sync
from holdfast.usecases.pages.trust import Trust
from holdfast.usecases.recall.learn import Learn
from holdfast.usecases.review.approve import Approve, Reject
from holdfast.usecases.review.queued import Review
from holdfast.usecases.review.resolve import ResolutionWay, Resolve
from holdfast.usecases.review.revert import Revert
from holdfast.usecases.review.rewording import Edit
from holdfast.usecases.review.undo import Undo
from holdfast.usecases.roles.role_ports import RoleCaller, RolePorts, SuperviseOptions
from holdfast.usecases.screening import SecretPolicy
from holdfast.usecases.service.tokens import CreateToken
from holdfast.usecases.sessions.caching import KeepNote, KeepTurn
from holdfast.usecases.sessions.hydrating import Hydrate
from holdfast.usecases.sessions.propose import Propose
from holdfast.usecases.sessions.saying import SayTurn
from holdfast.usecases.sessions.sessions import ReadTranscripts
from holdfast.usecases.tasks.adding import AddTask, EditTask
from holdfast.usecases.tasks.finding import ListTasks
from holdfast.usecases.workspaces.restore_plan import RestoreSnapshot
from holdfast.usecases.workspaces.snapshot import TakeSnapshot
from tests.builders import FixedClock, PlainSurroundings, WordCounter, a_record, a_span, a_tuning
from tests.postgres_server import server
from tests.requirements import requirement
from tests.usecases.pages import PlainBook, PlainClone
from tests.usecases.plain_verifier import PlainHistory, PlainIndex, PlainVerifier
from tests.usecases.reading import SmallReader
from tests.usecases.supervised import PlainCommands, Scene
from tests.usecases.test_curating import PlainLog
from tests.usecases.test_reembedding import Mark
from tests.usecases.test_runs import TwoCommits

THEIRS, OURS = SpaceId("theirs"), SpaceId("ours")
MARK = "walrus"
SPOKEN = SayTurn(by=SaidBy.PERSON, text=f"The {MARK} port is closed.")
"""It stands in every text of the one space, and must stand in no answer of the other."""
Open = Callable[[SpaceId], Store]


def _in_memory(_: Path) -> Open:
    kept: dict[SpaceId, InMemoryStore] = {}
    return lambda space: kept.setdefault(space, InMemoryStore(space=space))


def _sqlite(home: Path) -> Open:
    def opened(space: SpaceId) -> Store:
        options = StoreOptions(space=space, durability="normal")
        return SqliteStore.open(home / "spaces" / space / "holdfast.db", options=options)

    return opened


def _postgres(_: Path) -> Open:
    tenant = uuid4()
    return lambda space: PostgresStore.open(
        server().url(), PostgresOptions(tenant=tenant, space=space)
    )


FAMILIES = {"inmemory": _in_memory, "sqlite": _sqlite, "postgres": _postgres}


@pytest.fixture(params=FAMILIES)
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Every space of one installation, on each backend."""
    return FAMILIES[request.param](tmp_path)


class Attached:
    """Pages, runs and health of one space, without a disk."""

    def __init__(self) -> None:
        self.log = PlainLog()
        self.pages_here = InMemoryNotebook()
        self.place = Path(mkdtemp())
        finalize(self, rmtree, self.place, ignore_errors=True)

    def health_log(self) -> PlainLog:
        return self.log

    def commit_reader(self) -> TwoCommits:
        return TwoCommits()

    def notebook(self) -> InMemoryNotebook:
        return self.pages_here

    def keeps_pages(self) -> bool:
        return True

    def pages(self, holdfast: Holdfast) -> Filing:
        return Filing(
            memory=holdfast,
            notebook=self.pages_here,
            book=PlainBook(),
            clone="/clone",
            own_clone=PlainClone(),
        )

    def proposer(self, holdfast: Holdfast, using: str | None) -> None:
        assert (holdfast, using) == (holdfast, None)

    def checks(self, holdfast: Holdfast) -> CheckPorts:
        """See no repository, as on a server."""
        del holdfast
        return check_ports(None, repo=lambda: None, state="/nowhere", seconds=lambda: 1.0)

    def roles(self, holdfast: Holdfast, caller: RoleCaller) -> RolePorts:
        return Scene(holdfast, commands=PlainCommands(texts={"x": "true"})).ports(caller)

    def workers(self) -> Any:
        return MachineWorkers()

    def documents(self) -> Any:
        return NoDocuments()

    def workspace(self, folder: Path | None) -> KeptFolder:
        state = self.place
        work = state / "work" if folder is None else folder
        work.mkdir(exist_ok=True)
        (work / "app.py").write_text("one\n", encoding="utf-8")
        kept = DiskFolder(work, state=state)
        return KeptFolder(folder=kept, contents=PackedContents(state / "packs"))


def opened(stores: Open, space: SpaceId) -> Holdfast:
    return Holdfast(
        principal=Principal.of(PrincipalKind.PERSON, space=space, name="ada"),
        store=stores(space),
        clock=FixedClock(drawn=1_000 if space == OURS else 0),
        counter=WordCounter(),
        surroundings=PlainSurroundings(
            at=Place(space=space, repo="github.com/acme/app", branch="main"),
            files={"src/app.py": "one\ntwo\nthree\n"},
        ),
        verifier=PlainVerifier(),
        code_index=PlainIndex(),
        history_index=PlainHistory(),
        attachments=Attached(),
        heuristics=ENGLISH,
        keys=KeyRingFile(Path(os.environ["HOLDFAST_KEYS"]) / space),
    )


def remembered(app: Holdfast, claim: str, **changes: Any) -> MemoryRecord:
    fields: dict[str, Any] = {
        "origin": Origin.HUMAN,
        "grounds": Grounds(places=("src/app.py:1-2",)),
        "source": f"{MARK}-tool" if app.principal.space == THEIRS else "own",
    }
    return app.memories.remember(Remember(claim=claim, **(fields | changes))).record


def an_opening(app: Holdfast) -> AgentOpening:
    """Open an agent with one finished cycle and one note."""
    opening = app.agents.open(OpenAgent(name=MARK, directives=MARK, holder=MARK))
    cycle = app.agents.begin_cycle(opening)
    app.agents.propose(opening, cycle.index, ProposeAction(tool=MARK))
    app.agents.finish(opening, cycle.index, FinishCycle(summary=MARK))
    app.agents.remember(opening, AgentNote(claim=f"The {MARK} port is noted."))
    return opening


def a_supervised_run(app: Holdfast) -> str:
    ours = app.roles.supervise(MARK, SuperviseOptions())
    assert ours.run is not None
    return str(ours.run.id)


class Known:
    """The names of everything that one space holds."""

    def __init__(self, app: Holdfast) -> None:
        one = remembered(app, f"The {MARK} port is 8080.", key="port", label="DEC-001", pinned=True)
        two = remembered(app, f"The {MARK} cache is cold.", key="cache")
        waiting = remembered(app, f"The {MARK} port is 9090.", key="port", origin=Origin.AGENT)
        plain = remembered(app, f"The {MARK} queue is deep.", origin=Origin.AGENT)
        gone = remembered(app, f"The {MARK} is forgotten.")
        app.memories.forget(Forget(reference=gone.memory.id, by=MARK, reason=MARK))
        app.memories.link(Link(src=one.memory.id, dst=two.memory.id, kind="related"))
        recalled = app.answers.recall(Question(text=f"{MARK} port"))
        app.answers.feedback(recalled.bundle.id, good=True)
        session = app.sessions.start(tool=MARK, user=MARK)
        app.session_cache.say(session.id, [SPOKEN])
        app.sessions.add_turn(session.id, a_turn(session.id))
        self.run = app.runs.start(tool=MARK, user=MARK, goal=MARK)
        self.supervised = a_supervised_run(app)
        self.task = app.tasks.add(AddTask(title=MARK, labels=(MARK,)), by=MARK).id
        self.opening = an_opening(app)
        self.encryption_key = str(app.encryption.create()[0].id)
        self.secret = remembered(app, f"The {MARK} vault is open.", sensitive=True)
        decided = app.review.approve(Approve(references=(plain.memory.id,), by=MARK))
        assert decided.decision is not None
        self.snapshot = str(app.workspaces.snapshot(TakeSnapshot(note=MARK)).snapshot.id)
        self.token = str(app.access.create(a_token(f"{MARK}-token")).token.id)
        with app.store.writing(app.now()) as tx:
            tx.finding.tunings.put(a_tuning(space=app.principal.space, note=MARK))
        self.one, self.two = one.memory.id, two.memory.id
        self.waiting, self.gone = waiting.memory.id, gone.memory.id
        self.key, self.label, self.prefix = "port", "DEC-001", self.one[:-1]
        self.bundle, self.session = str(recalled.bundle.id), str(session.id)
        self.decision, self.record = str(decided.decision.id), one
        self.span = next(str(item.span) for item in one.evidence if item.span is not None)

    @property
    def references(self) -> tuple[str, ...]:
        return (self.one, self.prefix, self.label, self.key, self.gone)

    @property
    def everything(self) -> tuple[str, ...]:
        names = (self.one, self.two, self.waiting, self.gone, self.bundle, self.session)
        later = (self.snapshot, str(self.task), str(self.opening.agent.id), self.supervised)
        return (*names, self.decision, self.span, str(self.run.id), *later)


def a_turn(session: str, query: str = MARK) -> Interaction:
    at = FixedClock().now()
    return Interaction(id=0, session_id=SessionId(session), at=at, query=query)


def a_token(name: str) -> CreateToken:
    return CreateToken(name=name, kind=PrincipalKind.AGENT, tenant="file")


def each(names: tuple[str, ...], attempt: Callable[[str], object]) -> Callable[[], object]:
    """Try a verb with every way to name something; the first that answers is the answer."""

    def tried() -> object:
        answers = []
        for name in names:
            with suppress(NotFoundError):
                answers.append(attempt(name))
        if not answers:
            raise NotFoundError
        return answers

    return tried


def nobody_watches(_done: int, _total: int) -> None:
    """Watch nothing."""


def attempts(us: Holdfast, known: Known) -> dict[Verb, Callable[[], object]]:
    """Return for every verb a way to reach into the other space, by every name it takes."""
    names, one, two = known.references, MemoryId(known.one), MemoryId(known.two)
    link = Link(src=one, dst=two, kind="related")
    concern = Concern(
        trouble=MemoryTrouble.STALE,
        why="x",
        remedy=Remedy.SHOW,
        memories=(one,),
        step=CareStep.DEPRECATE,
    )
    talk = Transcript(tool="claude", session="s", turns=())
    note = Foreign(claim="Owls sleep.", kind=Kind.FACT, source="notes", place="NOTES.md")
    bundle = Grounds(from_bundle=known.bundle, because="x")
    derived = Grounds(derived_from=(known.one,), because="x")
    forget = each(names, lambda name: us.memories.forget(Forget(reference=name, by="us")))
    return {
        ("memories", "remember"): each(
            (known.bundle,), lambda _: remembered(us, "Owls hunt.", grounds=bundle)
        ),
        ("memories", "remember_all"): each(
            (known.one,), lambda _: remembered(us, "Owls nest.", grounds=derived)
        ),
        ("memories", "browse"): lambda: us.memories.browse(
            Browse(selection=Selection(statuses=frozenset(Status)), query="port")
        ),
        ("memories", "show"): each((*names, *known.everything), us.memories.show),
        ("memories", "explain"): each(names, us.memories.explain),
        ("memories", "explain_in_bundle"): each(
            names, lambda name: us.memories.explain_in_bundle(known.bundle, name)
        ),
        ("memories", "spans"): lambda: us.memories.spans([SpanId(known.span)]),
        ("memories", "related"): each(names, us.memories.related),
        ("memories", "forget"): forget,
        ("memories", "withdraw"): each(
            (*names, known.waiting), lambda name: us.memories.withdraw(Forget(reference=name))
        ),
        ("memories", "propose_forgetting"): each(
            names, lambda name: us.memories.propose_forgetting(Forget(reference=name))
        ),
        ("memories", "pin"): each(names, us.memories.pin),
        ("memories", "pin_span"): each((known.span,), us.memories.pin_span),
        ("memories", "link"): lambda: us.memories.link(link),
        ("memories", "unlink"): lambda: us.memories.unlink(link),
        ("answers", "recall"): lambda: us.answers.recall(Question(text="which port and cache")),
        ("answers", "answer"): lambda: us.answers.answer(
            Question(text="which port and cache", include=("memory", "sessions"))
        ),
        ("answers", "replay"): each((known.bundle,), us.answers.replay),
        ("answers", "shown"): each((known.bundle,), us.answers.shown),
        ("answers", "feedback"): each(
            (known.bundle,), lambda name: us.answers.feedback(name, good=False)
        ),
        ("answers", "learn"): lambda: us.answers.learn(Learn()),
        ("answers", "reset_weights"): us.answers.reset_weights,
        ("answers", "undo_weights"): us.answers.undo_weights,
        ("evidence", "verify"): lambda: [
            us.evidence.verify(Verify(everything=True)),
            each(names, lambda name: us.evidence.verify(Verify(references=(name,))))(),
        ],
        ("checks", "run"): lambda: [
            us.checks.run(RunChecks()),
            each(names, lambda name: us.checks.run(RunChecks(references=(name,))))(),
        ],
        ("checks", "listed"): us.checks.listed,
        ("checks", "told"): lambda: us.checks.told(["file a must exist"]),
        ("checks", "commands"): each(names, us.checks.commands),
        ("checks", "accept"): each(
            names,
            lambda name: us.checks.accept(AcceptCommands(reference=name, by="us", shown="0" * 64)),
        ),
        ("checks", "revoke"): each(names, us.checks.revoke),
        ("evidence", "checks_of"): lambda: us.evidence.checks_of([]),
        ("evidence", "quotes"): lambda: us.evidence.quotes(
            CheckedMemory(record=a_record(), evidence=())
        ),
        ("evidence", "sight"): lambda: us.evidence.sight(a_span()),
        ("evidence", "blame"): lambda: us.evidence.blame(FilePlace(path="src/app.py", first=1)),
        ("evidence", "difference"): lambda: us.evidence.difference("main", "main"),
        ("evidence", "difference_of"): lambda: us.evidence.difference_of("main..main"),
        ("evidence", "note_rewrites"): lambda: us.evidence.note_rewrites([("1" * 40, "2" * 40)]),
        ("evidence", "note_head"): us.evidence.note_head,
        ("code", "cited_lines"): each(
            names,
            lambda name: us.code.cited_lines(us.memories.explain(name).record, (), margin=1),
        ),
        ("code", "surround"): lambda: us.code.surround("port"),
        ("code", "index"): lambda: us.code.index(nobody_watches),
        ("code", "read_history"): lambda: us.code.read_history(nobody_watches),
        ("review", "review"): lambda: [
            us.review.review(Review(is_everywhere=True)),
            each(
                (*names, known.waiting), lambda name: us.review.review(Review(references=(name,)))
            )(),
        ],
        ("review", "auto_accept"): us.review.auto_accept,
        ("review", "approve"): each(
            (known.waiting, *names),
            lambda name: us.review.approve(Approve(references=(name,), by="us")),
        ),
        ("review", "reject"): each(
            (known.waiting, *names),
            lambda name: us.review.reject(Reject(references=(name,), by="us")),
        ),
        ("review", "edit"): each(
            names,
            lambda name: us.review.edit(Edit(reference=name, claim="It is 1.", by="us")),
        ),
        ("review", "conflicts"): lambda: us.review.conflicts(everywhere=True),
        ("review", "judge"): lambda: us.review.judge(Silent()),
        ("review", "read_pairs"): lambda: reading(us).review.read_pairs(everywhere=True),
        ("review", "resolve"): each(
            (known.waiting,),
            lambda name: us.review.resolve(
                Resolve(reference=name, other=known.one, by="us", way=ResolutionWay.SUPERSEDE)
            ),
        ),
        ("review", "undo"): each(
            (known.decision,), lambda name: us.review.undo(Undo(reference=name, by=MARK))
        ),
        ("review", "decisions"): lambda: us.review.decisions(everywhere=True),
        ("review", "revert"): lambda: us.review.revert(Revert(source=f"{MARK}-tool", by="us")),
        ("care", "survey"): us.care.survey,
        ("care", "history"): us.care.history,
        ("care", "digest"): lambda: us.care.digest(since=timedelta(days=9)),
        ("care", "tidy"): lambda: us.care.tidy([concern], by="us"),
        ("care", "deprecate"): each(names, lambda name: us.care.deprecate([name], by="us")),
        ("care", "consolidate"): lambda: us.care.consolidate([one, two], by="us"),
        ("care", "prune"): lambda: us.care.prune(
            Prune(by="us", everywhere=True, force=True, max_age=read_durations("1s"))
        ),
        ("upkeep", "status"): lambda: us.upkeep.status(everywhere=True),
        ("upkeep", "embedded"): us.upkeep.embedded,
        ("upkeep", "facts"): us.upkeep.facts,
        ("upkeep", "catch_up"): lambda: us.upkeep.catch_up(nobody_watches),
        ("upkeep", "embed_again"): lambda: us.upkeep.embed_again(
            nobody_watches, mark=Mark(), using=SmallReader()
        ),
        ("upkeep", "drop_vectors"): lambda: us.upkeep.drop_vectors("unheard-of"),
        ("upkeep", "check"): lambda: us.upkeep.check(nobody_watches),
        ("upkeep", "repair"): lambda: us.upkeep.repair(nobody_watches),
        ("upkeep", "rebuild"): lambda: us.upkeep.rebuild(nobody_watches),
        ("jobs", "add_import"): lambda: us.jobs.add_import(
            [], secrets=SecretPolicy.REFUSE, by="us"
        ),
        ("jobs", "add_embedding"): lambda: us.jobs.add_embedding(by="us"),
        ("jobs", "add_pruning"): lambda: us.jobs.add_pruning(by="us"),
        ("jobs", "add_curation"): lambda: us.jobs.add_curation(by="us"),
        ("jobs", "list"): us.jobs.list,
        ("jobs", "run"): lambda: list(
            us.jobs.run(WorkOrder(worker="us", lease_seconds=60), pause=lambda: None)
        ),
        ("jobs", "cancel"): lambda: us.jobs.cancel("j_1"),
        ("sessions", "start"): lambda: us.sessions.start(tool="x", user="us"),
        ("sessions", "add_turn"): each(
            (known.session,), lambda name: us.sessions.add_turn(name, a_turn(name, "owls"))
        ),
        ("sessions", "end"): each((known.session,), us.sessions.end),
        ("sessions", "latest"): lambda: us.sessions.latest(limit=99),
        ("session_cache", "hydrate"): lambda: us.session_cache.hydrate(Hydrate()),
        ("session_cache", "note"): each(
            (known.session, ""),
            lambda name: us.session_cache.note(KeepNote(text="owls", session=name)),
        ),
        ("session_cache", "keep_turn"): each(
            (known.session,), lambda name: us.session_cache.keep_turn(name, KeepTurn(asked="owls"))
        ),
        ("session_cache", "keep_turn_of"): lambda: us.session_cache.keep_turn_of(
            SessionId("i_00000000000000000000000009"), KeepTurn(asked="owls"), tool="x"
        ),
        ("session_cache", "say"): each(
            (known.session,),
            lambda name: us.session_cache.say(name, [SayTurn(by=SaidBy.PERSON, text="owls")]),
        ),
        ("session_cache", "say_talk"): lambda: us.session_cache.say_talk(
            Transcript(tool="x", session="y", turns=())
        ),
        **{
            ("session_cache", verb): each((known.session,), getattr(us.session_cache, verb))
            for verb in ("show", "fork", "resume", "rewind", "reconcile", "said", "unsay")
        },
        ("tasks", "add"): lambda: us.tasks.add(AddTask(title="x")),
        ("tasks", "edit"): each(
            (known.task,), lambda name: us.tasks.edit(EditTask(reference=name, title="x"))
        ),
        **{
            ("tasks", verb): each((known.task,), getattr(us.tasks, verb))
            for verb in (
                *("start", "claim", "release", "done", "reopen", "unblock", "delete", "show"),
            )
        },
        ("tasks", "block"): each((known.task,), lambda name: us.tasks.block(name, "x")),
        ("tasks", "claim_next"): us.tasks.claim_next,
        ("tasks", "ready"): us.tasks.ready,
        ("tasks", "next"): us.tasks.next,
        ("tasks", "list"): lambda: us.tasks.list(ListTasks(everywhere=True)),
        ("tasks", "drawn"): us.tasks.drawn,
        ("tasks", "bring_in"): lambda: us.tasks.bring_in([]),
        ("tasks", "export"): lambda: list(us.tasks.export()),
        ("runs", "start"): lambda: us.runs.start(tool="x", user="us"),
        ("runs", "note"): each(
            (known.run.id, known.run.label), lambda name: us.runs.note("x", reference=name)
        ),
        ("runs", "finish"): each((known.run.id,), lambda name: us.runs.finish("x", reference=name)),
        ("runs", "latest"): lambda: us.runs.latest(everywhere=True),
        ("runs", "show"): each((known.run.id,), us.runs.show),
        ("runs", "write_page"): lambda: us.runs.write_page(us.runs.start(tool="x", user="us")),
        ("runs", "context"): lambda: us.runs.context("port"),
        ("runs", "write_context"): lambda: us.runs.write_context(us.runs.context("port")),
        ("runs", "journal"): lambda: us.runs.journal(date(2026, 11, 15)),
        ("runs", "write_journal"): lambda: us.runs.write_journal(date(2026, 11, 15)),
        ("roles", "supervise"): lambda: us.roles.supervise("Feed the owls", SuperviseOptions()),
        ("roles", "resume"): each(
            (known.supervised, "run-2026-11-15-2"),
            lambda name: us.roles.resume(name, SuperviseOptions()),
        ),
        ("roles", "replay"): each((known.supervised,), us.roles.replay),
        ("roles", "show"): each((known.supervised,), us.roles.show),
        ("roles", "latest"): us.roles.latest,
        ("roles", "commands"): us.roles.commands,
        ("roles", "allow"): lambda: us.roles.allow("owl", "true", by="us"),
        ("roles", "disallow"): lambda: us.roles.disallow("owl"),
        ("workspaces", "snapshot"): lambda: us.workspaces.snapshot(TakeSnapshot(note="ours")),
        ("workspaces", "list"): lambda: us.workspaces.list(everywhere=True),
        ("workspaces", "show"): each((known.snapshot,), us.workspaces.show),
        ("workspaces", "diff"): each((known.snapshot,), us.workspaces.diff),
        ("workspaces", "restore"): each(
            (known.snapshot,),
            lambda name: us.workspaces.restore(RestoreSnapshot(reference=name)),
        ),
        ("workspaces", "delete"): each((known.snapshot,), us.workspaces.delete),
        ("workspaces", "gc"): us.workspaces.gc,
        **agent_attempts(us, known),
        ("pages", "has_pages"): us.pages.has_pages,
        ("pages", "entries"): us.pages.entries,
        ("pages", "sync"): lambda: us.pages.sync(Sync(by="us", voice=Origin.HUMAN)),
        ("pages", "hide_private"): us.pages.hide_private,
        ("pages", "pending"): lambda: us.pages.pending(by="us"),
        ("pages", "trust"): lambda: us.pages.trust(
            Trust(clone="/clone", by="us", shown=us.pages.pending(by="us").shown)
        ),
        ("pages", "revoke"): lambda: us.pages.revoke(by="us"),
        ("pages", "ignore_sessions"): lambda: us.pages.ignore_sessions(by="us"),
        ("pages", "trusted"): us.pages.trusted,
        ("page_writer", "write"): lambda: us.page_writer.write(by="us"),
        ("intake", "propose"): lambda: us.intake.propose(Propose(transcript=talk)),
        ("intake", "propose_run"): lambda: us.intake.propose_run(
            us.runs.start(tool="x", user="us")
        ),
        ("intake", "read_on"): lambda: list(
            us.intake.read_on(ReadTranscripts(files=()), reader=Mute(), bookmarks=Blank())
        ),
        ("intake", "take_over"): lambda: us.intake.take_over(TakeOver(notes=(note,))),
        ("exchange", "export"): lambda: list(us.exchange.export()),
        ("exchange", "bring_in"): lambda: us.exchange.bring_in(
            [json.dumps({"type": "link", "data": {"src": one, "dst": two, "kind": "related"}})]
        ),
        ("service", "add_memory"): lambda: us.service.add_memory(AddMemory(content="Owls.")),
        ("service", "search_memories"): lambda: us.service.search_memories(
            SearchMemories(query="port")
        ),
        ("service", "add_relationship"): lambda: us.service.add_relationship(
            Relate(source=uuid_of(one), target=uuid_of(two), relationship_type="related")
        ),
        ("service", "related_memories"): lambda: us.service.related_memories(uuid_of(one)),
        **document_attempts(us),
        ("service", "holds"): lambda: us.service.holds(uuid_of(one)),
        **encryption_attempts(us, known),
        ("access", "create"): lambda: us.access.create(a_token("ours")),
        ("access", "tokens"): us.access.tokens,
        ("access", "revoke"): each((known.token, f"{MARK}-token"), us.access.revoke),
        ("measured", "remember_all"): lambda: us.measured.remember_all([]),
        ("measured", "accept"): each(
            (known.waiting,), lambda name: us.measured.accept(MemoryId(name))
        ),
        ("measured", "answer"): lambda: us.measured.answer(Question(text="which port")),
        ("measured", "browse"): lambda: us.measured.browse(Browse()),
        ("measured", "catch_up"): lambda: us.measured.catch_up(nobody_watches),
    }


def document_attempts(us: Holdfast) -> dict[Verb, Callable[[], object]]:
    """Return the attempts to read or change the documents of the other space."""
    name = DocumentName(collection="test", key="theirs")
    drop = DropDocument(name=name, source="us")
    return {
        ("documents", "keep"): lambda: us.documents.keep([drop]),
        ("documents", "named"): lambda: us.documents.named([name]),
        ("documents", "within"): lambda: us.documents.within("test"),
        ("documents", "namespaces"): lambda: us.documents.namespaces("test"),
        ("documents", "search"): lambda: us.documents.search(
            SearchDocuments(query="port", collection="test")
        ),
    }


def encryption_attempts(us: Holdfast, known: Known) -> dict[Verb, Callable[[], object]]:
    """Return the attempts to read or change what the other space encrypted."""
    encryption, theirs = us.encryption, (known.encryption_key,)
    return {
        ("encryption", "reveal"): lambda: encryption.reveal(known.secret),
        ("encryption", "protect"): each(
            known.references, lambda name: encryption.protect(Protect(reference=name))
        ),
        ("encryption", "known_keys"): encryption.known_keys,
        ("encryption", "create"): encryption.create,
        ("encryption", "add"): lambda: encryption.add(encryption.create()[0].source),
        ("encryption", "use"): each(theirs, encryption.use),
        ("encryption", "rotate"): each(theirs, encryption.rotate),
        ("encryption", "remove"): each(theirs, encryption.remove),
        ("encryption", "encrypt_store"): each(theirs, encryption.encrypt_store),
        ("encryption", "decrypt_store"): encryption.decrypt_store,
        ("encryption", "check"): encryption.check,
    }


def agent_attempts(us: Holdfast, known: Known) -> dict[Verb, Callable[[], object]]:
    """Return the attempts to act for an agent of the other space, or to look at it."""
    agents, theirs = (MARK, str(known.opening.agent.id)), known.opening
    edit, done = ProposeAction(tool="x"), FinishCycle(summary="x")
    question = Question(text="which port")
    return {
        ("agents", "open"): lambda: us.agents.open(OpenAgent(name="ours")),
        ("agents", "renew"): lambda: us.agents.renew(theirs),
        ("agents", "close"): lambda: us.agents.close(theirs),
        ("agents", "begin_cycle"): lambda: us.agents.begin_cycle(theirs),
        ("agents", "propose"): lambda: us.agents.propose(theirs, 1, edit),
        ("agents", "finish"): lambda: us.agents.finish(theirs, 1, done),
        ("agents", "track"): lambda: us.agents.track(theirs, 1, CycleMoment.BEFORE),
        ("agents", "last_kept"): each(agents, us.agents.last_kept),
        ("agents", "remember"): lambda: us.agents.remember(theirs, AgentNote(claim="Owls.")),
        ("agents", "recall"): each(agents, lambda name: us.agents.recall(name, question)),
        ("agents", "list"): us.agents.list,
        ("agents", "show"): each(agents, us.agents.show),
        ("agents", "cycles"): each(agents, us.agents.cycles),
        ("agents", "resume"): each(agents, us.agents.resume),
        ("agents", "resume_open"): lambda: us.agents.resume_open(theirs),
        ("agents", "export"): each(agents, lambda name: list(us.agents.export(name))),
        ("agents", "delete"): each(
            agents, lambda name: us.agents.delete(DeleteAgent(reference=name, even_if_held=True))
        ),
    }


class Mute:
    """A reader of transcripts in which nothing was said."""

    tool = "mute"

    def conversations(self, path: str, *, tell: object) -> list[Transcript]:
        raise AssertionError(path, tell)

    def read(self, path: str) -> Transcript:
        raise AssertionError(path)


class Blank:
    """Bookmarks in nothing."""

    def of(self, path: str) -> None:
        raise AssertionError(path)

    def is_unchanged(self, path: str) -> bool:
        raise AssertionError(path)

    def put(self, path: str, bookmark: object) -> None:
        raise AssertionError(path, bookmark)


class Alarmed:
    """A model that reads every pair as contradicting."""

    name, threshold = "alarmed", 0.5

    def scores(
        self, pairs: Sequence[tuple[str, str]], *, most_letters: int, progress: Progress
    ) -> ReadPairs:
        return ReadPairs(scores=(1.0,) * len(pairs))

    def forget(self, claims: Collection[str]) -> None:
        assert not claims, "the other space forgot nothing"


def reading(holdfast: Holdfast) -> Holdfast:
    return replace(holdfast, pair_reader=Alarmed)


class Silent:
    """A judge that suspects nothing."""

    name = "silent"

    def judged(self, newer: str, older: str, found: object) -> None:
        assert (newer, older, found) != ("", "", None)


@pytest.fixture(autouse=True)
def _keys_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_KEYS", str(tmp_path / "keys"))


@pytest.fixture
def spaces(stores: Open) -> Iterator[tuple[Holdfast, Holdfast]]:
    """The other space, and ours."""
    them, us = opened(stores, THEIRS), opened(stores, OURS)
    yield them, us
    them.close()
    us.close()


def everything(app: Holdfast) -> list[str]:
    return list(app.exchange.export())


EXPECTED = (NotFoundError, NoModelError, NothingOfThatSourceError, NotOfferedError)


@requirement("spaces.nothing-crosses")
def test_no_verb_of_one_space_sees_or_changes_the_other(spaces: tuple[Holdfast, Holdfast]) -> None:
    them, us = spaces
    known = Known(them)
    remembered(us, "Owls are birds.")
    before, leaks = everything(them), []

    for verb, attempt in attempts(us, known).items():
        try:
            said = repr(attempt())
        except EXPECTED as error:
            said = str(error)
            for name in (*known.everything, f"{MARK}-tool"):
                said = said.replace(name, "")  # what we named ourselves may be named back
        except HoldfastError as error:
            leaks.append(f"{verb}: {type(error).__name__}: {error}")
            continue
        leaks += [f"{verb}: {name}" for name in (MARK, THEIRS, *known.everything) if name in said]

    assert leaks == []
    assert everything(them) == before


@requirement("spaces.nothing-crosses")
def test_every_verb_is_tried_against_another_space(spaces: tuple[Holdfast, Holdfast]) -> None:
    them, us = spaces

    assert set(attempts(us, Known(them))) == set(VERBS)


@requirement("spaces.nothing-crosses")
def test_what_is_imported_belongs_to_the_space_that_takes_it_in(
    spaces: tuple[Holdfast, Holdfast],
) -> None:
    them, us = spaces
    known = Known(them)

    us.exchange.bring_in(everything(them))

    with us.store.reading() as tx:
        assert tx.memories.get(known.one).memory.space == OURS
        assert tx.bundles.get(BundleId(known.bundle)).place.space == OURS
    assert {item.memory_id for item in us.answers.recall(Question(text="port")).bundle.items}


@requirement("spaces.nothing-crosses")
def test_a_principal_of_another_space_finds_no_store(spaces: tuple[Holdfast, Holdfast]) -> None:
    them, us = spaces

    with pytest.raises(NoSuchStoreError, match="The space ours has no store") as refused:
        replace(them, principal=us.principal)

    assert THEIRS not in str(refused.value)


@requirement("spaces.nothing-crosses")
@pytest.mark.parametrize("only_reads", [False, True])
def test_the_file_of_another_space_is_no_store(tmp_path: Path, *, only_reads: bool) -> None:
    path = tmp_path / "holdfast.db"
    SqliteStore.open(path, options=StoreOptions(space=THEIRS)).close()

    for space in (OURS, SpaceId("default")):
        options = StoreOptions(space=space, only_reads=only_reads)
        with pytest.raises(NoSuchStoreError, match=f"The space {space} has no store") as refused:
            SqliteStore.open(path, options=options)
        assert THEIRS not in str(refused.value)

    mine = SqliteStore.open(path, options=StoreOptions(space=THEIRS))
    assert mine.space == THEIRS
    mine.close()


@requirement("spaces.nothing-crosses")
def test_a_repaired_store_is_still_of_its_space(tmp_path: Path) -> None:
    path, options = tmp_path / "holdfast.db", StoreOptions(space=THEIRS)
    app = opened(lambda _: SqliteStore.open(path, options=options), THEIRS)
    remembered(app, "Owls are birds.")
    app.close()
    content = path.read_bytes()
    path.write_bytes(content.replace(b"Owls are birds.", b"Owls are fishes"))

    damaged = opened(lambda _: SqliteStore.open(path, options=options), THEIRS)
    damaged.upkeep.repair(nobody_watches)
    damaged.close()

    SqliteStore.open(path, options=options).close()
