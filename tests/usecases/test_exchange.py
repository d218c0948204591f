from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from holdfast.adapters.inmemory.store import InMemoryStore, InMemoryTransaction
from holdfast.app import Holdfast
from holdfast.domain.choices import EvidenceType, Origin
from holdfast.domain.errors import ForgottenError, StoreFullError
from holdfast.domain.gates.secrets import SecretFound, find_secrets
from holdfast.domain.ids import BundleId, MemoryId, SessionId, SpanId
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing, content_hash
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.refusals import BadExchangeError
from holdfast.heuristics.english import ENGLISH
from holdfast.usecases import screening
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.exchange.exchange import Brought
from holdfast.usecases.exchange.taking_in import take_in
from holdfast.usecases.memory.browse import Browse
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.screening import SecretPolicy
from tests.builders import (
    ADA,
    FixedClock,
    PlainSurroundings,
    WordCounter,
    a_branch_point,
    a_memory,
    a_project,
    a_rewrite,
    a_run,
    a_session,
    a_session_cache,
    a_span,
    a_step,
    a_turn,
    an_anchor,
)
from tests.requirements import requirement
from tests.usecases.wishes import SECRET, asked, bundle_about, now, proposed, said


def a_holdfast(store: InMemoryStore | None = None) -> Holdfast:
    return Holdfast(
        principal=ADA,
        store=store or InMemoryStore(),
        clock=FixedClock(),
        counter=WordCounter(),
        surroundings=PlainSurroundings(files={"src/app.py": "one\ntwo\n"}),
        heuristics=ENGLISH,
    )


def lived_in() -> Holdfast:
    """A memory in which everything happened once."""
    holdfast = a_holdfast()
    clock = holdfast.clock
    assert isinstance(clock, FixedClock)
    first = said(holdfast, grounds=Grounds(places=("src/app.py:1",)), key="rotation")
    session = holdfast.sessions.start(tool="cli", user="ada")
    clock.advance(minutes=1)
    other = holdfast.sessions.start(tool="mcp", user="bob")
    recalled = asked(holdfast)
    holdfast.sessions.add_turn(session.id, a_turn(query="first", bundle_id=recalled.bundle.id))
    holdfast.sessions.add_turn(other.id, a_turn(query="second"))
    clock.advance(minutes=1)
    holdfast.sessions.add_turn(session.id, a_turn(query="third"))
    holdfast.sessions.end(session.id)
    holdfast.answers.feedback(recalled.bundle.id, good=True)
    said(holdfast, "Tokens rotate daily.", key="rotation", metadata={"a": [1, {"b": None}]})
    proposed(holdfast, "Doors open.", keep_for=timedelta(days=3), tags=("x", "y"))
    said(holdfast, "doors open", grounds=Grounds(because="Sure.", derived_from=(first.memory.id,)))
    said(holdfast, "doors open", grounds=Grounds(because="Really."), pinned=True, label="D-1")
    gone = said(holdfast, "Walls stand.")
    holdfast.memories.forget(Forget(reference=gone.memory.id, by="ada", reason="asked to"))
    stood_somewhere(holdfast)
    return holdfast


def stood_somewhere(holdfast: Holdfast) -> None:
    """Write something on a branch whose history was rewritten since."""
    memory = a_memory(id=MemoryId("m_aside"), claim="Gates close.", branch_point=a_branch_point())
    session = a_session(id=SessionId("i_aside"), branch_point=a_branch_point(branch=None))
    with holdfast.store.writing(holdfast.clock.now()) as tx:
        tx.anchors.spans.put(a_span(id=SpanId("s_aside"), anchor=an_anchor()))
        tx.anchors.past.put_rewrites([a_rewrite(), a_rewrite(repo="other")])
        tx.memories.add(memory, Standing())
        tx.sessions.put(session)
        tx.diary.runs.put(a_run())
        tx.diary.runs.steps.put(a_step())
        tx.sessions.caches.put(a_session_cache(session_id=session.id))
        tx.sessions.caches.projects.put(a_project())


