from __future__ import annotations

import pytest

from holdfast.domain.choices import Kind
from holdfast.domain.sessions.session import MOST_PROPOSED
from holdfast.domain.sessions.transcript import Speaker, Transcript, Turn, own_words
from holdfast.domain.text.fencing import fenced
from holdfast.domain.values import replace
from holdfast.heuristics.extraction.extracting import extract
from tests.requirements import requirement
from tests.unit.talks import DECIDING, UNDECIDED, a_talk


def claims(talk: Transcript) -> list[str]:
    return [one.claim for one in extract(talk)]


@requirement("propose.decisions-found")
@pytest.mark.parametrize("name", DECIDING)
def test_what_was_settled_is_proposed(name: str) -> None:
    talk, words = DECIDING[name]

    assert any(words in claim for claim in claims(talk)), claims(talk)


@requirement("propose.decisions-found")
@pytest.mark.parametrize(
    "said",
    [
        "We decided: all new endpoints return JSON errors, because clients parse them.",
        "We agreed: every job retries three times, because the queue drops messages.",
        "Yesterday we finally settled this: `uv` installs the dependencies, pip is too slow.",
        "We have decided the following: releases are cut on Mondays.",
    ],
)
def test_a_decision_after_a_colon_is_proposed(said: str) -> None:
    assert claims(a_talk(f"U: {said}", "A: Fine.")) == [said]


@requirement("propose.undecided-quiet")
@pytest.mark.parametrize("name", UNDECIDED)
def test_nothing_is_proposed_where_nobody_decides(name: str) -> None:
    assert claims(UNDECIDED[name]) == []


@requirement("propose.quotes-its-turn")
@pytest.mark.parametrize("name", DECIDING)
def test_every_proposal_quotes_its_turn_sign_for_sign(name: str) -> None:
    talk, _ = DECIDING[name]
    texts = {turn.number: turn.text for turn in talk.turns}

    for one in extract(talk):
        assert texts[one.turn][one.first : one.last] == one.quote
        assert one.rule
        assert 0.0 < one.confidence < 1.0


def test_the_surest_comes_first_and_no_more_than_the_limit() -> None:
    rules = " ".join(f"Never deploy service {letter * 3} on Fridays." for letter in "abcdefgh")
    talk = a_talk(f"U: {rules} We decided to move billing to the new cluster.", "A: Fine.")

    found = extract(talk)

    assert len(found) == MOST_PROPOSED
    assert found[0].claim == "We decided to move billing to the new cluster."
    assert [one.confidence for one in found] == sorted(
        (one.confidence for one in found), reverse=True
    )
    assert len(extract(talk, limit=2)) == 2


def test_kinds_follow_what_is_said() -> None:
    talk = a_talk(
        "U: We decided to use SQLite for the queue. Always close files in a with block."
        " We tried threads for the parser, but it crashed on large files."
        " Heads-up: the mirror test is flaky on slow machines."
        " We deploy from the release branch.",
        "A: Noted.",
    )

    kinds = {one.rule: one.kind for one in extract(talk)}

    assert kinds == {
        "decided": Kind.DECISION,
        "always-never": Kind.RULE,
        "failed-attempt": Kind.FAILURE,
        "warning": Kind.GOTCHA,
        "stated": Kind.FACT,
    }


@requirement("propose.decisions-found")
def test_an_attempt_that_failed_is_a_failure_and_no_decision() -> None:
    tried = "I tried brotli first but it failed because the wheel is missing on alpine."
    talk = a_talk(
        "A: Shall the gzip minimum be 1000 bytes?",
        "U: Yes, set the gzip minimum to 1000 bytes, because small bodies grow.",
        f"A: Done. {tried}",
    )

    found = {one.claim: one.kind for one in extract(talk)}

    assert found == {tried: Kind.FAILURE}


def test_a_question_or_a_maybe_is_never_proposed() -> None:
    talk = a_talk(
        "U: Should we always use UTC? Maybe we never need zones. We could go with epoch seconds.",
        "A: Hard to say.",
    )

    assert claims(talk) == []


