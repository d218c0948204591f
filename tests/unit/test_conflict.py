from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.conflict_sets import own_pairs
from benchmarks.conflicts import score
from holdfast.domain.memory.identity import says_the_same
from holdfast.domain.review.suspicion import SAME_KEY, Clash, Suspicion
from holdfast.heuristics.conflict import judging
from holdfast.heuristics.conflict.judging import judged
from tests.requirements import requirement

_CUES = ("we", "moved", "from", "to", "prefer", "over", ", not", "use", "is", "the")


def suspicion(newer: str, older: str) -> Suspicion | None:
    return judged(newer, older, None)


def clash(newer: str, older: str) -> Clash | None:
    found = suspicion(newer, older)
    return None if found is None else found.clash


def reason(newer: str, older: str) -> str:
    found = suspicion(newer, older)
    return "" if found is None else found.reason


@requirement("conflict.decision-language")
def test_on_decision_language_nine_of_ten_suspicions_are_right_and_most_conflicts_are_found() -> (
    None
):
    pairs = own_pairs()
    held = [pair for pair in pairs if pair.split == "held"]

    every, aside = score(pairs), score(held)

    assert (every.pairs, every.conflicts, aside.pairs) == (260, 130, 80)
    assert every.precision >= 0.9
    assert every.recall >= 0.8
    assert aside.precision >= 0.85
    assert aside.recall >= 0.8


@requirement("conflict.reason-in-words")
@pytest.mark.parametrize(
    ("newer", "older", "expected"),
    [
        (
            "The API listens on port 9090.",
            "The API listens on port 8080.",
            'one says "port 9090", the other "port 8080"',
        ),
        (
            "Use Vitest for unit tests.",
            "Use Jest for unit tests.",
            'one says "Vitest", the other "Jest"',
        ),
        (
            "Always mock the clock.",
            "Never mock the clock.",
            'one requires it ("always"), the other forbids it ("never")',
        ),
        (
            "We moved from Jenkins to Buildkite.",
            "Builds run on Jenkins.",
            'one rejects "Jenkins", the other relies on it',
        ),
        (
            "Releases are automatic after a green build.",
            "Releases need a manual step.",
            'one says "automatic", the other "manual"',
        ),
        (
            "The queue of the mailer is emptied by Ada.",
            "The queue of the mailer is emptied by Grace.",
            'one says "Ada", the other "Grace"',
        ),
        ("Rotate keys.", "Never rotate keys.", 'one states it, the other forbids it ("never")'),
    ],
)
def test_the_reason_is_a_sentence_that_quotes_both(newer: str, older: str, expected: str) -> None:
    assert reason(newer, older) == expected


@pytest.mark.parametrize(
    ("newer", "older", "expected"),
    [
        ("Tokens live for 5 minutes.", "Tokens live for 1 hour.", Clash.NUMBER),
        ("The freeze starts on 3 May.", "The freeze starts on 9 May.", Clash.DATE),
        ("Retro is on Mondays.", "Retro is on Fridays.", Clash.DATE),
        ("Tokens rotate daily.", "Tokens rotate hourly.", Clash.OPPOSITE),
        ("Backups are encrypted.", "Backups are unencrypted.", Clash.OPPOSITE),
        ("Telemetry is optional.", "Telemetry is required.", Clash.POLARITY),
        ("Telemetry is not required.", "Telemetry is mandatory.", Clash.POLARITY),
        ("We do not vendor code.", "We vendor code.", Clash.POLARITY),
        (
            "Prefer threads over processes for imports.",
            "Use processes for imports.",
            Clash.REPLACED,
        ),
        ("We dropped Redis.", "Locks are kept in Redis.", Clash.REPLACED),
        (
            "We keep offsets in Redis, never in the feed.",
            "We decided to keep offsets in the feed instead of Redis, because Redis loses them.",
            Clash.REPLACED,
        ),
        ("The old importer is deprecated.", "Feeds need the old importer.", Clash.REPLACED),
        ("The author of the guide is Ada.", "The author of the guide is Grace.", Clash.NAME),
    ],
)
def test_each_way_to_disagree_has_its_name(newer: str, older: str, expected: Clash) -> None:
    assert clash(newer, older) is expected
    assert clash(older, newer) is expected


