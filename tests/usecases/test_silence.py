"""Silence: a question that nothing in memory answers gets nothing, and says so."""

from __future__ import annotations

import pytest

from holdfast.app import Holdfast
from holdfast.domain.ids import short
from holdfast.domain.memory.link import Link
from holdfast.domain.recall.sifting import FAR_BELOW, TOO_LITTLE
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import Grounds
from tests.builders import HERE, PlainSurroundings
from tests.requirements import requirement
from tests.usecases.wishes import approve, asked, given, proposed, said

CHANGES = (
    "Refactor how an app's root and instance paths are found.",
    "Changed how the teardown of a request is told about errors.",
    "Do not fail when a header is sent twice.",
    "The test client keeps the request for a little longer.",
    "A redirect returns the status 303 by default.",
    "Sessions are marked as used when only their keys are read.",
    "It is an error to register a blueprint with no name.",
    "The server starts with threads by default.",
)


@pytest.fixture
def remembering(holdfast: Holdfast) -> Holdfast:
    """A memory of a changelog, found by words alone."""
    for change in CHANGES:
        said(holdfast, change)
    return holdfast


@requirement("recall.silent-when-nothing-answers")
@requirement("recall.stop-words-say-nothing")
@pytest.mark.parametrize(
    "question",
    [
        "how do I bake bread",
        "What is the capital of France?",
        "who are you",
        "is there an umbrella for me by now",
        "when does it do that and how",
        "Which guitar should I buy first?",
    ],
)
def test_a_question_that_nothing_answers_gets_nothing(remembering: Holdfast, question: str) -> None:
    recalled = asked(remembering, question)

    assert recalled.bundle.items == ()
    assert {left.why.partition(": ")[0] for left in recalled.bundle.left_out} <= {TOO_LITTLE}
    assert "No memory answers this question. Use other words" in recalled.markdown()


@requirement("recall.silence-names-what-waits")
def test_where_nothing_is_accepted_the_answer_counts_what_waits(holdfast: Holdfast) -> None:
    before = asked(holdfast, "deploy").bundle.notes
    candidate = proposed(holdfast)
    waiting = asked(holdfast, "deploy").bundle.notes
    proposed(holdfast, "Deploys happen on Tuesdays.")
    approve(holdfast, candidate.memory.id, by="ada")

    assert set(waiting) - set(before) == {
        "no memory is accepted here yet, and 1 candidate waits for a person"
    }
    assert asked(holdfast, "deploy").bundle.notes == before


@requirement("recall.silent-when-nothing-answers")
@pytest.mark.parametrize(
    "question",
    [
        "What does a redirect return by default?",
        "redirect status",
        "redirects",
        "rediret statsu by default",
        "303",
    ],
)
def test_a_question_that_one_memory_answers_gets_it(remembering: Holdfast, question: str) -> None:
    recalled = asked(remembering, question)

    claims = [recalled.records[item.memory_id].memory.claim for item in recalled.bundle.items]
    assert CHANGES[4] in claims
    assert len(claims) < 4


@requirement("recall.far-below-left-out")
def test_what_shares_only_a_common_word_with_the_question_does_not_fill_the_answer(
    remembering: Holdfast,
) -> None:
    bundle = asked(remembering, "What status does a redirect return by default?").bundle

    assert len(bundle.items) < 3
    assert {left.why.partition(": ")[0] for left in bundle.left_out} <= {TOO_LITTLE, FAR_BELOW}


@requirement("recall.silent-when-nothing-answers")
def test_no_item_is_given_with_a_score_below_nothing(remembering: Holdfast) -> None:
    for question in ("redirect", "request", "the name of a blueprint", "threads"):
        assert all(item.score > 0 for item in asked(remembering, question).bundle.items)


