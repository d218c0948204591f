from __future__ import annotations

import pytest

from holdfast.adapters.embedding.wordpiece import WordPieces
from holdfast.domain.recall.certainty import ComparedWords
from holdfast.domain.recall.finding import TermCounts
from holdfast.domain.recall.question import terms_of
from holdfast.domain.recall.relevance import asked_words, subject_of, telling_terms
from holdfast.domain.text.languages import FUNCTION_WORDS_OF, function_words_in, is_in, language_of
from tests.builders import a_memory, a_record
from tests.requirements import requirement


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wann verschicken wir die Rechnungen?", "de"),
        ("Warum schnurren Katzen?", "de"),
        ("Où se trouve le serveur ?", "fr"),
        ("Pourquoi les chats ronronnent-ils ?", "fr"),
        ("¿Usamos tabuladores para esto?", "es"),
        ("Dove si trova il server?", "it"),
        ("Waar staat de server?", "nl"),
        ("Onde fica o servidor?", "pt"),
        ("Where is the server?", ""),
        ("Which playwright lived longer, Edward Albee or J. M. Barrie?", ""),
        ("python remove non printing characters", ""),
        ("compute l2 norm in python", ""),
        ("What was in the die cast son of a gun?", ""),
        ("deploy café", ""),
        ("", ""),
    ],
)
def test_a_language_is_recognised_by_its_function_words(text: str, language: str) -> None:
    assert language_of(text) == language
    assert function_words_in(text) == FUNCTION_WORDS_OF.get(language, frozenset())


def test_a_memory_may_be_of_a_language_by_one_word() -> None:
    assert is_in("fr", "Catherine s'occupe des rapports d'erreur.")
    assert not is_in("fr", "Catherine writes the reports.")
    assert not is_in("de", "The die is in the box.")


@requirement("recall.silent-in-other-languages")
@pytest.mark.parametrize("language", sorted(FUNCTION_WORDS_OF))
@pytest.mark.parametrize(
    "claim",
    [
        "Jenkins was abandoned.",
        "CPython 3.10 is supported.",
        "We use Poetry.",
        "Redis was chosen for sessions in 2021.",
        "Don't rely on Katrin's laptop.",
        "S3 stores builds of release C.",
        "Ten workers per node open the door.",
    ],
)
def test_words_that_english_has_too_prove_no_other_language(language: str, claim: str) -> None:
    assert not is_in(language, claim)


@pytest.mark.parametrize(
    ("language", "claim"),
    [("de", "Katrin war in Hamburg."), ("fr", "L'API répond."), ("it", "Redis è lento.")],
)
def test_a_short_claim_of_a_language_is_of_that_language(language: str, claim: str) -> None:
    assert is_in(language, claim)


def test_function_words_of_a_language_are_no_content() -> None:
    text = "Wann verschicken wir die Rechnungen?"

    assert asked_words(terms_of(text), text) == ("verschicken", "rechnungen")
    assert telling_terms(text) == ("verschicken", "rechnungen")
    assert asked_words(terms_of("was ist das"), "was ist das") == ("ist", "das")


@pytest.mark.parametrize(("claim", "is_higher"), [("Das ist der Server.", True), ("Wash", False)])
def test_likeness_needs_more_where_neither_text_is_english(claim: str, *, is_higher: bool) -> None:
    text = "Wie backe ich einen Kuchen?"
    counts = TermCounts(holding={}, memories=3, reaching=3)
    record = a_record(a_memory(claim=claim))

    english = ComparedWords(subject_of(("backe",), counts))
    foreign = ComparedWords(subject_of(("backe",), counts, text=text, foreign=0.4))

    plain = english.tie(record, cosine=0.5, unrelated=0.1)
    tie = foreign.tie(record, cosine=0.5, unrelated=0.1)
    assert (tie.amount < plain.amount) is is_higher


def test_only_an_english_vocabulary_takes_other_languages_for_similar() -> None:
    small = WordPieces({"[CLS]": 0, "[SEP]": 1, "[UNK]": 2})
    large = WordPieces({"[CLS]": 0, "[SEP]": 1, "[UNK]": 2, **{str(n): n for n in range(40_000)}})

    assert small.foreign(0.5) == pytest.approx(0.7)
    assert large.foreign(0.5) is None
