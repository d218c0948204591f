"""A later text amends an earlier one by its content: same subject, later, and incompatible."""

from __future__ import annotations

import pytest

from benchmarks.stale import (
    FORMS,
    compared,
    compared_table,
    is_marked,
    labelled,
    pair_table,
)
from holdfast.domain.choices import Origin
from holdfast.domain.evaluation.benchmark import Document, Trial
from holdfast.domain.recall.amendment import AmendmentKind
from holdfast.heuristics.amending import amendments
from holdfast.heuristics.change_signs import SIGNS_OF_CHANGE
from holdfast.heuristics.change_words import EVERY_KIND, changed_things, may_change
from holdfast.heuristics.english import ENGLISH
from tests.requirements import requirement

FIRST = [
    "How many times should the uploader try, and how long may it wait between two tries?",
    "Three attempts for every chunk, and the wait between attempts grows up to 20 seconds.",
    "Agreed: three attempts for a chunk, the wait of the uploader is capped at 20 seconds,"
    + " no partial chunks are kept, checksums are compared at the end.",
]
LATER = [
    "The gateway closes quiet connections of the uploader early, so long waits are useless.",
    "So the uploader makes at most three attempts for a chunk, the wait is capped at 8 seconds.",
    "Yes. Checksums stay.",
]


def differences(
    older: list[str], newer: list[str], *, talks: bool = True
) -> list[AmendmentKind | None]:
    return [one.differs for one in amendments([older, newer], {0, 1} if talks else ())]


@requirement("recall.amended-by-content")
@pytest.mark.parametrize(
    ("older", "newer", "differs"),
    [
        ("Support answers within two days.", "Support answers within one day.", "NUMBER"),
        ("Freeze the code on 3 May.", "Freeze the code on 9 May.", "DATE"),
        ("Mails go out through Mailgun.", "Mails go out through Postmark.", "VALUE"),
        ("Tests may call the network.", "Tests must not call the network.", "OPPOSITE"),
        ("Mails go out through Mailgun.", "We replaced Mailgun with Postmark.", "GIVEN_UP"),
        ("Exports are CSV files.", "We stopped exporting CSV files.", "GIVEN_UP"),
        ("Every endpoint needs an API key.", "The API key is no longer needed.", "GIVEN_UP"),
        ("Invoices are numbered per year.", "New policy for invoices: one sequence.", "RULE"),
        ("Only maintainers may merge.", "We reversed the rule that maintainers merge.", "RULE"),
        ("The queue keeps messages for 3 days.",
         "We extended how long the queue keeps old messages to 7 days.", "NUMBER"),
        ("Retry policy: upstream, five attempts.",
         "We revised the policy: upstream retry attempts are few.", "RULE"),
    ],
)  # fmt: skip
def test_a_later_word_amends_and_tells_how_it_differs(older: str, newer: str, differs: str) -> None:
    assert differences([older], [newer]) == [AmendmentKind[differs]]


@requirement("recall.amended-by-content")
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Images are resized on upload.", "From now on the size of resized images is logged."),
        ("The import runs at midnight.", "We moved the code of the import into its own module."),
        ("Mails go out through Mailgun.", "We raised the timeout for mails through Mailgun."),
        ("Every endpoint needs an API key.", "API keys are no longer printed by the CLI."),
        ("Exports are CSV files.", "The export of CSV files was rewritten and is fast now."),
        ("The bucket refills every second.", "The test of the bucket used to take ten seconds."),
        ("Invoices are numbered per year.", "New layout for invoices: the year is bold."),
        ("Only maintainers may merge.", "Ada is a maintainer now and may merge."),
        ("Lint runs before every commit.", "We dropped two rules from the linter."),
        ("Release notes are written by hand.", "The release notes of 2.4 were replaced."),
        ("Errors go to the on-call channel.", "The channel has a new name, errors still go there."),
        ("Each tenant has its own bucket.", "We moved the bucket of one tenant elsewhere."),
        ("Requests time out after 30 seconds.", "Yesterday requests timed out after 10 seconds."),
        ("Support answers within two days.", "Should support answer within one day?"),
        ("Support answers within two days.", "Support has not changed its two days."),
        ("We drop support for Python 3.8.", "We dropped support for Python 3.8 in May."),
        ("Is Mailgun good?", "We replaced Mailgun with Postmark."),
        ("The build is red.", "Lunch is at noon from now on."),
        ("Is it so?", "From now on it is."),
        ("I like to write letters.", "I was out with the letters."),
        ("I like to write letters.", "I can't stop writing letters."),
        ("Retries are counted.", "We changed our minds."),
        (
            "The staging database keeps backups for 14 days.",
            "New rule: the production database keeps backups for 30 days instead of 7.",
        ),
        (
            "Customers in Germany may return goods within 14 days.",
            "From this month on, customers in France may return goods in 30 days, no longer in 14.",
        ),
        (
            "The orders API is limited to 100 requests per second.",
            "We no longer limit the reports API to 100 requests per second; the new limit is 20.",
        ),
        (
            "In tests the mail sender is a stub.",
            "In production we replaced the mail sender: it is no longer a stub but Postmark.",
        ),
        (
            "Version 2 of the kit needs Python 3.8.",
            "Version 3 of the kit dropped Python 3.8 and needs Python 3.11 now.",
        ),
    ],
)
def test_what_can_both_hold_amends_nothing(older: str, newer: str) -> None:
    assert differences([older], [newer]) == []


