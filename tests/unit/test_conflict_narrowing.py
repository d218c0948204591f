"""A clause about a part of the other's subject, or about what is over, is no conflict."""

from __future__ import annotations

import pytest

from holdfast.heuristics.conflict.judging import judged
from tests.requirements import requirement


@requirement("conflict.narrower-things-do-not-clash")
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The server listens on port 8080.", "The admin server listens on port 9000."),
        ("Deploys happen on Tuesdays.", "Deploys to staging happen on Wednesdays."),
        ("Sessions expire after 30 minutes.", "Sessions of admins expire after 10 minutes."),
        ("Releases are cut every Friday.", "Releases of the mobile app are cut every Monday."),
        ("The retry limit is 3.", "The retry limit for uploads is 5."),
        ("Builds run on Jenkins.", "We moved from Jenkins to Buildkite for the mobile app only."),
        ("Builds run on Jenkins.", "We replaced Jenkins by Buildkite only for the mobile app."),
        ("Jenkins jobs were archived in 2021.", "We replaced Jenkins by Buildkite."),
        ("The Jenkins host was bought on 3 May 2019.", "We replaced Jenkins by Buildkite."),
    ],
)
def test_a_narrower_claim_leaves_the_wider_one_as_it_is(older: str, newer: str) -> None:
    assert judged(newer, older, None) is None
    assert judged(older, newer, None) is None


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The server listens on port 8080.", "The server now listens on port 9000."),
        ("The shop opens at nine.", "From April the shop opens at eight."),
        ("Deploys happen on Tuesdays.", "Deploys always happen on Wednesdays."),
        ("Sessions expire after 30 minutes.", "Sessions expire after 10 minutes."),
        ("Cache entries live for 5 minutes.", "The cache TTL is one hour."),
        ("Builds run on Jenkins.", "We moved from Jenkins to Buildkite."),
        ("Our builds were run on Jenkins.", "We replaced Jenkins by Buildkite."),
        ("Builds run on Jenkins.", "We only replaced Jenkins by Buildkite last week."),
        ("Builds were moved to Jenkins in 2021.", "We replaced Jenkins by Buildkite."),
        ("Jenkins was introduced in 2021 for builds.", "We replaced Jenkins by Buildkite."),
        ("The timeout is 30 seconds.", "The correct timeout is 60 seconds."),
        ("The timeout is 30 seconds.", "The timeout is 60 seconds these days."),
        ("The timeout is 30 seconds.", "Note that the timeout is 60 seconds."),
        ("The timeout is 30 seconds.", "The timeout is 60 seconds on all platforms."),
        ("The limit is 100 requests.", "The limit is raised to 500 requests."),
        ("Retry failed jobs 3 times.", "Retry failed jobs 5 times before giving up."),
    ],
)
def test_further_words_that_name_no_part_do_not_hide_a_conflict(older: str, newer: str) -> None:
    assert judged(newer, older, None) is not None
