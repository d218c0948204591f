"""What an agent proposes with memory.create, and what it must bring."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from holdfast.domain.checks.check import checks_in
from holdfast.domain.choices import EvidenceType, Origin
from holdfast.domain.memory.place import Place
from tests.builders import PlainSurroundings
from tests.mcp.door import CLAIM, HELLO, META, Door, kept, text_of, told_by_a_person
from tests.requirements import requirement


@requirement("mcp.agents-only-propose")
def test_what_an_agent_creates_is_a_candidate_with_its_name_on_it(door: Door) -> None:
    door.ask("initialize", HELLO)

    result = door.propose(tags=["auth"], key="tokens.rotation", ttl="30d")["structuredContent"]

    record = kept(door, result["id"])
    assert result["outcome"] == "added"
    assert result["status"] == record.standing.status.value == "candidate"
    assert record.memory.origin is record.memory.trust is Origin.AGENT
    assert record.memory.source == "mcp:raw"
    assert record.memory.expires_at == record.memory.created_at + timedelta(days=30)
    assert result["tags"] == ["auth"]
    assert "once a person has accepted it" in result["message"]


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("claude-code", "mcp:claude-code"),
        ("", "mcp:unknown"),
        (5, "mcp:unknown"),
        ("a\nb\u202e\u200bc", "mcp:a bc"),
        ("\ud800", "mcp:unknown"),
        ("\0", "mcp:unknown"),
        ("n" * 5_000, "mcp:" + "n" * 64),
        ("ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", "mcp:unknown"),
    ],
)
def test_a_clients_name_is_made_presentable(door: Door, name: object, source: str) -> None:
    door.ask("initialize", {**HELLO, "clientInfo": {"name": name}})

    memory_id = door.propose()["structuredContent"]["id"]

    assert kept(door, memory_id).memory.source == source


def test_a_modern_client_is_named_by_its_envelope(door: Door) -> None:
    door.ask("initialize", HELLO)
    arguments = {"kind": "fact", "value": CLAIM, "evidence": ["src/app.py:1"]}
    params = {"_meta": META, "name": "memory.create", "arguments": arguments}

    result = door.ask("tools/call", params)["result"]

    assert kept(door, result["structuredContent"]["id"]).memory.source == "mcp:modern-raw"


@requirement("propose.conflicts-noted")
def test_an_agent_is_told_what_its_proposal_seems_to_contradict(door: Door) -> None:
    standing = told_by_a_person(door.app, "The API listens on port 8080.")

    result = door.propose("The API listens on port 9090.")["structuredContent"]

    assert result["status"] == "candidate"
    assert f"It seems to contradict {standing}." in result["message"]


EVIDENCE = [
    ("src/app.py:1-2", EvidenceType.SPAN, "src/app.py:1-2"),
    ("src/app.py", EvidenceType.SPAN, "src/app.py:1-3"),
    ({"type": "span", "ref": "src/app.py:3"}, EvidenceType.SPAN, "src/app.py:3"),
    ("span:src/app.py:3", EvidenceType.SPAN, "src/app.py:3"),
    ("https://example.org/a", EvidenceType.URL, "https://example.org/a"),
    ({"type": "url", "ref": "ftp://example.org"}, EvidenceType.URL, "ftp://example.org"),
    ("commit:0a1b2c3", EvidenceType.COMMIT, "commit:0a1b2c3"),
    ("Command: make test", EvidenceType.COMMAND, "command:make test"),
    ("query:refresh tokens", EvidenceType.QUERY, "query:refresh tokens"),
    ("job_run:42", EvidenceType.JOB_RUN, "job_run:42"),
    ({"type": "turn", "ref": "claude:5f1c#3"}, EvidenceType.TURN, "turn:claude:5f1c#3"),
]


@requirement("evidence.every-type-kept")
@pytest.mark.parametrize(
    ("given", "kind", "cited"), EVIDENCE, ids=[str(row[0]) for row in EVIDENCE]
)
def test_evidence_is_read_in_every_form(
    door: Door, given: object, kind: EvidenceType, cited: str
) -> None:
    result = door.propose(evidence=[given])["structuredContent"]

    [evidence] = kept(door, result["id"]).evidence
    assert evidence.type is kind
    assert result["evidence"] == [cited]


def test_evidence_that_is_shown_can_be_given_again(door: Door) -> None:
    first = door.propose(evidence=["src/app.py:1-2", "commit:ab", "https://example.org"])

    again = door.propose("Another claim.", evidence=first["structuredContent"]["evidence"])

    assert again["structuredContent"]["evidence"] == first["structuredContent"]["evidence"]


def test_a_bundle_is_evidence(door: Door) -> None:
    told_by_a_person(door.app, CLAIM)
    bundle = text_of(door.call("context.assemble", q="refresh tokens")).split()[1]

    result = door.propose("Clients must store the newest token.", evidence=[bundle])

    assert result["structuredContent"]["evidence"] == [bundle]
    assert "one bundle" in text_of(door.propose("Third.", evidence=[bundle, "c_other"]))


@requirement("mcp.agents-only-propose")
@pytest.mark.parametrize(
    "evidence", [["statement:I saw it"], [{"type": "statement", "ref": "I saw it"}]]
)
def test_an_agents_own_word_is_not_evidence_by_itself(door: Door, evidence: object) -> None:
    result = door.propose(evidence=evidence, because="I am sure.")

    assert result["isError"] is True
    assert "only a person's own statement is" in text_of(result)
    assert "src/app.py:10-30" in text_of(result)


def test_an_agents_word_may_stand_beside_evidence(door: Door) -> None:
    result = door.propose(evidence=["src/app.py:1", "statement:I ran it"], because="It failed.")

    assert result["structuredContent"]["evidence"] == [
        "src/app.py:1",
        "statement:I ran it",
        "statement:It failed.",
    ]


REFUSED = [
    ({"evidence": ["src/none.py:1"]}, "there is no such file"),
    ({"evidence": ["src/app.py:1-99"]}, "has 3 lines"),
    ({"evidence": ["src/app.py:3-1"]}, "lines that cannot exist"),
    ({"evidence": ["  "]}, "Item 1 of the evidence is empty"),
    ({"evidence": ["commit:"]}, "Item 1 of the evidence is empty"),
    ({"evidence": ["c_20260101T0000Z_zzzzzz"]}, "No bundle has the id"),
    ({"value": "   "}, "blank"),
    ({"value": "ü" * 40_000}, "80,000 bytes"),
    ({"ttl": "soon"}, "'soon' is not a lifetime"),
    ({"key": "two\nlines"}, "key"),
    ({"tags": ["a b"]}, "tag"),
    (
        {"value": "The token is ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"},
        "Nothing was written",
    ),
    ({"value": "half \ud800"}, "surrogate"),
]


@requirement("input.refused-with-advice")
@pytest.mark.parametrize(("changes", "words"), REFUSED)
def test_a_proposal_that_cannot_be_kept_is_refused_in_words(
    door: Door, changes: dict[str, Any], words: str
) -> None:
    result = door.propose(**changes)

    assert result["isError"] is True
    assert words in text_of(result)
    assert "--" not in text_of(result), "an agent has no options of the command line"
    assert door.call("memory.list", status="candidate")["structuredContent"]["total"] == 0


def test_outside_a_repository_the_scope_repo_is_refused_with_the_others(door: Door) -> None:
    door.engine.app = replace(door.app, surroundings=PlainSurroundings(at=Place()))

    result = door.propose(scope="repo", evidence=["commit:ab"])

    assert "Use the scope 'workspace' or 'global'." in text_of(result)


def test_a_claim_that_is_proposed_again_with_the_same_lines_is_known(door: Door) -> None:
    first = door.propose()["structuredContent"]

    again = door.propose()["structuredContent"]

    assert (again["outcome"], again["id"]) == ("known", first["id"])
    assert "nothing was added" in again["message"]


def test_a_known_claim_gets_the_evidence(door: Door) -> None:
    first = door.propose()["structuredContent"]

    again = door.propose(evidence=["commit:ab"])["structuredContent"]

    assert again["outcome"] == "evidence-added"
    assert again["id"] == first["id"]
    assert again["evidence"] == ["src/app.py:1-2", "commit:ab"]


@requirement("claim.agent-renews-nothing")
@requirement("key.inherits")
def test_a_client_is_told_what_its_proposal_takes_over(door: Door) -> None:
    told_by_a_person(door.app, "Tokens rotate hourly.", key="rotation", tags=("auth",), pinned=True)

    made = door.propose("Tokens rotate daily.", key="rotation")["structuredContent"]

    assert "As in the memory that it would replace: tags." in made["message"]
    assert made["tags"] == ["auth"]


def test_a_client_is_told_which_arguments_were_not_applied(door: Door) -> None:
    door.propose()

    again = door.propose(evidence=["commit:ab"], tags=["new"], ttl="3d")["structuredContent"]

    assert "Not applied, because only a person may change it: ttl, tags." in again["message"]


@requirement("gate.hidden-characters-refused")
def test_hidden_characters_are_taken_out_and_told(door: Door) -> None:
    result = door.propose("Tokens\u200b rotate.")["structuredContent"]

    assert result["value"] == "Tokens rotate."
    assert "1 hidden" in result["message"]


@requirement("checks.only-accepted-count")
def test_an_agent_may_propose_a_check_and_nothing_runs(door: Door) -> None:
    door.ask("initialize", HELLO)

    result = door.propose(checks=["command: touch /nowhere/canary"])["structuredContent"]
    refused = door.propose("Another claim, with a bad check.", checks=["run this"])

    record = kept(door, result["id"])
    assert checks_in(record.memory.metadata) == ("command: touch /nowhere/canary",)
    assert record.standing.status.value == "candidate"
    assert refused["isError"]
