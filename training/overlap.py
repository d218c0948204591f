"""Checks that the training data holds no question and no gold passage of the benchmark sets.

    python -m training.overlap --pools pools.jsonl --sets BENCH --out training/overlap.md
    python -m training.overlap --claims claims.jsonl --sets BENCH --out training/overlap-judge.md

Two texts overlap if 13 words in a row are the same, or if a question is the same as a whole.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.claims import as_pools, read_pairs
from training.pools import lines, read_pools
from training.sources import SETS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from training.pools import Pool

WORDS = 13
_OTHERS = ("mab_fact", "beam_conflict", "swebench_lite")
_PAIRS = "fever_symmetric"
_WORD = re.compile(r"\w+")
_EXAMPLES = 3


@dataclass
class Marks:
    """The questions of the sets, and every run of 13 words of their questions and gold passages."""

    questions: dict[str, str] = field(default_factory=dict)
    runs: dict[int, tuple[str, str]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)


@dataclass
class Overlap:
    """What one source shares with one set."""

    texts: set[str] = field(default_factory=set)
    passages: set[str] = field(default_factory=set)
    questions: set[str] = field(default_factory=set)
    examples: list[str] = field(default_factory=list)


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters."""
    return _WORD.findall(text.lower())


def runs_of(words: list[str]) -> Iterator[tuple[int, str]]:
    """Yield each run of 13 words as a hash and as text."""
    for start in range(len(words) - WORDS + 1):
        run = " ".join(words[start : start + WORDS])
        yield hash(run), run


def marks_of(sets: Path, names: Iterable[str]) -> Marks:
    """Return the marks of the development halves."""
    marks = Marks()
    for name in names:
        wanted: set[str] = set()
        for line in lines(sets / name / "dev" / "queries.jsonl"):
            wanted.update(_gold(line))
            said = words_of(line["text"])
            marks.questions[" ".join(said)] = name
            marks.runs.update((mark, (name, line["id"])) for mark, _ in runs_of(said))
            marks.counts[f"{name} questions"] += 1
        for line in _corpus(sets / name):
            if line["id"] in wanted:
                said = words_of(line["text"])
                marks.runs.update((mark, (name, line["id"])) for mark, _ in runs_of(said))
                marks.counts[f"{name} passages"] += 1
    return marks


def add_pairs(marks: Marks, folder: Path) -> None:
    """Add the texts of a set of pairs."""
    for number, line in enumerate(lines(folder / "dev" / "pairs.jsonl")):
        for text in (line["a"], line["b"]):
            name = f"pair {number}"
            marks.questions[" ".join(words_of(text))] = folder.name
            marks.runs.update((mark, (folder.name, name)) for mark, _ in runs_of(words_of(text)))
        marks.counts[f"{folder.name} pairs"] += 1


def _gold(line: dict[str, Any]) -> list[str]:
    gold = [*(line.get("gold") or []), *(line.get("stale") or [])]
    key = line.get("key") or []
    return [*gold, *([key] if isinstance(key, str) else key)]


def _corpus(folder: Path) -> Iterator[dict[str, Any]]:
    for path in (folder / "dev" / "corpus.jsonl.gz", folder / "corpus.jsonl"):
        if path.exists():
            yield from lines(path)
            return


def compare(pools: Iterable[Pool], marks: Marks) -> dict[tuple[str, str], Overlap]:
    """Return what each public source shares with each set."""
    found: dict[tuple[str, str], Overlap] = defaultdict(Overlap)
    for pool in pools:
        if pool.src in SETS:
            continue
        for text in {*pool.docs, *(ask.q for ask in pool.asks)}:
            said = words_of(text)
            if name := marks.questions.get(" ".join(said)):
                found[pool.src, name].questions.add(text)
            for mark, run in runs_of(said):
                if hit := marks.runs.get(mark):
                    overlap = found[pool.src, hit[0]]
                    overlap.texts.add(text)
                    if hit[1] not in overlap.passages:
                        overlap.passages.add(hit[1])
                        overlap.examples.append(run)
    return found


def report(pools: list[Pool], marks: Marks, found: dict[tuple[str, str], Overlap]) -> str:
    """Return the report: what was compared, and each overlap with examples."""
    texts = Counter[str]()
    for pool in pools:
        if pool.src not in SETS:
            texts[pool.src] += len({*pool.docs, *(ask.q for ask in pool.asks)})
    rows = [
        "# Overlap of the training data with the benchmark sets",
        "",
        "Written by `python -m training.overlap`.",
        f"A text overlaps if {WORDS} words in a row are those of a question or a gold passage.",
        "",
        "## Compared",
        "",
        *(f"- {name}: {count:,}" for name, count in marks.counts.items()),
        *(f"- source {name}: {count:,} different texts in its pools"
          for name, count in texts.items()),
        "",
        "## Found",
        "",
        "| source | set | same questions | texts of the source | texts of the set |",
        "|---|---|---|---|---|",
    ]  # fmt: skip
    for (source, name), one in sorted(found.items()):
        counts = (len(one.questions), len(one.texts), len(one.passages))
        rows.append(f"| {source} | {name} | {' | '.join(map(str, counts))} |")
    without = sorted(set(texts) - {source for source, _ in found})
    rows += ["", f"Without any overlap: {', '.join(without) or 'none'}.", "", "## Examples", ""]
    for (source, name), one in sorted(found.items()):
        examples = [*sorted(one.questions), *one.examples][:_EXAMPLES]
        rows += [f"- {source}, {name}: `{example}`" for example in examples]
    return "\n".join(rows) + "\n"


def main() -> None:
    """Compare and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    data = parser.add_mutually_exclusive_group(required=True)
    data.add_argument("--pools", type=Path)
    data.add_argument("--claims", type=Path)
    parser.add_argument("--sets", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    pools = read_pools(given.pools) if given.pools else as_pools(read_pairs(given.claims))
    marks = marks_of(given.sets, (*SETS, *_OTHERS))
    add_pairs(marks, given.sets / _PAIRS)
    given.out.write_text(report(pools, marks, compare(pools, marks)), encoding="utf-8")


if __name__ == "__main__":
    main()
