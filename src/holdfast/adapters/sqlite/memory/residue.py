"""Removes words from the keyword index so that no byte of them stays.

The index removes a word itself. Its inner nodes also keep prefixes of some words for lookups, and
these stay. A prefix reveals a forgotten word only if no other word has that prefix; then the next
scrub rewrites the index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from holdfast.adapters.sqlite.database.terms import tokens_of

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.work import Work

_RESIDUE = "residue"
_MAIN_INDEX = "0"
_LAST_LETTER = "\U0010ffff"


def remove_words(sequence: int, work: Work) -> None:
    """Remove a memory's words from the index, and note whether prefixes of them stay."""
    row = work.row("text_of", sequence) or ()
    words = {word for tokens in tokens_of(filter(None, row), work.connection) for word in tokens}
    work.changed_words = True
    work.run("unindex_memory", sequence)
    beginnings = {
        cast("bytes", term).decode("utf-8", "ignore").removeprefix(_MAIN_INDEX)
        for (term,) in work.rows("separators")
    }
    suspects = [
        word[:end] for word in words for end in range(1, len(word) + 1) if word[:end] in beginnings
    ]
    if suspects and _belongs_to_nobody(suspects, work):
        work.set_meta(_RESIDUE, "words")


def write_anew_if_needed(work: Work) -> None:
    """Rewrite the index if it keeps prefixes of forgotten words."""
    if work.meta(_RESIDUE) is not None:
        work.run("write_words_anew")
        work.drop_meta(_RESIDUE)


def leaves_residue(work: Work) -> bool:
    """Return whether the index must be rewritten to remove forgotten words completely."""
    return work.meta(_RESIDUE) is not None


def _belongs_to_nobody(beginnings: list[str], work: Work) -> bool:
    work.run("make_vocabulary")
    return any(
        work.row("any_word_between", beginning, beginning + _LAST_LETTER) is None
        for beginning in beginnings
    )
