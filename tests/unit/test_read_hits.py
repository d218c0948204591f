"""What a model that has read the best memories with the question changes."""

from __future__ import annotations

import pytest

from holdfast.domain.ids import MemoryId
from holdfast.domain.recall.bundle import Reason
from holdfast.domain.recall.certainty import RATHER_SURE, SURE
from holdfast.domain.recall.finding import ThreadPosition
from holdfast.domain.recall.ranking import Scored
from holdfast.domain.recall.read_hits import READ, are_claims, is_beyond_doubt, read_hits, spread
from holdfast.domain.recall.weighing import Weights
from holdfast.domain.values import replace
from tests.builders import a_memory, a_record
from tests.requirements import requirement

WEIGHTS = Weights()
YES, NO = 2.0, -6.0
QUESTION = "how often do tokens rotate"


def scored(claim: str, *, strength: float = 0.6, score: float = 1.0, number: int = 1) -> Scored:
    record = a_record(a_memory(id=MemoryId(f"m_{number:026d}"), claim=claim))
    return Scored(
        record=replace(record, sequence=number), score=score, reasons=(), strength=strength
    )


def read(hits: list[Scored], readings: list[float | None]) -> dict[str, Scored]:
    found = read_hits(hits, readings, name="deep", weights=WEIGHTS)
    return {item.record.memory.claim: item for item in found}


def test_a_claim_that_reads_as_an_answer_becomes_sure() -> None:
    found = read([scored("Tokens rotate hourly.", strength=0.3)], [YES])

    assert found["Tokens rotate hourly."].strength >= SURE


@requirement("recall.reads-doubt")
def test_an_answer_is_in_doubt_unless_it_is_rather_sure_or_a_reading_changes_nothing() -> None:
    hit = scored("Tokens rotate hourly.", strength=SURE)
    named = replace(hit, reasons=(Reason(leg="exact", amount=1.0, note="token-rotation"),))

    assert not is_beyond_doubt([])
    assert not is_beyond_doubt([hit])
    assert is_beyond_doubt([replace(hit, strength=RATHER_SURE)])
    assert is_beyond_doubt([scored("one"), replace(hit, is_by_words=True)])
    assert is_beyond_doubt([named])


def test_a_claim_that_reads_as_no_answer_is_no_longer_sure() -> None:
    near = scored("Tokens rotate hourly.", strength=1.1)

    assert read([near], [NO])["Tokens rotate hourly."].strength < SURE


def test_much_in_common_does_not_outweigh_what_was_read() -> None:
    near = scored("Tokens rotate hourly.", strength=50.0)

    assert read([near], [NO])["Tokens rotate hourly."].strength < SURE


def test_the_better_reading_comes_first_and_is_shown() -> None:
    hits = [scored("one", number=1), scored("two", score=0.9, number=2)]
    found = read_hits(hits, [NO, YES], name="deep", weights=WEIGHTS)

    assert [item.record.memory.claim for item in found] == ["two", "one"]
    assert [(reason.leg, reason.note) for reason in found[0].reasons] == [("deep", "read as 2.0")]
    assert found[0].score > 0.9


def test_the_first_is_as_sure_as_the_surest_if_it_answers() -> None:
    hits = [
        scored("first", score=9.0, strength=1.2, number=1),
        scored("surest", score=1.0, strength=1.2, number=2),
    ]
    found = read(hits, [-4.0, YES])
    assert found["first"].strength == found["surest"].strength > 2

    found = read(hits, [NO, YES])
    assert found["first"].strength < SURE


def test_equal_scores_keep_the_order_of_arrival() -> None:
    hits = [scored("two", number=2), scored("one", number=1)]
    found = read_hits(hits, [YES, YES], name="deep", weights=WEIGHTS)

    assert [item.record.memory.claim for item in found] == ["one", "two"]


