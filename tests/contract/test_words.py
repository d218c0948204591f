"""Search by words: terms are literal, never query syntax, and the index is always up to date."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.domain.choices import Kind, Scope
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.place import Place
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.finding import Hit
from holdfast.domain.recall.question import terms_of
from holdfast.ports.store.store import Store
from tests.builders import HERE, NOON
from tests.contract.steps import hits, keep, memory_id, numbered, records_of
from tests.requirements import requirement


@pytest.mark.parametrize(
    ("claim", "term"),
    [
        ("Tokens rotate hourly.", "token"),
        ("The token is short-lived.", "tokens"),
        ("Rotating keys is easy.", "rotate"),
        ("It rotates.", "rotating"),
        ("ROTATE NOW", "rotate"),
        ("See src/auth/tokens.py first.", "src/auth/tokens.py"),
        ("Set max_line_length here.", "max_line_length"),
        ("The refreshToken is kept.", "refresh"),
        ("The refreshToken is kept.", "refreshtoken"),
        ("Version 3.11 works.", "3.11"),
        ("Größe zählt.", "größe"),
        ("Das don't-care bit.", "don't-care"),
        ("認証トークンは15分で期限切れになる。", "期限"),
        ("缓存使用Redis数据库。", "redis"),
    ],
)
def test_a_memory_is_found_by_a_word_it_shares(store: Store, claim: str, term: str) -> None:
    keep(store, numbered(1, claim=claim), numbered(2, claim="Something else entirely."))

    assert hits(store, term) == [memory_id(1)]


def test_a_memory_is_found_by_its_key_and_its_tags(store: Store) -> None:
    keep(store, numbered(1, key="refresh-rotation"), numbered(2, tags=("walrus",)), numbered(3))

    assert hits(store, "rotation") == [memory_id(1)]
    assert hits(store, "walrus") == [memory_id(2)]


def test_the_best_match_comes_first(store: Store) -> None:
    keep(
        store,
        numbered(1, claim="Tokens are small coins in some games and in other places."),
        numbered(2, claim="Refresh tokens rotate."),
        numbered(3, claim="Caches are warm."),
    )

    assert hits(store, "refresh", "tokens", "rotate") == [memory_id(2), memory_id(1)]


def test_scores_fall_and_are_never_below_nothing(store: Store) -> None:
    keep(store, *(numbered(n, claim=f"Tokens {'rotate ' * n}{n}.") for n in range(6)))

    with store.reading() as tx:
        found = tx.finding.words.search(["rotate", "tokens"], Selection(), limit=9)
        scores = [hit.score for hit in found]

    assert scores == sorted(scores, reverse=True)
    assert min(scores) > 0


def test_a_term_of_several_words_stands_for_them_side_by_side(store: Store) -> None:
    keep(store, numbered(1, claim="Read src/app now."), numbered(2, claim="The app has no src."))

    assert hits(store, "src/app") == [memory_id(1)]


def test_no_terms_give_no_hits(store: Store) -> None:
    keep(store, numbered(1))

    assert hits(store) == []


def test_a_word_nobody_used_gives_no_hits(store: Store) -> None:
    keep(store, numbered(1))

    assert hits(store, "walrus") == []


@requirement("recall.query-is-never-syntax")
@pytest.mark.parametrize(
    "term",
    [
        "AND",
        "or",
        "NOT",
        "near",
        '"',
        "'",
        "*",
        "token*",
        "claim:token",
        "(",
        ")",
        "-token",
        "^token",
        "{a b}",
        "+",
        '""',
        'to"ken',
        "NEAR(a b)",
        "value : x",
        "\\",
        "%",
        "_",
        ";--",
        "?",
        "??",
        "",
        " ",
        "\x00",
        "🙂",
        "key:*",
    ],
)
def test_a_term_is_never_read_as_query_syntax(store: Store, term: str) -> None:
    keep(store, numbered(1, claim="Tokens rotate."), numbered(2, claim="Walrus."))

    assert memory_id(2) in hits(store, term, "walrus")
    assert memory_id(2) not in hits(store, term)


@requirement("recall.query-is-never-syntax")
def test_no_text_breaks_a_search(store: Store) -> None:
    keep(store, numbered(1))

    @settings(max_examples=60)
    @given(terms=st.lists(st.text(max_size=12), max_size=6), question=st.text(max_size=60))
    def search(terms: list[str], question: str) -> None:
        with store.reading() as tx:
            for asked in (terms, terms_of(question)):
                assert len(tx.finding.words.search(asked, Selection(), limit=5)) <= 1
            assert len(tx.finding.words.alike(question, Selection(), limit=5)) <= 1

    search()


def test_a_memory_added_in_this_unit_of_work_is_found(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.memories.add(numbered(1, claim="A walrus."), Standing())

        found = tx.finding.words.search(["walrus"], Selection(), limit=5)

        assert records_of(tx, found) == (tx.memories.get(memory_id(1)),)


def test_only_what_the_selection_takes_is_found(store: Store) -> None:
    keep(store, numbered(1, kind=Kind.FACT), numbered(2, kind=Kind.RULE))

    assert hits(store, "claim", within=Selection(kinds=frozenset({Kind.RULE}))) == [memory_id(2)]


def test_a_selection_that_takes_few_still_finds_them_among_many(store: Store) -> None:
    keep(store, *(numbered(n, claim="Tokens rotate.") for n in range(200)))
    keep(
        store,
        numbered(
            500, claim="Tokens, and much else that has nothing to do with it.", kind=Kind.RULE
        ),
    )

    assert hits(store, "tokens", within=Selection(kinds=frozenset({Kind.RULE})), limit=3) == [
        memory_id(500)
    ]


@requirement("recall.order-never-by-chance")
def test_ties_go_to_the_memory_that_came_first_and_the_limit_is_kept(store: Store) -> None:
    keep(store, *(numbered(n, claim="Tokens rotate.") for n in (3, 1, 2)), numbered(4))

    assert hits(store, "tokens", limit=2) == [memory_id(3), memory_id(1)]


def test_a_hit_leads_to_its_record(store: Store) -> None:
    keep(store, numbered(1))

    with store.reading() as tx:
        hit = tx.finding.words.search(["claim"], Selection(), limit=1)[0]
        assert hit.sequence == tx.memories.get(memory_id(1)).sequence


LONG = (
    "The deploy script waits for the health check of every worker and then moves the traffic"
    " over to them in small steps"
)


@requirement("claim.near-duplicate-adds-evidence")
@pytest.mark.parametrize("again", [LONG, LONG.upper(), LONG.replace("script", "job")])
def test_a_claim_in_other_words_is_among_those_alike(store: Store, again: str) -> None:
    keep(store, *(numbered(n, claim=f"The traffic of step {n} is small.") for n in range(30)))
    keep(store, numbered(100, claim=LONG))

    with store.reading() as tx:
        alike = tx.finding.words.alike(again, Selection(), limit=8)

    assert memory_id(100) in [record.memory.id for record in alike]
    assert len(alike) <= 8


def test_a_short_claim_is_alike_to_itself(store: Store) -> None:
    keep(store, *(numbered(n, claim=f"It is {n}.") for n in range(20)))

    with store.reading() as tx:
        alike = tx.finding.words.alike("it is 7", Selection(), limit=3)

    assert memory_id(7) in [record.memory.id for record in alike]


def test_only_what_the_selection_takes_is_alike(store: Store) -> None:
    keep(store, numbered(1, claim=LONG), numbered(2, claim=LONG, kind=Kind.RULE))

    with store.reading() as tx:
        alike = tx.finding.words.alike(LONG, Selection(kinds=frozenset({Kind.RULE})), limit=5)

    assert [record.memory.id for record in alike] == [memory_id(2)]


@requirement("recall.stop-words-say-nothing")
def test_terms_are_counted_by_the_memories_that_hold_them(store: Store) -> None:
    keep(
        store,
        numbered(1, claim="Tokens rotate."),
        numbered(2, claim="A token is small."),
        numbered(3, claim="Caches are warm."),
    )

    with store.reading() as tx:
        counted = tx.finding.words.counts(["token", "tokens", "caches", "zebra", "..."])

    assert counted.memories == 3
    assert counted.holding == {"token": 2, "tokens": 2, "caches": 1, "zebra": 0, "...": 0}


@requirement("recall.silence-of-what-is-visible")
def test_those_that_can_reach_a_place_are_counted(store: Store) -> None:
    keep(
        store,
        *(numbered(n, repo=HERE.repo) for n in (1, 2)),
        *(numbered(n, repo="elsewhere") for n in (3, 4, 5)),
        numbered(6, repo=None, scope=Scope.GLOBAL),
    )

    with store.reading() as tx:
        count = tx.finding.words.counts
        asked = [count([], place=place).reaching for place in (HERE, Place(), None)]

    assert asked == [3, 1, 6]


@pytest.fixture
def travels(store: Store) -> Store:
    """Two memories that mention Hank Snow, one with the words apart, and four about the sea."""
    keep(
        store,
        numbered(1, claim="Hello Love is a song by Hank Snow."),
        numbered(2, claim="The museum shows the guitar of Hank Snow.", kind=Kind.RULE),
        numbered(3, claim="Snow fell on Hank."),
        *(numbered(n, claim=f"The Baltic Sea froze in year {n}.") for n in range(4, 8)),
    )
    return store


@requirement("recall.follows-rare-names")
def test_a_phrase_leads_to_the_memories_in_which_its_words_follow_each_other(
    travels: Store,
) -> None:
    with travels.reading() as tx:
        words = tx.finding.words
        found = words.mentioning(["hank snow", "song", "nowhere", "?"], Selection(), limit=3)

        assert words.mentioning([], Selection(), limit=3) == {}
        assert words.mentioning(["nowhere at all"], Selection(), limit=3) == {}
    assert {name: list(own) for name, own in found.items()} == {"hank snow": [1, 2], "song": [1]}


def test_a_phrase_in_more_memories_than_the_limit_is_left_out(travels: Store) -> None:
    with travels.reading() as tx:
        words = tx.finding.words

        assert words.mentioning(["baltic sea"], Selection(), limit=3) == {}
        assert list(words.mentioning(["baltic sea"], Selection(), limit=4)["baltic sea"]) == [
            4,
            5,
            6,
            7,
        ]


def test_only_what_the_selection_takes_mentions_a_phrase(travels: Store) -> None:
    rules = Selection(kinds=frozenset({Kind.RULE}))

    with travels.reading() as tx:
        found = tx.finding.words.mentioning(["hank snow", "song"], rules, limit=3)

    assert {name: list(own) for name, own in found.items()} == {"hank snow": [2]}


def test_a_phrase_is_never_read_as_query_syntax(travels: Store) -> None:
    with travels.reading() as tx:
        found = tx.finding.words.mentioning(
            ['hank" OR "song', "hank AND snow", "hank\0snow", "*"], Selection(), limit=9
        )

    assert {name: list(own) for name, own in found.items()} == {"hank\0snow": [1, 2]}


def test_an_empty_store_holds_no_term(store: Store) -> None:
    with store.reading() as tx:
        counted = tx.finding.words.counts(["token"])

    assert (counted.memories, counted.holding) == (0, {"token": 0})


THEMES = ("tokens rotate", "the queue retries", "the cache is cold", "a lock is held")


def many_claims(store: Store, count: int) -> None:
    """Keep claims about a few themes, so that each question has more matches than are asked for."""
    texts = (
        f"In part{n % 7} {THEMES[n % 4]} after step{n % 3} and {n} tries." for n in range(count)
    )
    keep(
        store,
        *(
            numbered(n, claim=text, kind=Kind.RULE if n % 5 == 0 else Kind.FACT, key=f"key.{n % 9}")
            for n, text in enumerate(texts)
        ),
    )


QUESTIONS = (
    ("tokens", "part3", "tries"),
    ("queue", "step1", "17"),
    (),
    ("nobody", "wrote", "this"),
    ("tries",),
    ("lock", "held", "cache", "rotate", "part6"),
)


@pytest.mark.parametrize("count", [40, 260])
@pytest.mark.parametrize("kinds", [frozenset[Kind](), frozenset({Kind.RULE})])
def test_many_questions_at_once_get_the_hits_that_each_gets_alone(
    store: Store, count: int, kinds: frozenset[Kind]
) -> None:
    many_claims(store, count)
    within = Selection(kinds=kinds)

    with store.reading() as tx:
        words = tx.finding.words
        together = words.search_each(QUESTIONS, within, limit=5)
        alone = [words.search(terms, within, limit=5) for terms in QUESTIONS]

    assert [tuple(hit.sequence for hit in some) for some in together] == [
        tuple(hit.sequence for hit in some) for some in alone
    ]
    assert words_found(together) == 4


def words_found(together: Sequence[Sequence[Hit]]) -> int:
    """Return how many questions have hits."""
    return sum(bool(some) for some in together)


@pytest.mark.parametrize("count", [40, 260])
def test_many_claims_at_once_get_the_memories_that_each_gets_alone(
    store: Store, count: int
) -> None:
    many_claims(store, count)
    keep(store, numbered(900, claim=LONG))
    claims = (
        LONG.upper(),
        "In part3 the queue retries after step0 and 3 tries.",
        "Nothing of the kind.",
        "",
    )
    within = Selection(kinds=frozenset({Kind.FACT}))

    with store.reading() as tx:
        words = tx.finding.words
        together = words.alike_each(claims, within, limit=4)

        assert list(together) == [words.alike(claim, within, limit=4) for claim in claims]
        assert words.alike_each((), within, limit=4) == ()
        assert words.alike_each(claims[:1], within, limit=4) == together[:1]
    assert [record.memory.id for record in together[0]] == [memory_id(900)]


def test_questions_in_a_unit_of_work_see_what_it_wrote(store: Store) -> None:
    keep(store, numbered(1, claim="Tokens rotate."))

    with store.writing(NOON) as tx:
        tx.memories.add(numbered(2, claim="Tokens rotate daily."), Standing())
        found = tx.finding.words.search_each([("daily",), ("rotate",)], Selection(), limit=5)

    assert [len(some) for some in found] == [1, 2]