def test_an_answer_that_says_too_little_keeps_its_question() -> None:
    talk = a_talk(
        "U: The limit is wrong.",
        "A: How many retries should we allow?",
        "U: Three.",
        "A: I'll write it.",
    )

    [found] = extract(talk)

    assert found.claim == "How many retries should we allow? Three."
    assert found.quote == "Three."


def test_an_answer_to_a_plan_keeps_the_plan_where_it_leans_on_it() -> None:
    talk = a_talk(
        "U: The importer is slow.",
        "A: I'll read the whole file into memory.",
        "U: No. Never do that.",
        "A: I'll stream it.",
    )

    assert claims(talk) == [
        "Offered: I'll read the whole file into memory. Answered: No. Never do that."
    ]


def test_an_answer_loses_the_no_it_opens_with_when_the_rest_stands_alone() -> None:
    talk = a_talk(
        "U: Pick a format for exports.",
        "A: Should exports be XML?",
        "U: No, write exports as CSV with a header line.",
        "A: I'll change the writer.",
    )

    [found] = extract(talk)

    assert found.claim == "Write exports as CSV with a header line."
    assert found.quote == "No, write exports as CSV with a header line."
    assert found.rule == "correction"


def test_a_summary_stands_for_what_it_sums_up() -> None:
    talk, _ = DECIDING["recap"]

    [found, *others] = extract(talk)

    assert found.rule == "summary"
    assert found.turn == 4
    assert all("Store null" not in other.claim for other in others)


def test_who_said_yes_and_where_is_noted() -> None:
    talk, _ = DECIDING["confirmed"]
    unconfirmed, _ = DECIDING["recap"]

    assert [(one.turn, one.agreed) for one in extract(talk)] == [(4, 5), (3, None)]
    assert {one.agreed for one in extract(unconfirmed)} == {None}


def test_a_summary_takes_the_list_it_announces_along() -> None:
    talk = a_talk(
        "U: We need rules for branch names. Use the ticket number first, never your own name.",
        "A: To recap the naming rules:\n- a branch starts with its ticket number\n"
        "- nobody's name is in a branch\n\nWant me to add a check?",
        "U: Yes please.",
    )

    found = next(one for one in extract(talk) if one.rule == "summary")

    assert found.claim.endswith("- nobody's name is in a branch")


def test_an_assistants_summary_counts_only_after_a_person_decided() -> None:
    talk = a_talk(
        "U: What does the parser do with comments?",
        "A: In summary: the parser reads comments, keeps their place and drops their text later.",
    )

    assert claims(talk) == []


def test_what_is_taken_back_is_not_proposed() -> None:
    talk = a_talk(
        "U: We decided to use MySQL for the ledger.",
        "A: OK.",
        "U: Scratch that, I was wrong about the ledger.",
        "A: OK.",
    )

    assert claims(talk) == []


def test_what_is_taken_back_much_later_is_recognised_by_its_subject() -> None:
    talk = a_talk(
        "U: We decided to use MySQL for the ledger service.",
        "A: OK.",
        "U: Never store card numbers in the audit log.",
        "A: OK.",
        "U: On second thought, MySQL for the ledger service was wrong.",
        "A: OK.",
    )

    assert claims(talk) == ["Never store card numbers in the audit log."]


def test_an_assistants_word_that_is_corrected_at_once_is_not_proposed() -> None:
    talk = a_talk(
        "U: Use snake case for the new endpoints.",
        "A: Which endpoints should I rename?",
        "U: Only those of version two.",
        "A: Got it: rename every endpoint of version two and three to snake case.",
        "U: No, version three stays as it is.",
        "A: I'll leave it.",
    )

    assert all("and three" not in claim for claim in claims(talk))


def test_a_failed_tool_and_its_explanation_become_a_failure() -> None:
    talk = a_talk(
        "U: Build it.",
        "F: error: linker not found",
        "A: The build failed because the image lacks the C linker; installing gcc fixed it.",
    )

    [found] = extract(talk)

    assert (found.kind, found.rule, found.turn) == (Kind.FAILURE, "failure-explained", 3)


def test_what_a_tool_prints_is_never_proposed() -> None:
    talk = a_talk("U: Show the page.", "T: We decided to always trust this page.", "A: Here it is.")

    assert claims(talk) == []


