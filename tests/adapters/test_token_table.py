from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.adapters.tokens.exact import ExactTokens, is_installed, tokenizer
from holdfast.adapters.tokens.pieces import UnknownTextError, pieces_of
from holdfast.adapters.tokens.table import TokenTable, as_table

pytestmark = pytest.mark.skipif(not is_installed(), reason="needs holdfast[tokens]")

FILE = "cl100k_base.tokens"
SOURCE = Path(__file__).parents[2] / "src" / "holdfast"
SIGNS = "abcXYZ 's'LL'rE 0192 \n\r\t\v.,!?-_éßſ你好·—“\u00a0\u2003\u3000\u0085\u200d٠²½Ⅷ🙂Ω\u0301"


@pytest.fixture(autouse=True)
def _not_loaded() -> None:
    """Begin as a fresh process does: without the tokenizer."""
    tokenizer.cache_clear()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which somebody has counted before."""
    place = tmp_path_factory.mktemp("tokens")
    tokenizer.cache_clear()
    ExactTokens(place).count("a first text makes the table")
    return place


@pytest.fixture(scope="module")
def table(folder: Path) -> TokenTable:
    made = TokenTable.read((folder / FILE).read_bytes())
    assert made is not None
    return made


def counted_by_the_tokenizer(text: str) -> int:
    return len(tokenizer().encode(text))


@given(text=st.text(SIGNS) | st.text(st.characters(codec="utf-8")))
def test_the_table_counts_like_the_tokenizer(table: TokenTable, text: str) -> None:
    counted = table.count(text)

    assert counted is None or counted == counted_by_the_tokenizer(text)


@pytest.mark.parametrize("path", sorted(SOURCE.glob("domain/*.py"))[:20], ids=lambda p: p.name)
def test_the_table_counts_code_like_the_tokenizer(table: TokenTable, path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    assert table.count(text) == counted_by_the_tokenizer(text)


@pytest.mark.parametrize(
    "text",
    ["<|endoftext|>", "it'ſ", "unassigned: \u0378", "x" * 5_000],
    ids=["special", "long s", "unassigned", "one long word"],
)
def test_what_the_table_cannot_tell_the_tokenizer_counts(
    table: TokenTable, folder: Path, text: str
) -> None:
    assert table.count(text) is None
    assert ExactTokens(folder).count(text) == counted_by_the_tokenizer(text)


def test_the_pieces_of_a_text_are_the_text() -> None:
    text = "It's 12345 naïve  lines,\r\n\tand more \n "

    assert "".join(pieces_of(text)) == text


def test_a_special_token_is_not_cut() -> None:
    with pytest.raises(UnknownTextError):
        pieces_of("<|endoftext|>")


def test_a_few_texts_are_counted_without_the_tokenizer(folder: Path) -> None:
    counter = ExactTokens(folder)

    counter.count("The port is 8080.")

    assert tokenizer.cache_info().currsize == 0


def test_who_counts_much_gets_the_tokenizer(folder: Path) -> None:
    counter = ExactTokens(folder)

    counted = {counter.count(f"The port is {port}.") for port in range(8_000, 8_300)}

    assert tokenizer.cache_info().currsize == 1
    assert len(counted) == 1


@pytest.mark.parametrize("kept", [b"", b"x" * 400_000, as_table([b"a"])[:-1] + b"?"])
def test_a_torn_table_is_made_anew(tmp_path: Path, folder: Path, kept: bytes) -> None:
    (tmp_path / FILE).write_bytes(kept)

    counted = ExactTokens(tmp_path).count("The port is 8080.")

    assert counted == ExactTokens(folder).count("The port is 8080.")
    assert (tmp_path / FILE).read_bytes() == (folder / FILE).read_bytes()


def test_a_folder_that_cannot_be_made_costs_nothing_but_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    counter = ExactTokens(tmp_path / "file" / "cache")

    assert counter.count("The port is 8080.") == ExactTokens().count("The port is 8080.")


def test_where_the_tokenizer_is_loaded_already_no_table_is_made(tmp_path: Path) -> None:
    tokenizer()

    assert ExactTokens(tmp_path).count("port 8080") == counted_by_the_tokenizer("port 8080")
    assert list(tmp_path.iterdir()) == []
