"""A request reads the same at every door."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from holdfast.domain.choices import EvidenceType, Kind, Origin, Scope, Status
from holdfast.domain.errors import (
    BadFieldError,
    InvalidError,
    UnknownChoiceError,
    UnstorableTextError,
)
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.place import Place
from holdfast.domain.recall.question import Question
from holdfast.surfaces.cli.batch import read_line
from holdfast.surfaces.python.keeping import RememberOptions, as_wish
from holdfast.surfaces.wire.memory import (
    BlankEvidenceError,
    TwoBundlesError,
    citation,
    read_evidence,
    read_grounds,
)
from holdfast.surfaces.wire.requests import read_browse, read_question, read_remember
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember
from tests.builders import ADA
from tests.requirements import requirement

WHOLE: dict[str, object] = {
    "claim": "Tokens rotate.",
    "kind": "gotcha",
    "scope": "global",
    "key": "tokens",
    "label": "GOT-001",
    "ttl": "30d",
    "tags": ["auth"],
    "importance": 0.9,
    "weight": 2,
    "pinned": True,
    "metadata": {"team": "auth"},
    "evidence": ["src/app.py:1-2", "commit:abc", {"type": "url", "ref": "https://x.test"}],
    "because": "I saw it",
    "from_bundle": "c_1",
    "derived_from": ["m_1"],
}


@requirement("wire.one-reader")
def test_a_claim_reads_the_same_from_a_batch_and_from_python() -> None:
    by_line = read_line(json.dumps(WHOLE), Remember(claim="", origin=Origin.HUMAN), ADA)
    keywords = {name: value for name, value in WHOLE.items() if name != "claim"}
    keywords["evidence"] = [
        "src/app.py:1-2",
        "commit:abc",
        Evidence(type=EvidenceType.URL, reference="https://x.test"),
    ]
    by_keywords = as_wish("Tokens rotate.", cast("RememberOptions", keywords), ADA)

    assert by_line.claim == by_keywords.claim == "Tokens rotate."
    assert by_line.grounds == by_keywords.grounds
    assert by_line.keep_for == by_keywords.keep_for == timedelta(days=30)
    assert (by_line.kind, by_line.scope, by_line.tags) == (Kind.GOTCHA, Scope.GLOBAL, ("auth",))
    assert by_line.grounds.places == ("src/app.py:1-2",)
    assert [item.type.value for item in by_line.grounds.given] == ["commit", "url"]
    assert by_line.grounds.from_bundle == "c_1"


@requirement("wire.claim-everywhere")
@pytest.mark.parametrize("name", ["claim", "value"])
def test_a_claim_may_be_called_value(name: str) -> None:
    wish = read_remember(
        {name: "Owls are birds."}, Remember(claim="", origin=Origin.HUMAN), noun="line"
    )

    assert wish.claim == "Owls are birds."


@requirement("wire.claim-everywhere")
def test_a_claim_and_another_value_are_refused() -> None:
    both = {"claim": "Owls are birds.", "value": "Owls are fish."}

    with pytest.raises(BadFieldError, match="the value differ"):
        read_remember(both, Remember(claim="", origin=Origin.HUMAN), noun="line")


@pytest.mark.parametrize(
    ("request_", "error", "words"),
    [
        ({}, BadFieldError, "line's claim must be text"),
        (
            {"claim": "x", "colour": "red"},
            BadFieldError,
            "colour is unknown; the line takes because",
        ),
        ({"claim": "x", "kind": "gossip"}, UnknownChoiceError, "not a kind"),
        ({"claim": "x", "origin": "human"}, BadFieldError, "is human, and this is said by: agent"),
        ({"claim": "x", "metadata": []}, BadFieldError, "must be an object"),
        ({"claim": "x", "evidence": [""]}, BlankEvidenceError, "Item 1 of the evidence is empty"),
        (
            {"claim": "x", "evidence": ["a.py", "commit: "]},
            BlankEvidenceError,
            "Item 2 of the evidence",
        ),
        ({"claim": "x", "evidence": [7]}, BadFieldError, "must be an object with 'type'"),
        ({"claim": "x", "evidence": ["c_1", "c_2"]}, TwoBundlesError, "one bundle"),
        ({"claim": "x", "evidence": ["c_1"], "from_bundle": "c_2"}, TwoBundlesError, "one bundle"),
        ({"claim": "x", "evidence": ["url:\ud800"]}, UnstorableTextError, r"evidence\[0\]"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_field(
    request_: dict[str, object], error: type[InvalidError], words: str
) -> None:
    with pytest.raises(error, match=words):
        read_remember(request_, Remember(claim="", origin=Origin.AGENT), noun="line")


def test_what_a_request_does_not_say_comes_from_the_door() -> None:
    defaults = Remember(
        claim="",
        origin=Origin.HUMAN,
        kind=Kind.RULE,
        source="cli",
        grounds=Grounds(places=("a.py",), because="so"),
    )

    wish = read_remember({"claim": "x", "because": "I saw it"}, defaults, noun="line")

    assert (wish.kind, wish.source) == (Kind.RULE, "cli")
    assert wish.grounds == Grounds(places=("a.py",), because="I saw it")


@pytest.mark.parametrize(
    ("text", "kind", "reference"),
    [
        ("https://x.test/a:1", EvidenceType.URL, "https://x.test/a:1"),
        ("commit:abc", EvidenceType.COMMIT, "abc"),
        ("COMMIT: abc ", EvidenceType.COMMIT, "abc"),
        ("job:9", EvidenceType.JOB_RUN, "9"),
        ("job_run:9", EvidenceType.JOB_RUN, "9"),
        ("statement:I saw it", EvidenceType.STATEMENT, "I saw it"),
        ("c_20261115T1200Z_abc", EvidenceType.BUNDLE, "c_20261115T1200Z_abc"),
    ],
)
def test_a_text_says_what_sort_of_evidence_it_is(
    text: str, kind: EvidenceType, reference: str
) -> None:
    assert read_evidence(text) == Evidence(type=kind, reference=reference)


@pytest.mark.parametrize("text", ["src/app.py:1-2", "./job:1", "c_notes.md", "c_notes/a", "a: b"])
def test_any_other_text_is_a_place_as_it_was_written(text: str) -> None:
    assert read_evidence(text) == text
    assert read_evidence({"type": "span", "ref": text}) == text


def test_a_bundle_among_the_evidence_is_where_the_claim_comes_from() -> None:
    grounds = read_grounds(["c_1", "a.py", {"type": "bundle", "ref": "c_1"}], Grounds())

    assert grounds == Grounds(places=("a.py",), from_bundle="c_1")


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (EvidenceType.URL, "x"),
        (EvidenceType.COMMAND, "command:x"),
        (EvidenceType.COMMIT, "commit:x"),
    ],
)
def test_evidence_is_cited_as_it_can_be_given_again(kind: EvidenceType, said: str) -> None:
    assert citation(Evidence(type=kind, reference="x")) == said


def test_a_question_is_read_with_the_defaults_of_the_door() -> None:
    given = {"q": "tokens?", "limit": 5.0, "kinds": ["rule"], "scopes": ["repo"], "tags": ["a"]}

    question = read_question(
        {
            **given,
            "as_of": "v1",
            "all_branches": True,
            "deep": True,
            "include": ["code"],
            "budget": 300,
        },
        Question(text="", limit=7),
        noun="call",
    )

    assert question == Question(
        text="tokens?",
        limit=5,
        budget=300,
        kinds=(Kind.RULE,),
        scopes=(Scope.REPO,),
        tags=("a",),
        as_of="v1",
        all_branches=True,
        deep=True,
        include=("code",),
    )
    assert read_question({"q": "x"}, Question(text="", limit=7), noun="call").limit == 7


@pytest.mark.parametrize(
    ("given", "words"),
    [({"q": " "}, "question is blank"), ({"q": "x", "limit": 1.5}, "must be a whole number")],
)
def test_a_question_that_makes_no_sense_is_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(BadFieldError, match=words):
        read_question(given, Question(text=""), noun="call")


def test_a_listing_is_read_for_a_place() -> None:
    now = datetime(2026, 11, 16, tzinfo=UTC)
    place = Place(repo="repo_1")

    wish = read_browse(
        {"q": "x", "statuses": ["accepted"], "tags": ["a"], "limit": 3, "pinned": True},
        place=place,
        now=now,
        noun="list",
    )
    everywhere = read_browse(
        {"limit": 3, "expired": True, "recallable": True}, place=None, now=now, noun="list"
    )

    assert (wish.query, wish.page.limit) == ("x", 3)
    assert wish.selection.statuses == frozenset({Status.ACCEPTED})
    assert (wish.selection.place, wish.selection.pinned) == (place, True)
    assert (everywhere.selection.place, everywhere.selection.expired_at) == (None, now)
    assert everywhere.selection.recallable_at == now


@requirement("list.no-filter-without-effect")
@pytest.mark.parametrize("name", ["expired", "recallable"])
def test_a_filter_without_an_opposite_cannot_be_false(name: str) -> None:
    now = datetime(2026, 11, 16, tzinfo=UTC)

    with pytest.raises(BadFieldError, match=f"The {name} can only be true; leave the field out"):
        read_browse({name: False, "limit": 3}, place=None, now=now, noun="list")