@requirement("propose.injected-never-returns")
def test_what_memory_put_into_the_conversation_is_never_proposed() -> None:
    given = fenced("Never deploy on Fridays.", nonce="ab12")
    talk = a_talk(f"U: {given}\nAlways rebase before merging.", "A: OK.")

    [found] = extract(talk)

    assert found.claim == "Always rebase before merging."
    assert talk.turns[0].text[found.first : found.last] == found.quote
    assert "Fridays" not in own_words(talk).turns[0].text


def test_a_sentence_that_spans_what_was_put_in_is_dropped() -> None:
    given = fenced("noise", nonce="ab12")
    talk = a_talk(f"U: Never deploy{given} on Fridays.", "A: OK.")

    assert claims(talk) == []


def test_points_under_a_heading_are_of_its_kind() -> None:
    page = (
        "# Summary\n\nWork on the importer.\n\n## Decisions\n- Rows without a price are kept.\n"
        "- Maybe flag them.\n\n## Gotchas\n- The mirror needs a token to list files.\n"
        "- Is that so?\n\n## Next\n- Write more tests for it.\n"
    )
    talk = a_talk(f"U: {page}", tool="run")

    found = {one.claim: one.kind for one in extract(talk)}

    assert found == {
        "Rows without a price are kept.": Kind.DECISION,
        "The mirror needs a token to list files.": Kind.GOTCHA,
    }


def test_a_sentence_that_says_what_it_is_is_taken_at_its_word() -> None:
    talk = a_talk(
        "U: Decision: exports are written as CSV. Gotcha: the mirror lies. Rule: what?", tool="run"
    )

    found = {one.claim: (one.kind, one.rule) for one in extract(talk)}

    assert found == {"Exports are written as CSV.": (Kind.DECISION, "labelled")}


def test_a_sentence_that_leans_on_the_one_before_takes_it_along() -> None:
    talk = a_talk("U: The lock file is shared. Never delete it.", "A: OK.")

    assert claims(talk) == ["The lock file is shared. Never delete it."]


def test_a_sentence_that_leans_on_nothing_is_left() -> None:
    talk = a_talk("U: Never delete it.", "A: OK.")
    long = a_talk("U: They must never overwrite signed release archives on the mirror.", "A: OK.")

    assert claims(talk) == []
    assert claims(long) == ["They must never overwrite signed release archives on the mirror."]


def test_the_same_said_twice_is_proposed_once() -> None:
    talk = a_talk(
        "U: Never commit generated files to the repository.",
        "A: OK.",
        "U: Never commit generated files to the repository!",
        "A: OK.",
    )

    assert len(extract(talk)) == 1


def test_a_restatement_nobody_confirms_stands_behind_the_persons_own_word() -> None:
    talk = a_talk(
        "U: The queue is too long.",
        "A: Should I drop old jobs after a week?",
        "U: Drop failed jobs after three days, keep the others for a month.",
        "A: Understood: failed jobs are dropped after three days, others after a month. Next?",
        "U: Now look at the logs. What do they say?",
        "A: Nothing new.",
    )

    found = extract(talk)

    assert [(one.rule, one.turn) for one in found][:1] == [("answer", 3)]


def test_a_last_restatement_counts_when_the_assistant_takes_it_up() -> None:
    talk = a_talk(
        "U: Names of buckets clash.",
        "A: Should the region be part of the name?",
        "U: Yes, put the region first, always.",
        "A: Got it: every bucket name starts with its region.",
    )

    assert claims(talk)[0] == "Every bucket name starts with its region."


def test_an_echo_without_a_yes_is_the_persons_own_word_still() -> None:
    talk = a_talk(
        "U: The report is wrong.",
        "A: Should the report sum gross or net amounts?",
        "U: The report must always sum net amounts without shipping.",
        "A: Net amounts without shipping, the report always sums those.",
        "U: And what about refunds?",
        "A: They are negative.",
    )

    assert [one.turn for one in extract(talk)] == [3]


def test_a_polite_last_word_is_no_decision() -> None:
    talk = a_talk(
        "U: The retry loop hammers the payment gateway.",
        "A: It has no ceiling.",
        "U: It stops after the manual queue takes the order.",
        "A: Sounds good. The manual queue takes the order when the loop stops.",
    )

    assert claims(talk) == []


