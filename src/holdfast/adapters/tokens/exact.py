"""Counts tokens exactly with a public vocabulary from the splintr wheel; needs no network."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from splintr import AnyTokenizer

_VOCABULARY = "cl100k_base"
_TOKEN_BYTES = 4
_KNOWN_STRETCHES = 16_384
_LONGEST_KNOWN = 2_000


def is_installed() -> bool:
    """Return whether the vocabulary is installed (``pip install 'holdfast[tokens]'``)."""
    return find_spec("splintr") is not None


@cache
def tokenizer() -> AnyTokenizer:
    """Return the tokenizer itself, loaded once in a process: about 40 ms of CPU."""
    import splintr

    return splintr.Tokenizer.from_pretrained(_VOCABULARY)


class ExactTokens:
    """Counts with the cl100k vocabulary."""

    name = _VOCABULARY

    def count(self, text: str) -> int:
        """Return how many tokens that vocabulary makes of the text.

        Lines are counted one by one and kept, because packing counts the lines of an answer
        again with the whole answer, and the next answer repeats some of them.
        """
        return sum(
            [
                _known(part) if len(part) <= _LONGEST_KNOWN else _counted(part)
                for part in commit_ranges(text)
            ]
        )


def _counted(part: str) -> int:
    # As bytes, four for each token: a list of numbers costs more to make than to count.
    return len(tokenizer().encode_flat(part)) // _TOKEN_BYTES


_known = lru_cache(maxsize=_KNOWN_STRETCHES)(_counted)


def commit_ranges(text: str) -> list[str]:
    """Return the lines of a text, split where no token of this vocabulary crosses the border.

    A token may hold the end of a line and blank lines after it, but no other part of the next line.
    So the text is split before a line that is not blank, indented or not.
    """
    found: list[str] = []
    part, *lines = text.split("\n")
    for line in lines:
        first = line.lstrip(" ")[:1]
        if first and not first.isspace():
            found.append(f"{part}\n")
            part = line
        else:
            part = f"{part}\n{line}"
    found.append(part)
    return found
