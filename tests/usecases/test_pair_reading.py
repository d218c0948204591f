"""A model reads pairs of claims, and what it suspects is advice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Kind, LinkKind, Status
from holdfast.domain.errors import BadFieldError, NoMeaningError
from holdfast.domain.memory.link import Link
from holdfast.domain.recall.bundle import DISPUTED
from holdfast.domain.recall.question import Question
from holdfast.domain.review.curation import MemoryTrouble
from holdfast.domain.review.suspicion import Clash
from holdfast.domain.review_errors import NoConflictError, OnlySuspectedError
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.ports.pair_reader import ReadPairs
from holdfast.ports.store.upkeep import Progress
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.review.curating import Survey, survey
from holdfast.usecases.review.pair_reading import (
    MOST_LETTERS,
    NEAREST_READ,
    NEWEST_READ,
    PairReadings,
)
from holdfast.usecases.review.queued import Review
from holdfast.usecases.review.resolve import ResolutionWay, Resolve
from holdfast.usecases.review.undo import Undo
from tests.requirements import requirement
from tests.usecases.wishes import approve, now, proposed, said

OLD, NEW = "Dana is a vegetarian.", "Dana had the steak again, she loves meat."
BY = "ada"


class PlainReader:
    """Gives each pair the score that the test says; a pair without one gets a low one."""

    name, threshold = "plain", 0.9

    def __init__(self, scores: dict[tuple[str, str], float | None], *, left: int = 0) -> None:
        self.told = scores
        self.left = left
        self.asked: list[tuple[str, str]] = []
        self.letters = 0
        self.problem = ""
        self.forgot: list[str] = []
        self.meanwhile: Callable[[], object] = list
        """What happens while it reads."""

    def scores(
        self, pairs: Sequence[tuple[str, str]], *, most_letters: int, progress: Progress
    ) -> ReadPairs:
        self.meanwhile()
        if self.problem:
            raise NoMeaningError(self.problem)
        self.asked += pairs
        self.letters = most_letters
        progress(len(pairs), len(pairs))
        return ReadPairs(scores=tuple(self.told.get(one, 0.1) for one in pairs), left=self.left)

    def forget(self, claims: Collection[str]) -> None:
        self.forgot += claims


def reading(holdfast: Holdfast, reader: PlainReader) -> Holdfast:
    return replace(holdfast, pair_reader=lambda: reader)


@pytest.fixture
def reader() -> PlainReader:
    return PlainReader({(NEW, OLD): 0.97})


@pytest.fixture
def advised(holdfast: Holdfast, reader: PlainReader) -> Holdfast:
    return reading(holdfast, reader)


@pytest.mark.parametrize("is_older", [True, False])
def test_one_id_of_a_suspected_pair_asks_for_both(advised: Holdfast, *, is_older: bool) -> None:
    old, new = said(advised, OLD), said(advised, NEW)
    name, other = (old, new) if is_older else (new, old)
    wish = Resolve(reference=name.memory.id, way=ResolutionWay.KEEP_OLD, by=BY)

    with pytest.raises(OnlySuspectedError, match="Only a model suspects") as refused:
        advised.review.resolve(wish)

    assert refused.value.facts["suspects"] == [other.memory.id]
    assert {now(advised, one).standing.status for one in (old, new)} == {Status.ACCEPTED}
    advised.review.resolve(replace(wish, other=other.memory.id))
    assert now(advised, new).standing.status is Status.DEPRECATED


@pytest.mark.parametrize("reads", [True, False])
def test_a_memory_that_nothing_suspects_has_no_conflict(
    holdfast: Holdfast, advised: Holdfast, *, reads: bool
) -> None:
    said(holdfast, OLD)
    said(holdfast, NEW)
    alone = said(holdfast, "The moon is far away.")
    wish = Resolve(reference=alone.memory.id, way=ResolutionWay.KEEP_OLD, by=BY)

    with pytest.raises(NoConflictError):
        (advised if reads else holdfast).review.resolve(wish)
    with pytest.raises(NoConflictError):
        advised.review.resolve(replace(wish, other=alone.memory.id))


def judged(holdfast: Holdfast) -> list[tuple[str, str]]:
    found = holdfast.review.read_pairs().conflicts
    return [(one.candidate.memory.claim, one.standing.memory.claim) for one in found]


def surveyed(holdfast: Holdfast, read: PairReadings | None = None) -> Survey:
    return survey(
        store=holdfast.store,
        clock=holdfast.clock,
        surroundings=holdfast.surroundings,
        verifier=None,
        heuristics=ENGLISH,
        read=read or holdfast.review.read_pairs(),
    )


def test_a_candidate_is_read_beside_accepted_memories(advised: Holdfast) -> None:
    old, new = said(advised, OLD), proposed(advised, NEW)

    (found,) = advised.review.read_pairs().conflicts

    assert (found.candidate, found.standing) == (new, old)
    assert found.suspicion.clash is Clash.JUDGED
    assert found.suspicion.is_advice
    assert found.suspicion.reason == "the model plain reads these as contradicting"
    assert found.suspicion.confidence == 0.97


def test_two_accepted_memories_are_read_once_the_later_as_the_newer(
    advised: Holdfast, reader: PlainReader
) -> None:
    said(advised, OLD)
    said(advised, NEW)

    assert judged(advised) == [(NEW, OLD)]
    assert reader.asked == [(NEW, OLD)]


def test_a_candidate_is_the_newer_one_even_if_it_came_first(
    advised: Holdfast, reader: PlainReader
) -> None:
    proposed(advised, NEW)
    said(advised, OLD)

    assert judged(advised) == [(NEW, OLD)]
    assert reader.asked == [(NEW, OLD)]


def test_a_score_below_the_threshold_shows_nothing(
    holdfast: Holdfast,
) -> None:
    said(holdfast, OLD)
    proposed(holdfast, NEW)

    assert judged(reading(holdfast, PlainReader({(NEW, OLD): 0.9}))) == [(NEW, OLD)]
    assert judged(reading(holdfast, PlainReader({(NEW, OLD): 0.89}))) == []
    assert judged(reading(holdfast, PlainReader({(NEW, OLD): None}))) == []


@requirement("conflict.advice-blocks-nothing")
def test_advice_blocks_no_approval_disputes_no_answer_and_is_not_stored(
    advised: Holdfast,
) -> None:
    old, new = said(advised, OLD), proposed(advised, NEW)
    (item,) = advised.review.review(Review(reads_pairs=True)).items
    plain = advised.review.review(Review()).items[0]

    advised.review.read_pairs()
    surveyed(advised)
    approve(advised, new.memory.id, by=BY)

    assert [one.standing for one in item.advice] == [old]
    assert replace(item, advice=()) == plain
    assert now(advised, new).standing.status is Status.ACCEPTED
    assert not advised.review.conflicts()
    with advised.store.reading() as tx:
        assert not tx.links.touching(new.memory.id)
    hits = advised.answers.recall(Question(text="Dana vegetarian steak meat")).bundle.items
    assert len(hits) == 2
    assert DISPUTED not in {reason.leg for one in hits for reason in one.reasons}


@requirement("conflict.advice-blocks-nothing")
def test_advice_withdraws_no_suspicion_of_the_rules(holdfast: Holdfast) -> None:
    said(holdfast, "The API listens on port 8080.")
    proposed(holdfast, "The API listens on port 9090.")
    reader = PlainReader({})

    assert judged(reading(holdfast, reader)) == []
    assert len(holdfast.review.conflicts()) == 1
    assert reader.asked == []


@requirement("conflict.advice-settled-stays-settled")
@pytest.mark.parametrize("way", list(ResolutionWay))
def test_a_settled_pair_is_not_shown_again(advised: Holdfast, way: ResolutionWay) -> None:
    old, new = said(advised, OLD), said(advised, NEW)

    advised.review.resolve(
        Resolve(
            reference=new.memory.id, other=old.memory.id, by=BY, way=way, text="Dana eats meat."
        )
    )

    assert judged(advised) == []
    advised.review.undo(Undo(by=BY))
    assert judged(advised) == [(NEW, OLD)]


@requirement("conflict.advice-settled-stays-settled")
@pytest.mark.parametrize("kind", [LinkKind.COMPATIBLE, LinkKind.WITHDRAWN, LinkKind.CONTRADICTS])
def test_a_pair_that_somebody_linked_is_not_read(
    advised: Holdfast, reader: PlainReader, kind: LinkKind
) -> None:
    old, new = said(advised, OLD), said(advised, NEW)
    with advised.store.writing(advised.clock.now()) as tx:
        tx.links.put(Link(src=old.memory.id, dst=new.memory.id, kind=kind))

    assert judged(advised) == []
    assert reader.asked == []


@requirement("conflict.advice-is-bounded")
def test_only_the_nearest_of_the_newest_are_read(holdfast: Holdfast) -> None:
    reader = PlainReader({})
    for number in range(NEWEST_READ + 10):
        said(holdfast, f"Team {number} answers questions about the API in room {number}.")

    judged(reading(holdfast, reader))

    assert 0 < len(reader.asked) <= NEWEST_READ * NEAREST_READ
    assert len(set(reader.asked)) == len(reader.asked)
    assert reader.letters == MOST_LETTERS


@requirement("conflict.advice-is-bounded")
def test_what_is_left_for_the_next_call_is_told(holdfast: Holdfast) -> None:
    said(holdfast, OLD)
    proposed(holdfast, NEW)
    reader = PlainReader({(NEW, OLD): None}, left=1)

    found = reading(holdfast, reader).review.read_pairs()

    assert found.note == "the model has 1 pair left to read; the next call continues"
    assert found.conflicts == ()


@requirement("conflict.advice-off-is-off")
def test_without_a_model_nothing_is_read(holdfast: Holdfast) -> None:
    said(holdfast, OLD)
    proposed(holdfast, NEW)

    assert holdfast.pair_reader is None
    assert judged(holdfast) == []
    assert holdfast.review.review(Review(reads_pairs=True)).items[0].advice == ()


@requirement("conflict.advice-is-never-needed")
def test_a_model_that_cannot_be_used_leaves_the_rules_and_one_note(
    advised: Holdfast, reader: PlainReader
) -> None:
    said(advised, OLD)
    proposed(advised, NEW)
    reader.problem = "The weights are gone."

    note = "only the rules looked for contradictions: The weights are gone"
    assert advised.review.read_pairs().note == note
    assert advised.review.review(Review(reads_pairs=True)).notes == (note,)
    assert surveyed(advised).notes == (note,)
    assert not advised.review.conflicts()


def test_nothing_to_read_loads_no_model(holdfast: Holdfast) -> None:
    def loading() -> PlainReader:
        pytest.fail("it was loaded")

    said(holdfast, OLD)

    assert judged(replace(holdfast, pair_reader=loading)) == []


def test_what_says_the_same_is_not_read(advised: Holdfast, reader: PlainReader) -> None:
    said(advised, "Dana told us that she eats no meat at home.")
    proposed(advised, "Dana also told us that she eats no meat at home.", source="bot:1")

    judged(advised)

    assert reader.asked == []


def test_a_curation_lists_advice_without_a_loss_of_health(advised: Holdfast) -> None:
    said(advised, OLD)
    new = said(advised, NEW)
    plain = surveyed(replace(advised, pair_reader=None))

    found = surveyed(advised)

    (concern,) = [one for one in found.concerns if one.trouble is MemoryTrouble.ADVICE]
    assert concern.memories[0] == new.memory.id
    assert (
        "the model plain reads these as contradicting (score 0.97), and can be wrong."
        in concern.why
    )
    assert concern.step is None
    assert found.health.score == plain.health.score
    assert found.conflicts == plain.conflicts == 0


def test_a_limit_is_checked_and_kept(advised: Holdfast, reader: PlainReader) -> None:
    other = "Dana had steak and chips again for lunch, she loves meat and chips."
    for claim in (OLD, NEW, other):
        said(advised, claim)
    reader.told = {(NEW, OLD): 0.97, (other, OLD): 0.98}

    assert judged(advised) == [(other, OLD), (NEW, OLD)]
    (found,) = advised.review.read_pairs(limit=1).conflicts
    assert found.candidate.memory.claim == other
    with pytest.raises(BadFieldError):
        advised.review.read_pairs(limit=0)


def test_an_empty_store_has_no_pair_to_read(advised: Holdfast, reader: PlainReader) -> None:
    assert judged(advised) == []
    assert reader.asked == []


def test_a_pair_that_the_rules_suspect_is_not_read(advised: Holdfast, reader: PlainReader) -> None:
    said(advised, "The API listens on port 8080.")
    said(advised, "The API listens on port 9090.")

    assert judged(advised) == []
    assert reader.asked == []


def test_a_survey_names_no_pair_whose_newer_claim_is_gone(advised: Holdfast) -> None:
    said(advised, OLD)
    new = said(advised, NEW)
    read = advised.review.read_pairs()
    advised.memories.forget(Forget(reference=new.memory.id, by=BY))

    found = surveyed(advised, read)

    assert len(read.conflicts) == 1
    assert [one for one in found.concerns if one.trouble is MemoryTrouble.ADVICE] == []


@requirement("conflict.advice-keeps-no-text")
@pytest.mark.parametrize("problem", ["", "The weights are gone."])
def test_what_is_forgotten_while_it_is_read_leaves_no_score(
    advised: Holdfast, reader: PlainReader, problem: str
) -> None:
    said(advised, OLD)
    new = said(advised, NEW)
    reader.problem = problem
    reader.meanwhile = lambda: advised.memories.forget(Forget(reference=new.memory.id, by=BY))

    assert judged(advised) == []
    assert reader.forgot == [NEW]


@requirement("conflict.advice-is-bounded")
def test_the_nearest_pair_of_each_memory_is_read_first(holdfast: Holdfast) -> None:
    reader = PlainReader({})
    ferry = [f"The ferry leaves pier {name} at noon." for name in ("red", "blue", "grey", "pink")]
    oven = [f"Ines cleans the {name} oven on Mondays." for name in ("big", "old", "new", "wide")]
    for claim in (*ferry, *oven):
        said(holdfast, claim)

    judged(reading(holdfast, reader))

    pairs = list(map(set, reader.asked))
    assert len(pairs) == 12
    assert any(pair <= set(ferry) for pair in pairs[:5])
    assert any(pair <= set(oven) for pair in pairs[:5])


def test_a_claim_is_not_read_beside_one_that_says_the_same(
    advised: Holdfast, reader: PlainReader
) -> None:
    said(advised, OLD)
    said(advised, OLD.removesuffix("."), kind=Kind.GOTCHA)

    assert judged(advised) == []
    assert reader.asked == []


def test_memories_of_all_places_are_read_if_that_is_asked(advised: Holdfast) -> None:
    said(advised, OLD)
    said(advised, NEW)

    assert len(advised.review.read_pairs(everywhere=True).conflicts) == 1
