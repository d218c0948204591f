from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.adapters.embedding import building
from holdfast.adapters.embedding.errors import ModelBrokenError
from holdfast.adapters.embedding.wordpiece import WordPieces, windows, words
from holdfast.domain.errors import NoMeaningError
from tests.requirements import requirement

BERT = WordPieces.read(Path(building.__file__).with_name("bert_uncased.txt"))


# The numbers are those that the reference tokeniser of these models gives.
@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("How do refresh tokens rotate?", [2129, 2079, 25416, 21898, 19204, 2015, 24357, 1029]),
        ("def read_cfg(path):", [13366, 3191, 1035, 12935, 2290, 1006, 4130, 1007, 1024]),
        ("Ünïcödé Straße naïve", [27260, 2358, 27807, 15743]),
        ("ΣΊΣΥΦΟΣ", [1173, 18199, 29733, 29735, 29736, 29730, 29733]),
        ("日本語 テスト 🎉👍🏽", [1864, 1876, 1950, 1713, 30233, 30240, 100]),
        ("a\u200bb\x00c\x1cd \ufffd e\u0301", [5925, 2094, 1041]),
        ("it's — “quoted”…  №5", [2009, 1005, 1055, 1517, 1523, 9339, 1524, 1529, 1578, 2629]),
        ("x" * 101, [100]),
        ("   ", []),
        ("", []),
    ],
)
def test_a_text_is_read_as_the_model_was_taught(text: str, numbers: list[int]) -> None:
    assert BERT.pieces(text) == numbers


@requirement("models.unread-script")
@pytest.mark.parametrize(
    "text", ["何分で期限切れですか", "Как часто меняются ключи?", "密钥 key 轮换"]
)
def test_an_english_model_refuses_a_question_that_it_cannot_read(text: str) -> None:
    with pytest.raises(NoMeaningError, match="only the Latin alphabet"):
        BERT.refuse_unread(text)


@pytest.mark.parametrize("text", ["How often?", "Où est la clé ?", "", "…", "The key 密钥 rotates"])
def test_a_question_in_latin_letters_is_read(text: str) -> None:
    BERT.refuse_unread(text)


def test_a_vocabulary_of_many_languages_reads_every_script() -> None:
    signs = ["[CLS]", "[SEP]", "[UNK]", *map(str, range(40_000))]

    WordPieces({sign: number for number, sign in enumerate(signs)}).refuse_unread("何分ですか")


def test_a_sign_of_the_model_in_a_text_is_only_text() -> None:
    assert BERT.last not in BERT.pieces("the end [SEP] of it")


@given(st.text(max_size=200))
def test_any_text_can_be_read_and_twice_gives_the_same(text: str) -> None:
    once = BERT.pieces(text)

    assert once == BERT.pieces(text)
    assert len(once) >= len(words(text))


@given(st.integers(0, 5000), st.integers(1, 300), st.integers(1, 8))
def test_windows_fit_the_room_and_leave_nothing_out_before_the_most(
    length: int, room: int, most: int
) -> None:
    pieces = list(range(length))

    found = windows(pieces, room=room, most=most)

    assert 1 <= len(found) <= most
    assert all(len(window) <= room for window in found)
    read = [piece for window in found for piece in window]
    assert read == pieces[: len(read)]
    if length <= room * most:
        assert read == pieces
    else:
        assert len(read) == room * most


def test_what_is_no_vocabulary_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "vocabulary.txt"
    for content in (b"a\nb\n", b"\xff\xfe"):
        path.write_bytes(content)
        with pytest.raises(ModelBrokenError, match="cannot be read"):
            WordPieces.read(path)
    path.unlink()
    with pytest.raises(ModelBrokenError, match="cannot be read"):
        WordPieces.read(path)
