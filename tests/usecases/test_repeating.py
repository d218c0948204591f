"""Units of work that the store undid are repeated, and happen exactly once."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

import holdfast
from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.choices import Kind, Origin
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.refusals import WorkUndoneError
from holdfast.domain.sessions.session import Interaction
from holdfast.heuristics.english import ENGLISH
from holdfast.ports.store.store import Store
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.review.approve import Approve, Reject
from holdfast.usecases.review.rewording import Edit
from holdfast.usecases.review.undo import Undo
from tests.builders import ADA, NOON, FixedClock, PlainSurroundings, WordCounter
from tests.contract.steps import said_nothing
from tests.requirements import requirement
from tests.usecases.colliding import CollidingStore
from tests.usecases.reading import SmallReader
from tests.usecases.wishes import asked, said

USECASES = Path(holdfast.__file__).parent / "usecases"
ABOVE = ("app", "bootstrap", "surfaces")


def opened(store: Store) -> Holdfast:
    return Holdfast(
        principal=ADA,
        store=store,
        clock=FixedClock(),
        counter=WordCounter(),
        surroundings=PlainSurroundings(files={"src/app.py": "one\ntwo\nthree\n"}),
        embedder=SmallReader(),
        heuristics=ENGLISH,
    )


def live(memory: Holdfast) -> None:
    """Do a little of everything that writes."""
    curation = memory.review
    first = said(memory, "Tokens rotate hourly.", key="rotation")
    second = said(memory, "Deploys need two reviews.", kind=Kind.RULE)
    said(memory, "Tokens rotate hourly.", grounds=Grounds(places=("src/app.py:1-2",)))
    waiting = said(memory, "Caches expire at noon.", origin=Origin.AGENT)
    refused = said(memory, "Lunch is at one.", origin=Origin.AGENT)
    memory.memories.link(Link(src=first.memory.id, dst=second.memory.id, kind="related"))
    memory.upkeep.catch_up(said_nothing)
    bundle = asked(memory, "How often do tokens rotate?").bundle
    memory.answers.feedback(bundle.id, good=True)
    session = memory.sessions.start(tool="editor", user="ada")
    turn = Interaction(id=0, session_id=session.id, at=NOON, query="tokens?", bundle_id=bundle.id)
    memory.sessions.add_turn(session.id, turn)
    memory.sessions.end(session.id)
    memory.memories.pin(second.memory.id)
    curation.approve(Approve(references=(waiting.memory.id,), by="ada"))
    curation.reject(Reject(references=(refused.memory.id,), by="ada"))
    curation.edit(Edit(reference=second.memory.id, claim="Deploys need one review.", by="ada"))
    curation.undo(Undo(by="ada"))
    memory.memories.forget(Forget(reference=refused.memory.id))
    lines = list(memory.exchange.export())
    memory.exchange.bring_in(lines)


def contents(store: Store) -> dict[str, object]:
    """Count what a store holds; names differ, as every attempt makes its own."""
    with store.reading() as tx:
        events = tx.diary.events.since(0, limit=10_000)
        records = tx.memories.find(Selection(), Page(limit=1_000, oldest_first=True))
        return {
            "actions": Counter(event.action for event in events),
            "claims": sorted((one.memory.claim, one.standing.status.value) for one in records),
            "usage": sorted((one.memory.claim, one.usage.access_count) for one in records),
            "rated": sorted((one.memory.claim, one.usage.good) for one in records),
            "reasons": sorted((one.memory.claim, len(one.evidence)) for one in records),
            "models": [use.memories for use in tx.finding.meaning.models()],
        }


@requirement("store.work-may-be-repeated")
@pytest.mark.parametrize("collisions", [1, 3])
def test_work_that_was_undone_happens_exactly_once(collisions: int) -> None:
    plain, colliding = InMemoryStore(), CollidingStore(collisions=collisions)

    live(opened(plain))
    live(opened(colliding))

    assert colliding.undone > 15 * collisions
    assert contents(colliding) == contents(plain)


@requirement("store.work-may-be-repeated")
def test_work_that_is_undone_every_time_is_given_up_and_changes_nothing() -> None:
    store = CollidingStore(collisions=1_000)
    memory = opened(store)

    with pytest.raises(WorkUndoneError, match="Try again"):
        said(memory, "Tokens rotate hourly.")

    assert contents(store) == contents(InMemoryStore())


@requirement("store.work-may-be-repeated")
def test_a_question_is_answered_though_its_bundle_is_never_kept() -> None:
    store = CollidingStore(collisions=0)
    memory = opened(store)
    kept = said(memory, "Tokens rotate hourly.")
    memory.upkeep.catch_up(said_nothing)
    store.collisions = 1_000

    bundle = asked(memory, "How often do tokens rotate?").bundle

    assert [item.memory_id for item in bundle.items] == [kept.memory.id]
    assert any("this bundle was not stored" in note for note in bundle.notes)


def writers(path: Path) -> list[ast.FunctionDef]:
    """Return the functions of a module that begin a unit of work."""
    functions = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]
    return [
        function
        for function in functions
        # A store that wraps another one begins the unit of work of its caller.
        if function.name != "writing"
        and any(
            isinstance(node, ast.Attribute) and node.attr == "writing"
            for node in ast.walk(function)
        )
    ]


@requirement("store.work-may-be-repeated")
def test_whoever_begins_a_unit_of_work_is_repeatable() -> None:
    begin = [
        (f"{path.stem}.{function.name}", [ast.unparse(one) for one in function.decorator_list])
        for path in sorted(USECASES.rglob("*.py"))
        for function in writers(path)
    ]

    assert begin
    assert [name for name, decorators in begin if "repeatable" not in decorators] == []


@requirement("store.work-may-be-repeated")
def test_only_use_cases_begin_a_unit_of_work() -> None:
    above = [path for room in ABOVE for path in (USECASES.parent / room).rglob("*.py")]

    assert [path.name for path in above if writers(path)] == []
