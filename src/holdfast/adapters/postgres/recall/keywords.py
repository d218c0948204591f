"""The keyword index: the words of each memory with their places, scored by BM25.

A search has the form of a query for FTS5, which the rules of the embedded store write: blocks that
are joined by AND, each a list of quoted phrases that are joined by OR. The scores are those of FTS5
for the same memories, so that both kinds of store rank in the same way.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from itertools import chain
from math import log
from typing import TYPE_CHECKING, NamedTuple, cast

from holdfast.adapters.sqlite.database.rows import as_json
from holdfast.adapters.sqlite.database.terms import tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from holdfast.adapters.postgres.database.work import PostgresWork, Step, Values
    from holdfast.adapters.sqlite.database.rows import Row, Value

# The weights of claim, key, tags and parts, the same as in the query 'match' of the embedded store.
_FIELDS = (1.0, 2.0, 1.5, 0.5)
_FIELD_BITS = 24
_LONGEST_TERM = 200
_HASH_LETTERS = 32
_SATURATION, _LENGTH_SHARE = 1.2, 0.75
_LEAST_RARITY = 1e-6
_NO_LIMIT = -1
_MOST_PLACES = 500
_FARTHER = 8
_LEXEME = re.compile(r'"((?:[^"]|"")*)"|\b(AND)\b')


class Phrase(NamedTuple):
    """One quoted term of a search: its words, and the block that it belongs to."""

    number: int
    block: int
    words: tuple[str, ...]


class Spread(NamedTuple):
    """How many memories and words the index has, for the parts of BM25 that they decide."""

    memories: int
    usual: float

    def rarity(self, holding: int) -> float:
        """Return the weight of a phrase that so many memories contain."""
        odds = (self.memories - holding + 0.5) / (holding + 0.5)
        return max(log(odds), _LEAST_RARITY) if odds > 0 else _LEAST_RARITY


def index_memory(work: PostgresWork, values: Values) -> list[Row]:
    """Add the words of a memory; the values are its sequence and its four texts."""
    sequence, *texts = cast("tuple[Value, ...]", values)
    weights: dict[str, float] = {}
    places: dict[str, str] = {}
    fields = list(stored_words([str(text or "") for text in texts], work))
    for field, words in enumerate(fields):
        weight = _FIELDS[field]
        for place, word in enumerate(words, start=field << _FIELD_BITS):
            if word in weights:
                weights[word] += weight
                places[word] += f",{place}"
            else:
                weights[word] = weight
                places[word] = str(place)
    count = sum(map(len, fields))
    rows: list[tuple[Value, ...]] = [
        (sequence, count, word, weights[word], f"{{{found}}}") for word, found in places.items()
    ]
    work.run_many("add_term", rows)
    work.run("count_added", sequence, count)
    return []


def match(work: PostgresWork, values: Values) -> list[Row]:
    """Return the best matches of a search with their scores, best first."""
    return _matched(work, values)


def match_helped(work: PostgresWork, values: Values) -> list[Row]:
    """Return the best matches of the first block; the words of the others only help to rank."""
    return _matched(work, values, fewest=1)


def match_newest(work: PostgresWork, values: Values) -> list[Row]:
    """Return the newest matches of a search.

    They are looked for among the newest memories with a word of the first block, then among more.
    """
    asked = cast("Mapping[str, Value]", values)
    blocks = _blocks(str(asked["expression"]), work)
    depth, reach = cast("int", asked["depth"]), cast("int", asked["depth"])
    wanted = _parameters(list(chain(*blocks)), work) | {"blocks": len(blocks), "depth": depth}
    found = work.asked("match_newest_words", wanted | {"reach": reach})
    while len(found) < depth and reach < cast("int", wanted["memories"]):
        reach *= _FARTHER
        found = work.asked("match_newest_words", wanted | {"reach": reach})
    return found


def match_for_each(work: PostgresWork, values: Values) -> list[Row]:
    """Return the best matches of each of several searches, as JSON."""
    return _for_each(work, values, match)


def match_helped_for_each(work: PostgresWork, values: Values) -> list[Row]:
    """Return the best matches of the first block of each of several searches, as JSON."""
    return _for_each(work, values, match_helped)


def match_newest_for_each(work: PostgresWork, values: Values) -> list[Row]:
    """Return the newest matches of each of several searches, as JSON."""
    return _for_each(work, values, match_newest)


def match_each(work: PostgresWork, values: Values) -> list[Row]:
    """Return the matches of each expression by itself, with the place of the expression."""
    (given,) = cast("tuple[str]", values)
    phrases = list(_phrases(_expressions(given), work))
    return work.asked("match_each_word", _parameters(phrases, work)) if phrases else []


def count_matches(work: PostgresWork, values: Values) -> list[Row]:
    """Return how many memories contain each expression; counting of single words may stop early."""
    asked = cast("Mapping[str, Value]", values)
    expressions = _expressions(str(asked["expressions"]))
    phrases = {one.number: one for one in _phrases(expressions, work)}
    single = {one.words[0] for one in phrases.values() if len(one.words) == 1}
    spread = _spread(sorted(single), work, most=cast("int", asked["most"]))
    counts = {
        number: spread[one.words[0]] if len(one.words) == 1 else len(_side_by_side(one, work))
        for number, one in phrases.items()
    }
    return [(text, counts.get(number, 0)) for number, text in enumerate(expressions)]


def mentioning(work: PostgresWork, values: Values) -> list[Row]:
    """Return the memories that contain each expression as a phrase, as JSON.

    Two statements look up all of them. An expression whose words are all very common is left
    unanswered, because reading their places would cost more than such a name is worth.
    """
    asked = cast("Mapping[str, Value]", values)
    expressions = _expressions(str(asked["expressions"]))
    phrases = list(_phrases(expressions, work))
    words = sorted({word for phrase in phrases for word in phrase.words})
    spread = _spread(words, work, most=_MOST_PLACES + 1)
    wanted = [
        {"number": one.number, "rarest": rarest, "terms": sorted(set(one.words))}
        for one in phrases
        if 0 < spread[rarest := min(one.words, key=spread.__getitem__)] <= _MOST_PLACES
    ]
    places: dict[int, dict[int, dict[str, set[int]]]] = {}
    for number, sequence, term, found in work.asked(
        "places_of_phrases", {"phrases": as_json(wanted)}
    ):
        places.setdefault(number, {}).setdefault(sequence, {})[term] = set(found)
    holding = {
        one.number: [
            sequence
            for sequence, at in places.get(one.number, {}).items()
            if len(at) == len(set(one.words)) and _weight(one.words, at)
        ]
        for one in phrases
    }
    return [(number, as_json(holding.get(number, []))) for number in range(len(expressions))]


STEPS: dict[str, Step] = {
    "index_memory": index_memory,
    "match": match,
    "match_helped": match_helped,
    "match_newest": match_newest,
    "match_for_each": match_for_each,
    "match_helped_for_each": match_helped_for_each,
    "match_newest_for_each": match_newest_for_each,
    "match_each": match_each,
    "count_matches": count_matches,
    "mentioning": mentioning,
}
"""The queries about words that need several statements, by name."""


def _matched(work: PostgresWork, values: Values, *, fewest: int | None = None) -> list[Row]:
    asked = cast("Mapping[str, Value]", values)
    blocks = _blocks(str(asked["expression"]), work)
    wanted: dict[str, Value] = {"blocks": fewest or len(blocks), "depth": asked["depth"]}
    query = "match_any_word" if len(blocks) == 1 else "match_words"
    return work.asked(query, _parameters(list(chain(*blocks)), work) | wanted)


def _for_each(work: PostgresWork, values: Values, step: Step) -> list[Row]:
    asked = cast("Mapping[str, Value]", values)
    found = (
        step(work, {"expression": expression, "depth": asked["depth"]})
        for expression in _expressions(str(asked["expressions"]))
    )
    return [(place, as_json([list(row) for row in rows])) for place, rows in enumerate(found)]


def _blocks(expression: str, work: PostgresWork) -> list[list[Phrase]]:
    """Return the phrases of a search in their blocks."""
    blocks: list[list[str]] = [[]]
    for found in _LEXEME.finditer(expression):
        if found[2]:
            blocks.append([])
        else:
            blocks[-1].append(found[0])
    return [list(_phrases(block, work, block=number)) for number, block in enumerate(blocks)]


def _phrases(expressions: list[str], work: PostgresWork, *, block: int = 0) -> Iterator[Phrase]:
    texts = [text[1:-1].replace('""', '"') for text in expressions]
    for number, words in enumerate(stored_words(texts, work)):
        if words:
            yield Phrase(number, block, words)


def _parameters(phrases: list[Phrase], work: PostgresWork) -> dict[str, Value]:
    """Return the words to look up, and the scores of longer phrases."""
    spread = _extent(work)
    words = [
        {"number": phrase.number, "block": phrase.block, "term": phrase.words[0]}
        for phrase in phrases
        if len(phrase.words) == 1
    ]
    longer = [
        row for phrase in phrases if len(phrase.words) > 1 for row in _scored(phrase, spread, work)
    ]
    return {
        "words": as_json(words),
        "phrases": as_json(longer),
        "usual": spread.usual,
        "memories": spread.memories,
    }


def _scored(phrase: Phrase, spread: Spread, work: PostgresWork) -> list[dict[str, float]]:
    found = _side_by_side(phrase, work)
    rarity = spread.rarity(len(found))
    return [
        {
            "number": phrase.number,
            "block": phrase.block,
            "seq": sequence,
            "score": _bm25(rarity, weight, words, spread.usual),
        }
        for sequence, (weight, words) in found.items()
    ]


def _bm25(rarity: float, weight: float, words: int, usual: float) -> float:
    length = 1 - _LENGTH_SHARE + _LENGTH_SHARE * words / usual
    return rarity * weight * (_SATURATION + 1) / (weight + _SATURATION * length)


def _side_by_side(phrase: Phrase, work: PostgresWork) -> dict[int, tuple[float, int]]:
    """Return the memories in which the words follow each other: their weight and length."""
    terms = sorted(set(phrase.words))
    places: dict[int, dict[str, set[int]]] = {}
    lengths: dict[int, int] = {}
    for sequence, term, words, found in work.asked("places_of", {"terms": as_json(terms)}):
        places.setdefault(sequence, {})[term] = set(found)
        lengths[sequence] = words
    weights = {sequence: _weight(phrase.words, at) for sequence, at in places.items()}
    return {sequence: (weight, lengths[sequence]) for sequence, weight in weights.items() if weight}


def _weight(words: tuple[str, ...], places: dict[str, set[int]]) -> float:
    starts = (
        start
        for start in places[words[0]]
        if all(start + step in places[word] for step, word in enumerate(words))
    )
    return sum(_FIELDS[start >> _FIELD_BITS] for start in starts)


def _extent(work: PostgresWork) -> Spread:
    memories, words = work.rows("extent_of_words")[0]
    return Spread(memories, words / memories if words else 1.0)


def _spread(terms: list[str], work: PostgresWork, *, most: int = _NO_LIMIT) -> dict[str, int]:
    if not terms:
        return {}
    rows = work.asked("spread_of", {"terms": as_json(terms), "most": most})
    return {term: count for term, count in rows}


def _expressions(given: str) -> list[str]:
    return cast("list[str]", json.loads(given))


def stored_words(texts: Iterable[str], work: PostgresWork) -> Iterator[tuple[str, ...]]:
    """Return the words of each text in the form that the index stores."""
    for words in tokens_of(texts, work.connection):
        yield tuple(map(_kept, words))


def _kept(word: str) -> str:
    """Return the stored form of a word: an index entry must fit on a page."""
    if len(word) <= _LONGEST_TERM:
        return word
    return f"{word[:_LONGEST_TERM]}…{sha256(word.encode()).hexdigest()[:_HASH_LETTERS]}"