@requirement("conflict.both-can-hold")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("We use Redis for locks.", "We use Redis for caching."),
        ("In tests the log level is DEBUG.", "In production the log level is ERROR."),
        ("Tokens live for 60 minutes.", "Tokens live for 1 hour."),
        ("We run Python 3.12.4.", "We run Python 3.12."),
        ("Node 20 and 22 are supported.", "Node 20 is supported."),
        ("Do not use print for logging.", "Use structlog for logging."),
        ("Never forget to rebase.", "Always rebase."),
        ("We dropped Redis.", "We no longer use Redis."),
        ("We dropped Redis.", "We stopped using Redis."),
        ("Use uv instead of pip.", "The docs mention pip and npm once."),
        ("The build is slow on Mondays.", "The build is flaky on Mondays."),
        ("Use the cache instead of one.", "One cache is enough."),
        ("Coverage is at 87 %.", "Coverage must be at least 80 %."),
        ("The size of a page is usually 20 rows.", "A page has at most 100 rows."),
        ("We do not deploy on Fridays.", "We deploy on Tuesdays."),
        ("No module is longer than 400 lines.", "A module has at most 400 lines."),
        ("Keep it simple.", "The office is in Berlin."),
        ("", "The office is in Berlin."),
        ("Rationale: port 9090 is free.", "The API listens on port 8080."),
        ("The API listens on port 8080, because 9090 is taken.", "The API listens on port 8080."),
        (
            "The chief goal of the whole long plan is the speed of each page and of all forms.",
            "The chief goal of the whole long plan is an early look at what all people want.",
        ),
        ("The parser is fast. It was written in Go.", "The linter is slow. It was written in C."),
        ("Local: start the server with make.", "Remote: start the server with make."),
        ("Public: list the pages.", "List the private pages."),
    ],
)
def test_claims_that_can_both_hold_are_not_suspected(newer: str, older: str) -> None:
    assert clash(newer, older) is None
    assert clash(older, newer) is None


def test_the_same_claim_in_slightly_other_words_is_no_conflict_even_under_one_key() -> None:
    assert judged("Tokens rotate hourly", "tokens rotate hourly.", SAME_KEY) is None


@requirement("conflict.same-key-other-value")
def test_one_key_with_two_claims_is_always_a_conflict() -> None:
    plain = judged("Ask the platform team.", "Read the runbook.", SAME_KEY)
    told = judged("Port 9090.", "Port 8080.", SAME_KEY)

    assert plain is not None
    assert (plain.clash, plain.confidence) == (Clash.KEY, 1.0)
    assert plain.reason == "both have the same key and say different things"
    assert told is not None
    assert told.reason == 'one says "Port 9090", the other "Port 8080"'


def test_where_one_claim_says_more_the_suspicion_is_less_sure() -> None:
    plain = suspicion("Max line length is 120.", "Max line length is 100.")
    more = suspicion("Max line length is 120.", "Lines are at most 100 characters long.")

    assert plain is not None
    assert more is not None
    assert more.confidence < plain.confidence


def test_a_claim_of_several_sentences_is_read_sentence_by_sentence() -> None:
    newer = "Decision: The cache stays. The API listens on port 9090; nothing else changed."

    assert clash(newer, "The API listens on port 8080.") is Clash.NUMBER


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_can_be_compared(newer: str, older: str) -> None:
    found = suspicion(newer, older)

    assert found is None or 0.0 < found.confidence <= 1.0


@given(st.lists(st.sampled_from(_CUES), max_size=400))
def test_a_text_made_of_cues_alone_is_read_all_the_same(words: list[str]) -> None:
    found = suspicion(" ".join(words), "We use Redis.")

    assert found is None or found.reason


@pytest.mark.parametrize(
    ("newer", "older", "expected"),
    [
        ("The port of service 1 is 7777.", "The port of service 2 is 9022.", ""),
        ("Shard 1 must be encrypted.", "Shard 2 must not be encrypted.", ""),
        ("Tokens of service 1 rotate.", "Tokens of service 21 rotate.", ""),
        ("Fact 1.", "Fact 2.", ""),
        ("Room number 3 has a projector.", "Room number 4 has a projector.", ""),
        ("Batch number 12 failed again.", "Batch number 13 failed again.", ""),
        ("Line number 5 is blank.", "Line number 6 is blank.", ""),
        (
            "The port number is 8000.",
            "The port number is 9000.",
            'one says "8000", the other "9000"',
        ),
        (
            "The port of service 1 is 7777.",
            "The port of service 1 is 8011.",
            'one says "7777", the other "8011"',
        ),
        ("We run 3 workers.", "We run 5 workers.", 'one says "3 workers", the other "5 workers"'),
    ],
)
def test_a_number_that_names_a_thing_is_no_value(newer: str, older: str, expected: str) -> None:
    assert reason(newer, older) == expected