@requirement("recall.amended-by-content")
def test_a_talk_amends_an_earlier_one_without_a_word_about_it() -> None:
    (found,) = amendments([FIRST, LATER], {0, 1})

    assert (found.differs, found.is_said) == (AmendmentKind.NUMBER, False)
    assert (found.older, found.newer) == ((0, 2), (1, 1))


@requirement("recall.amended-by-content")
def test_a_talk_amends_by_the_opposite_of_the_same_words() -> None:
    kept = "Partial chunks are kept, the uploader looks for them first."
    later = [LATER[0], kept, "Yes.", "Good."]

    assert differences(FIRST, later) == [AmendmentKind.OPPOSITE]


@requirement("recall.amended-by-content")
@pytest.mark.parametrize(
    "said",
    [
        "New rule: the uploader hashes each chunk between attempts, with seconds to wait, capped.",
        "The rule from now on: the uploader hashes chunks between attempts, wait capped, seconds.",
    ],
)
def test_a_talk_that_changes_a_rule_amends_an_earlier_one_about_the_same(said: str) -> None:
    later = [*LATER[:1], "That is a pity.", "It was slow.", said]

    assert differences(FIRST, later) == [AmendmentKind.RULE]


def test_a_talk_about_something_else_amends_nothing_though_it_has_a_new_rule() -> None:
    said = "From now on lunch is at noon, and the uploader of the menu has three attempts."

    assert differences(FIRST, ["It is loud here.", "Good to know.", "Yes.", said]) == []


@requirement("recall.amended-by-content")
def test_a_talk_that_says_the_same_again_amends_nothing() -> None:
    again = ["About the uploader, to amend the notes: " + FIRST[2]]

    assert differences(FIRST, again) == []


def test_between_memories_only_what_says_so_amends() -> None:
    older, newer = ["Support answers within two days."], ["Support answers within one day."]

    assert differences(older, newer, talks=False) == []
    assert differences(older, ["From now on, " + newer[0]], talks=False) == [AmendmentKind.NUMBER]


def test_language_of_change_beside_another_number_of_something_else_amends_nothing() -> None:
    older = ["The uploader makes at most 3 attempts.", "A chunk has 4 parts.", "Fine.", "Good."]
    newer = ["Parts of a chunk are numbered now, 4 in all.", "The uploader logs 9 lines now."]

    assert differences(older, newer) == []


def test_a_long_memory_that_describes_what_is_dropped_amends_only_if_it_changes_a_rule() -> None:
    older = ["Uploads of the gateway keep partial chunks."]
    told = "Uploads are new. We dropped partial chunks of the gateway. They are gone. Fine."

    assert differences(older, [told], talks=False) == []
    assert differences(older, [f"{told} This amends our rule."], talks=False) == [
        AmendmentKind.RULE
    ]


def test_a_change_with_the_same_number_amends_nothing() -> None:
    older = ["The queue keeps messages for 3 days."]

    assert differences(older, ["We extended the queue; messages stay for 3 days again."]) == []
    moved = "We moved the queue from Oslo; the red messages of the queue stay for 3 days."
    assert differences(older, [moved]) == []


def test_what_was_said_later_is_never_amended() -> None:
    assert differences(["We replaced Mailgun."], ["Mails go out through Mailgun."]) == []


def test_nothing_is_compared_where_nothing_may_change() -> None:
    claims = [["Mails leave by Mailgun."], ["The sky is blue."]]

    assert ENGLISH.wording.amendments(claims, ()) == ()
    assert amendments(claims, ()) == []
    assert not may_change("The sky is blue.")


def test_the_signs_that_load_the_rules_are_all_signs_of_the_rules() -> None:
    signs = {sign for kind in EVERY_KIND for sign in kind.signs}

    assert {one for one in signs if not any(sign in one for sign in SIGNS_OF_CHANGE)} == set()


def test_a_change_of_nothing_in_particular_has_no_object() -> None:
    assert changed_things("We revised the policy.") == ()
    assert changed_things("Any duplicate was dropped.") == ()


@requirement("eval.stale-reworded")
def test_the_pairs_set_aside_are_told_apart() -> None:
    pairs = labelled()
    marked = [pair for pair in pairs if is_marked(pair, as_talk=True)]
    right = sum(pair.is_amended for pair in marked)

    assert right / sum(pair.is_amended for pair in pairs) >= 0.85
    assert right / len(marked) >= 0.85
    assert pair_table(pairs).count("\n") == 5


@requirement("eval.stale-reworded")
def test_the_table_counts_the_talks_that_are_marked() -> None:
    documents = [
        Document(id=f"{name}#{number}", text=text, claim=text, origin=Origin.HUMAN)
        for name, talk in (("first", FIRST), ("later", LATER))
        for number, text in enumerate(talk)
    ]
    trial = Trial(name="talks", documents=documents, queries=())
    found = {name: compared(trial, form) for name, form in FORMS.items()}

    told = compared_table(found, {"first"}, 2)

    assert "| in no words | 1 | 1 of 1 | 0 |" in told
    assert told.count("first by later") == len(FORMS)


@requirement("eval.stale-reworded")
def test_an_amended_talk_is_reworded_by_rules() -> None:
    said = "Amendment to the upload rule: 8 seconds, superseding the old cap. Amended rule: 8."

    assert FORMS["as worded"](said) == said
    assert FORMS["in other words"](said) == (
        "New rule for the upload rule: 8 seconds, dropping the old cap. new rule: 8."
    )
    assert FORMS["in no words"](said) == "About the upload rule: 8 seconds. the rule: 8."
