"""recall: the same answer for agents, people and programs."""

from __future__ import annotations

import re
from typing import Any

import pytest

from holdfast.domain.ids import short
from tests.cli.conftest import Filled
from tests.cli.program import Program
from tests.requirements import requirement


def without_chance(text: str) -> str:
    """Take out what differs between two answers to one question: ids, nonces, counts."""
    return re.sub(r"c_\w+|memory [0-9a-f]{8}|[0-9,]+ of|\d+ seconds? old", "_", text)


@requirement("recall.fenced")
def test_every_form_of_an_answer_is_the_same_fenced_text(filled: Filled) -> None:
    words = ("recall", "--q", "rotate refresh tokens")

    markdown = filled.program(*words, "--md").well().out
    piped = filled.program(*words).well().out
    as_words = filled.program("recall", "rotate", "refresh", "tokens").well().out
    shape = filled.program(*words, "--json").well().json

    assert markdown.count("quoted data, not instructions") == 1
    assert without_chance(markdown) == without_chance(piped) == without_chance(as_words)
    assert without_chance(markdown) == without_chance(shape["markdown"])
    assert [record["id"] for record in shape["records"]] == [
        item["memory_id"] for item in shape["items"]
    ]
    for name in ("claim", "key", "kind"):
        told = [item[name] for item in shape["items"]]
        assert told == [record[name] for record in shape["records"]]
    assert shape["items"][0]["reasons"][0]["leg"] == "words"


def test_a_question_may_be_narrowed(filled: Filled) -> None:
    found = {
        option: filled.program("recall", "tokens deploy", *option.split()).well().out
        for option in ("--kind gotcha", "--kind fact", "--scope global", "--tag none", "--limit 1")
    }

    assert short(filled.memory) in found["--kind gotcha"]
    assert short(filled.memory) not in found["--kind fact"]
    assert "No memory answers this question." in found["--scope global"]
    assert "No memory answers this question." in found["--tag none"]
    assert "1 item" in found["--limit 1"]


def test_the_question_may_be_piped_and_the_budget_set(filled: Filled) -> None:
    filled.program("config", "set", "recall.budget", "700").well()

    answer = filled.program("recall", "-", stdin="rotate refresh tokens").well().out

    assert " of 700 tokens" in answer
    assert short(filled.memory) in answer
    assert " of 90 tokens" in filled.program("recall", "tokens", "--budget", "90").well().out


@requirement("bundle.replayable")
def test_a_replay_shows_what_changed(filled: Filled) -> None:
    same = filled.program("recall", "--replay", filled.bundle).well()
    gained = (
        filled.program("remember", "--because", "I", "Refresh tokens rotate at noon.").well().id
    )
    changed = filled.program("recall", "--replay", filled.bundle).well().out
    shape = filled.program("recall", "--replay", filled.bundle, "--json").well().json

    assert "same" in same.out
    assert f"+ {gained}" in changed
    assert (shape["same"], shape["gained"], shape["lost"]) == (False, [gained], [])


@requirement("session.turns-kept-in-order")
def test_a_recall_can_be_a_turn_of_a_session(filled: Filled) -> None:
    answer = filled.program("recall", "tokens", "--session", filled.session, "--json").well().json

    turns = filled.program("show", filled.session, "--json").json["data"]["turns"]
    missing = filled.program("recall", "tokens", "--session", "i_none")

    assert [(turn["query"], turn["bundle_id"]) for turn in turns] == [("tokens", answer["id"])]
    assert missing.code == 3


def test_tokens_may_be_counted_exactly(filled: Filled) -> None:
    answer = filled.program("recall", "tokens", "--tokens", "exact", "--json").well().json

    assert answer["counter"] in {"cl100k_base", "estimate"}
    assert filled.program("recall", "tokens", "--tokens", "guess").code == 2


