"""Documents go in as memories do, questions are answered as questions are."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import EvidenceType, Kind, Origin, Status
from holdfast.domain.evaluation.benchmark import Document, Query, Trial
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import LONGEST_CLAIM
from holdfast.domain.recall.question import Question
from holdfast.domain.recall.rendering import Recalled
from holdfast.ports.store.upkeep import Progress
from holdfast.usecases.evaluation.evaluate import evaluate, judge
from holdfast.usecases.evaluation.ingesting import EvaluatedMemory, Ingested, ingest, wishes_of
from holdfast.usecases.memory.browse import Browse
from holdfast.usecases.memory.remember import Remember, Remembered
from tests.builders import a_bundle, an_item
from tests.requirements import requirement


def document(name: str, text: str, **changes: Any) -> Document:
    fields: dict[str, Any] = {"origin": Origin.HUMAN, "id": name, "text": text, "claim": text}
    return Document(**(fields | changes))


def query(text: str, *gold: str, **changes: Any) -> Query:
    fields: dict[str, Any] = {"id": "q", "text": text, "category": "plain", "gold": gold}
    return Query(**(fields | changes))


PORTS = document("ports", "The staging server listens on port 8443.")
TEA = document("tea", "Grandmother pours peppermint tea at four.")
BOATS = document("boats", "Every rowing boat needs two oars and a bailer.")


@dataclass
class OneBench:
    """A bench that gives the same memory to every trial and notes what it holds."""

    subject: EvaluatedMemory
    noted: dict[str, Ingested] = field(default_factory=dict)

    @contextmanager
    def opened(self, trial: str) -> Generator[EvaluatedMemory, None, None]:
        assert trial
        yield self.subject

    def known(self, trial: str) -> Ingested | None:
        return self.noted.get(trial)

    def note(self, trial: str, ingested: Ingested) -> None:
        self.noted[trial] = ingested


def test_a_document_is_found_by_its_words(holdfast: Holdfast) -> None:
    trial = Trial(name="t", documents=[PORTS, TEA, BOATS], queries=[query("which port", "ports")])

    ingested = ingest(trial.documents, memory=holdfast.measured)
    (judged,) = judge(trial, ingested, memory=holdfast.measured)

    assert judged.ranked[0] == "ports"
    assert judged.measures["R@1"] == judged.measures["MRR"] == 1
    assert judged.measures["R<=500"] == 1


@requirement("eval.real-paths")
def test_a_document_is_remembered_as_an_observation_with_its_evidence(holdfast: Holdfast) -> None:
    said = document("a#0", "We deploy on Mondays.", evidence=EvidenceType.TURN, reference="a#0")

    ingest([said], memory=holdfast.measured)

    (record,) = holdfast.memories.browse(Browse()).records
    assert record.memory.kind is Kind.OBSERVATION
    assert [(item.type, item.reference) for item in record.evidence] == [(EvidenceType.TURN, "a#0")]


def test_what_an_agent_said_is_approved_before_it_is_asked_for(holdfast: Holdfast) -> None:
    said = document("a", "The cache is kept in Redis.", origin=Origin.AGENT)
    again = document("b", "The cache is kept in Redis.", origin=Origin.AGENT)

    ingested = ingest([said, again], memory=holdfast.measured)

    (record,) = holdfast.memories.browse(Browse()).records
    assert record.standing.status is Status.ACCEPTED
    assert record.memory.origin is Origin.AGENT
    assert ingested.documents == {record.memory.id: ("a", "b")}


def test_a_memory_that_stands_for_two_documents_ranks_both(holdfast: Holdfast) -> None:
    memory = holdfast.measured
    twice = document("again", PORTS.text)
    trial = Trial(name="t", documents=[PORTS, twice], queries=[query("which port", "again")])

    (judged,) = judge(trial, ingest(trial.documents, memory=memory), memory=memory)

    assert judged.ranked == ("ports", "again")


@requirement("eval.real-paths")
def test_a_document_the_gates_refuse_is_left_out_and_named(holdfast: Holdfast) -> None:
    spoiled = document("nul", "half \ud800 a pair")

    ingested = ingest([PORTS, spoiled, TEA], memory=holdfast.measured)

    assert sorted(names for (names,) in ingested.documents.values()) == ["ports", "tea"]
    assert "nul" in ingested.refused
    assert "surrogate" in ingested.refused["nul"]


def test_a_secret_is_redacted_and_the_document_kept(holdfast: Holdfast) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    ingest([document("s", f"The key is {token} for the build.")], memory=holdfast.measured)

    (record,) = holdfast.memories.browse(Browse()).records
    assert token not in record.memory.claim


def test_a_blank_document_is_no_wish() -> None:
    assert list(wishes_of(document("blank", " \n "))) == []


def test_a_text_too_large_for_a_store_is_cut_at_lines_and_found_as_one(holdfast: Holdfast) -> None:
    memory = holdfast.measured
    filler = "".join(f"line {number} of nothing in particular\n" for number in range(4_000))
    large = document("large", f"{filler}The oyster lamp hangs in the hall.\n")
    trial = Trial(name="t", documents=[large, TEA], queries=[query("oyster lamp", "large")])

    pieces = list(wishes_of(large))
    (judged,) = judge(trial, ingest(trial.documents, memory=memory), memory=memory)

    assert len(pieces) > 1
    assert "".join(piece.claim for piece in pieces) == large.claim
    assert all(piece.claim.endswith("\n") for piece in pieces)
    assert all(len(piece.claim.encode()) <= LONGEST_CLAIM for piece in pieces)
    assert judged.ranked[0] == "large"
    assert judged.ranked.count("large") == 1


def test_a_text_without_lines_is_cut_between_characters() -> None:
    pieces = list(wishes_of(document("wide", "é" * 50_000)))

    assert "".join(piece.claim for piece in pieces) == "é" * 50_000
    assert len(pieces) == 2


def test_a_piece_that_is_blank_is_not_kept() -> None:
    long = "x" * 1_000 + "\n"
    blank = document("gap", " " * 70_000 + "\n" + long)

    (piece,) = wishes_of(blank)

    assert piece.claim.strip() == long.strip()
    assert list(wishes_of(document("end", "x" * 61_440 + "\n" * 10))) != []


def test_many_documents_go_in_batch_by_batch(
    holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.usecases.evaluation.ingesting._BATCH", 8)
    many = [document(f"d{number}", f"Crate number {number} holds apples.") for number in range(10)]
    exact = many[:8]
    told: list[tuple[int, int]] = []

    ingested = ingest(many, memory=holdfast.measured, progress=lambda *step: told.append(step))

    assert len(ingested.documents) == 10
    assert told == [(8, 10), (10, 10)]
    assert len(ingest(exact, memory=holdfast.measured).documents) == 8


def test_a_question_without_a_known_answer_is_not_asked(holdfast: Holdfast) -> None:
    memory = holdfast.measured
    trial = Trial(name="t", documents=[TEA], queries=[query("who pours tea")])

    assert judge(trial, ingest([TEA], memory=memory), memory=memory) == ()


def test_only_documents_among_which_is_asked_are_ranked(holdfast: Holdfast) -> None:
    memory = holdfast.measured
    port = document("port2", "The backup server listens on port 9443.")
    asked = query("which port", "port2", among=frozenset({"port2", "tea"}))
    trial = Trial(name="t", documents=[PORTS, port, TEA], queries=[asked])

    (judged,) = judge(trial, ingest(trial.documents, memory=memory), memory=memory)

    assert judged.ranked == ("port2",)


def test_a_short_answer_is_looked_for_in_the_texts(holdfast: Holdfast) -> None:
    memory = holdfast.measured
    asked = query("which port", "ports", answers=("8443",))
    trial = Trial(name="t", documents=[PORTS], queries=[asked])

    (judged,) = judge(trial, ingest([PORTS], memory=memory), memory=memory)

    assert judged.measures["ans@1"] == 1


@requirement("eval.real-paths")
def test_the_key_must_be_in_a_real_answer_of_the_budget(holdfast: Holdfast) -> None:
    asked = query("which port", "ports", key=("ports",), stale=("old",))
    old = document("old", "The staging server listens on port 80.")
    trial = Trial(name="t", documents=[PORTS, TEA], queries=[asked])

    (alone,) = judge(
        trial,
        ingest([PORTS, TEA], memory=holdfast.measured),
        memory=holdfast.measured,
        budgets=(40, 500),
    )
    both = Trial(name="t", documents=[old, PORTS], queries=[asked])
    (beside,) = judge(
        both,
        ingest([old, PORTS], memory=holdfast.measured),
        memory=holdfast.measured,
        budgets=(500,),
    )

    assert (alone.measures["key@40"], alone.measures["key@500"]) == (0, 1)
    assert (alone.measures["gold@40"], alone.measures["gold@500"]) == (0, 1)
    assert alone.measures["fresh@500"] == 1
    assert beside.measures["fresh@500"] == 0


class Marking:
    """A memory that gives two documents, the older one marked as changed by the newer."""

    def answer(self, question: Question) -> Recalled:
        old = an_item(memory_id=MemoryId("m_1"), superseded_by=MemoryId("m_2"))
        bundle = a_bundle(question=question, items=(old, an_item(memory_id=MemoryId("m_2"))))
        return Recalled(bundle=bundle, records={}, nonce="")

    def remember_all(self, wishes: Sequence[Remember]) -> Sequence[Remembered]:
        raise AssertionError(wishes)

    def accept(self, reference: MemoryId) -> None:
        raise AssertionError(reference)

    def catch_up(self, progress: Progress) -> int:
        raise AssertionError(progress)


def test_what_is_marked_as_superseded_is_not_given_as_if_it_held() -> None:
    holds = Ingested(documents={MemoryId("m_1"): ("old",), MemoryId("m_2"): ("new",)})
    asked = query("which port", "new", key=("new",), stale=("old",))
    turned = query("which port", "old", key=("old",), stale=("new",))
    trial = Trial(name="t", documents=(), queries=[asked, turned])

    marked, unmarked = judge(trial, holds, memory=Marking(), budgets=(500,))

    assert (marked.measures["key@500"], marked.measures["fresh@500"]) == (1, 1)
    assert (unmarked.measures["key@500"], unmarked.measures["fresh@500"]) == (1, 0)


def test_where_nothing_is_stale_nothing_is_said_about_it(holdfast: Holdfast) -> None:
    memory = holdfast.measured
    asked = query("which port", "ports", key=("ports",))
    trial = Trial(name="t", documents=[PORTS], queries=[asked])

    (judged,) = judge(trial, ingest([PORTS], memory=memory), memory=memory, budgets=(500,))

    assert judged.measures["key@500"] == 1
    assert "fresh@500" not in judged.measures


def test_a_set_is_run_trial_by_trial(holdfast: Holdfast) -> None:
    bench = OneBench(holdfast.measured)
    steps: set[str] = set()
    trials = [
        Trial(name="a", documents=[PORTS], queries=[query("which port", "ports")]),
        Trial(name="b", documents=[TEA], queries=[query("peppermint tea", "tea")]),
    ]

    result = evaluate("set", trials, bench=bench, watcher=lambda step, *_: steps.add(step))

    assert [one.ranked[0] for one in result.judged] == ["ports", "tea"]
    assert (result.documents, result.memories, result.refused) == (2, 2, 0)
    assert set(result.seconds) == {"remembering", "asking"}
    assert {"remembering", "asking"} <= steps


def test_what_a_kept_memory_holds_is_not_remembered_again(holdfast: Holdfast) -> None:
    bench = OneBench(holdfast.measured)
    trial = Trial(name="a", documents=[PORTS], queries=[query("which port", "ports")])
    evaluate("set", [trial], bench=bench)

    again = evaluate("set", [trial], bench=bench)

    (record,) = holdfast.memories.browse(Browse()).records
    assert len(record.evidence) == 1
    assert again.judged[0].measures["R@1"] == 1
