"""Score source files against a question: BM25 over words, plus amounts for explicit mentions."""

from __future__ import annotations

from collections import Counter
from math import exp, log1p
from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.recall.bundle import Reason
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_SATURATION = 1.2
_LENGTH = 0.75
_REPEATED = 4.0
_TELLS_ENOUGH = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeWeights:
    """The weights of the code ranking, measured with ``python -m benchmarks.code_search``.

    The first four divide the score for words. Test files score less for words, because a test
    repeats the words of the code it tests. The others are the amounts for explicit mentions. The
    last two weigh the likeness of a symbol, for its file and for its lines; they were fitted on
    functions of CoSQA's development half (decision 117).
    """

    whole: float = 0.36
    best: float = 0.34
    second: float = 0.16
    third: float = 0.14
    title_words: float = 2.0
    code_words: float = 0.4
    a_test: float = 0.75
    path_words: float = 0.20
    path_in_title: float = 0.02
    path: float = 0.30
    module: float = 0.10
    title_symbol: float = 0.20
    quoted_symbol: float = 0.16
    prose_symbol: float = 0.03
    code_symbol: float = 0.03
    qualified: float = 0.10
    innermost: float = 0.40
    frame: float = 0.05
    calls: float = 0.05
    meaning: float = 3.0
    meaning_of_piece: float = 3.0


class NearSymbol(NamedTuple):
    """A symbol that is near a question by meaning; the likeness is 0 for unrelated texts."""

    file: int
    name: str
    likeness: float


class Posting(NamedTuple):
    """How often a chunk contains a word; ``term`` is the word's index in the question's terms."""

    term: int
    chunk: int
    file: int
    lines: int
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """The total numbers of files, chunks and lines."""

    files: int
    chunks: int
    lines: int


@dataclass(slots=True, kw_only=True)
class Ranked:
    """A file while it is being scored, with the parts of its score."""

    reasons: list[Reason] = field(default_factory=list)
    score: float = 0.0

    def add(self, leg: str, amount: float, note: str = "") -> None:
        """Add a part to the score; parts of zero are not recorded."""
        if amount > 0:
            self.reasons.append(Reason(leg=leg, amount=amount, note=note))
            self.score += amount


@dataclass(frozen=True, slots=True, kw_only=True)
class WordScores:
    """The word scores of files and chunks, relative to the best file and the best chunk.

    ``strength`` is the share of the question's word weight that the best file covers.
    """

    files: Mapping[int, float]
    chunks: Mapping[int, float]
    strength: float


def term_weights(
    title: Counter[str], prose: Counter[str], code: Counter[str], weights: CodeWeights
) -> dict[str, float]:
    """Return the weight of each question word; repetitions add less and less."""
    raw: dict[str, float] = {}
    for words, weight in (
        (title, weights.title_words),
        (prose, 1.0),
        (code, weights.code_words),
    ):
        for word, count in words.items():
            raw[word] = raw.get(word, 0.0) + weight * count
    return {
        word: amount * (_REPEATED + 1) / (amount + _REPEATED)
        for word, amount in raw.items()
        if amount > 0
    }


def rarity(spread: float, total: int) -> float:
    """Return the inverse document frequency of a word that ``spread`` of ``total`` units hold."""
    return log1p(max(0.0, total - spread + 0.5) / (spread + 0.5))


def weigh_words(
    postings: Iterable[Posting],
    terms: Sequence[float],
    files: Mapping[int, int],
    size: Size,
    weights: CodeWeights,
) -> WordScores:
    """Return word scores from whole files and their best chunks; ``files`` maps to line counts."""
    in_chunks: dict[tuple[int, int], int] = {}
    in_files: dict[tuple[int, int], int] = {}
    lines: dict[int, int] = {}
    home: dict[int, int] = {}
    for term, chunk, file, length, count in postings:
        in_chunks[chunk, term] = count
        in_files[file, term] = in_files.get((file, term), 0) + count
        lines[chunk] = length
        home[chunk] = file
    chunks = _fit(in_chunks, terms, lines, size.chunks, size.lines)
    whole = _fit(in_files, terms, files, size.files, size.lines)
    best: dict[int, list[float]] = {}
    for chunk in sorted(chunks, key=lambda one: (-chunks[one], one)):
        best.setdefault(home[chunk], []).append(chunks[chunk])
    shares = (weights.best, weights.second, weights.third)
    scores = {
        file: weights.whole * whole[file]
        + sum(share * one for share, one in zip(shares, best[file], strict=False))
        for file in whole
    }
    return WordScores(files=scores, chunks=chunks, strength=_strength(in_files, terms, size.files))


def _fit(
    counts: Mapping[tuple[int, int], int],
    terms: Sequence[float],
    lines: Mapping[int, int],
    total: int,
    all_lines: int,
) -> dict[int, float]:
    """Return each unit's BM25 score relative to the best; its lines are its length."""
    told = _told(counts, terms, total)
    shortest, growing = _SATURATION * (1 - _LENGTH), _SATURATION * _LENGTH * total / all_lines
    scores: dict[int, float] = {}
    for (unit, term), count in counts.items():
        fit = told[term] * count / (count + shortest + growing * lines[unit])
        scores[unit] = scores.get(unit, 0.0) + fit
    most = max(scores.values(), default=0.0)
    return {unit: score / most for unit, score in scores.items()} if most > 0 else {}


def _strength(counts: Mapping[tuple[int, int], int], terms: Sequence[float], total: int) -> float:
    """Return the share of the question that the best file covers; half of it counts as all."""
    told = _told(counts, terms, total)
    held: dict[int, float] = {}
    for file, term in counts:
        held[file] = held.get(file, 0.0) + told[term]
    asked = sum(told)
    return min(1.0, max(held.values()) / asked / _TELLS_ENOUGH) if held and asked > 0 else 0.0


def _told(counts: Iterable[tuple[int, int]], terms: Sequence[float], total: int) -> list[float]:
    """Return the weight of each word: its weight in the question times its rarity."""
    spread = Counter(term for _, term in counts)
    return [weight * rarity(spread[term], total) for term, weight in enumerate(terms)]


def saturated(amount: float) -> float:
    """Return a share between 0 and 1; each further definition adds less than the one before."""
    return 1 - exp(-amount)
