"""One text with what an agent should know before it begins."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.app.part_ports import means_of
from holdfast.domain.checks.outcome import CheckOutcome, CheckState
from holdfast.domain.choices import Kind, Origin
from holdfast.domain.memory.anchor import Verdict
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.text.fencing import without_injected
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember
from holdfast.usecases.recall.briefing import Brief, Briefing, brief, briefing
from tests.requirements import requirement
from tests.usecases.plain_verifier import PlainVerifier, sighting
from tests.usecases.test_recall import read_only


def known(holdfast: Holdfast, claim: str, kind: Kind = Kind.RULE) -> MemoryRecord:
    return holdfast.memories.remember(
        Remember(origin=Origin.HUMAN, claim=claim, kind=kind, grounds=Grounds(because="We agreed."))
    ).record


def told(holdfast: Holdfast, **wish: Any) -> Briefing:
    ports = means_of(holdfast)
    return brief(Brief(**wish), ports=ports, keep_in=ports.store)


def test_nothing_known_is_nothing_said(holdfast: Holdfast) -> None:
    assert briefing("", ports=means_of(holdfast)) == Briefing()
    assert briefing("how do we deploy?", ports=means_of(holdfast)) == Briefing()


def test_without_a_goal_what_governs_is_told(holdfast: Holdfast) -> None:
    rule = known(holdfast, "Never rebase main.")
    fact = known(holdfast, "The sky is blue.", Kind.FACT)

    found = briefing("", ports=means_of(holdfast))

    assert found.memories == (rule.memory.id,)
    assert "Never rebase main." in found.text
    assert fact.memory.claim not in found.text
    assert without_injected(found.text).strip() == ""


def test_sixty_memories_are_told_at_most(holdfast: Holdfast) -> None:
    for number in range(70):
        kind = Kind.RULE if number % 2 else Kind.DECISION
        known(holdfast, f"Number {number}: never rebase branch {number}.", kind)

    found = told(holdfast, tokens=100_000, characters=1_000_000)

    assert len(found.memories) == 60


def test_with_a_goal_what_answers_comes_first_and_what_governs_after_it(
    holdfast: Holdfast,
) -> None:
    rule = known(holdfast, "Never rebase main.")
    fact = known(holdfast, "Tokens rotate hourly.", Kind.FACT)
    known(holdfast, "Bananas are yellow.", Kind.FACT)

    found = briefing("how often do tokens rotate?", ports=means_of(holdfast))

    assert found.memories == (fact.memory.id, rule.memory.id)


@requirement("conflict.told-in-answers")
@pytest.mark.parametrize("goal", ["", "how long do we wait between retries?"])
def test_both_sides_of_a_conflict_are_marked(holdfast: Holdfast, goal: str) -> None:
    known(holdfast, "Wait 5 seconds between retries.")
    known(holdfast, "Wait 10 seconds between retries.")
    known(holdfast, "Never rebase main.")

    found = briefing(goal, ports=means_of(holdfast))

    assert len(found.memories) == 3
    assert found.text.count("disputed: contradicts") == 2


@requirement("conflict.told-in-answers")
def test_a_rule_that_a_fact_contradicts_is_marked(holdfast: Holdfast) -> None:
    fact = known(holdfast, "Wait 5 seconds between retries.", Kind.FACT)
    rule = known(holdfast, "Wait 10 seconds between retries.")

    found = briefing("", ports=means_of(holdfast))

    assert found.memories == (rule.memory.id,)
    assert f"disputed: contradicts m_{fact.memory.id[-8:]}" in found.text


@requirement("conflict.told-in-answers")
def test_a_rule_that_only_a_candidate_contradicts_is_not_marked(holdfast: Holdfast) -> None:
    known(holdfast, "Wait 10 seconds between retries.")
    holdfast.memories.remember(
        Remember(
            origin=Origin.AGENT,
            claim="Wait 5 seconds between retries.",
            kind=Kind.RULE,
            grounds=Grounds(because="It was so."),
        )
    )

    assert "disputed" not in briefing("", ports=means_of(holdfast)).text


@requirement("checks.told")
@pytest.mark.parametrize("goal", ["", "may source files print?"])
def test_what_came_out_of_a_check_is_told(holdfast: Holdfast, goal: str) -> None:
    text = "must not match `print` in src/**"
    holdfast.memories.remember(
        Remember(
            origin=Origin.HUMAN,
            claim="Source files never print.",
            kind=Kind.RULE,
            checks=(text,),
            grounds=Grounds(because="We agreed."),
        )
    )

    def checker(texts: Iterable[str], **given: Collection[str]) -> Mapping[str, CheckOutcome]:
        del given
        return {one: CheckOutcome(text=one, state=CheckState.BROKEN) for one in texts}

    ports = replace(means_of(holdfast), checker=checker)

    assert f"check: {text} — checked now: broken" in briefing(goal, ports=ports).text


def test_an_answer_alone_leaves_out_what_governs_and_what_was_told(holdfast: Holdfast) -> None:
    known(holdfast, "Never rebase main.")
    one = known(holdfast, "Tokens rotate hourly.", Kind.FACT)
    two = known(holdfast, "Tokens rotate on every use of ours.", Kind.FACT)

    found = told(holdfast, goal="tokens rotate", governs=False, told=frozenset({one.memory.id}))

    assert found.memories == (two.memory.id,)


def test_the_bundle_is_kept_and_counts_as_given(holdfast: Holdfast) -> None:
    rule = known(holdfast, "Never rebase main.")

    found = briefing("", ports=means_of(holdfast))

    assert found.bundle is not None
    assert holdfast.answers.shown(found.bundle.id).bundle.items[0].memory_id == rule.memory.id
    with holdfast.store.reading() as tx:
        assert tx.memories.get(rule.memory.id).usage.access_count == 1


def test_a_store_that_cannot_be_written_is_no_reason_to_say_nothing(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    known(holdfast, "Never rebase main.")

    assert "Never rebase" in briefing("", ports=means_of(read_only(holdfast, store))).text


@requirement("hook.one-bundle-per-session")
@pytest.mark.parametrize(("tokens", "characters"), [(200, 9_000), (2_000, 900), (120, 700)])
def test_a_briefing_is_never_longer_than_it_may_be(
    holdfast: Holdfast, tokens: int, characters: int
) -> None:
    words = [one + other for one in "abcdefgh" for other in "vwxyz"]
    for word in words:
        known(holdfast, f"The module {word}{word} is about the handling of {word} in the cluster.")

    found = told(holdfast, tokens=tokens, characters=characters)

    assert found.memories
    assert len(found.text) <= characters
    assert holdfast.counter.count(found.text) <= tokens


def test_too_little_room_says_nothing(holdfast: Holdfast) -> None:
    known(holdfast, "Never rebase main.")

    assert told(holdfast, tokens=20) == Briefing()
    assert told(holdfast, characters=100) == Briefing()


def test_a_secret_in_the_goal_is_not_kept(holdfast: Holdfast) -> None:
    known(holdfast, "Never rebase main.")
    secret = "ghp_" + "a1B2" * 9

    found = briefing(f"use {secret} to rebase main", ports=means_of(holdfast))

    assert found.bundle is not None
    assert secret not in found.bundle.question.text


def test_what_drifted_is_marked_and_its_code_is_not_kept(
    seen: Holdfast, verifier: PlainVerifier
) -> None:
    sure = seen.memories.remember(
        Remember(
            origin=Origin.HUMAN,
            claim="The second line counts.",
            kind=Kind.GOTCHA,
            grounds=Grounds(places=("src/app.py:2",)),
        )
    ).record
    verifier.seen["src/app.py:2"] = sighting(
        Verdict.DRIFTED, "src/app.py", 2, 2, change=("-two", "+deux")
    )

    found = told(seen, closing="◆ 1 to review")

    assert "drifted" in found.text
    assert "+deux" in found.text
    assert "◆ 1 to review" in found.text
    assert found.bundle is not None
    kept = seen.answers.shown(found.bundle.id).bundle.items[0]
    assert kept.memory_id == sure.memory.id
    assert kept.checked[0].sighting.change == ()


def test_notes_are_said_once(seen: Holdfast, verifier: PlainVerifier) -> None:
    seen.memories.remember(
        Remember(
            origin=Origin.HUMAN,
            claim="Tokens.",
            kind=Kind.RULE,
            grounds=Grounds(places=("src/app.py:2",)),
        )
    )
    verifier.is_broken = True

    found = told(replace(seen), goal="tokens")

    assert found.text.count("evidence was not checked") == 1