def lines_of(holdfast: Holdfast) -> list[dict[str, Any]]:
    """Return the lines with memories renumbered: a gap is where something was forgotten."""
    lines = [json.loads(line) for line in holdfast.exchange.export()]
    for number, line in enumerate(line for line in lines if line["type"] == "memory"):
        line["data"]["sequence"] = number
    return lines


@requirement("export.lossless")
def test_what_was_exported_and_imported_again_is_the_same() -> None:
    old, new = lived_in(), a_holdfast()

    brought = new.exchange.bring_in(old.exchange.export())

    assert brought.refused == ()
    assert lines_of(new) == lines_of(old)
    assert {line["type"] for line in lines_of(new)} == {
        "holdfast", "span", "rewrite", "tombstone", "memory", "link", "bundle", "session", "turn",
        "run", "step", "kept", "decision",
    }  # fmt: skip


@requirement("import.texts-are-screened-once")
def test_an_import_searches_a_short_text_for_secrets_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old, searched = a_holdfast(), Counter[str]()
    records = [said(old, f"Tokens of service {number} rotate hourly.") for number in range(40)]
    for number in range(9):
        asked(old, f"tokens of service {number}")

    def found(text: str) -> tuple[SecretFound, ...]:
        searched[text] += 1
        return find_secrets(text)

    monkeypatch.setattr(screening, "find_secrets", found)
    lines = list(old.exchange.export())
    named = sum(line.count(records[0].memory.id) for line in lines)
    a_holdfast().exchange.bring_in(lines)

    fields = {"id", "memory_id", "src", "dst"}
    assert searched[records[0].memory.id] <= len(fields) < named
    searched.clear()
    a_holdfast().exchange.bring_in(lines)
    assert searched[records[0].memory.id]  # an import keeps no text for the next one


@requirement("export.lossless")
def test_an_export_from_before_anchors_is_brought_in_without_them() -> None:
    lines = [json.loads(line) for line in lived_in().exchange.export()]
    old = [line for line in lines if line["type"] != "rewrite"]
    for line in old:
        line["data"].pop("anchor", None)
        line["data"].pop("standpoint", None)
    new = a_holdfast()

    brought = new.exchange.bring_in(json.dumps(line) for line in old)

    assert brought.refused == ()
    assert brought.added == len(old) - 1
    with new.store.reading() as tx:
        assert tx.memories.get(MemoryId("m_aside")).memory.branch_point is None
        assert tx.anchors.spans.get(SpanId("s_aside")) == a_span(id=SpanId("s_aside"))


@requirement("import.resumable")
def test_a_rewrite_that_is_known_here_stays_as_it_is() -> None:
    here, there = a_holdfast(), a_holdfast()
    known = a_rewrite(new="9" * 40)
    for holdfast, rewrite in ((here, known), (there, a_rewrite())):
        with holdfast.store.writing(holdfast.clock.now()) as tx:
            tx.anchors.past.put_rewrites([rewrite])

    brought = here.exchange.bring_in(there.exchange.export())

    assert (brought.added, brought.known) == (0, 1)
    with here.store.reading() as tx:
        assert tx.anchors.past.rewrites(beyond=None, limit=9) == (known,)


@requirement("import.resumable")
def test_an_import_run_twice_adds_nothing() -> None:
    lines, new = list(lived_in().exchange.export()), a_holdfast()
    first = new.exchange.bring_in(lines)
    before = repr(new.store)

    again = new.exchange.bring_in([*lines, "", "  \n"])

    assert (again.added, again.forgotten, again.refused) == (0, 0, ())
    assert again.known == first.added == len(lines) - 1
    assert repr(new.store) == before


@requirement("import.resumable")
@pytest.mark.parametrize("cut", range(1, 20, 3))
def test_an_import_that_was_cut_off_completes_when_it_is_run_again(cut: int) -> None:
    old, new = lived_in(), a_holdfast()
    lines = list(old.exchange.export())

    new.exchange.bring_in(lines[:cut])
    new.exchange.bring_in(lines)

    assert lines_of(new) == lines_of(old)