def test_a_named_memory_still_answers() -> None:
    exact = replace(
        scored("Tokens rotate hourly."),
        strength=SURE,
        reasons=(Reason(leg="exact", amount=1.0, note="token-rotation"),),
    )

    assert read([exact], [NO])["Tokens rotate hourly."].strength == SURE
    beyond = read([scored("one"), replace(exact, strength=3.0)], [NO])
    assert beyond["Tokens rotate hourly."].strength == 3.0


def test_what_was_not_read_is_no_surer_than_what_was() -> None:
    hits = [scored("read", strength=1.1, number=1), scored("unread", strength=2.0, number=2)]
    found = read(hits, [NO])

    assert found["unread"].strength == found["read"].strength < SURE
    assert found["unread"].score == 1.0


def test_a_memory_found_by_words_keeps_its_strength() -> None:
    by_words = replace(scored("Tokens rotate hourly.", strength=1.4), is_by_words=True)

    assert read([by_words], [NO])["Tokens rotate hourly."].strength == 1.4
    assert read([scored("one"), by_words], [NO, None])["Tokens rotate hourly."].strength == 1.4


@pytest.mark.parametrize(
    ("claim", "reading"),
    [
        ("one", None),
        ("Die Tokens werden jede Stunde von dem Dienst und nicht von der Hand erneuert.", NO),
    ],
    ids=["unreadable letters", "another language"],
)
def test_a_claim_that_cannot_be_read_keeps_its_strength(claim: str, reading: float | None) -> None:
    found = read([scored(claim, strength=1.3)], [reading])[claim]

    assert found.strength == 1.3
    assert [reason.note for reason in found.reasons] == ["not read"]


def test_turns_code_and_other_languages_are_not_read_as_claims() -> None:
    claims = [scored(f"Tokens of service {number} rotate.", number=number) for number in range(3)]
    turn = replace(claims[0], turn=ThreadPosition(thread="t", number=1))
    code = [scored("def rotate(token):\n    return renew(token)", number=n) for n in range(3)]
    passages = [scored("Tokens rotate. " * 30, number=n) for n in range(3)]

    assert are_claims(claims, QUESTION)
    assert not are_claims([], QUESTION)
    assert not are_claims([*claims, turn], QUESTION)
    assert are_claims([*claims * READ, turn], QUESTION)
    assert not are_claims(code, QUESTION)
    assert not are_claims(passages, QUESTION)
    assert are_claims([*claims * 2, *passages[:1]], QUESTION)
    assert not are_claims(claims, "wie oft werden die Tokens von dem Dienst erneuert")


def test_a_question_in_unknown_letters_or_without_content_is_not_read() -> None:
    claims = [scored("Tokens rotate hourly.", number=n) for n in range(3)]

    assert not are_claims(claims, "jak często zmieniają się tokeny")
    assert not are_claims(claims, "why?")
    assert not are_claims(claims, "")
    assert are_claims(claims, "token rotation")


def test_a_claim_that_was_not_read_is_no_surer_than_one_that_was() -> None:
    hits = [scored("one", strength=1.1, number=1), scored("two", strength=4.0, number=2)]

    found = read(hits, [0.0, None])
    hopeless = read(hits, [NO, None])

    assert found["one"].strength == found["two"].strength > SURE
    assert hopeless["two"].strength == SURE


def test_the_parts_of_a_score_add_up_whether_a_claim_was_read_or_not() -> None:
    hits = [replace(scored(claim, score=0.0, number=n), reasons=()) for n, claim in enumerate("ab")]

    found = read(hits, [YES, None])

    for item in found.values():
        assert item.score == pytest.approx(sum(reason.amount for reason in item.reasons), abs=1e-6)
    assert [reason.note for reason in found["b"].reasons] == ["not read"]


def test_scores_are_spread_around_their_mean() -> None:
    assert spread([]) == []
    assert spread([3.0]) == [0.5]
    assert spread([None, 1.0]) == [0.5, 0.5]
    low, high = spread([-1.0, 1.0])
    assert low < 0.5 < high
    assert low + high == pytest.approx(1.0)
