"""Labelled pairs of claims: the project's own, and those derived from public sets."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OWN = Path(__file__).parent / "decision_pairs.jsonl"
FRESH = Path(__file__).parent / "decision_pairs_held.tsv"
EVERYDAY = Path(__file__).parent / "everyday_pairs.tsv"
_SEED = 20
_SAMPLE = 500
_OTHERS = 3
# The text between the subject of a fact and its value.
_RELATIONS = re.compile(
    r"^(?:(?P<who>.+?) (?P<how>is a citizen of|is affiliated with the religion of"
    r"|is associated with the sport of|speaks the language of|was created by|is married to"
    r"|was born in the city of|was developed by|was founded by|died in the city of"
    r"|was performed by|was created in the country of|worked in the city of"
    r"|is located in the continent of|is employed by|is famous for|was founded in the city of"
    r"|was written in the language of|plays the position of|works in the field of)"
    r"|The (?P<role>[a-z ]+?) (?:of|that produced|where|in) (?P<whose>.+?)"
    r"(?P<is> is located in the city of| was educated is| is)) (?P<value>.+)$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two claims, and whether they contradict each other."""

    newer: str
    older: str
    is_conflict: bool
    split: str = ""


def own_pairs(path: Path = OWN) -> list[Pair]:
    """Return the pairs in decision language; 60 of 200 were held out before any rule existed."""
    return [
        Pair(
            newer=row["newer"],
            older=row["older"],
            is_conflict=row["label"] == "conflict",
            split=row["split"],
        )
        for row in _rows(path)
    ]


def fresh_pairs(path: Path = FRESH) -> list[Pair]:
    """Return pairs in everyday words that no rule knows; nothing was fitted to them."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return [
        Pair(newer=newer, older=older, is_conflict=label == "conflict", split="fresh")
        for label, older, newer in rows
    ]


def fever_pairs(data: Path) -> list[Pair]:
    """Return sentences with a claim each; a refuted claim is a conflict, a supported one is not."""
    return [
        Pair(newer=row["b"], older=row["a"], is_conflict=row["label"] == "REFUTES")
        for row in _rows(data / "fever_symmetric/dev/pairs.jsonl")
    ]


@dataclass(frozen=True, slots=True)
class SlotFact:
    """A fact of mab_fact: what it is about, the relation, and the value."""

    serial: int
    text: str
    about: str
    relation: str
    value: str


def fact_pairs(data: Path) -> list[Pair]:
    """Return pairs of a newer and an older fact of one slot, and as many pairs of two slots.

    Half of the latter have the same subject in another relation, the other half the same
    relation about another subject.
    """
    by_group: dict[str, list[SlotFact]] = defaultdict(list)
    for row in _rows(data / "mab_fact/dev/corpus.jsonl.gz"):
        fact = fact_of(row["ts"], row["text"])
        if fact is not None:
            by_group[row["group"]].append(fact)
    chance = random.Random(_SEED)
    same, other = [], []
    for facts in by_group.values():
        same += list(_of_one_slot(facts))
        other += list(_of_two_slots(facts, chance))
    chosen = chance.sample(same, min(_SAMPLE, len(same)))
    return chosen + chance.sample(other, min(len(chosen), len(other)))


def fact_of(serial: int, text: str) -> SlotFact | None:
    """Return a sentence as a fact; None if its relation is not known."""
    found = _RELATIONS.match(text.rstrip("."))
    if found is None:
        return None
    about, relation = found["who"] or found["whose"], found["how"] or found["role"]
    return SlotFact(serial, text, about, relation, found["value"])


def _of_one_slot(facts: Sequence[SlotFact]) -> Iterator[Pair]:
    slots: dict[tuple[str, str], list[SlotFact]] = defaultdict(list)
    for fact in facts:
        slots[fact.about, fact.relation].append(fact)
    for held in slots.values():
        ordered = sorted(held, key=lambda fact: fact.serial)
        if len(ordered) > 1 and ordered[0].value != ordered[-1].value:
            yield Pair(newer=ordered[-1].text, older=ordered[0].text, is_conflict=True)


def _of_two_slots(facts: Sequence[SlotFact], chance: random.Random) -> Iterator[Pair]:
    for is_about in (True, False):
        groups: dict[str, list[SlotFact]] = defaultdict(list)
        for fact in facts:
            groups[fact.about if is_about else fact.relation].append(fact)
        pairs = []
        for held in groups.values():
            for one in held[:_OTHERS]:
                two = chance.choice(held)
                if (one.about, one.relation) != (two.about, two.relation):
                    pairs.append(Pair(newer=one.text, older=two.text, is_conflict=False))
        yield from chance.sample(pairs, min(_SAMPLE // 2, len(pairs)))


def message_pairs(data: Path) -> list[Pair]:
    """Return a message with the earlier one it contradicts, and with three others beside it."""
    texts: dict[str, dict[str, str]] = defaultdict(dict)
    for row in _rows(data / "beam_100k/dev/corpus.jsonl.gz"):
        if (row.get("role") or row.get("speaker")) == "user":
            texts[row["group"]][row["id"]] = row["text"]
    chance = random.Random(_SEED)
    found: list[Pair] = []
    for query in _rows(data / "beam_conflict/dev/queries.jsonl"):
        gold = [one for one in query["gold"] if one in texts[query["group"]]]
        others = sorted(set(texts[query["group"]]) - {*query["gold"], query["meta"]["new"]})
        labelled = [(one, True) for one in gold[:1]]
        labelled += [(one, False) for one in chance.sample(others, min(_OTHERS, len(others)))]
        for name, is_conflict in labelled:
            older = texts[query["group"]][name]
            found.append(Pair(newer=query["text"], older=older, is_conflict=is_conflict))
    return found


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