WORDS = st.sampled_from(["tokens", "rotate", "hourly", "daily", "keys", "7", "not", "ünï", "令牌"])
ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["say", "propose", "key", "ask", "rate", "forget", "turn", "link", "pin"]),
        st.lists(WORDS, min_size=1, max_size=5).map(" ".join),
        st.integers(0, 7),
    ),
    max_size=14,
)


@requirement("export.lossless")
@settings(max_examples=40)
@for_all(actions=ACTIONS)
def test_any_history_survives_the_move(actions: list[tuple[str, str, int]]) -> None:
    old, new = a_holdfast(), a_holdfast()
    for action, words, number in actions:
        _happen(old, action, words, number)

    brought = new.exchange.bring_in(old.exchange.export())

    assert brought.refused == ()
    assert lines_of(new) == lines_of(old)
    assert new.exchange.bring_in(old.exchange.export()).added == 0


@requirement("import.bad-line-named")
@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("{not json", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1, 2]", "not an object"),
        ('{"type": "poem", "data": {}}', "type 'poem' is unknown"),
        (
            '{"type": "holdfast", "data": {"format": 3}}',
            "format is 3, this program reads formats up",
        ),
        ('{"type": "holdfast", "data": []}', "format is None"),
    ],
)
def test_a_line_that_is_no_export_is_named_and_those_before_it_are_kept(
    bad: str, problem: str
) -> None:
    old, new = lived_in(), a_holdfast()
    lines = list(old.exchange.export())
    told: list[Brought] = []

    with pytest.raises(BadExchangeError, match="Line 5 of the import.*") as refusal:
        new.exchange.bring_in([*lines[:4], bad, *lines[4:]], tell=told.append)

    assert problem in str(refusal.value)
    assert [line["type"] for line in lines_of(new)] == [
        json.loads(line)["type"] for line in lines[:4]
    ]
    assert told[-1].added == 3
    new.exchange.bring_in(lines)
    assert lines_of(new) == lines_of(old)


def test_an_import_that_stops_names_the_lines_it_refused_before() -> None:
    old, new = lived_in(), a_holdfast()
    lines = list(old.exchange.export())
    hidden = json.loads(next(line for line in lines if '"type": "memory"' in line))
    hidden["data"]["claim"] = "The password is Swordfish-2291!"

    with pytest.raises(BadExchangeError, match="unknown") as stopped:
        new.exchange.bring_in([lines[0], json.dumps(hidden), '{"type": "surprise"}'])

    assert stopped.value.line == 3
    assert len(stopped.value.refused) == 1
    assert "refused before it: 1 (line 2: " in str(stopped.value)
    assert "Swordfish" not in str(stopped.value)


Change = Callable[[dict[str, Any]], object]


def nested(depth: int) -> object:
    """Lists in lists."""
    found: object = "x"
    for _ in range(depth):
        found = [found]
    return found


UNUSABLE: dict[str, tuple[str, Change]] = {
    "a claim that does not fit its hash": ("memory", lambda data: data.update(claim="Other.")),
    "no evidence": ("memory", lambda data: data.update(evidence=[])),
    "an unknown kind": ("memory", lambda data: data.update(kind="poem")),
    "a moment that is none": ("memory", lambda data: data.update(created_at="yesterday")),
    "a moment before all moments": (
        "memory",
        lambda data: data.update(created_at="0001-01-01T00:00:00+14:00"),
    ),
    "a number beyond all numbers": ("memory", lambda data: data.update(access_count=1e400)),
    "an id of another noun": ("memory", lambda data: data.update(id="s_1")),
    "an id nobody could type": ("memory", lambda data: data.update(id="m_ \u00fc")),
    "an id without end": ("memory", lambda data: data.update(id="m_" + "a" * 100)),
    "trust above its origin": ("memory", lambda data: data.update(origin="web", trust="human")),
    "half a surrogate": ("memory", lambda data: data.update(claim="a\ud800")),
    "a NUL in a tag": ("memory", lambda data: data.update(tags=["a\0"])),
    "ten megabytes": ("memory", lambda data: data.update(source="x" * 10_000_000)),
    "a field without end": ("memory", lambda data: data.update(tags=nested(500))),
    "a bundle without end": ("bundle", lambda data: data.update(items=nested(500))),
    "metadata that is not JSON": ("memory", lambda data: data.update(metadata={"a": 1e400})),
    "a link to nothing": ("link", lambda data: data.update(dst="m_nothing")),
    "a turn of no session": ("turn", lambda data: data.update(session_id="i_nothing")),
    "a bundle that is none": ("bundle", lambda data: data.clear()),
    "a span of another noun": ("span", lambda data: data.update(id="m_1")),
    "a tombstone of another noun": ("tombstone", lambda data: data.update(memory_id="c_1")),
    "a session without a start": ("session", lambda data: data.pop("started_at")),
    "a session that stands nowhere": ("session", lambda data: data.update(standpoint=[])),
    "an anchor that is none": ("span", lambda data: data.update(anchor="src/app.py")),
    "a mark that is no hash": ("span", lambda data: data["anchor"].update(marks=["walrus"])),
    "marks without end": ("span", lambda data: data["anchor"].update(marks=["abcdef"] * 2_001)),
    "a head that is an option": (
        "memory",
        lambda data: data.update(standpoint={"branch": "x", "head": "--output=x"}),
    ),
    "a rewrite of no commit": ("rewrite", lambda data: data.update(old="HEAD")),
    "a rewrite nobody knows how": ("rewrite", lambda data: data.update(how="by magic")),
}