@requirement("recall.silent-when-nothing-answers")
def test_a_pinned_memory_is_given_and_the_answer_says_that_it_is_none(holdfast: Holdfast) -> None:
    pinned = said(holdfast, "Write tests first.", pinned=True)
    said(holdfast, CHANGES[0])

    recalled = asked(holdfast, "how do I bake bread")

    assert [item.memory_id for item in recalled.bundle.items] == [pinned.memory.id]
    words = "no memory answers the question; the items are given because they are pinned"
    assert recalled.bundle.notes[-1] == words
    assert "pinned" not in " ".join(asked(holdfast, "root paths").bundle.notes)


@requirement("recall.silent-when-nothing-answers")
def test_what_a_real_hit_is_linked_to_is_given_and_without_a_hit_it_is_not(
    holdfast: Holdfast,
) -> None:
    hit = said(holdfast, "Tokens rotate hourly.")
    behind = said(holdfast, "The cron job lives on the batch host.")
    holdfast.memories.link(Link(src=hit.memory.id, dst=behind.memory.id, kind="about"))

    assert set(given(holdfast, "tokens")) == {hit.memory.id, behind.memory.id}
    assert given(holdfast, "how do I bake bread") == []


@requirement("recall.silent-when-nothing-answers")
@pytest.mark.parametrize(
    "question", ["DEC-7", "dec-7", "DEC-7's", "what about root-paths", "{id}", "what is {short}?"]
)
def test_what_a_question_names_is_given(holdfast: Holdfast, question: str) -> None:
    named = said(holdfast, "Lunch is at noon.", key="root-paths", label="DEC-7")
    said(holdfast, CHANGES[1])
    name = named.memory.id

    assert given(holdfast, question.format(id=name, short=short(name))) == [name]
    assert given(holdfast, "DEC-8 or m_unknown or m_zzzzzzzz") == []


@requirement("recall.unmentioned-named")
def test_an_answer_says_which_name_of_the_question_it_does_not_mention(holdfast: Holdfast) -> None:
    said(holdfast, "The maintainer for Windows bugs is David.")

    near = asked(holdfast, "who is the maintainer for Linux bugs").bundle
    right = asked(holdfast, "who is the maintainer for Windows bugs").bundle

    assert len(near.items) == len(right.items) == 1
    assert near.notes[-1] == "no item here mentions Linux, so it may be about something else"
    assert not any("mentions" in note for note in right.notes)


@requirement("recall.unmentioned-named")
def test_the_id_of_an_item_counts_as_mentioned(holdfast: Holdfast) -> None:
    name = said(holdfast, "Lunch is at noon.").memory.id

    for question in (name, f"who wrote {short(name)}"):
        assert not any("mentions" in note for note in asked(holdfast, question).bundle.notes)


@requirement("recall.unmentioned-named")
def test_a_place_that_the_evidence_cites_counts_as_mentioned(holdfast: Holdfast) -> None:
    said(
        holdfast,
        "Retries are capped at five.",
        grounds=Grounds(because="I read https://example.org/Redis7."),
    )

    notes = asked(holdfast, "how are retries capped in Redis7").bundle.notes
    assert not any("mentions" in note for note in notes)


@requirement("recall.unmentioned-named")
def test_an_answer_without_items_names_nothing_that_is_missing(holdfast: Holdfast) -> None:
    said(holdfast, CHANGES[0])

    notes = asked(holdfast, "What is the capital of France?").bundle.notes
    assert not any("mentions" in note for note in notes)


@requirement("recall.silence-of-what-is-visible")
def test_memories_of_another_repository_silence_no_answer_here(remembering: Holdfast) -> None:
    question = (
        "While we deployed yesterday, staging printed an odd warning about a blueprint,"
        " and then nginx, redis and postgres restarted twice: why?"
    )
    before = given(remembering, question)
    elsewhere = PlainSurroundings(at=replace(HERE, repo="github.com/acme/other"))
    for number in range(150):
        said(replace(remembering, surroundings=elsewhere), f"Zebra {number} grazes at {number}.")

    assert given(remembering, question) == before != []
