from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.choices import Status
from holdfast.domain.memory.identity import (
    KnownClaim,
    NewClaim,
    ReplacingClaim,
    identify,
    says_the_same,
)
from holdfast.domain.memory.memory import MemoryRecord, Standing
from tests.builders import a_memory, a_record
from tests.requirements import requirement

LONG = (
    "The deploy script waits for the health check of every worker in the cluster and then"
    " moves the traffic over to them in small steps while watching the error budget"
)
WORDS = st.lists(
    st.sampled_from(["cache", "worker", "token", "queue", "budget", "server", "branch"]),
    min_size=1,
    max_size=30,
)


def keyed(claim: str, *, sequence: int = 1, status: Status = Status.ACCEPTED) -> MemoryRecord:
    return a_record(
        a_memory(claim=claim, key="k"), sequence=sequence, standing=Standing(status=status)
    )


@requirement("key.same-claim-adds-evidence")
def test_the_same_words_under_the_same_key_are_the_memory_we_know() -> None:
    known = keyed("Tokens rotate hourly.")

    found = identify(a_memory(claim="tokens  rotate hourly", key="k"), same_key=[known])

    assert found == KnownClaim(record=known)


@requirement("key.supersedes")
def test_other_words_under_the_same_key_replace_the_newest_accepted_claim() -> None:
    older, newer = keyed("It is red.", sequence=3), keyed("It is green.", sequence=8)

    found = identify(a_memory(claim="It is blue.", key="k"), same_key=[newer, older])

    assert found == ReplacingClaim(record=newer)


def test_a_candidate_under_the_same_key_is_known_but_never_replaced() -> None:
    candidate = keyed("It is red.", status=Status.CANDIDATE)

    assert identify(a_memory(claim="It is red."), same_key=[candidate]) == KnownClaim(
        record=candidate
    )
    assert identify(a_memory(claim="It is blue."), same_key=[candidate]) == NewClaim()


@pytest.mark.parametrize("status", [Status.REJECTED, Status.SUPERSEDED, Status.DEPRECATED])
def test_what_no_longer_stands_neither_matches_nor_is_replaced(status: Status) -> None:
    fallen = keyed("It is red.", status=status)

    assert identify(a_memory(claim="It is red."), same_key=[fallen]) == NewClaim()


def test_a_key_nobody_used_is_new() -> None:
    assert identify(a_memory(), same_key=[]) == NewClaim()


@requirement("claim.near-duplicate-adds-evidence")
def test_a_long_claim_with_another_filler_word_is_the_same() -> None:
    assert says_the_same(LONG, LONG.replace("and then", "and also"))
    assert says_the_same(LONG, LONG.replace("to them", "to them then"))


@requirement("claim.correction-is-never-swallowed")
def test_a_long_claim_with_a_word_replaced_added_or_removed_is_another() -> None:
    assert not says_the_same(LONG, LONG.replace("script", "job"))
    assert not says_the_same(LONG, LONG.replace("worker", "healthy worker"))
    assert not says_the_same(LONG, LONG.replace("small ", ""))


def test_a_short_claim_must_agree_in_every_word() -> None:
    assert says_the_same("The cache is warm.", "the  cache is warm")
    assert not says_the_same("The cache is warm.", "cache is warm")
    assert not says_the_same("The cache is warm.", "The cache is cold.")


@requirement("claim.correction-is-never-swallowed")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The flag is -v.", "The flag is -V."),
        ("Clean up with git branch -d old.", "Clean up with git branch -D old."),
        ("The variable is PATH_A", "The variable is path_a"),
        ("The limit is 4 Mb", "The limit is 4 MB"),
        ("It needs 5 mW", "It needs 5 MW"),
        ("Push to appContext", "Push to AppContext"),
        ("It is in src/Flask/App.py", "It is in src/flask/app.py"),
        ("Plan A was chosen", "The plan was chosen"),
        ("The column is named a", "The column is named A"),
        ("It returns {a}", "It returns [a]"),
        ("Quit with :q", "Quit with :q!"),
        ("Call save on it", "Call save! on it"),
        ("Stage with git add .", "Stage with git add"),
        ("Go up with cd ..", "Go up with cd ."),
        ("The user is Root", "The user is root"),
        ("A is the default", "a is the default"),
        ("Mb is the unit", "mb is the unit"),
        ("PATH is read", "path is read"),
        ("getName is public", "GetName is public"),
        ("Use `make`", "Use make"),
        ("The pattern is a,b", "The pattern is a;b"),
        ("See e.g. Flask for that", "See e.g. flask for that"),
    ],
)
@pytest.mark.parametrize("before", ["", f"{LONG}. "])
def test_a_correction_of_a_few_characters_is_another_statement(
    before: str, one: str, other: str
) -> None:
    assert not says_the_same(before + one, before + other)
    known = keyed(before + one)
    assert identify(a_memory(claim=before + other, key="k"), same_key=[known]) == ReplacingClaim(
        record=known
    )