@requirement("import.bad-line-named")
@pytest.mark.parametrize("why", UNUSABLE)
def test_a_line_that_makes_no_sense_is_refused_by_number_and_the_others_are_kept(
    why: str,
) -> None:
    type_name, change = UNUSABLE[why]
    lines = [json.loads(line) for line in lived_in().exchange.export()]
    number = next(n for n, line in enumerate(lines, start=1) if line["type"] == type_name)
    change(lines[number - 1]["data"])
    new = a_holdfast()

    brought = new.exchange.bring_in(json.dumps(line) for line in lines)

    assert f"line {number}: " in brought.refused[0]
    assert brought.added + len(brought.refused) == len(lines) - 1


@requirement("import.bad-line-named")
@pytest.mark.parametrize("data", [None, [], "text", 5])
@pytest.mark.parametrize(
    "type_name", ["span", "rewrite", "tombstone", "memory", "link", "bundle", "session", "turn"]
)
def test_data_that_is_no_object_is_refused(type_name: str, data: object) -> None:
    new = a_holdfast()

    brought = new.exchange.bring_in([json.dumps({"type": type_name, "data": data})])

    assert len(brought.refused) == 1
    assert new.upkeep.status().facts.events == 0


SMUGGLED: dict[str, tuple[str, Change]] = {
    "claim": (
        "memory",
        lambda data: data.update(claim=SECRET, content_hash=content_hash(SECRET)),
    ),
    "key": ("memory", lambda data: data.update(key=SECRET)),
    "label": ("memory", lambda data: data.update(label=SECRET)),
    "tags": ("memory", lambda data: data.update(tags=[SECRET])),
    "source": ("memory", lambda data: data.update(source=SECRET)),
    "reason": ("memory", lambda data: data.update(reason=SECRET)),
    "decided_by": ("memory", lambda data: data.update(decided_by=SECRET)),
    "workspace": ("memory", lambda data: data.update(workspace=SECRET)),
    "branch": ("memory", lambda data: data.update(branch=SECRET)),
    "metadata": ("memory", lambda data: data.update(metadata={"a": [SECRET]})),
    "name in metadata": ("memory", lambda data: data.update(metadata={SECRET: 1})),
    "password in metadata": (
        "memory",
        lambda data: data.update(metadata={"password": "hunter2x9"}),
    ),
    "evidence": ("memory", lambda data: data["evidence"][0].update(ref=SECRET)),
    "facts": ("memory", lambda data: data["evidence"][0].update(facts={"a": SECRET})),
    "added evidence": (
        "memory",
        lambda data: data.update(added_evidence=[{"type": "url", "ref": SECRET}]),
    ),
    "span's path": ("span", lambda data: data.update(path=SECRET)),
    "anchor's symbol": ("span", lambda data: data["anchor"].update(symbol=SECRET)),
    "anchor's branch": ("span", lambda data: data["anchor"].update(branch=SECRET)),
    "standpoint's branch": (
        "memory",
        lambda data: data.update(branch_point={"branch": SECRET, "head": "ab" * 20}),
    ),
    "rewrite's repository": ("rewrite", lambda data: data.update(repo=SECRET)),
    "span's label": ("span", lambda data: data.update(label=SECRET)),
    "question": ("bundle", lambda data: data["question"].update(text=SECRET)),
    "question's tag": ("bundle", lambda data: data["question"].update(tags=[SECRET])),
    "bundle's note": ("bundle", lambda data: data.update(notes=[SECRET])),
    "tool": ("session", lambda data: data.update(tool=SECRET)),
    "user": ("session", lambda data: data.update(user=SECRET)),
    "query": ("turn", lambda data: data.update(query=SECRET)),
    "turn's notes": ("turn", lambda data: data.update(notes=SECRET)),
    "tombstone's reason": ("tombstone", lambda data: data.update(reason=SECRET)),
    "who forgot": ("tombstone", lambda data: data.update(forgotten_by=SECRET)),
}


