from __future__ import annotations

import pytest

from holdfast.heuristics.conflict.judging import judged
from tests.requirements import requirement


def is_suspected(newer: str, older: str) -> bool:
    found = {judged(*pair, None) is not None for pair in ((newer, older), (older, newer))}
    assert len(found) == 1, "the order of the claims decides"
    return found.pop()


@requirement("conflict.decision-language")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The nightly import takes two hours.", "The nightly import takes an hour."),
        ("The nightly import takes 90 minutes.", "The nightly import takes an hour."),
        ("The outage lasted 3 days.", "The outage lasted a day."),
        ("The warmup needs five minutes.", "The warmup needs a minute."),
        ("Wait 10 seconds between polls.", "Wait a second between polls."),
        ("The freeze lasts two days before a launch.", "The freeze lasts a day before a launch."),
        ("The batch takes two hours.", "The batch takes half an hour."),
    ],
)
def test_an_article_before_a_unit_counts_as_one(newer: str, older: str) -> None:
    assert is_suspected(newer, older)


@requirement("conflict.both-can-hold")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The review takes 60 minutes.", "The review takes an hour."),
        ("The review takes 30 minutes.", "The review takes half an hour."),
        ("The sync takes 90 minutes.", "The sync takes an hour and a half."),
        ("The course takes ten seconds.", "The course takes a second look."),
        ("The token needs 32 bytes.", "The token needs a byte string."),
    ],
)
def test_an_article_before_a_unit_is_the_same_as_its_number(newer: str, older: str) -> None:
    assert not is_suspected(newer, older)


@requirement("conflict.decision-language")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The API returns JSON.", "The API returns XML."),
        ("The search endpoint returns HTML.", "The search endpoint returns JSON."),
        ("The list endpoint now returns CSV.", "The list endpoint returned XML."),
        ("f returns None.", "f returns True."),
        ("parse returns null on failure.", "Now parse returns False on a failure."),
        (
            "lookup() returns undefined if the key is absent.",
            "lookup() returns null if the key is absent.",
        ),
    ],
)
def test_a_thing_returns_one_named_form(newer: str, older: str) -> None:
    assert is_suspected(newer, older)


@requirement("conflict.both-can-hold")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The API also returns JSON.", "The API returns XML."),
        ("The API returns JSON.", "The API logs XML."),
        ("The API returns JSON.", "The admin API returns XML."),
        ("The search returns scores.", "The search returns snippets."),
        ("The API returns a token.", "The API returns a status."),
        ("The API returns URLs.", "The API returns UUIDs."),
        ("The API returns JSON for reports.", "The API returns XML for invoices."),
        ("The exporter supports CSV.", "The exporter supports Parquet."),
        ("The team ships returns.", "The team returns."),
        ("f returns None.", "g returns True."),
        ("f returns null.", "f returns None."),
        ("f returns True on success.", "f returns False on failure."),
        ("f returns None.", "f returns True if the file exists."),
        ("It returns None.", "f returns True."),
        ("f also returns None.", "f returns True."),
    ],
)
def test_a_thing_returns_several_parts_in_several_cases(newer: str, older: str) -> None:
    assert not is_suspected(newer, older)


@requirement("conflict.both-can-hold")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The number of retries is 2.", "The number of retries is two."),
        ("Deploys happen 2 times a day.", "Deploys happen twice a day."),
        ("Backups run two times a week.", "Backups run twice a week."),
    ],
)
def test_a_number_word_is_the_same_as_its_digits(newer: str, older: str) -> None:
    assert not is_suspected(newer, older)


@requirement("conflict.decision-language")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The number of retries is 3.", "The number of retries is two."),
        ("Deploys happen 3 times a day.", "Deploys happen twice a day."),
        ("Backups run twice a month.", "Backups run two times a week."),
    ],
)
def test_a_number_word_clashes_with_other_digits(newer: str, older: str) -> None:
    assert is_suspected(newer, older)
