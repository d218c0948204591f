"""Collects what the judges are asked: the named sets, held-out written pairs, pairs of six stores.

    python -m training.judge_asks --clones CLONES --sets BENCH --out asks.json

A store compares a text with those that share its rare words; hardly any of these pairs is a
conflict, so every alarm about them is read by a person.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from benchmarks.conflict_sets import (
    EVERYDAY,
    Pair,
    fact_of,
    fact_pairs,
    fever_pairs,
    fresh_pairs,
    message_pairs,
    own_pairs,
)
from training.claim_stores import LEFT_OUT, STORE, documents, meetings, nearest
from training.claim_written import written_pairs
from training.pools import lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.conflict_sets import SlotFact

    Asked = list[tuple[str, str, bool]]

SEED, ASKED, BESIDE = 9, 1_000, 5
_FEWEST, _LONGEST, _MEETINGS, _PARTS, _GROUPS = 5, 420, 12, 3, 4
_MEETING = "data/Product/jsonl/test.jsonl"


def named(sets: Path) -> dict[str, Asked]:
    """Return the pairs of the sets that have labels."""
    own = own_pairs()
    found: dict[str, list[Pair]] = {
        "fever": fever_pairs(sets),
        "decided": [pair for pair in own if pair.split == "dev"],
        "everyday": fresh_pairs(EVERYDAY),
        "mab": fact_pairs(sets),
        "beam": message_pairs(sets),
        "held": [pair for pair in own if pair.split != "dev"],
        "fresh": fresh_pairs(),
    }
    return {
        name: [(one.older, one.newer, bool(one.is_conflict)) for one in pairs]
        for name, pairs in found.items()
    }


def held() -> dict[str, Asked]:
    """Return the written pairs that are held out; those of one half choose the threshold."""
    found: dict[str, Asked] = {}
    for pair in written_pairs():
        if pair.is_held:
            half = "choose" if pair.is_for_threshold else "report"
            told = (pair.older, pair.newer, pair.is_conflict)
            found.setdefault(f"written-{pair.domain}-{half}", []).append(told)
    return found


def compared(groups: Iterable[Iterable[str]], chance: Random) -> Asked:
    """Return some of the pairs that stores with these texts would compare."""
    pairs: Asked = []
    for group in groups:
        texts = [
            text
            for text in dict.fromkeys(group)
            if len(text.split()) >= _FEWEST and len(text) <= _LONGEST
        ][:STORE]
        pairs += [(texts[one], texts[other], False) for one, other in nearest(texts, BESIDE)]
    return chance.sample(pairs, min(ASKED, len(pairs)))


def _said(path: Path, who: str) -> list[list[str]]:
    groups: dict[tuple[str, str], list[str]] = {}
    for row in lines(path):
        by = str(row.get("role") or row.get("speaker"))
        if who in ("", by):
            groups.setdefault((row["group"], by), []).append(row["text"])
    return [*groups.values()]


def other_slots(sets: Path, chance: Random) -> Asked:
    """Return pairs of facts that stores would compare; two values of one slot are left out."""
    groups: dict[str, list[SlotFact]] = {}
    for row in lines(sets / "mab_fact/dev/corpus.jsonl.gz"):
        fact = fact_of(row["ts"], row["text"])
        if fact is not None:
            groups.setdefault(row["group"], []).append(fact)
    pairs: Asked = []
    for group in [*groups.values()][:_GROUPS]:
        facts = group[:STORE]
        for one, other in nearest([fact.text for fact in facts], BESIDE):
            older, newer = facts[one], facts[other]
            if (older.about, older.relation) != (newer.about, newer.relation):
                pairs.append((older.text, newer.text, False))
    return chance.sample(pairs, min(ASKED, len(pairs)))


def main() -> None:
    """Collect everything and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("clones", "sets", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    given = parser.parse_args()
    chance, asks = Random(SEED), named(given.sets) | held()
    for name in LEFT_OUT:
        stores = [*documents(given.clones, name)]
        some = chance.sample(stores, min(_PARTS, len(stores)))
        asks[f"docs-{name.split('/')[1]}"] = compared((one.texts for one in some), chance)
    heard = [one.texts for one in meetings(given.clones, (_MEETING,))][:_MEETINGS]
    asks["meetings"] = compared(heard, chance)
    asks["locomo"] = compared(_said(given.sets / "locomo/dev/corpus.jsonl.gz", ""), chance)
    asks["beam-store"] = compared(
        _said(given.sets / "beam_100k/dev/corpus.jsonl.gz", "user"), chance
    )
    asks["mab-store"] = other_slots(given.sets, chance)
    given.out.write_text(json.dumps(asks), encoding="utf-8")


if __name__ == "__main__":
    main()
