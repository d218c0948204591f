"""Claims that differ in one place only: a unit, the case of a name, a negated flag, a subject."""

from __future__ import annotations

import pytest

from holdfast.heuristics.conflict.judging import judged
from holdfast.heuristics.conflict.twins import one_difference
from tests.requirements import requirement

CONTRADICTING = [
    ("The quota is 10 per hour.", "The quota is 10 a day."),
    ("The log level is Debug.", "The log level is DEBUG."),
    ("The option is `maxSize`.", "The option is `MaxSize`."),
    ("Run it with -v for details.", "Run it with -V for details."),
    ("The trace header is X-Request-Id.", "The trace header is X-Request-ID."),
    ("The default branch is main.", "The default branch is Main."),
    ("The buffer is 64 KB.", "The buffer is 64 Kb."),
    ("The rate limit is 100 per second.", "The rate limit is 100 per minute."),
    ("The key is 32 bytes long.", "The key is 32 bits long."),
    ("The alarm starts at 40 °C.", "The alarm starts at 40 °F."),
    ("The score drops by 5%.", "The score drops by 5 points."),
    ("Build with --fast.", "Build with --no-fast."),
    ("The upload limit is 10 MB.", "The upload limit is 10 GB."),
    ("Requests time out after 30 seconds.", "Requests time out after 30 minutes."),
    ("The queue keeps messages for 7 days.", "The queue keeps messages for 7 weeks."),
    ("The API allows 500 requests per hour.", "The API allows 500 requests per day."),
    ("The cache holds 256 MB.", "The cache holds 256 MiB."),
    ("The sensor reports every 10 ms.", "The sensor reports every 10 s."),
    ("The cable is 3 metres long.", "The cable is 3 feet long."),
    ("Prices are stored in 2 decimals.", "Prices are stored in 2 digits."),
    ("The nonce has 12 bytes.", "The nonce has 12 bits."),
    ("Throughput is limited to 50 Mbps.", "Throughput is limited to 50 MBps."),
    ("The discount is 15 percent.", "The discount is 15 euros."),
    ("The lease lasts 90 s.", "The lease lasts 90 min."),
    ("The retry budget is 3 per request.", "The retry budget is 3 per session."),
    ("The field is called userId.", "The field is called userID."),
    ("The environment variable is APP_ENV.", "The environment variable is app_env."),
    ("The table is named Orders.", "The table is named orders."),
    ("The class is HttpClient.", "The class is HTTPClient."),
    ("The Makefile target is Test.", "The Makefile target is test."),
    ("Pass -d to detach.", "Pass -D to detach."),
    ("The command is `Deploy`.", "The command is `deploy`."),
    ("The header is Content-MD5.", "The header is Content-Md5."),
    ("The enum value is Pending.", "The enum value is PENDING."),
    ("The file is README.md.", "The file is readme.md."),
    ("The package is PyYAML.", "The package is pyyaml."),
    ("Run the linter with --cache.", "Run the linter with --no-cache."),
    ("Compile with --enable-shared.", "Compile with --disable-shared."),
    ("Configure it with --with-ssl.", "Configure it with --without-ssl."),
    ("The CI passes --strict to mypy.", "The CI passes --no-strict to mypy."),
    ("Always pass --color to grep.", "Always pass --no-color to grep."),
    ("Compile with -Wshadow.", "Compile with -Wno-shadow."),
    ("Install with --deps.", "Install with --no-deps."),
    ("The upload limit is 25 MB.", "The upload limit is 25 KB."),
    ("The request limit is 10 per minute.", "The request limit is 10 per hour."),
    ("The idle timeout is 5 minutes.", "The idle timeout is 5 hours."),
    ("The worker has 4 cores.", "The worker has 8 cores."),
    ("Sessions expire after 20 minutes.", "Sessions expire after 20 days."),
    ("The battery lasts 8 h.", "The battery lasts 8 d."),
    ("Uploads are limited to 5 MB/s.", "Uploads are limited to 5 MB/min."),
    ("The icon is 24 px wide.", "The icon is 24 em wide."),
    ("The fee is 3 %.", "The fee is 3 euros."),
    ("Titles have at most 80 characters.", "Titles have at most 80 words."),
    ("The oven runs at 200 degrees.", "The oven runs at 200 kelvin."),
    ("Call it with --dry-run.", "Call it with --no-dry-run."),
    ("The build sets -fno-exceptions.", "The build sets -fexceptions."),
    ("The tag is `Latest`.", "The tag is `latest`."),
    ("The queue name is Emails.", "The queue name is emails."),
    ("The attribute is isActive.", "The attribute is isactive."),
    ("Read the config from Config.toml.", "Read the config from config.toml."),
    ("The key is API_KEY.", "The key is Api_Key."),
    ("The link speed is 10 Gbps.", "The link speed is 10 GBps."),
    ("The pump draws 5 mW.", "The pump draws 5 MW."),
    ("Sync twice per hour, 4 per day.", "Sync twice per hour, 4 per week."),
    ("The tank holds 40 litres.", "The tank holds 40 gallons."),
    ("Start the server with --reload.", "Start the server with --no-reload."),
    ("Ship with --enable-lto.", "Ship with --disable-lto."),
]
COMPATIBLE = [
    ("Python 3.11 is supported.", "Python 3.12 is supported."),
    ("Port 8080 serves HTTP.", "Port 8443 serves HTTPS."),
    ("Python 3.9 works.", "Python 3.10 works."),
    ("Node 20 is supported.", "Node 22 is supported."),
    ("Port 5432 serves Postgres.", "Port 6379 serves Redis."),
    ("Version 2 adds webhooks.", "Version 3 adds webhooks."),
    ("Django 4.2 is tested in CI.", "Django 5.0 is tested in CI."),
    ("HTTP 404 means the page is missing.", "HTTP 403 means the page is forbidden."),
    ("Exit code 2 means bad arguments.", "Exit code 3 means nothing was found."),
    ("Port 443 is open.", "Port 80 is open."),
    ("Postgres 15 is compatible.", "Postgres 16 is compatible."),
    ("Release 1.4 fixes the login bug.", "Release 1.5 fixes the login bug."),
    ("TLS 1.2 is allowed.", "TLS 1.3 is allowed."),
    ("Migration 7 adds the orders table.", "Migration 8 adds the users table."),
    ("Error 1045 is logged.", "Error 2002 is logged."),
    ("Java 17 is available on the runners.", "Java 21 is available on the runners."),
    ("RFC 7231 describes methods.", "RFC 7232 describes conditions."),
    ("The timeout is 60 seconds.", "The timeout is 1 minute."),
    ("The cache holds 1 GB.", "The cache holds 1 gigabyte."),
    ("The limit is 5 s.", "The limit is 5 seconds."),
    ("The discount is 15 %.", "The discount is 15 percent."),
    ("We use Redis for caching.", "We use redis for caching."),
    ("The Cache is in memory.", "The cache is in memory."),
    ("Tests run in parallel.", "tests run in parallel."),
    ("Kubernetes runs the workers.", "kubernetes runs the workers."),
    ("Deploys happen on Tuesday with --fast.", "Deploys happen on Tuesday."),
    ("Use --verbose for logs.", "Use --quiet for scripts."),
    ("Reads time out after 5 seconds.", "Writes time out after 5 minutes."),
    (
        "The free plan allows 10 requests per minute.",
        "The paid plan allows 10 requests per second.",
    ),
    ("The header has 12 bytes.", "The trailer has 12 bits."),
    ("The CPU limit is 2 cores.", "The memory limit is 2 GB."),
    ("Pass -v to see logs.", "Pass -V to see the version."),
    ("Access tokens live for 15 minutes.", "Refresh tokens live for 15 days."),
    ("The API allows 100 requests per second.", "The API allows 100 connections per client."),
    ("Worker 1 handles mail.", "Worker 2 handles mail."),
    ("Chapter 3 covers routing.", "Chapter 4 covers templates."),
    ("The staging limit is 10 MB.", "The production limit is 10 GB."),
    ("ID columns are UUIDs.", "Id columns are uuids."),
    ("The service exposes 8080 for HTTP.", "The service exposes 9090 for metrics."),
    ("The page has 20 items.", "The page has 20 items per column."),
    ("Ubuntu 22.04 is supported.", "Ubuntu 24.04 is supported until 2029."),
    ("Go 1.21 compiles it.", "Go 1.22 compiles it."),
    ("Ruby 3.2 is still supported.", "Ruby 3.3 is also supported."),
    ("Status 409 means a conflict.", "Status 410 means it is gone."),
    ("Port 25 is closed.", "Port 587 is closed."),
    ("Patch 12 removes the shim.", "Patch 13 removes the shim."),
    ("Rule 4 covers imports.", "Rule 5 covers naming."),
    ("The build takes 3 min.", "The build takes 3 minutes."),
    ("Keep logs for 7 days.", "Keep backups for 7 weeks."),
    ("We host on GitHub.", "We host on Github."),
    ("Answers are JSON.", "Answers are json."),
    ("The team has 5 testers.", "The team has 5 developers."),
    ("Use -q in scripts.", "Use -Q in notebooks."),
    ("Mobile clients poll every 5 minutes.", "Desktop clients poll every 5 seconds."),
    ("OpenSSL 3.0 can read it.", "OpenSSL 3.1 can read it."),
    ("Set the log level with --level.", "Set the output with --output."),
    ("The disk has 2 TB.", "The disk has 2 terabytes."),
    ("Linux runs the agents.", "linux runs the agents."),
    ("The API returns 50 rows per page.", "The API returns 50 rows per request at night."),
    ("Debian 12 is tested.", "Debian 13 is tested nightly."),
]


