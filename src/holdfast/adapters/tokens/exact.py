"""Counts tokens exactly with a public vocabulary from the splintr wheel; needs no network."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache, cached_property, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from splintr import AnyTokenizer

    from holdfast.adapters.tokens.table import TokenTable

_VOCABULARY = "cl100k_base"
_TOKENS = 100_256
_TOKEN_BYTES = 4
_KNOWN_STRETCHES = 4_096
_LONGEST_KNOWN = 2_000
_FEW_COUNTS = 256  # who counts more stays long enough for a slow start and quick counts


def is_installed() -> bool:
    """Return whether the vocabulary is installed (``pip install 'holdfast[tokens]'``)."""
    return find_spec("splintr") is not None


@cache
def tokenizer() -> AnyTokenizer:
    """Return the tokenizer itself, loaded once in a process."""
    import splintr

    return splintr.Tokenizer.from_pretrained(_VOCABULARY)


class ExactTokens:
    """Counts with the cl100k vocabulary.

    To load the tokenizer costs a tenth of a second of CPU. Where there is a folder for it, a
    table of the vocabulary is kept there, and whoever counts a few texts reads that instead.
    """

    name = _VOCABULARY

    def __init__(self, folder: Path | None = None) -> None:
        self._path = None if folder is None else folder / f"{_VOCABULARY}.tokens"
        self._counts = 0
        self._known = lru_cache(maxsize=_KNOWN_STRETCHES)(self._counted)

    def count(self, text: str) -> int:
        """Return how many tokens that vocabulary makes of the text.

        By stretches, for the lines of an answer come back: in the whole of it, and in the next.
        """
        self._counts += 1
        return sum(
            [
                self._known(part) if len(part) <= _LONGEST_KNOWN else self._counted(part)
                for part in stretches(text)
            ]
        )

    def _counted(self, part: str) -> int:
        is_loaded = tokenizer.cache_info().currsize
        if not is_loaded and self._counts <= _FEW_COUNTS and self._table is not None:
            known = self._table.count(part)
            if known is not None:
                return known
        # As bytes, four for each token: a list of numbers costs more to make than to count.
        return len(tokenizer().encode_flat(part)) // _TOKEN_BYTES

    @cached_property
    def _table(self) -> TokenTable | None:
        """Return the table; whoever finds none makes it for those who come later."""
        if self._path is None:
            return None
        from holdfast.adapters.disk.whole import read_plain
        from holdfast.adapters.tokens.table import TokenTable

        try:
            table = TokenTable.read(read_plain(self._path))
        except OSError:
            table = None
        if table is None:
            self._keep_table(self._path)
        return table

    def _keep_table(self, path: Path) -> None:
        """Make the table, where it can be kept at all."""
        from holdfast.adapters.disk.whole import make_own_folder, write_whole
        from holdfast.adapters.tokens.table import as_table

        with suppress(OSError):
            make_own_folder(path.parent)
            if os.access(path.parent, os.W_OK):
                token = tokenizer().decode_token_bytes
                content = as_table(token(rank) for rank in range(_TOKENS))
                write_whole(path, content, durable=False)


def stretches(text: str) -> list[str]:
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
