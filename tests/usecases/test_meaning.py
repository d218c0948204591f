"""Recall by meaning: what words miss, and what happens where there is no model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from holdfast.adapters.inmemory.finding import InMemoryMeaning
from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.choices import Kind, Retrieval, Scope
from holdfast.domain.lookup_errors import NoModelError
from holdfast.domain.recall.finding import EmbeddingModel, NearHits
from holdfast.domain.recall.question import Question
from holdfast.usecases.recall.recalled_memories import NOT_CAUGHT_UP
from tests.builders import WordCounter
from tests.contract.steps import said_nothing
from tests.requirements import requirement
from tests.usecases.reading import SmallReader
from tests.usecases.test_recall import read_only
from tests.usecases.wishes import asked, given, said

PARAPHRASE = "Which credentials get renewed?"
NO_MODEL = "searched by words only: no embedding model is in use"


@pytest.fixture
def reader() -> SmallReader:
    return SmallReader()


@pytest.fixture
def reading(holdfast: Holdfast, reader: SmallReader) -> Holdfast:
    """The same memory, with a model."""
    return replace(holdfast, embedder=reader)


def models(store: InMemoryStore) -> dict[str, int]:
    with store.reading() as tx:
        return {use.model.name: use.memories for use in tx.finding.meaning.models()}


def test_meaning_finds_what_words_miss_and_says_how(reading: Holdfast, holdfast: Holdfast) -> None:
    said(reading, "Lunch is served from noon.")
    wanted = said(reading, "Tokens rotate.")

    found = asked(reading, PARAPHRASE).bundle

    assert found.items[0].memory_id == wanted.memory.id
    legs = {reason.leg: reason for reason in found.items[0].reasons}
    assert legs["meaning"].amount > 0
    assert legs["meaning"].note.startswith("cosine ")
    assert "words" not in legs
    assert found.notes == ()
    assert given(holdfast, PARAPHRASE) == []


def test_words_and_meaning_together_beat_either(reading: Holdfast) -> None:
    by_words = said(reading, "Credentials of visitors are paper badges.")
    by_both = said(reading, "Credentials in the form of tokens rotate.")
    by_meaning = said(reading, "Tokens rotate.")

    bundle = asked(reading, PARAPHRASE).bundle

    order = [item.memory_id for item in bundle.items]
    order += [left.memory_id for left in bundle.left_out]
    assert order == [by_both.memory.id, by_meaning.memory.id, by_words.memory.id]


@requirement("recall.words-by-what-they-tell")
def test_one_shared_word_does_not_lift_a_memory_above_one_that_means_the_question(
    reading: Holdfast,
) -> None:
    said(reading, "Visitors park here.")
    meant = said(reading, "Tokens rotate when the night shift of the gateway begins.")

    found = asked(reading, "Which credentials of visitors get renewed?").bundle

    assert found.items[0].memory_id == meant.memory.id


def let_searches_say(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    """Change what every search by meaning says about what it found."""
    exactly = InMemoryMeaning.search

    def changed(*words: Any, **options: Any) -> NearHits:
        return replace(exactly(*words, **options), **changes)

    monkeypatch.setattr(InMemoryMeaning, "search", changed)


@requirement("meaning.inexact-is-said")
def test_a_search_that_was_not_exact_is_said_in_the_answer(
    reading: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    said(reading, "Tokens rotate.")
    assert asked(reading, PARAPHRASE).bundle.notes == ()
    let_searches_say(monkeypatch, is_exact=False)

    notes = asked(reading, PARAPHRASE).bundle.notes

    assert notes == ("the search by meaning was approximate: a better match may be missing",)


def test_a_key_is_read_with_its_claim(reading: Holdfast, reader: SmallReader) -> None:
    said(reading, "Every hour.", key="token-rotation")

    asked(reading)

    assert reader.texts == ["token-rotation: Every hour."]


@requirement("meaning.optional")
def test_without_a_model_words_answer_and_a_note_says_how_to_get_one(holdfast: Holdfast) -> None:
    kept = said(holdfast)

    recalled = asked(holdfast)

    assert [item.memory_id for item in recalled.bundle.items] == [kept.memory.id]
    assert f"note: {NO_MODEL}" in recalled.markdown()


@requirement("meaning.optional")
def test_who_wants_words_gets_words_no_note_and_no_model_is_asked(
    reading: Holdfast, reader: SmallReader, store: InMemoryStore
) -> None:
    kept = said(reading)
    by_words = replace(reading, retrieval=Retrieval.WORDS)

    bundle = asked(by_words).bundle

    assert [item.memory_id for item in bundle.items] == [kept.memory.id]
    assert bundle.notes == ()
    assert given(by_words, PARAPHRASE) == []
    assert (reader.questions, reader.texts, models(store)) == ([], [], {})


@requirement("meaning.optional")
@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (SmallReader(is_deaf=True), "The model does not answer. Try again later."),
        (SmallReader(is_blind=True), "The model is torn. Install it again."),
    ],
)
def test_with_a_broken_model_words_answer_and_the_note_says_what_to_do(
    holdfast: Holdfast, broken: SmallReader, why: str
) -> None:
    kept = said(holdfast)

    bundle = asked(replace(holdfast, embedder=broken)).bundle

    assert [item.memory_id for item in bundle.items] == [kept.memory.id]
    assert bundle.notes == (f"searched by words only: {why}",)
    assert all(reason.leg != "meaning" for reason in bundle.items[0].reasons)


@requirement("plugins.failure-stops-no-recall")
def test_a_chosen_model_that_cannot_be_opened_is_named_in_a_note(
    holdfast: Holdfast, reader: SmallReader
) -> None:
    kept = said(holdfast, "Tokens rotate.")
    without = replace(holdfast, broken_model="The embedder 'ours' is ill.")

    by_words = asked(without, "tokens").bundle
    by_another = asked(replace(without, older_embedders=(reader,)), PARAPHRASE).bundle

    assert by_words.notes == ("searched by words only: The embedder 'ours' is ill.",)
    assert [item.memory_id for item in by_another.items] == [kept.memory.id]
    assert by_another.notes == ("searched with another model: The embedder 'ours' is ill.",)


@requirement("plugins.failure-stops-no-recall")
def test_a_model_that_changes_its_size_leaves_recall_to_the_words(
    holdfast: Holdfast, reader: SmallReader
) -> None:
    class Larger(SmallReader):
        @property
        def model(self) -> EmbeddingModel:
            """The same name, and another size."""
            return EmbeddingModel(name=self.name, dimension=7)

    kept = said(holdfast, "Tokens rotate.")
    replace(holdfast, embedder=reader).upkeep.catch_up(said_nothing)
    newer = said(holdfast, "Tokens expire.")

    bundle = asked(replace(holdfast, embedder=Larger()), "tokens").bundle

    assert {item.memory_id for item in bundle.items} == {kept.memory.id, newer.memory.id}
    assert any(note.startswith("searched by words only: ") for note in bundle.notes)
    assert all(reason.leg != "meaning" for item in bundle.items for reason in item.reasons)


def test_a_note_about_the_search_by_meaning_is_in_the_answer(
    reading: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    said(reading, "Tokens rotate.")
    let_searches_say(monkeypatch, note="the index was replaced")

    assert asked(reading, PARAPHRASE).bundle.notes == ("the index was replaced",)


def test_a_few_memories_are_read_on_the_way_and_many_are_left_to_a_catch_up(
    reading: Holdfast, reader: SmallReader, store: InMemoryStore
) -> None:
    for number in range(70):
        said(reading, f"Service {number} has a token.")

    early = asked(reading).bundle
    read_at_first = len(reader.texts)
    caught = reading.upkeep.catch_up(said_nothing)
    late = asked(reading).bundle

    assert 0 < read_at_first < 70
    assert any("have no embedding yet" in note for note in early.notes)
    assert read_at_first + caught == 70 == len(set(reader.texts)) == len(reader.texts)
    assert late.notes == ()
    assert models(store) == {"small": 70}


@requirement("store.read-only-explained")
def test_a_read_only_store_is_searched_by_the_vectors_it_has(
    reading: Holdfast, store: InMemoryStore
) -> None:
    known = said(reading, "Tokens rotate.")
    asked(reading)
    said(reading, "Lunch is served from noon.")

    bundle = asked(read_only(reading, store), PARAPHRASE).bundle

    assert [item.memory_id for item in bundle.items] == [known.memory.id]
    assert models(store) == {"small": 1}
    assert NOT_CAUGHT_UP in bundle.notes
    assert "this bundle was not stored" in bundle.notes[-1]


@requirement("meaning.models-never-meet")
def test_after_a_change_of_model_the_old_one_answers_until_the_new_one_has_caught_up(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    old, new = SmallReader(name="old"), SmallReader(name="new")
    for number in range(40):
        said(holdfast, f"Service {number} has a token.")
    replace(holdfast, embedder=old).upkeep.catch_up(said_nothing)
    changed = replace(holdfast, embedder=new, older_embedders=(old,))

    before = asked(changed).bundle
    asked_at_first = (len(old.questions), len(new.questions))
    changed.upkeep.catch_up(said_nothing)
    after = asked(changed).bundle

    assert asked_at_first == (1, 0)
    assert (len(old.questions), len(new.questions)) == (1, 1)
    assert [item.memory_id for item in before.items] == [item.memory_id for item in after.items]
    assert models(store) == {"new": 40, "old": 40}


@requirement("meaning.models-never-meet")
def test_vectors_of_a_model_that_is_gone_are_not_asked(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    wanted = said(holdfast, "Tokens rotate.")
    replace(holdfast, embedder=SmallReader(name="old")).upkeep.catch_up(said_nothing)
    new = SmallReader(name="new")

    assert given(replace(holdfast, embedder=new), PARAPHRASE) == [wanted.memory.id]
    assert models(store) == {"new": 1, "old": 1}


def test_kinds_scopes_and_tags_restrict_meaning_too(reading: Holdfast) -> None:
    said(reading, "Tokens rotate hourly.")
    rule = said(reading, "Tokens must rotate.", kind=Kind.RULE, tags=("auth",))
    everywhere = said(reading, "Tokens rotate wherever.", scope=Scope.GLOBAL)

    assert given(reading, PARAPHRASE, kinds=(Kind.RULE,)) == [rule.memory.id]
    assert given(reading, PARAPHRASE, tags=("auth",)) == [rule.memory.id]
    assert given(reading, PARAPHRASE, scopes=(Scope.GLOBAL,)) == [everywhere.memory.id]


@requirement("bundle.never-over-budget")
def test_an_answer_by_meaning_keeps_its_limit_and_its_budget(reading: Holdfast) -> None:
    for number in range(30):
        said(reading, f"Service {number} has a token.")

    few = asked(reading, PARAPHRASE, limit=1).bundle
    tight = asked(reading, PARAPHRASE, budget=120)

    assert len(few.items) == 1
    assert WordCounter().count(tight.markdown()) == tight.bundle.tokens <= 120


@requirement("recall.bad-question-answered")
@requirement("recall.query-is-never-syntax")
@pytest.mark.parametrize(
    "question",
    [
        "",
        " \n ",
        "the of and a to in is",
        "🙂🚀",
        "def rotate(token):\n    return sign(token)\n",
        "Wie oft drehen die Schlüssel?",
        "令牌多久轮换一次？",
        "كم مرة يتم تدوير الرموز",
        'tokens AND NOT (hourly OR "NEAR(x, 5)',
        "claim:tokens^2 * -hourly",
        "tokens " + "filler " * 14_285,
        "Token " * 1_000,
        "\u0301\u200d",
    ],
)
def test_any_question_gets_an_answer_with_a_model_too(reading: Holdfast, question: str) -> None:
    said(reading)
    said(reading, "def rotate(token):\n    return sign(token)\n")

    bundle = asked(reading, question).bundle

    assert reading.memories.show(bundle.id) == bundle
    assert len(bundle.items) + len(bundle.left_out) <= 2


def test_a_question_about_code_is_weighed_by_what_the_code_does(reading: Holdfast) -> None:
    def share_of_meaning(claim: str) -> float:
        kept = said(reading, claim)
        (item,) = asked(reading, claim, limit=1).bundle.items
        assert item.memory_id == kept.memory.id
        return {reason.leg: reason.amount for reason in item.reasons}["meaning"]

    prose = share_of_meaning("Whoever signs a token may rotate it.")
    code = share_of_meaning("def walk(tree):\n    return [walk(leaf) for leaf in tree]\n")

    assert code > prose


@requirement("bundle.replayable")
def test_a_bundle_found_by_meaning_is_found_again(reading: Holdfast) -> None:
    said(reading, "Tokens rotate.")
    bundle = asked(reading, PARAPHRASE).bundle

    assert bundle.items
    assert reading.answers.replay(bundle.id).is_same


def test_an_answer_without_a_trace_keeps_no_bundle_and_counts_nothing(
    reading: Holdfast, store: InMemoryStore
) -> None:
    kept = said(reading)
    reading.upkeep.catch_up(said_nothing)
    before = repr(store)

    bundle = reading.answers.answer(Question(text="tokens")).bundle

    assert [item.memory_id for item in bundle.items] == [kept.memory.id]
    assert repr(store) == before


@requirement("meaning.optional")
def test_a_catch_up_without_a_model_says_how_to_get_one(holdfast: Holdfast) -> None:
    with pytest.raises(NoModelError, match="Install a model"):
        holdfast.upkeep.catch_up(said_nothing)