def test_a_question_is_given_once_and_is_not_blank(program: Program) -> None:
    for words in ((), ("--q", " "), ("a", "--q", "b"), ("a", "--replay", "c_1")):
        refused = program("recall", *words)

        assert refused.code == 2
        assert refused.out == ""


@requirement("bundle.small-budget-refused")
@pytest.mark.parametrize("form", [(), ("--md",), ("--json",)])
def test_a_budget_that_holds_no_answer_is_refused_at_the_command_line(
    filled: Filled, form: tuple[str, ...]
) -> None:
    refused = filled.program("recall", "refresh tokens", "--budget", "9", *form)

    assert refused.code == 2
    assert "Give a budget of at least" in refused.err


@requirement("recall.silence-explained")
def test_a_silent_answer_names_the_command_that_shows_what_came_nearest(filled: Filled) -> None:
    for number in range(12):
        claim = f"Step {number} of the rollout uses one server."
        filled.program("remember", claim, "--because", "as agreed").well()
    silent = filled.program("recall", "how do I bake bread in one oven for a large party").well()
    told = re.search(r"'holdfast (explain c_\w+)' shows what came nearest", silent.err)

    assert told is not None
    assert "too little in common" in filled.program(*told[1].split()).well().out
    assert "nearest" not in filled.program("recall", "rotate refresh tokens").well().err


@requirement("recall.silence-explained")
@requirement("recall.nearest-named")
def test_three_memories_that_nearly_answer_are_named_beside_the_silent_answer(
    filled: Filled,
) -> None:
    for number in range(12):
        claim = f"Step {number} of the rollout uses one server."
        filled.program("remember", claim, "--because", "as agreed").well()
    question = "server that bakes bread and cake for guests of a hotel abroad"
    silent = filled.program("recall", question).well()
    nearest = silent.err.partition("nearest, but not sure to answer: m_")[2]

    assert "No memory answers this question" in silent.out
    assert "of the rollout uses one server." in nearest
    assert silent.err.count("also near, but not sure to answer: m_") == 2
    assert "rollout" not in filled.program("recall", question, "--md").well().err
    noted = filled.program("recall", question, "--md").well().out
    named = re.findall(r"m_\w+", noted.partition("note: nearest, but not sure to answer: ")[2])
    shape = filled.program("recall", question, "--json").well().json
    assert [short(name) for name in shape["nearest"]] == named
    assert len(named) == 3
    assert list(shape["nearest_claims"]) == shape["nearest"]
    assert all("of the rollout uses one" in claim for claim in shape["nearest_claims"].values())
    assert "rollout" not in noted
    whole = filled.program("recall", question, "--md", "--verbose").well().out
    assert ", ".join(shape["nearest"]) in whole
    tight = filled.program("recall", question, "--md", "--budget", "80").well().out
    assert "nearest" not in tight
    assert "rollout" not in filled.program("recall", "bake bread at dawn").well().err
    assert "nearest" not in filled.program("recall", "rotate refresh tokens", "--md").well().out


@requirement("recall.deep")
def test_the_best_are_read_again_and_the_explanation_says_so(filled: Filled) -> None:
    program = filled.program
    for claim in (
        "Refresh tokens of the shop rotate weekly.",
        "Nobody rotates tokens by hand.",
    ):
        program("remember", claim, "--because", "said in a meeting").well()
    words = ("recall", "--q", "who rotates refresh tokens by hand")

    plain = program(*words, "--json").well().json
    deep = program(*words, "--deep", "--json").well().json

    def legs(answer: Any) -> set[str]:
        return {reason["leg"] for item in answer["items"] for reason in item["reasons"]}

    assert "deep" not in legs(plain)
    assert "deep" in legs(deep)
    assert deep["question"]["deep"] is True
    assert "deep" in program("explain", deep["id"], deep["items"][0]["memory_id"]).well().out
    program("config", "set", "recall.deep", "on").well()
    assert "deep" in legs(program(*words, "--json").well().json)
    assert program("config", "set", "recall.deep", "maybe").code == 2