@requirement("gate.secret-refused")
@pytest.mark.parametrize("field", SMUGGLED)
def test_imported_lines_pass_the_same_gates_in_every_field(field: str) -> None:
    type_name, change = SMUGGLED[field]
    lines = [json.loads(line) for line in lived_in().exchange.export()]
    change(next(line for line in lines if line["type"] == type_name)["data"])
    texts = [json.dumps(line) for line in lines]

    for policy in (SecretPolicy.REFUSE, SecretPolicy.REDACT):
        new = a_holdfast()
        new.exchange.bring_in(texts, secrets=policy)
        assert SECRET not in repr(new.store)
        assert "hunter2x9" not in repr(new.store)
    allowing = a_holdfast()
    assert allowing.exchange.bring_in(texts, secrets=SecretPolicy.ALLOW).refused == ()


@requirement("import.resumable")
def test_an_import_that_redacts_adds_nothing_the_second_time() -> None:
    lines = [json.loads(line) for line in lived_in().exchange.export()]
    for line in lines:
        if line["type"] == "turn":
            line["data"]["query"] += f" {SECRET}"
        if line["type"] == "memory":
            claim = f"{line['data']['claim']} {SECRET}\u200b"
            line["data"].update(claim=claim, content_hash=content_hash(claim))
    texts, new = [json.dumps(line) for line in lines], a_holdfast()
    first = new.exchange.bring_in(texts, secrets=SecretPolicy.REDACT)

    again = new.exchange.bring_in(texts, secrets=SecretPolicy.REDACT)

    assert first.refused == again.refused == ()
    assert (again.added, again.known) == (0, first.added)


def test_what_is_here_already_stays_as_it_is() -> None:
    old = a_holdfast()
    one, other = said(old, "One."), said(old, "Two.")
    link = old.memories.link(Link(src=one.memory.id, dst=other.memory.id, kind="about", score=0.2))
    lines = list(old.exchange.export())
    stronger = old.memories.link(replace(link, score=0.9))
    old.memories.pin(one.memory.id)

    brought = old.exchange.bring_in(lines)

    assert (brought.added, brought.known) == (0, 3)
    assert old.memories.related(one.memory.id)[0][0] == stronger
    assert now(old, one).standing.pinned


@requirement("forget.leaves-tombstone")
def test_what_was_forgotten_elsewhere_is_forgotten_here_too() -> None:
    here, there = a_holdfast(), a_holdfast()
    kept = said(there, "The zebra sleeps.")
    here.exchange.bring_in(there.exchange.export())
    there.memories.forget(Forget(reference=kept.memory.id))

    brought = here.exchange.bring_in(there.exchange.export())

    assert (brought.forgotten, brought.added) == (1, 0)
    assert "zebra" not in repr(here.store)
    with pytest.raises(ForgottenError):
        here.memories.show(kept.memory.id)


