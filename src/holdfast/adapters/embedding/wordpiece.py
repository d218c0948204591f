"""The WordPiece tokenizer of BERT's uncased models.

It is implemented here because loading a tokenizer library would cost more than embedding a
question.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.errors import ModelBrokenError
from holdfast.domain.errors import NoMeaningError
from holdfast.domain.text.languages import LATIN_ONLY

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

_LONGEST_WORD = 100
_ENGLISH = 31_000  # BERT's English vocabulary has 30,522 tokens; those of many languages 100,000
_READ_FOR_SCRIPT = 1_000
_FOREIGN = 0.4
_AFTER_LATIN = "\u0250"
_MOST_WORDS_KEPT = 50_000
_FIRST, _LAST, _UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
_REPLACEMENT = 0xFFFD
_ASCII_MARKS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
# The ranges of ideographs, each of which is a separate word.
_IDEOGRAPHS = (
    range(0x4E00, 0xA000),
    range(0x3400, 0x4DC0),
    range(0x20000, 0x2A6E0),
    range(0x2A700, 0x2B740),
    range(0x2B740, 0x2B820),
    range(0x2B920, 0x2CEB0),
    range(0xF900, 0xFB00),
    range(0x2F800, 0x2FA20),
)


class WordPieces:
    """Splits texts into tokens of a vocabulary; words are cached."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self.first, self.last = vocabulary[_FIRST], vocabulary[_LAST]
        self._unknown = vocabulary[_UNKNOWN]
        self._vocabulary = vocabulary
        self._known: dict[str, tuple[int, ...]] = {}

    @classmethod
    def read(cls, path: Path) -> WordPieces:
        """Read a vocabulary, one token per line.

        Raises:
            ModelBrokenError: The file cannot be read or is no such vocabulary.
        """
        try:
            pieces = path.read_text(encoding="utf-8").split("\n")
            return cls(dict(zip(pieces, range(len(pieces)), strict=True)))
        except (OSError, UnicodeDecodeError, KeyError) as error:
            problem = f"its vocabulary {path} cannot be read"
            raise ModelBrokenError(name=path.parent.name, problem=problem) from error

    def refuse_unread(self, text: str) -> None:
        """Refuse a text whose letters are mostly not Latin, if the vocabulary is the English one.

        Such a vocabulary cuts other scripts into single letters, whose vectors mean nothing.

        Raises:
            NoMeaningError: The model cannot read the text.
        """
        if len(self._vocabulary) > _ENGLISH or text.isascii():
            return
        letters = [letter for letter in text[:_READ_FOR_SCRIPT] if letter.isalpha()]
        latin = sum(letter < _AFTER_LATIN for letter in letters)
        if 2 * latin < len(letters):
            raise NoMeaningError(LATIN_ONLY)

    def foreign(self, unrelated: float) -> float | None:
        """Return the cosine of unrelated texts of one other language; None if it is no other one.

        An English vocabulary cuts their words into few and short pieces, which all such texts
        share.
        """
        if len(self._vocabulary) > _ENGLISH:
            return None
        return unrelated + _FOREIGN * (1.0 - unrelated)

    def pieces(self, text: str) -> list[int]:
        """Return the token ids of a text."""
        found: list[int] = []
        for word in words(text):
            numbers = self._known.get(word)
            if numbers is None:
                numbers = self._cut(word)
                if len(self._known) >= _MOST_WORDS_KEPT:
                    self._known.clear()
                self._known[word] = numbers
            found += numbers
        return found

    def _cut(self, word: str) -> tuple[int, ...]:
        """Return the longest tokens, from the left; a word that cannot be split is unknown."""
        if len(word) > _LONGEST_WORD:
            return (self._unknown,)
        numbers: list[int] = []
        start, prefix = 0, ""
        while start < len(word):
            end = len(word)
            while end > start and prefix + word[start:end] not in self._vocabulary:
                end -= 1
            if end == start:
                return (self._unknown,)
            numbers.append(self._vocabulary[prefix + word[start:end]])
            start, prefix = end, "##"
        return tuple(numbers)


def windows(pieces: Sequence[int], *, room: int, most: int) -> list[Sequence[int]]:
    """Return the tokens in even windows that fit the room, at most ``most`` windows."""
    many = min(most, max(1, -(-len(pieces) // room)))
    length = min(room, max(1, -(-len(pieces) // many)))
    return [pieces[start : start + length] for start in range(0, length * many, length)]


def words(text: str) -> list[str]:
    """Return the words and the punctuation of a text: in lower case, without accents."""
    if not text.isascii():
        text = unicodedata.normalize("NFD", text.translate(_cleaned))
    return text.translate(_parted).split()


class _Signs(dict[int, str | None]):
    """A translation table of characters, filled on first use."""

    def __init__(self, becomes: Callable[[str], str | None]) -> None:
        super().__init__()
        self._becomes = becomes

    def __missing__(self, code: int) -> str | None:
        self[code] = found = self._becomes(chr(code))
        return found


def _clean(sign: str) -> str | None:
    """Drop invisible characters, normalise spaces, and separate ideographs."""
    if sign in "\t\n\r":
        return " "
    code = ord(sign)
    if code in {0, _REPLACEMENT} or unicodedata.category(sign).startswith("C"):
        return None
    if sign.isspace():
        return " "
    return f" {sign} " if any(code in block for block in _IDEOGRAPHS) else sign


def _part(sign: str) -> str | None:
    """Drop accents, convert to lower case, and separate punctuation."""
    category = unicodedata.category(sign)
    if sign in "\t\n\r ":
        return " "
    if category == "Mn" or category.startswith("C"):
        return None
    if sign in _ASCII_MARKS or category.startswith("P"):
        return f" {sign} "
    return sign.lower()


_cleaned, _parted = _Signs(_clean), _Signs(_part)