@requirement("conflict.label-is-a-topic")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Dana: Works in Lisbon", "Dana: Prefers short PRs"),
        ("Omar: Prefers dark mode", "Omar: Drinks light beer"),
        ("Gateway: strips cookies", "Gateway: adds a request id"),
        ("Testing: Use pytest", "Testing: Use tmp_path for files"),
        ("Dana: Use short PRs", "Dana: Use Slack"),
        ("Setup: install Docker", "Setup: create venv"),
        ("Release notes: written by hand", "Release notes: kept in docs/releases"),
        ("Key contacts: Dana for billing", "Key contacts: Omar for search"),
        ("Python: 3.11", "Python: type hints everywhere"),
        ("The owner of billing is Ada", "The owner of billing is Ada and Bob"),
        ("The importer is idempotent", "The importer is idempotent and never retries"),
    ],
)
def test_two_facts_under_one_label_and_a_longer_claim_are_no_conflict(
    newer: str, older: str
) -> None:
    assert suspicion(newer, older) is None
    assert suspicion(older, newer) is None


@requirement("conflict.label-is-a-topic")
@pytest.mark.parametrize(
    ("newer", "older", "clash"),
    [
        ("Default branch: trunk", "Default branch: main", Clash.NAME),
        ("Log retention: 14 days", "Log retention: 90 days", Clash.NUMBER),
        ("Database: Postgres 16", "Database: Postgres 15", Clash.NUMBER),
        ("Mara: Works in Porto", "Mara: Works in Bergen", Clash.NAME),
        ("Uploads: never keep them locally", "Uploads: keep them locally", Clash.POLARITY),
    ],
)
def test_two_values_of_one_label_are_a_conflict(newer: str, older: str, clash: Clash) -> None:
    found = suspicion(newer, older)

    assert found is not None
    assert found.clash is clash
    assert '""' not in found.reason


def test_claims_without_a_clash_are_not_compared_as_a_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[tuple[str, str]] = []

    def same(one: str, other: str) -> bool:
        compared.append((one, other))
        return says_the_same(one, other)

    monkeypatch.setattr(judging, "says_the_same", same)

    assert suspicion("Ask the platform team.", "Read the runbook.") is None
    assert compared == []
    assert suspicion("Port 9090.", "Port 8080.") is not None
    assert compared == [("Port 9090.", "Port 8080.")]


@pytest.mark.parametrize(
    ("newer", "older", "expected"),
    [
        (
            "Use cursors for pagination instead of offsets.",
            "Search pagination uses offsets.",
            Clash.REPLACED,
        ),
        (
            "Use cursors for admin pagination instead of offsets.",
            "Admin pagination of search results in exports uses offsets.",
            None,
        ),
        (
            "Use cursors for pagination instead of offsets.",
            "Pagination of search results uses offsets.",
            None,
        ),
    ],
    ids=["a half", "two fifths", "a third"],
)
def test_a_rejected_thing_matters_where_half_of_the_context_is_the_same(
    newer: str, older: str, expected: Clash | None
) -> None:
    assert clash(newer, older) is expected
    assert clash(older, newer) is expected


@requirement("conflict.different-things-do-not-clash")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The admin port is 9090.", "The default port is 8080."),
        ("The default port is 8080.", "The admin port is 9090."),
        ("Customer B pays yearly.", "Customer A pays monthly."),
        ("Plan B costs 20 euros.", "Plan A costs 10 euros."),
        ("CI also runs on macOS.", "CI runs on Linux."),
        ("The US site shows prices without tax.", "The German site shows prices with tax."),
        ("Docs are written in Markdown.", "Docs live in the docs folder."),
        ("The parser is fast.", "The parser is written in Rust."),
    ],
)
def test_claims_about_different_things_do_not_clash(newer: str, older: str) -> None:
    assert suspicion(newer, older) is None


@requirement("conflict.different-things-do-not-clash")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The admin port is 9090.", "The admin port is 8080."),
        ("The default port is 9090.", "The default port is 8080."),
        ("Customer A pays yearly.", "Customer A pays monthly."),
        ("When I deploy, it takes 20 minutes.", "When I deploy, it takes 10 minutes."),
        ("We dropped support for Python 3.8.", "Python 3.8 is supported."),
        ("Bob leads the platform team.", "Ada leads the platform team."),
        ("Docs are written in RST.", "Docs are written in Markdown."),
        ("The B plan costs 20 euros.", "The B plan costs 10 euros."),
    ],
)
def test_claims_about_the_same_thing_still_clash(newer: str, older: str) -> None:
    assert suspicion(newer, older) is not None
