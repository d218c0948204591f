from __future__ import annotations

import pytest

from holdfast.heuristics.conflict.judging import judged
from tests.requirements import requirement


def is_suspected(newer: str, older: str) -> bool:
    found = {judged(*pair, None) is not None for pair in ((newer, older), (older, newer))}
    assert len(found) == 1, "the order of the claims decides"
    return found.pop()


@requirement("conflict.different-things-do-not-clash")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Tests are written as plain functions.", "Always run the tests with -x."),
        ("Tests are kept as plain functions.", "Run the tests with tox."),
        ("Jobs are stored as JSON.", "Jobs run in Celery."),
        ("Jobs are stored in Redis.", "Jobs run on the worker pool."),
    ],
)
def test_running_a_thing_is_not_writing_or_storing_it(newer: str, older: str) -> None:
    assert not is_suspected(newer, older)


@requirement("conflict.different-things-do-not-clash")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The queue is RabbitMQ.", "The queue is drained before a deploy."),
        ("The index is Elasticsearch.", "The index is rebuilt nightly."),
        ("Migrations are named after the ticket.", "Run migrations with alembic."),
    ],
)
def test_what_is_done_to_a_thing_does_not_say_what_it_is(newer: str, older: str) -> None:
    assert not is_suspected(newer, older)


@requirement("conflict.different-things-do-not-clash")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Run the tests with -v.", "Run the tests with -x."),
        ("The server is started with --debug.", "Start the server with --reload."),
        ("Tests are run with pytest.", "Always run the tests with -x."),
        ("Pytest runs with -n auto in CI.", "Always run pytest with --strict-markers."),
    ],
)
def test_a_command_takes_several_options(newer: str, older: str) -> None:
    assert not is_suspected(newer, older)


@requirement("conflict.decision-language")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Use -O3 for release builds.", "Use -O2 for release builds."),
        ("Run pytest with --maxfail=1.", "Run pytest with --maxfail=5."),
        ("Mypy runs without --strict.", "Mypy runs with --strict."),
        ("Tests are run with nox.", "Always run the tests with tox."),
        ("Tests are written as classes.", "Tests are written as plain functions."),
        ("Secrets are stored in SSM.", "Secrets live in Vault."),
        ("The service is hosted on ECS.", "The service runs on Kubernetes."),
        ("The cache is Redis.", "The cache is memcached."),
        ("The index is OpenSearch.", "The index is Elasticsearch."),
        ("Logs are written as logfmt.", "Use JSON for logs."),
    ],
)
def test_two_values_of_one_property_still_clash(newer: str, older: str) -> None:
    assert is_suspected(newer, older)