@requirement("forget.leaves-tombstone")
def test_a_forgotten_memory_does_not_come_back_by_an_old_export() -> None:
    holdfast = a_holdfast()
    kept = said(holdfast, "The zebra sleeps.")
    other = said(holdfast, "Night falls at six.")
    holdfast.memories.link(Link(src=other.memory.id, dst=kept.memory.id, kind="about"))
    old = list(holdfast.exchange.export())
    holdfast.memories.forget(Forget(reference=kept.memory.id))

    brought = holdfast.exchange.bring_in(old)
    assert (brought.buried, brought.known, brought.refused) == (2, 1, ())
    assert "zebra" not in repr(holdfast.store)
    assert not any(json.loads(line)["type"] == "link" for line in holdfast.exchange.export())


def test_what_a_client_read_before_becomes_a_store_with_its_spans() -> None:
    server = lived_in()
    with server.store.reading() as tx:
        records = tx.memories.find(Selection(), Page(limit=99))
        cited = {item.span for one in records for item in one.evidence if item.span is not None}
        spans = tx.anchors.spans.read(cited)
    away = InMemoryStore()

    take_in(reversed(records), spans.values(), store=away, now=server.clock.now())

    with away.reading() as tx:
        found = tx.memories.find(Selection(), Page(limit=99))
        assert [one.memory for one in found] == [one.memory for one in records]
        assert [one.standing for one in found] == [one.standing for one in records]
        assert len(spans) == 1
        assert tx.anchors.spans.read(cited) == spans


def test_a_bundle_outlives_a_memory_that_the_import_refused() -> None:
    old, new = a_holdfast(), a_holdfast()
    new.clock.entropy()
    kept = said(old, "Tokens rotate hourly.")
    bundle = bundle_about(old)
    lines = [line for line in old.exchange.export() if json.loads(line)["type"] != "memory"]

    new.exchange.bring_in(lines)
    derived = said(new, "Hourly it is.", grounds=Grounds(from_bundle=bundle))

    assert new.answers.shown(bundle).records == {}
    assert new.answers.replay(bundle).lost == (kept.memory.id,)
    assert new.answers.feedback(bundle, good=True) == bundle
    assert derived.memory.trust is Origin.WEB
    assert new.memories.explain(derived.memory.id).derived_from == ()


def test_a_store_that_fails_ends_the_import_instead_of_refusing_its_lines() -> None:
    new = a_holdfast(FullStore())

    with pytest.raises(StoreFullError):
        new.exchange.bring_in(lived_in().exchange.export())

    assert new.upkeep.status().facts.events == 0


class FullStore(InMemoryStore):
    """The reference store on a disk that is full: nothing can be added to what is there."""

    def writing(self, at: datetime, *, patience: float | None = None) -> Any:
        """Begin a unit of work that fails when the first memory comes."""
        return _Full(super().writing(at, patience=patience))


class _Full:
    def __init__(self, unit: Any) -> None:
        self._unit = unit

    def __enter__(self) -> InMemoryTransaction:
        tx: InMemoryTransaction = self._unit.__enter__()
        object.__setattr__(tx, "memories", _FullMemories(tx.memories))
        return tx

    def __exit__(self, *trouble: object) -> object:
        return self._unit.__exit__(*trouble)


class _FullMemories:
    def __init__(self, memories: Any) -> None:
        self._memories = memories

    def add(self, *_: object) -> None:
        path = "/data/holdfast.db"
        raise StoreFullError(path)


def test_every_batch_is_told_when_it_is_durable() -> None:
    old, new = a_holdfast(), a_holdfast()
    for number in range(6):
        said(old, f"Fact {number}.")
    told: list[tuple[int, int]] = []

    def tell(brought: Brought) -> None:
        told.append((brought.added, new.upkeep.status().facts.events))

    new.exchange.bring_in([*[""] * 996, *old.exchange.export()], tell=tell)

    assert told == [(3, 3), (6, 6)]


def _happen(holdfast: Holdfast, action: str, words: str, number: int) -> None:
    clock = holdfast.clock
    assert isinstance(clock, FixedClock)
    clock.advance(seconds=1)
    _HAPPENINGS[action](holdfast, words, number)


