"""The frequency of words in this store, so that a search need not visit every memory."""

from __future__ import annotations

import threading
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import apsw

from holdfast.adapters.sqlite.database.rows import as_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from holdfast.adapters.sqlite.database.work import Work

# The tokenizer that the table memory_fts was created with.
_TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2"])
_MEASURED_AT = "common_terms_measured_at"
_FIRST_MEASURED_AT = 1_000
_SAMPLE = 2_000
_WORTH_NOTING = 0.002
_GROWTH = 2


class Term(NamedTuple):
    """A search term: quoted, so that it cannot be query syntax, and as tokens."""

    quoted: str
    tokens: tuple[str, ...]
    share: float = 0.0


_of_thread = threading.local()


def tokenizer() -> apsw.Connection:
    """Return this thread's connection without a file, for a store that only needs the tokenizer."""
    if not hasattr(_of_thread, "connection"):
        _of_thread.connection = apsw.Connection(":memory:")
    opened: apsw.Connection = _of_thread.connection
    return opened


def tokens_of(texts: Iterable[str], connection: apsw.Connection) -> list[tuple[str, ...]]:
    """Return the tokens of each text as the index makes them: stems, folded, without accents."""
    tokenize = connection.fts5_tokenizer(*_TOKENIZER)
    return [
        tuple(
            map(
                str,
                tokenize(
                    text.encode("utf-8", "ignore"),
                    apsw.FTS5_TOKENIZE_DOCUMENT,
                    None,
                    include_offsets=False,
                    include_colocated=False,
                ),
            )
        )
        for text in texts
    ]


def terms_by_rarity(texts: Sequence[str], work: Work) -> list[Term]:
    """Return the terms, rarest first; texts with equal tokens give one term."""
    return terms_by_rarity_each([texts], work)[0]


def terms_by_rarity_each(questions: Sequence[Sequence[str]], work: Work) -> list[list[Term]]:
    """Return the terms of each question, rarest first; one statement reads all frequencies."""
    found = [_by_tokens(texts, work) for texts in questions]
    shares = _shares({token for some in found for tokens in some for token in tokens}, work)
    return [sorted(_terms(some, shares), key=lambda term: term.share) for some in found]


def quoted_phrases(texts: Iterable[str], work: Work) -> dict[str, str]:
    """Return each text that has words, quoted, so that it cannot be query syntax."""
    clean = {text: text.replace("\0", " ").encode("utf-8", "ignore").decode() for text in texts}
    found = zip(clean.items(), tokens_of(clean.values(), work.connection), strict=True)
    return {text: _quoted(plain) for (text, plain), tokens in found if tokens}


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _by_tokens(texts: Sequence[str], work: Work) -> dict[tuple[str, ...], str]:
    clean = [text.replace("\0", " ").encode("utf-8", "ignore").decode() for text in texts]
    found: dict[tuple[str, ...], str] = {}
    for text, tokens in zip(clean, tokens_of(clean, work.connection), strict=True):
        if tokens:
            found.setdefault(tokens, text)
    return found


def _terms(found: Mapping[tuple[str, ...], str], shares: Mapping[str, float]) -> Iterator[Term]:
    for tokens, text in found.items():
        quoted = _quoted(text)
        share = min(shares.get(token, 0.0) for token in tokens)
        yield Term(quoted=quoted, tokens=tokens, share=share)


def measuring_is_due(work: Work, last_sequence: int) -> bool:
    """Return whether the number of memories has doubled since the last measurement."""
    if last_sequence < _FIRST_MEASURED_AT:
        return False
    return last_sequence >= _GROWTH * measured_at(work)


def measured_at(work: Work) -> int:
    """Return the number of memories at the last measurement."""
    return int(work.meta(_MEASURED_AT) or 0)


def measure_if_due(work: Work) -> None:
    """Measure word frequencies each time the number of memories has doubled."""
    last = work.last_added
    if last is not None and measuring_is_due(work, last):
        measure(work, last)


def measure(work: Work, last_sequence: int) -> None:
    """Measure word frequencies on a sample from the whole history."""
    rows = work.rows("sample_texts", {"last": last_sequence, "size": _SAMPLE})
    texts = (" ".join(part for part in row if part) for row in rows)
    counts = Counter(token for tokens in tokens_of(texts, work.connection) for token in set(tokens))
    work.run("drop_common_terms")
    for token, count in sorted(counts.items()):
        if count >= max(2, _WORTH_NOTING * len(rows)):
            work.run("add_common_term", token, count / len(rows))
    work.set_meta(_MEASURED_AT, str(last_sequence))


def _shares(tokens: set[str], work: Work) -> dict[str, float]:
    # Before the first measurement no frequency is stored.
    if not tokens or work.next_sequence() <= _FIRST_MEASURED_AT:
        return {}
    known = {} if work.may_write else work.shares
    if fresh := tokens - known.keys():
        rows = work.rows("shares_of", (as_json(sorted(fresh)),))
        known |= dict.fromkeys(fresh, 0.0) | {term: share for term, share in rows}
    return known