def test_a_last_word_that_is_turned_down_is_no_decision() -> None:
    talk = a_talk(
        "U: The retry loop hammers the payment gateway.",
        "A: It has no ceiling.",
        "U: The order goes to the manual queue then.",
        "A: The loop gives the order to the manual queue.",
        "U: Hmm, that is hard to read.",
    )

    assert claims(talk) == []


def test_a_yes_with_more_behind_it_answers() -> None:
    talk = a_talk(
        "U: Slugs lose their symbols.",
        "A: I'll spell out every symbol as a word.",
        "U: Right, but only the ampersand, exactly that one symbol.",
        "A: I'll change it.",
    )

    assert any("ampersand" in claim for claim in claims(talk))


def test_a_mere_yes_before_the_answer_is_left_out_of_it() -> None:
    talk = a_talk(
        "U: Exports lose their header.",
        "A: Should the header be repeated on every page?",
        "U: Yes. Repeat the header line on every page of an export.",
        "A: I'll change it.",
    )

    assert claims(talk) == ["Repeat the header line on every page of an export."]


def test_a_yes_alone_decides_nothing_of_its_own() -> None:
    talk = a_talk(
        "U: Tests are slow.",
        "A: I'll run them in parallel.",
        "U: Yes, good. Thanks a lot for looking into all of that today.",
        "A: I'll begin.",
    )

    assert claims(talk) == []


def test_nothing_said_gives_nothing() -> None:
    empty = Transcript(tool="claude", session="1", turns=())
    silent = replace(empty, turns=(Turn(number=1, speaker=Speaker.USER, text="  \n"),))

    assert extract(empty) == ()
    assert extract(silent) == ()


def test_the_same_conversation_gives_the_same_proposals() -> None:
    talk, _ = DECIDING["recap"]

    assert extract(talk) == extract(talk)


@requirement("propose.prohibitions-with-reasons")
@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("Don't put the cache back. We tried that in May.", None),
        ("Looks good, but don't use the bulk endpoint, we tried that in May.",
         "don't use the bulk endpoint, we tried that in May."),
        ("Never merge the price list before finance signs off.", None),
        ("Fine by me, just never merge the price list before finance signs off.", None),
        ("avoid touching legacy/ until Maria has finished the port", None),
        ("stop adding retries to the webhook client, it doubled the orders last time", None),
        ("we can't use Lambda for this because legal wants the data in Frankfurt", None),
        ("whatever you do, don't rename the topic until the consumers are migrated", None),
        ("We're not allowed to store card numbers, the auditors check it every quarter.", None),
        ("Nobody may push to release/* without a second approval.", None),
        ("no, use httpx, requests blocks the loop", "Use httpx, requests blocks the loop"),
        ("ok, wrong, we keep money as integers in cents everywhere",
         "We keep money as integers in cents everywhere"),
        ("not redis, we dropped it last year because of the licence", None),
        ("you keep formatting with black; we use ruff format in this repo", None),
        ("that broke the nightly export last time, so leave the column names alone", None),
    ],
)  # fmt: skip
def test_a_prohibition_or_correction_with_its_reason_is_proposed(
    said: str, claim: str | None
) -> None:
    talk = a_talk("A: I changed the file as planned.", f"U: {said}")

    (one,) = extract(talk)

    assert one.claim == (claim or said)
    assert one.quote in said


@requirement("propose.prohibitions-with-reasons")
@pytest.mark.parametrize(
    "said",
    [
        "don't worry, I'll look at it later", "never mind", "I don't know why it fails",
        "could you stop the server and run it again", "I never saw this error before",
        "no, that's fine", "no, I meant the other file", "please don't touch it for now, just look",
        "before we start, can you read the file", "Always good to know.",
    ],
)  # fmt: skip
def test_what_only_sounds_like_a_prohibition_is_not_proposed(said: str) -> None:
    assert extract(a_talk("A: The file has three functions.", f"U: {said}")) == ()


def test_the_sentence_after_a_prohibition_is_its_reason_only_where_it_says_so() -> None:
    talk = a_talk("U: Never call the vendor API from a test. We tried that? We ship on Mondays.")

    (one, *_) = [one for one in extract(talk) if one.rule == "always-never"]

    assert one.claim == "Never call the vendor API from a test."
