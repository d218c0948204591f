"""What stands around a hit: names, links, threads, rerankers, and later amendments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nan

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Deep, EvidenceType, Kind, LinkKind, Retrieval
from holdfast.domain.errors import NoMeaningError
from holdfast.domain.ids import MemoryId, short
from holdfast.domain.lookup_errors import PlugInFailedError
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.place import Place
from holdfast.domain.recall.bundle import BundleItem, LeftOut
from holdfast.domain.review_errors import UnresolvedConflictError
from holdfast.usecases.anchors.gather import Grounds
from tests.builders import PlainSurroundings
from tests.contract.steps import said_nothing
from tests.requirements import requirement
from tests.usecases.reading import SmallReader, told
from tests.usecases.wishes import approve, asked, given, proposed, said


@dataclass(frozen=True)
class Judge:
    """A reranker that says what it was told to say, or likes what holds a word."""

    likes: str = ""
    says: tuple[float, ...] | None = None
    name: str = "judge"

    def fits(self, question: str, claims: Sequence[str]) -> Sequence[float]:
        """Judge the claims."""
        assert question
        if self.says is not None:
            return self.says
        return [float(self.likes in claim) for claim in claims]


def item(holdfast: Holdfast, record: MemoryRecord, text: str) -> BundleItem:
    """Return what was given of a memory."""
    (found,) = [
        one for one in asked(holdfast, text).bundle.items if one.memory_id == record.memory.id
    ]
    return found


def legs(found: BundleItem | LeftOut) -> dict[str, float]:
    return {reason.leg: reason.amount for reason in found.reasons}


def linked(holdfast: Holdfast, src: MemoryRecord, dst: MemoryRecord, kind: str = "about") -> None:
    holdfast.memories.link(Link(src=src.memory.id, dst=dst.memory.id, kind=kind))


@requirement("recall.misspelt")
def test_a_misspelt_name_finds_what_its_right_spelling_finds(holdfast: Holdfast) -> None:
    film = said(holdfast, "Kelp Tide\nA film that was directed by Ada Holmgren in 1962.")
    director = said(holdfast, "Ada Holmgren\nShe grew up on Senja.")
    said(holdfast, "Bo Lindqvist\nHe grew up near Gränna.")
    right, wrong = "which film did Ada Holmgren direct", "which film did Ada Hlomgren direct"

    answer = asked(holdfast, wrong).bundle

    assert given(holdfast, right) == [item.memory_id for item in answer.items]
    assert {film.memory.id, director.memory.id} <= {item.memory_id for item in answer.items}
    assert any("no memory contains 'hlomgren'" in note for note in answer.notes)
    assert not any("Holmgren" in note for note in answer.notes)
    assert not any("spelling" in note for note in asked(holdfast, right).bundle.notes)


@requirement("recall.misspelt")
def test_a_word_of_a_candidate_does_not_change_how_a_question_is_read(holdfast: Holdfast) -> None:
    contract = said(holdfast, "The contract with Maersken ends in May.")
    said(holdfast, "Customer Hansen pays by direct debit.")
    before = asked(holdfast, "contract with Maerksen").bundle
    proposed(holdfast, "Maerksen is a codename.")

    after = asked(holdfast, "contract with Maerksen").bundle

    assert [item.memory_id for item in before.items] == [contract.memory.id]
    assert before.notes == after.notes
    assert [item.memory_id for item in after.items] == [contract.memory.id]


@requirement("recall.misspelt")
def test_a_silent_answer_does_not_speak_of_spelling(holdfast: Holdfast) -> None:
    for number in range(20):
        said(holdfast, f"Holmgren keeps part {number} of the harbour.")

    answer = asked(holdfast, "when will Hlomgrens aunt bake seven loaves of dark rye").bundle

    assert not answer.items
    assert not any("spelling" in note for note in answer.notes)


@requirement("recall.references-first")
@pytest.mark.parametrize("question", ["does {} say when tokens rotate", "{}: tokens rotate hourly"])
def test_a_label_or_an_id_in_the_question_comes_before_what_resembles_it(
    holdfast: Holdfast, question: str
) -> None:
    meant = said(holdfast, "Lunch is at noon.", label="FAC-008").memory.id
    nearer = said(holdfast, "Tokens rotate hourly.", label="FAC-009").memory.id
    judged = replace(holdfast, reranker=Judge(likes="Tokens"))

    for name in ("FAC-008", "fac-008", meant, short(meant)):
        for asking in (holdfast, judged):
            first, *others = given(asking, question.format(name))
            assert first == meant
            assert nearer in others


@requirement("recall.references-first")
@pytest.mark.parametrize("label", ["8080", "3.5", "2026-05-01"])
def test_a_number_of_a_question_calls_no_memory_that_has_it_as_label(
    holdfast: Holdfast, label: str
) -> None:
    named = said(holdfast, "Lunch is at noon.", label=label).memory.id
    nearer = said(holdfast, f"The gateway has listened on {label} since May.").memory.id

    assert given(holdfast, f"does the gateway listen on {label} since May") == [nearer, named]


@requirement("recall.references-first")
def test_what_is_best_anyway_gets_nothing_for_its_label(holdfast: Holdfast) -> None:
    said(holdfast, "Tokens rotate hourly.", label="FAC-008")
    said(holdfast, "Lunch is at noon.")

    (item,) = asked(holdfast, "when do the tokens of FAC-008 rotate").bundle.items

    assert {"words", "exact"} <= {reason.leg for reason in item.reasons}


@pytest.fixture
def films(holdfast: Holdfast) -> tuple[MemoryRecord, MemoryRecord, MemoryRecord]:
    """A film, its director, and somebody else."""
    return (
        said(holdfast, "Kelp Tide\nA film that was directed by Ada Holm in 1962."),
        said(holdfast, "Ada Holm\nShe grew up on Senja."),
        said(holdfast, "Bo Lind\nHe grew up near Gränna."),
    )


def test_whom_the_best_hit_names_is_found_too(
    holdfast: Holdfast, films: tuple[MemoryRecord, MemoryRecord, MemoryRecord]
) -> None:
    film, director, other = films

    found = given(holdfast, "who directed the film Kelp Tide")

    assert found[:2] == [film.memory.id, director.memory.id]
    assert other.memory.id not in found
    reasons = item(holdfast, director, "who directed the film Kelp Tide").reasons
    (link,) = [reason for reason in reasons if reason.leg == "link"]
    assert link.note == f"{film.memory.id} names it: ada holm"


@requirement("recall.follows-rare-names")
def test_a_rare_name_in_the_best_hit_leads_to_who_mentions_it_too(holdfast: Holdfast) -> None:
    film = said(holdfast, "Kelp Tide is a film that was shot for the Senja Film Fund in 1962.")
    fund = said(holdfast, "Nobody may spend money of the Senja Film Fund without two signatures.")
    other = said(holdfast, "Nobody may spend money of the harbour without two signatures.")

    found = given(holdfast, "who paid for Kelp Tide")

    assert found[:2] == [film.memory.id, fund.memory.id]
    assert other.memory.id not in found
    reasons = item(holdfast, fund, "who paid for Kelp Tide").reasons
    (mention,) = [reason for reason in reasons if reason.leg == "mention"]
    assert mention.note == f"{film.memory.id} mentions senja film fund"


def test_a_name_that_many_memories_mention_leads_nowhere(holdfast: Holdfast) -> None:
    said(holdfast, "Kelp Tide is a film that was shot for the Senja Film Fund in 1962.")
    for place in range(10):
        said(holdfast, f"The Senja Film Fund pays bill {place} on its own day.")

    reasons = [one.reasons for one in asked(holdfast, "who paid for Kelp Tide").bundle.items]

    assert not any(reason.leg == "mention" for own in reasons for reason in own)


@requirement("recall.answer-before-subject")
@pytest.mark.parametrize(
    ("beside", "answer", "question"),
    [
        (
            "Kelp Mill was founded in the city of Tromsø.",
            "The head of the board of Kelp Mill is Ada Holm.",
            "Who is the head of the board of Kelp Mill?",
        ),
        (
            "Senja is located in the sea of the north.",
            "the present mayor of the people in Senja is Bo Lind.",
            "What is the name of the present mayor in Senja?",
        ),
        (
            "Amber Queue has no owner.",
            "Since May the port of the Amber Queue is 9411.",
            "Tell me the port of the Amber Queue.",
        ),
    ],
)
def test_a_fact_about_the_name_in_the_question_does_not_hide_the_answer(
    holdfast: Holdfast, beside: str, answer: str, question: str
) -> None:
    other = said(holdfast, beside)
    wanted = said(holdfast, answer)

    assert given(holdfast, question)[0] == wanted.memory.id
    assert legs(item(holdfast, wanted, question))["contains"] > 0
    bundle = asked(holdfast, question).bundle
    found: list[BundleItem | LeftOut] = [*bundle.items, *bundle.left_out]
    (about,) = [one for one in found if one.memory_id == other.memory.id]
    assert legs(about)["named"] > 0
    assert "link" not in legs(about)


@requirement("recall.lists-of-names")
def test_a_list_of_names_is_not_given_because_it_has_a_name_of_a_hit(holdfast: Holdfast) -> None:
    said(holdfast, "Invoices are written by the service Grebe Ledger at two.")
    roster = said(
        holdfast,
        "Stickers: Grebe Ledger, Kestrel Sweep, Blikonaut, Pigeonwire, Ida Ferro, Bram Stoltz.",
    )
    plain = said(holdfast, "Restart the Grebe Ledger with two people in the room.")

    found = given(holdfast, "When are invoices written?")

    assert plain.memory.id in found
    assert roster.memory.id not in found
    assert roster.memory.id in given(holdfast, "Which stickers do we have?")


def test_who_is_named_in_the_question_is_found_by_the_name(
    holdfast: Holdfast, films: tuple[MemoryRecord, MemoryRecord, MemoryRecord]
) -> None:
    _, director, other = films

    found = item(holdfast, director, "Where does Ada Holm come from?")

    assert legs(found)["named"] > 0
    assert legs(item(holdfast, director, "where does ada holm come from"))["named"] > 0
    assert "named" not in legs(item(holdfast, other, "grew near"))


def test_a_linked_memory_is_vouched_for_and_the_link_is_named(holdfast: Holdfast) -> None:
    hit = said(holdfast, "Tokens rotate hourly.")
    behind = said(holdfast, "The cron job lives on the batch host.")
    unlinked = said(holdfast, "Lunch is served from noon.")
    linked(holdfast, hit, behind, LinkKind.ABOUT)

    found = item(holdfast, behind, "tokens")

    assert [reason.note for reason in found.reasons if reason.leg == "link"] == [
        f"about {hit.memory.id}"
    ]
    assert unlinked.memory.id not in given(holdfast, "tokens")


@pytest.mark.parametrize("kind", [LinkKind.CONTRADICTS, LinkKind.SUPERSEDES])
def test_an_opposing_link_vouches_for_nobody(holdfast: Holdfast, kind: LinkKind) -> None:
    hit = said(holdfast, "Tokens rotate hourly.")
    against = said(holdfast, "The cron job lives on the batch host.")
    linked(holdfast, hit, against, kind)

    assert given(holdfast, "tokens") == [hit.memory.id]


@requirement("scope.reaches-its-place")
def test_a_link_does_not_lead_to_what_may_not_be_given(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    surroundings.at = Place(repo="github.com/acme/other")
    elsewhere = said(holdfast, "The cron job lives on the batch host.")
    surroundings.at = Place(repo="github.com/acme/app")
    hit = said(holdfast, "Tokens rotate hourly.")
    candidate = proposed(holdfast, "The queue lives on the batch host.")
    linked(holdfast, hit, elsewhere)
    linked(holdfast, hit, candidate)

    assert given(holdfast, "tokens") == [hit.memory.id]


def test_a_walk_reaches_over_the_links_of_the_best_hits(holdfast: Holdfast) -> None:
    hit = said(holdfast, "Tokens rotate hourly.")
    behind = said(holdfast, "The cron job lives on the batch host.")
    said(holdfast, "Lunch is served from noon.")
    linked(holdfast, hit, behind)
    walking = replace(holdfast, retrieval=Retrieval.GRAPH)

    found = item(walking, behind, "tokens")

    assert given(walking, "tokens") == [hit.memory.id, behind.memory.id]
    assert [reason.note for reason in found.reasons if reason.leg == "link"] == [
        "a walk over the links"
    ]


def test_a_walk_from_nowhere_ends_there(holdfast: Holdfast) -> None:
    said(holdfast)

    assert given(replace(holdfast, retrieval=Retrieval.GRAPH), "walrus") == []


def test_the_turns_beside_a_hit_come_with_it(holdfast: Holdfast) -> None:
    told(holdfast, "Unrelated small talk.", "far#1")
    answer = told(holdfast, "Every hour, as agreed.", "talk#2")
    question = told(holdfast, "When do the tokens rotate?", "talk#1")

    found = item(holdfast, answer, "tokens rotate")

    assert given(holdfast, "tokens rotate") == [question.memory.id, answer.memory.id]
    assert legs(found)["neighbours"] > 0
    assert legs(found)["thread"] > 0


def test_turns_up_to_two_places_from_a_hit_are_considered(holdfast: Holdfast) -> None:
    said(holdfast, "Lunch is served from noon.")
    told(holdfast, "When do the tokens rotate?", "talk#1")
    places = {2: "hourly", 3: "nightly", 4: "weekly"}
    beside = [told(holdfast, f"Reply {word}.", f"talk#{n}") for n, word in places.items()]

    bundle = asked(holdfast, "tokens rotate", limit=40).bundle
    considered = {one.memory_id for one in bundle.items}
    considered |= {one.memory_id for one in bundle.left_out}

    assert [one.memory.id in considered for one in beside] == [True, True, False]


def test_for_a_task_the_end_of_a_thread_stands_for_it(holdfast: Holdfast) -> None:
    opening = told(holdfast, "Uploads fail: we may retry them or drop them, nobody knows.", "t#1")
    told(holdfast, "Dropping them loses data of customers and nobody wants to explain it.", "t#2")
    ending = told(holdfast, "So: exactly three attempts, then park the file. " * 5, "t#3")

    task, question = "Implement retry for failed uploads", "Which uploads fail and retry?"

    assert given(holdfast, task)[0] == ending.memory.id
    assert legs(item(holdfast, ending, task))["closing"] > 0
    assert legs(item(holdfast, opening, task))["told"] < 0
    assert given(holdfast, question)[0] == opening.memory.id
    assert "told" not in legs(item(holdfast, opening, question))


def replied(holdfast: Holdfast, claim: str, place: str) -> MemoryRecord:
    """Let an agent say something in a turn, and a person accept it."""
    turn = Evidence(type=EvidenceType.TURN, reference=place)
    one = proposed(holdfast, claim, grounds=Grounds(given=(turn,)))
    return approve(holdfast, one.memory.id, by="ada")


@requirement("recall.closing-any-mood")
@pytest.mark.parametrize(
    "text", ["Implement retry for failed uploads", "What did we decide about failed uploads?"]
)
def test_the_end_of_a_thread_with_an_agent_stands_for_it(holdfast: Holdfast, text: str) -> None:
    told(holdfast, "Failed uploads: we may retry them or drop them, nobody knows.", "t#1")
    replied(holdfast, "Dropping failed uploads loses data; a retry may double it.", "t#2")
    ending = told(holdfast, "So: exactly three attempts, then park the file. " * 5, "t#3")

    assert legs(item(holdfast, ending, text))["closing"] > 0
    assert given(holdfast, text)[0] == ending.memory.id


@requirement("recall.agent-words")
def test_what_an_agent_said_loses_nothing_if_it_is_asked_for(holdfast: Holdfast) -> None:
    told(holdfast, "Hello there.", "t#0")
    reply = replied(holdfast, "Use a queue with leases for failed uploads.", "t#1")
    told(holdfast, "Thank you, bye.", "t#60")

    assert legs(item(holdfast, reply, "failed uploads queue"))["agent"] < 0
    found = legs(item(holdfast, reply, "What did you suggest for failed uploads?"))
    assert found.get("agent", 0) == 0


def test_for_a_task_the_ends_of_six_threads_stand_for_them(holdfast: Holdfast) -> None:
    endings = []
    for n in range(1, 8):
        again = "uploads fail, retry uploads; " * (9 - n)
        told(holdfast, f"In part {n} {again} nobody knows.", f"t{n}#1")
        endings.append(
            told(holdfast, f"So in part {n}: {n} attempts, then park it. " * 5, f"t{n}#2")
        )

    bundle = asked(holdfast, "Implement retry for failed uploads", limit=40, budget=9_000).bundle
    closing = {one.memory_id for one in (*bundle.items,) if "closing" in legs(one)}
    closing |= {one.memory_id for one in bundle.left_out if "closing" in legs(one)}

    assert len(closing & {one.memory.id for one in endings}) == 6


def test_a_long_thread_has_no_end_that_stands_for_it(holdfast: Holdfast) -> None:
    opening = told(holdfast, "How should we handle uploads that fail: retry or drop?", "t#1")
    told(holdfast, "Goodbye.", "t#90")

    assert "told" not in legs(item(holdfast, opening, "Implement retry for failed uploads"))


def test_neighbours_are_weighed_by_their_meaning_too(holdfast: Holdfast) -> None:
    reading = replace(holdfast, embedder=SmallReader())
    beside = told(reading, "Credentials expire, says the manual of the old office.", "talk#2")
    for number in range(60):
        said(reading, f"Tokens of service {number} rotate.")
    told(reading, "Tokens rotate tokens.", "talk#1")
    reading.upkeep.catch_up(said_nothing)

    bundle = asked(reading, "tokens rotate", limit=40, budget=9_000).bundle
    found = reading.memories.explain_in_bundle(bundle.id, beside.memory.id).item

    assert legs(found)["neighbours"] > 0
    assert legs(found)["meaning"] > 0


def test_a_pinned_memory_is_considered_whatever_is_asked(holdfast: Holdfast) -> None:
    hit = said(holdfast, "Tokens rotate hourly.")
    pinned = said(holdfast, "Be kind.", pinned=True)

    assert given(holdfast, "tokens") == [hit.memory.id, pinned.memory.id]
    assert given(holdfast, "walrus") == [pinned.memory.id]


def test_ten_pinned_memories_are_considered_at_most(holdfast: Holdfast) -> None:
    for number in range(12):
        said(holdfast, f"Be kind to guest {number}.", pinned=True)

    assert len(given(holdfast, "walrus")) == 10


def test_the_links_of_the_five_best_hits_are_followed(holdfast: Holdfast) -> None:
    hits = [said(holdfast, f"Part {n}: " + "tokens rotate. " * (8 - n)) for n in range(1, 8)]
    words = ("alder", "birch", "cedar", "drift", "ember", "frost", "glade")
    behind = [said(holdfast, f"The {word} stands alone.") for word in words]
    for hit, other in zip(hits, behind, strict=True):
        linked(holdfast, hit, other)

    bundle = asked(holdfast, "tokens rotate", limit=40, budget=9_000).bundle
    found = {one.memory_id for one in bundle.items} | {one.memory_id for one in bundle.left_out}

    assert sum(one.memory.id in found for one in behind) == 5


def test_a_reranker_puts_what_it_likes_first_and_is_named_in_the_reasons(
    holdfast: Holdfast,
) -> None:
    said(holdfast, "Tokens rotate hourly.")
    liked = said(holdfast, "Tokens expire with their session.")
    judged = replace(holdfast, reranker=Judge(likes="expire"))

    assert given(judged)[0] == liked.memory.id
    assert legs(item(judged, liked, "tokens"))["judge"] > 0
    assert given(holdfast)[0] != liked.memory.id


@pytest.mark.parametrize("says", [(), (nan, nan), (-1.0, -1.0), (0.0,)])
def test_a_reranker_that_says_too_little_or_nonsense_changes_nothing(
    holdfast: Holdfast, says: tuple[float, ...]
) -> None:
    said(holdfast, "Tokens rotate hourly.")
    said(holdfast, "Tokens are signed with the key of the cluster.")

    assert given(replace(holdfast, reranker=Judge(says=says))) == given(holdfast)


@requirement("plugins.failure-stops-no-recall")
def test_a_reranker_that_fails_is_left_out_and_named(holdfast: Holdfast) -> None:
    class Fails(Judge):
        def fits(self, question: str, claims: Sequence[str]) -> Sequence[float]:
            """Fail."""
            raise PlugInFailedError(setting="recall.reranker", name="judge", problem="it is ill")

    said(holdfast, "Tokens rotate hourly.")
    ill = replace(holdfast, reranker=Fails(), retrieval=Retrieval.WORDS)

    assert given(ill) == given(holdfast)
    (note,) = asked(ill).bundle.notes
    assert note.startswith("the reranker 'judge' was left out: The plug-in 'judge' cannot be used")


@requirement("recall.order-never-by-chance")
def test_a_reranker_never_loses_or_doubles_anybody(holdfast: Holdfast) -> None:
    kept = {said(holdfast, f"Tokens of service {n} rotate.").memory.id for n in range(60)}

    bundle = asked(replace(holdfast, reranker=Judge(likes="7")), limit=60, budget=9_000).bundle

    assert len(bundle.items) == 60
    assert {one.memory_id for one in bundle.items} == kept


@dataclass(frozen=True)
class Damaged:
    """A reader whose weights cannot be used."""

    name: str = "deep"

    def fits(self, question: str, claims: Sequence[str]) -> Sequence[float]:
        """Refuse."""
        assert question
        assert claims
        problem = "The weights are damaged."
        raise NoMeaningError(problem)


def deeply(holdfast: Holdfast, reader: Judge | Damaged, deep: Deep = Deep.ON) -> Holdfast:
    return replace(holdfast, reader=lambda: reader, deep=deep)


@requirement("recall.deep")
def test_the_best_are_read_again_if_asked_or_set(holdfast: Holdfast) -> None:
    said(holdfast, "Tokens rotate hourly.")
    liked = said(holdfast, "Tokens expire with their session.")
    reader = Judge(likes="expire", name="deep")

    assert given(deeply(holdfast, reader))[0] == liked.memory.id
    assert legs(item(deeply(holdfast, reader), liked, "tokens"))["deep"] > 0
    for setting in (Deep.AUTO, Deep.OFF):
        reading = deeply(holdfast, reader, setting)
        assert given(reading)[0] != liked.memory.id
        assert asked(reading, deep=True).bundle.items[0].memory_id == liked.memory.id
    assert asked(deeply(holdfast, reader), deep=False).bundle.items[0].memory_id != liked.memory.id
    assert asked(holdfast, deep=True).bundle.items[0].memory_id != liked.memory.id


def test_a_reranker_that_a_person_set_comes_before_the_reader(holdfast: Holdfast) -> None:
    said(holdfast, "Tokens rotate hourly.")
    liked = said(holdfast, "Tokens expire with their session.")
    both = replace(deeply(holdfast, Judge(likes="rotate")), reranker=Judge(likes="expire"))

    assert given(both)[0] == liked.memory.id


def test_a_reader_vouches_for_nothing(holdfast: Holdfast) -> None:
    said(holdfast, "Tokens rotate hourly.")
    said(holdfast, "The kitchen has a new kettle.")
    reading = deeply(holdfast, Judge(likes="kettle"))

    assert given(reading, "how often do tokens rotate") == given(
        holdfast, "how often do tokens rotate"
    )


@requirement("recall.deep-is-never-needed")
def test_a_reader_that_fails_leaves_the_order_and_says_so(holdfast: Holdfast) -> None:
    said(holdfast, "Tokens rotate hourly.")
    said(holdfast, "Tokens expire with their session.")
    found = asked(deeply(holdfast, Damaged())).bundle

    assert [one.memory_id for one in found.items] == given(holdfast)
    assert "the best hits were not read again: The weights are damaged" in found.notes


@dataclass(frozen=True)
class Answers:
    """A reader that knows one word that makes a claim an answer."""

    word: str = ""
    name: str = "deep"
    says: tuple[float, ...] | None = None

    def readings(self, question: str, claims: Sequence[str]) -> Sequence[float | None]:
        """Read the claims."""
        assert question
        if self.says is not None:
            return self.says
        return [2.0 if self.word in claim else -9.0 for claim in claims]


@dataclass(frozen=True)
class DamagedAnswers(Answers):
    """A reader of answers whose weights cannot be used."""

    def readings(self, question: str, claims: Sequence[str]) -> Sequence[float | None]:
        """Refuse."""
        return Damaged().fits(question, claims)


@pytest.fixture
def meaning(holdfast: Holdfast) -> Holdfast:
    """The same memory, with an embedding model."""
    return replace(holdfast, embedder=SmallReader())


def answering(holdfast: Holdfast, reader: Answers, deep: Deep = Deep.ON) -> Holdfast:
    return replace(holdfast, answer_reader=lambda: reader, deep=deep)


@requirement("recall.reads-answers")
def test_what_reads_as_an_answer_is_given_and_nothing_else(meaning: Holdfast) -> None:
    hourly = said(meaning, "Tokens rotate hourly.")
    expiring = said(meaning, "Tokens expire with their session.")
    question = "how often do tokens rotate"

    assert given(answering(meaning, Answers("expire")), question) == [expiring.memory.id]
    assert given(answering(meaning, Answers("hourly")), question) == [hourly.memory.id]
    assert given(answering(meaning, Answers("kettle")), question) == []
    assert given(answering(meaning, Answers("kettle"), Deep.OFF), question) != []
    assert given(answering(meaning, Answers(says=())), question) == given(meaning, question)


@requirement("recall.reads-silence")
def test_claims_are_read_before_an_answer_says_that_nothing_answers(meaning: Holdfast) -> None:
    said(meaning, "The deployment takes four minutes.")
    credentials = said(meaning, "Credentials are renewed every hour by a worker.")
    asked = "how often must a login be refreshed"
    twice = replace(answering(meaning, Answers("renewed"), Deep.AUTO), looks_twice=True)

    assert given(replace(meaning, deep=Deep.AUTO), asked) == []
    assert given(twice, asked) == [credentials.memory.id]
    assert given(replace(twice, deep=Deep.OFF), asked) == []
    assert given(replace(twice, looks_twice=False), asked) == []
    assert given(twice, asked, deep=False) == []


@requirement("recall.reads-silence")
def test_a_weak_reading_leaves_a_silent_answer_as_it_is(meaning: Holdfast) -> None:
    said(meaning, "Credentials are renewed every hour by a worker.")
    weak = replace(answering(meaning, Answers(says=(-9.0,)), Deep.AUTO), looks_twice=True)

    found = asked(weak, "how often must a login be refreshed").bundle

    assert not found.items
    assert "deep" not in {reason.leg for left in found.left_out for reason in left.reasons}


@requirement("recall.reads-doubt")
def test_an_answer_in_doubt_is_read_and_may_be_withdrawn(meaning: Holdfast) -> None:
    hourly = said(meaning, "Tokens rotate hourly.")
    asked = "which printer prints tokens for the canteen"
    no, yes = (
        replace(answering(meaning, Answers(word), Deep.AUTO), looks_twice=True)
        for word in ("kettle", "hourly")
    )

    assert given(no, asked, deep=False) == [hourly.memory.id]
    assert given(no, asked) == []
    assert given(yes, asked) == [hourly.memory.id]
    assert given(replace(no, looks_twice=False), asked) == [hourly.memory.id]


@requirement("recall.reads-silence")
def test_an_answer_is_not_read_again_unless_somebody_asks(meaning: Holdfast) -> None:
    hourly = said(meaning, "Tokens rotate hourly.")
    nothing = replace(answering(meaning, Answers("kettle"), Deep.AUTO), looks_twice=True)

    assert given(nothing, "how often do tokens rotate") == [hourly.memory.id]


@requirement("recall.reads-answers")
def test_claims_are_read_by_one_model_and_turns_by_the_other(meaning: Holdfast) -> None:
    said(meaning, "Tokens rotate hourly.")
    expiring = said(meaning, "Tokens expire with their session.")
    both = replace(deeply(meaning, Judge(likes="rotate")), answer_reader=lambda: Answers("expire"))

    assert given(both, "tokens") == [expiring.memory.id]


@requirement("recall.deep-is-never-needed")
def test_a_reader_of_answers_that_fails_leaves_the_answer_and_says_so(meaning: Holdfast) -> None:
    said(meaning, "Tokens rotate hourly.")
    found = asked(answering(meaning, DamagedAnswers())).bundle

    assert [one.memory_id for one in found.items] == given(meaning)
    assert "the best hits were not read again: The weights are damaged" in found.notes


@requirement("recall.deep-keeps-links")
def test_what_was_found_through_a_link_keeps_its_place(
    holdfast: Holdfast, films: tuple[MemoryRecord, MemoryRecord, MemoryRecord]
) -> None:
    question = "who directed the film Kelp Tide"
    reading = deeply(holdfast, Judge(likes="Ada Holm", name="deep"))
    film, director, _ = films

    found = asked(reading, question).bundle.items
    assert [one.memory_id for one in found] == [film.memory.id, director.memory.id]
    assert all("deep" not in legs(one) for one in found)


@requirement("recall.undecided-is-disputed")
def test_a_newer_value_comes_first_and_both_are_disputed_until_somebody_decides(
    holdfast: Holdfast,
) -> None:
    older = said(holdfast, "The request timeout is 30 seconds.")
    newer = said(holdfast, "The request timeout is 60 seconds.")

    recalled = asked(holdfast, "what is the request timeout of 30 seconds")

    first, second = recalled.bundle.items
    assert (first.memory_id, first.superseded_by) == (newer.memory.id, None)
    assert (second.memory_id, second.superseded_by) == (older.memory.id, None)
    for other in (older, newer):
        assert f"disputed: contradicts {short(other.memory.id)}; nobody" in recalled.markdown()


@requirement("recall.undecided-is-disputed")
def test_what_recall_disputes_blocks_the_approval(holdfast: Holdfast) -> None:
    said(holdfast, "The rate limit is 100 per second.")
    candidate = proposed(holdfast, "The rate limit is 100 per minute.")

    with pytest.raises(UnresolvedConflictError, match="second"):
        approve(holdfast, candidate.memory.id, by="ada")


@requirement("recall.amended-marked")
def test_what_a_person_linked_as_superseding_is_marked(holdfast: Holdfast) -> None:
    older = said(holdfast, "Tokens rotate hourly.")
    newer = said(holdfast, "From May on, tokens stay for a day.")
    linked(holdfast, newer, older, LinkKind.SUPERSEDES)

    assert item(holdfast, older, "tokens rotate").superseded_by == newer.memory.id
    assert given(holdfast, "tokens rotate") == [newer.memory.id, older.memory.id]


def test_of_two_superseding_memories_the_stronger_link_counts(holdfast: Holdfast) -> None:
    older = said(holdfast, "Tokens rotate hourly.")
    weak, strong = said(holdfast, "Tokens stay for a day."), said(holdfast, "Sessions are gone.")
    for newer, score in ((weak, 0.2), (strong, 0.9)):
        holdfast.memories.link(
            Link(src=newer.memory.id, dst=older.memory.id, kind=LinkKind.SUPERSEDES, score=score)
        )

    assert item(holdfast, older, "tokens rotate").superseded_by == strong.memory.id


@requirement("recall.amended-marked")
def test_a_superseding_memory_outside_the_question_still_marks_the_older_one(
    holdfast: Holdfast,
) -> None:
    older = said(holdfast, "Tokens rotate hourly.", kind=Kind.RULE)
    newer = said(holdfast, "From May on, tokens stay for a day.")
    linked(holdfast, newer, older, LinkKind.SUPERSEDES)

    (only,) = asked(holdfast, "tokens", kinds=(Kind.RULE,)).bundle.items

    assert (only.memory_id, only.superseded_by) == (older.memory.id, newer.memory.id)


@requirement("mcp.agents-only-propose")
def test_a_proposal_does_not_supersede_what_is_known(holdfast: Holdfast) -> None:
    known = said(holdfast, "Tokens rotate hourly.")
    candidate = proposed(holdfast, "From May on, tokens stay for a day.")
    linked(holdfast, candidate, known, LinkKind.SUPERSEDES)

    assert item(holdfast, known, "tokens").superseded_by is None


@requirement("recall.reasons-shown")
def test_every_item_says_where_it_stood_after_each_stage(holdfast: Holdfast) -> None:
    for number in range(3):
        said(holdfast, f"Tokens of service {number} rotate.")

    bundle = asked(holdfast, limit=2).bundle

    ranks = [one.ranks for one in bundle.items] + [one.ranks for one in bundle.left_out]
    stages = {tuple(rank.stage for rank in own) for own in ranks}
    assert stages == {("words and meaning", "names and links", "context")}


@requirement("bundle.left-out-explained")
def test_what_was_left_out_says_who_stood_before_it(holdfast: Holdfast) -> None:
    kept = [said(holdfast, f"Tokens {name}.").memory.id for name in ("alpha", "beta", "gamma")]
    kept += [said(holdfast, f"Tokens {name}.").memory.id for name in ("delta", "eta", "zeta")]
    bundle = asked(holdfast, limit=5).bundle

    inside = holdfast.memories.explain_in_bundle(bundle.id, kept[0])
    outside = holdfast.memories.explain_in_bundle(bundle.id, kept[5])

    assert inside.displaced_by == ()
    assert [MemoryId(one.memory_id) for one in outside.displaced_by] == kept[2:5]


def test_the_names_in_code_vouch_for_nobody(holdfast: Holdfast) -> None:
    reading = replace(holdfast, embedder=SmallReader())
    said(reading, "Ledger\nThe book of accounts.")
    code = said(reading, "def rotate(token):\n    return Ledger(token)\n")

    found = [asked(reading, "rotate a token"), asked(reading, "which code does rotate a token")]

    assert all(one.bundle.items[0].memory_id == code.memory.id for one in found)
    assert all("link" not in legs(one) for answer in found for one in answer.bundle.items)