@requirement("claim.near-duplicate-adds-evidence")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tokens rotate hourly.", "tokens  rotate hourly"),
        ("Use make.\nIt works.", "use make. it works"),
        ('Say "yes".', 'Say "yes"'),
        ("However, it works.", "however, it works"),
        ("Is it really? Always.", "is it really? always"),
        ("It is on.", "it is on"),
        ("", " "),
    ],
)
def test_white_space_the_last_full_stop_and_the_first_capital_do_not_count(
    one: str, other: str
) -> None:
    assert says_the_same(one, other)


def test_a_long_claim_in_many_other_words_is_another() -> None:
    assert not says_the_same(LONG, LONG.replace("worker", "node").replace("traffic", "load"))


@requirement("claim.numbers-and-negations-differ")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("waits", "waits 5 seconds"),
        ("waits 5 seconds", "waits 50 seconds"),
        ("waits five seconds", "waits six seconds"),
        ("waits -5 seconds", "waits 5 seconds"),
        ("waits ≥5 seconds", "waits ≤5 seconds"),
        ("waits", "never waits"),
        ("waits", "doesn't wait"),
        ("waits", "doesn\N{RIGHT SINGLE QUOTATION MARK}t wait"),
        ("waits", "waits only"),
        ("waits when ready = true", "waits when ready = false"),
        ("waits when a == b", "waits when a != b"),
        ("waits for src/a.py", "waits for src/b.py"),
        ("waits for DEBUG", "waits for !DEBUG"),
        ("waits before sunrise", "waits after sunrise"),
    ],
)
def test_claims_that_differ_in_a_number_a_name_or_a_negation_are_two(one: str, other: str) -> None:
    assert not says_the_same(LONG.replace("waits", one), LONG.replace("waits", other))
    assert not says_the_same(one, other)


@requirement("claim.numbers-and-negations-differ")
@given(
    words=WORDS,
    place=st.integers(0, 30),
    numbers=st.lists(st.integers(), unique=True, min_size=2, max_size=2),
)
def test_a_number_anywhere_in_a_claim_tells_two_claims_apart(
    words: list[str], place: int, numbers: list[int]
) -> None:
    one, other = ([*words[:place], str(number), *words[place:]] for number in numbers)

    assert not says_the_same(" ".join(one), " ".join(other))


@requirement("claim.numbers-and-negations-differ")
@given(
    words=WORDS,
    place=st.integers(0, 30),
    negation=st.sampled_from(
        ["not", "never", "no", "without", "cannot", "isn't", "Don't", "unless"]
    ),
)
def test_a_negation_anywhere_in_a_claim_tells_two_claims_apart(
    words: list[str], place: int, negation: str
) -> None:
    denied = [*words[:place], negation, *words[place:]]

    assert not says_the_same(" ".join(words), " ".join(denied))


@requirement("claim.numbers-and-negations-differ")
def test_the_same_words_in_another_order_are_another_claim() -> None:
    http_first = f"{LONG} using 80 for http and 443 for https"
    https_first = f"{LONG} using 443 for http and 80 for https"

    assert not says_the_same(http_first, https_first)
    assert not says_the_same(f"{LONG} web then api", f"{LONG} api then web")


@given(one=st.text(max_size=60), other=st.text(max_size=60))
def test_being_the_same_does_not_depend_on_who_came_first(one: str, other: str) -> None:
    assert says_the_same(one, other) is says_the_same(other, one)
    assert says_the_same(one, one)
