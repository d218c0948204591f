"""A change for a part only, and what ended, leave what holds elsewhere or now as it is."""

from __future__ import annotations

import pytest

from holdfast.heuristics.english import ENGLISH
from tests.requirements import requirement

_judged = ENGLISH.judge.judged


@requirement("conflict.narrower-things-do-not-clash")
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Builds run on Jenkins.", "Replace Jenkins with Buildkite for the mobile app only."),
        ("Builds run on Jenkins.", "We replaced Jenkins with Buildkite for mobile builds only."),
        (
            "Passwords are hashed with bcrypt.",
            "Replace bcrypt with argon2 for admin accounts only.",
        ),
        (
            "Logs are shipped with Fluentd.",
            "Replace Fluentd with Vector only in the staging cluster.",
        ),
        ("We use Moment for dates.", "Replace Moment with Luxon in the calendar widget only."),
        (
            "Tests run with unittest.",
            "We switched from unittest to pytest for the billing module only.",
        ),
        (
            "The services talk over REST.",
            "We moved from REST to gRPC only between the two ranking services.",
        ),
        ("Mails are sent with Sendgrid.", "Only for receipts, replace Sendgrid with Postmark."),
        ("Payments go through Stripe.", "Stripe was replaced by Adyen for Dutch customers only."),
        ("The frontend uses Redux.", "Redux was removed from the settings page only."),
        ("We use yarn for the web packages.", "Use pnpm instead of yarn only in the docs package."),
        ("Images are resized with Sharp.", "We stopped using Sharp for avatars only."),
        ("Deploys use Helm.", "We dropped Helm for the cron jobs only."),
        (
            "Invoices are rendered with wkhtmltopdf.",
            "Use Weasyprint instead of wkhtmltopdf for credit notes only.",
        ),
        (
            "Feature flags live in LaunchDarkly.",
            "We moved from LaunchDarkly to Unleash for the beta testers only.",
        ),
        ("Configs are written in YAML.", "We replaced YAML by TOML only within the tools folder."),
        ("Errors are reported to Sentry.", "Sentry was dropped on the kiosk devices only."),
        ("The lint job runs with flake8.", "Replace flake8 with ruff in the new repository only."),
    ],
)
def test_a_change_for_a_part_leaves_the_rest_as_it_is(older: str, newer: str) -> None:
    assert _judged(newer, older, None) is None
    assert _judged(older, newer, None) is None


