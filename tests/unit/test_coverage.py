from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.recall.finding import ThreadPosition
from holdfast.domain.recall.question import terms_of
from holdfast.domain.recall.ranking import Scored
from holdfast.domain.recall.sifting import covering
from tests.requirements import requirement
from tests.unit.test_resolution import scored

WEIGHT = 0.8
FILM = "Night Ferry is a film that Ines Holm directed."
AGAIN = "The film Night Ferry was shown in May."
SPOUSE = "Ines Holm has a spouse, a painter."
QUESTION = "Who is the spouse of the director of the film Night Ferry?"


def order(*items: Scored, question: str = QUESTION) -> list[int]:
    found = covering(items, terms_of(question), weight=WEIGHT)
    return [item.record.sequence for item in found]


@requirement("recall.rest-of-question")
def test_what_says_the_rest_of_the_question_stands_before_what_says_the_same_again() -> None:
    items = (scored(1, FILM, score=1.0), scored(2, AGAIN, score=0.6), scored(3, SPOUSE, score=0.5))

    found = covering(items, terms_of(QUESTION), weight=WEIGHT)

    assert [item.record.sequence for item in found] == [1, 3, 2]
    assert [reason.note for reason in found[1].reasons if reason.leg == "new terms"] == [
        "adds spouse"
    ]


def test_nobody_is_lifted_above_the_best() -> None:
    items = scored(1, FILM, score=1.0), scored(2, SPOUSE, score=0.999)

    found = covering(items, terms_of(QUESTION), weight=50.0)

    assert [item.record.sequence for item in found] == [1, 2]
    assert found[0].score > found[1].score > 0.999


def test_a_turn_is_not_lifted_because_what_completes_it_stands_beside_it() -> None:
    turn = ThreadPosition(thread="talk", number=1)
    items = (
        scored(1, FILM, score=1.0),
        scored(2, AGAIN, score=0.6),
        scored(3, SPOUSE, score=0.5, turn=turn),
    )

    assert order(*items) == [1, 2, 3]


def test_words_that_tell_nothing_lift_nobody() -> None:
    items = scored(1, "Ferries", score=1.0), scored(2, "Who is it?", score=0.5)

    assert order(*items, question="who is of the ferries") == [1, 2]
    assert order(*items, question="who is of the") == [1, 2]


def test_a_word_that_every_answer_holds_tells_nothing() -> None:
    items = scored(1, "ferry", score=1.0), scored(2, "ferry", score=0.5)

    found = covering(items, ["ferry"], weight=WEIGHT)

    assert list(found) == list(items)


def test_a_word_is_found_by_its_start_and_not_inside_another() -> None:
    base = scored(1, "Trains run.", score=1.0), scored(2, "Trains run again.", score=0.6)

    assert order(*base, scored(3, "(Ports) are closed.", score=0.5), question="trains port") == [
        *(1, 3, 2)
    ]
    assert order(*base, scored(3, "Airports are closed.", score=0.5), question="trains port") == [
        *(1, 2, 3)
    ]


CLAIMS = st.lists(
    st.tuples(
        st.lists(st.sampled_from(["red", "blue", "green", "grey", "sea"]), max_size=4),
        st.floats(0.0, 3.0),
    ),
    max_size=40,
)


@requirement("recall.reasons-shown")
@given(claims=CLAIMS, terms=st.lists(st.sampled_from(["red", "blue", "green", "sea", "the"])))
def test_nobody_is_lost_scores_fall_and_the_reasons_add_up(
    claims: list[tuple[list[str], float]], terms: list[str]
) -> None:
    items = [
        scored(number, " ".join(words) or "nothing", score=round(score, 6))
        for number, (words, score) in enumerate(claims, start=1)
    ]
    items.sort(key=lambda item: (-item.score, item.record.sequence))

    found = covering(items, terms, weight=WEIGHT)

    assert {item.record.sequence for item in found} == {item.record.sequence for item in items}
    head = [item.score for item in found[:30]]
    assert head == sorted(head, reverse=True)
    for item in found:
        assert abs(sum(reason.amount for reason in item.reasons) - item.score) < 1e-5


def test_only_the_best_thirty_are_looked_at() -> None:
    def lifted_at(place: int) -> bool:
        items = [scored(n, AGAIN, score=1.0 - n / 100) for n in range(1, place)]
        items.append(scored(place, SPOUSE, score=0.1))
        found = covering(items, terms_of(QUESTION), weight=WEIGHT)
        return any(reason.leg == "new terms" for item in found for reason in item.reasons)

    assert lifted_at(30)
    assert not lifted_at(31)


def test_where_little_is_open_a_quarter_of_the_question_is_the_measure() -> None:
    question = "anchors ballast capstan davits ensigns fathoms gunwales halyards"
    said, rest = question.rsplit(" ", 1)
    items = scored(1, said, score=1.0), scored(2, rest, score=0.1)

    found = covering(items, terms_of(question), weight=WEIGHT)

    (amount,) = (reason.amount for reason in found[1].reasons if reason.leg == "new terms")
    assert abs(amount - WEIGHT * (1 / 8) / (1 / 4)) < 1e-6