@requirement("conflict.one-difference")
@pytest.mark.parametrize(("one", "other"), CONTRADICTING)
def test_a_unit_a_spelling_or_a_negated_flag_contradicts(one: str, other: str) -> None:
    assert judged(one, other, None) is not None
    assert judged(other, one, None) is not None


@requirement("conflict.one-difference")
@pytest.mark.parametrize(("one", "other"), COMPATIBLE)
def test_other_subjects_and_other_spellings_of_a_unit_do_not(one: str, other: str) -> None:
    assert judged(one, other, None) is None
    assert judged(other, one, None) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("", "Debug."),
        ("same words", "same words"),
        ("word " * 50 + "10 MB", "word " * 50 + "10 GB"),
        ("It takes 10 per hour of work.", "It takes 10 per user."),
        ("Rates are 10 per hour.", "Rates are 10 each user here."),
        ("Wait per hour.", "Wait per day."),
        ("Send 10 per working day.", "Send 10 per hour."),
        ("Pay 5 red apples.", "Pay 5 green pears."),
        ("Pay 5 apples.", "Pay 5 pears."),
        ("Pay 5 kb.", "Pay 5 KB."),
        ("Use --fast.", "Use -no-fast."),
        ("Use cargo.", "Use --no-cargo."),
        ("Set 10 per user and day.", "Set 10 per team and week."),
    ],
)
def test_what_is_no_single_contradiction(one: str, other: str) -> None:
    assert one_difference(one, other) is None


def test_the_reason_quotes_both_places() -> None:
    found = judged("The rate limit is 100 per minute.", "The rate limit is 100 per second.", None)

    assert found is not None
    assert found.reason == 'one says "minute", the other "second"'