@requirement("conflict.past-beside-present")
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The office was in Vienna until March.", "The office is in Graz."),
        ("The default branch was master until March.", "The default branch is main."),
        ("Until March the deploy day was Tuesday.", "The deploy day is Thursday."),
        ("The retry limit was 3 until May.", "The retry limit is 5."),
        (
            "Sessions expired after 30 minutes until the spring release.",
            "Sessions expire after 10 minutes.",
        ),
        ("The shop closed at six until last summer.", "The shop closes at eight."),
        ("Mara was the owner of billing until June.", "Tom is the owner of billing."),
        ("Builds ran on Jenkins until 2023.", "Builds run on Buildkite."),
        ("The API was versioned by header until v3.", "The API is versioned by path."),
        ("The cache was Redis until 2022.", "The cache is Memcached."),
        ("The cache used to be Redis.", "The cache is Memcached."),
        ("The cache used to hold 5 items.", "The cache holds 10 items."),
        ("We used to deploy on Fridays.", "Deploys go out on Tuesdays."),
        ("We used to deploy on Fridays.", "We deploy on Tuesdays."),
        ("Sessions used to live in Redis.", "Sessions live in Postgres."),
        ("Logs were kept for 30 days until April 2024.", "Logs are kept for 90 days."),
        ("Releases were weekly before 2024.", "Releases are monthly."),
        ("The timeout was 30 seconds until last week.", "The timeout is 60 seconds."),
        ("Formerly the queue was RabbitMQ.", "The queue is Kafka."),
        ("Until 2021 we used Travis for CI.", "We use GitHub Actions for CI."),
        (
            "The support line was open on Sundays until October.",
            "The support line is open on Saturdays.",
        ),
        ("Anna led the platform team until January.", "Ben leads the platform team."),
        (
            "Until version 4, the config file was named app.ini.",
            "The config file is named app.toml.",
        ),
        ("Pull requests needed two approvals until 2023.", "Pull requests need one approval."),
        ("Backups were written to tape till 2020.", "Backups are written to S3."),
        ("The API previously returned XML.", "The API returns JSON."),
        (
            "The rate limit used to be 100 requests per minute.",
            "The rate limit is 500 requests per minute.",
        ),
        ("Force pushes were allowed until March.", "Force pushes are forbidden."),
        ("Staging used port 8080 before 2022.", "Staging uses port 9090."),
    ],
)
def test_what_was_so_until_some_day_leaves_what_is_so(older: str, newer: str) -> None:
    assert _judged(newer, older, None) is None
    assert _judged(older, newer, None) is None


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Builds run on Jenkins.", "Replace Jenkins with Buildkite."),
        ("Builds run on Jenkins.", "We replaced Jenkins with Buildkite for all builds."),
        ("Passwords are hashed with bcrypt.", "Replace bcrypt with argon2 for passwords."),
        (
            "Admin passwords are hashed with bcrypt.",
            "Replace bcrypt with argon2 for admin passwords only.",
        ),
        (
            "Mobile builds run on Jenkins.",
            "We replaced Jenkins with Buildkite for mobile builds only.",
        ),
        ("Tests run with unittest.", "We only switched from unittest to pytest yesterday."),
        ("Mails are sent with Sendgrid.", "Replace Sendgrid with Postmark for mails."),
        ("Payments go through Stripe.", "Stripe was replaced by Adyen."),
        ("Use yarn for the web packages.", "Use pnpm instead of yarn for the web packages."),
        ("The office is in Vienna until March.", "The office is in Graz until March."),
        ("The shop is open until six.", "The shop is open until eight."),
        ("The door stays open until 18:00.", "The door stays open until 20:00."),
        ("The default branch was master until March.", "The default branch was trunk until March."),
        ("The office was in Vienna until March.", "The office was in Graz until March."),
        ("The retry limit is 3.", "The retry limit is 5 until May."),
        ("The offer is valid until March.", "The offer is valid until May."),
        ("The queue is RabbitMQ.", "The queue is Kafka."),
        ("The timeout was set to 30 seconds.", "The timeout is 60 seconds."),
        ("Never deploy until the tests pass.", "Deploy before the tests pass."),
        ("The contract was signed until 2027.", "The contract was signed until 2029."),
        ("Configs are written in YAML.", "We replaced YAML by TOML for configs."),
        (
            "Configs in the tools folder are written in YAML.",
            "We replaced YAML by TOML only in the tools folder.",
        ),
        ("The lint job runs with flake8.", "Replace flake8 with ruff."),
        ("Errors are reported to Sentry.", "We stopped using Sentry."),
        ("The support line is open on Sundays.", "The support line is open on Saturdays."),
        ("Pull requests need two approvals until the audit.", "Pull requests need one approval."),
        ("Pull requests needed two approvals.", "Pull requests need one approval."),
        (
            "The rate limit is 100 requests per minute.",
            "The rate limit is 500 requests per minute.",
        ),
        ("Force pushes are allowed.", "Force pushes are forbidden until March."),
        ("The feature is off until May.", "The feature is on."),
        ("The rate limit was 100 until March.", "The rate limit was 500 until March."),
        (
            "The script used to seed the database is seed.py.",
            "The script used to seed the database is fill.py.",
        ),
        (
            "The signing key rotates every 90 days.",
            "The key used to sign tokens rotates every 30 days.",
        ),
        (
            "The key that signs tokens rotates every 90 days.",
            "The key used to sign tokens rotates every 30 days.",
        ),
        (
            "The port of the database defaults to 6543.",
            "The port used to reach the database defaults to 5432.",
        ),
        (
            "The deploy script runs on Mondays.",
            "The script used to deploy runs on Fridays.",
        ),
        ("Logs are only kept for 30 days.", "Logs are only kept for 90 days."),
        (
            "Tests were run on port 8080 before merging.",
            "Tests are run on port 9090 before merging.",
        ),
    ],
)
def test_a_part_or_an_end_in_the_words_hides_no_conflict(older: str, newer: str) -> None:
    assert _judged(newer, older, None) is not None


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Sessions live in Redis.", "We dropped Redis, not only for its cost."),
        ("Sessions live in Redis.", "Redis was dropped only in 2024."),
        ("Sessions live in Redis.", "Redis was dropped only at the end of the year."),
        ("Builds run on Jenkins.", "We replaced Jenkins with Buildkite, and not only for speed."),
        ("Builds run on Jenkins.", "Jenkins was replaced by Buildkite only on Monday."),
        ("Builds run on Jenkins.", "We replaced Jenkins with Buildkite only in March 2024."),
        ("Errors are reported to Sentry.", "We replaced Sentry with Rollbar only last week."),
    ],
)
def test_a_time_or_a_reason_after_only_is_no_part(older: str, newer: str) -> None:
    assert _judged(newer, older, None) is not None