def _say(holdfast: Holdfast, words: str, number: int) -> None:
    url = Evidence(type=EvidenceType.URL, reference=f"https://x.test/{number}")
    said(holdfast, words, grounds=Grounds(given=(url,), places=("src/app.py:1",)))


def _propose(holdfast: Holdfast, words: str, number: int) -> None:
    proposed(holdfast, words, tags=("a",) * (number % 2), key="k" if number > 4 else None)


def _say_with_key(holdfast: Holdfast, words: str, number: int) -> None:
    said(holdfast, words, key=f"k{number % 2}", metadata={"n": number})


def _ask(holdfast: Holdfast, words: str, _number: int) -> None:
    asked(holdfast, words)


def _rate(holdfast: Holdfast, _words: str, number: int) -> None:
    for bundle in _bundles(holdfast)[:1]:
        holdfast.answers.feedback(bundle, good=number > 3)


def _forget(holdfast: Holdfast, words: str, number: int) -> None:
    for name in _names(holdfast)[number : number + 1]:
        holdfast.memories.forget(Forget(reference=name, reason=words))


def _take_turns(holdfast: Holdfast, words: str, number: int) -> None:
    session = holdfast.sessions.start(tool="cli", user="ada")
    bundle = next(iter(_bundles(holdfast)), None)
    holdfast.sessions.add_turn(session.id, a_turn(query=words, bundle_id=bundle))
    older = holdfast.sessions.latest(limit=20)[-1]
    for _ in range(number % 3):
        holdfast.sessions.add_turn(older.id, a_turn(query=words))


def _link(holdfast: Holdfast, _words: str, number: int) -> None:
    first, *others = [*_names(holdfast), MemoryId("m_none")]
    for other in others[:-1]:
        holdfast.memories.link(Link(src=first, dst=other, kind="about", score=number / 8))


def _pin(holdfast: Holdfast, words: str, number: int) -> None:
    for name in _names(holdfast)[number : number + 1]:
        holdfast.memories.pin(name, pinned=number > 3, label=words)


_HAPPENINGS: dict[str, Callable[[Holdfast, str, int], None]] = {
    "say": _say,
    "propose": _propose,
    "key": _say_with_key,
    "ask": _ask,
    "rate": _rate,
    "forget": _forget,
    "turn": _take_turns,
    "link": _link,
    "pin": _pin,
}


def _names(holdfast: Holdfast) -> list[MemoryId]:
    records = holdfast.memories.browse(Browse()).records
    return [record.memory.id for record in records]


def _bundles(holdfast: Holdfast) -> list[BundleId]:
    with holdfast.store.reading() as tx:
        return [bundle.id for bundle in tx.bundles.page(beyond=None, limit=99)]


@requirement("wire.claim-everywhere")
def test_an_export_of_the_first_format_is_taken_in_under_its_old_names() -> None:
    old_names = {
        "memory": ("claim", "value"),
        "turn": ("at", "ts"),
        "run": ("drafted", "is_drafted"),
    }
    lines = [json.loads(line) for line in lived_in().exchange.export()]
    lines[0]["data"]["format"] = 1
    for line in lines:
        if line["type"] in old_names:
            now, then = old_names[line["type"]]
            line["data"][then] = line["data"].pop(now)

    new = a_holdfast()
    brought = new.exchange.bring_in([json.dumps(line) for line in lines])

    assert brought.refused == ()
    taken = [json.loads(line) for line in new.exchange.export()]
    assert [one["type"] for one in taken] == [one["type"] for one in lines]
    for one in taken:
        assert one["type"] not in old_names or old_names[one["type"]][0] in one["data"]


@requirement("session.travels")
def test_what_sessions_keep_is_brought_in_once() -> None:
    old, new = lived_in(), a_holdfast()
    old.sessions.start(tool="silent", user="ada")
    lines = [line for line in old.exchange.export() if '"type": "kept"' in line]
    assert len(lines) > 3
    refused = new.exchange.bring_in(lines)
    assert refused.added == 1  # the state of the repository; sessions are not there yet
    new.exchange.bring_in(old.exchange.export())
    again = new.exchange.bring_in(lines)
    assert (again.added, again.known) == (0, len(lines))
