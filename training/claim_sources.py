"""Reads public inference data as pairs of claims, from clones of the repositories that have them.

    python -m training.claim_sources --clones CLONES --sets BENCH --out claims.jsonl

CLONES has a clone or a bare snapshot of each repository as OWNER/NAME or OWNER+NAME/repo. The
benchmark sets are read only to leave out every text that shares 13 words in a row with them.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
import subprocess
import sys
import zipfile
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from training.claim_documents import documented
from training.claim_pairs_made import slot_pairs
from training.claim_rules import made_pairs
from training.claims import COMPATIBLE, CONTRADICTS, UNRELATED, ClaimPair, write_pairs
from training.overlap import add_pairs, marks_of, runs_of, words_of
from training.sources import SETS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from training.overlap import Marks

    Files = Callable[[str], bytes]

SEED = 7
OTHERS = ("mab_fact", "beam_conflict", "swebench_lite")
_LONGEST, _SHORTEST = 420, 8
_UNRELATED_SHARE = 0.06
_NAMES = {
    "contradiction": CONTRADICTS, "c": CONTRADICTS, "refutes": CONTRADICTS,
    "entailment": COMPATIBLE, "e": COMPATIBLE, "supports": COMPATIBLE,
    "neutral": COMPATIBLE, "n": COMPATIBLE,
}  # fmt: skip
_FINE = {"c": "contradiction", "e": "entailment", "n": "neutral"}
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+(?: [A-Z][a-z]+)*\b")
_NUMBER = re.compile(r"\b\d{1,4}\b")
_BE = re.compile(r"\b(is|was|were|are|has been|can|will)\b(?! not)")
_SWAPPED, _SUBJECTS = 12_000, 2_500
_ENCYCLOPEDIC = frozenset({"conjunctions", "encyclopedia", "fooled"})
_LEADING = re.compile(
    r"((?:[A-Z][\w.'-]+)(?: [A-Z][\w.'-]+)*) (?:is|was|were|are|has|had|plays|played|won|became"
    r"|lives|lived|works|worked|made|wrote|directed|released|moved|began|served|holds|held)\b"
)
_NO_SUBJECTS = frozenset(
    {"The", "It", "He", "She", "They", "In", "A", "An", "There", "This", "These", "His", "Her"}
)


def files_of(clones: Path, owner: str, name: str) -> Files:
    """Return a function that reads a file of a repository's newest commit."""
    for folder in (clones / owner / name, clones / f"{owner}+{name}/repo/.git",
                   clones / f"{owner}+{name}/repo"):  # fmt: skip
        if folder.exists():
            break

    def read(path: str) -> bytes:
        command = ["git", "-C", str(folder), "show", f"HEAD:{path}"]
        return subprocess.run(command, check=True, capture_output=True).stdout

    return read


def _rows(data: bytes, mark: str = "\t") -> Iterator[dict[str, str]]:
    text = data.decode("utf-8-sig", errors="replace")
    lines = io.StringIO(text)
    if mark == "\t":
        yield from csv.DictReader(lines, delimiter=mark, quoting=csv.QUOTE_NONE)
    else:
        yield from csv.DictReader(lines, delimiter=mark)


def _told(src: str, older: str, newer: str, label: str) -> Iterator[ClaimPair]:
    known = _NAMES.get(label.strip().lower())
    if known is not None:
        fine = label.strip().lower()
        fine = _FINE.get(fine, fine) if src != "fooled" else ""
        yield ClaimPair(src, " ".join(older.split()), " ".join(newer.split()), known, fine)


def snli(clones: Path) -> Iterator[ClaimPair]:
    """The development and test parts of SNLI, from the repository of e-SNLI."""
    read = files_of(clones, "OanaMariaCamburu", "e-SNLI")
    for part in ("dev", "test"):
        columns = [
            read(f"dataset/eSNLI/{name}.{part}").decode().split("\n")
            for name in ("s1", "s2", "labels")
        ]
        for older, newer, label in zip(*columns, strict=True):
            yield from _told("snli", older, newer, label)


def mnli(clones: Path) -> Iterator[ClaimPair]:
    """The development parts of MultiNLI."""
    read = files_of(clones, "felipessalvatore", "NLI_datasets")
    for row in _rows(read("nli_datasets/mnli/dev.csv"), ","):
        yield from _told("mnli", row["premise"], row["hypothesis"], row["label"])


def counterfactual(clones: Path) -> Iterator[ClaimPair]:
    """Pairs of SNLI that people changed so little that the label changed."""
    read = files_of(clones, "acmi-lab", "counterfactually-augmented-data")
    for part in ("train", "dev", "test"):
        for row in _rows(read(f"NLI/all_combined/{part}.tsv")):
            yield from _told(
                "counterfactual", row["sentence1"], row["sentence2"], row["gold_label"]
            )


def conjunctions(clones: Path) -> Iterator[ClaimPair]:
    """Sentences of Wikipedia with a conjunction, changed by rules or by people."""
    read = files_of(clones, "swarnaHub", "ConjNLI")
    for name in ("adversarial_train_15k", "conj_dev"):
        for row in _rows(read(f"data/NLI/{name}.tsv")):
            yield from _told("conjunctions", row["Premise"], row["Hypothesis"], row["Label"])


def fooled(clones: Path) -> Iterator[ClaimPair]:
    """Claims of a game that sentences of Wikipedia support or refute."""
    read = files_of(clones, "google-research", "fool-me-twice")
    for part in ("dev", "test"):
        for line in read(f"dataset/{part}.jsonl").decode().splitlines():
            row = json.loads(line)
            older = " ".join(one["text"] for one in row["gold_evidence"][:2])
            yield from _told("fooled", older, row["text"], row["label"])


def encyclopedia(clones: Path) -> Iterator[ClaimPair]:
    """Pairs of sentences of Wikipedia; the parts with newswire are left out."""
    read = files_of(clones, "nyu-mll", "semi-automatic-nli")
    for name in ("base_wiki", "sim_wiki", "translate_wiki"):
        for part in ("train", "test"):
            for line in read(f"data/{name}/{part}.jsonl").decode().splitlines():
                row = json.loads(line)
                yield from _told("encyclopedia", row["premise"], row["hypothesis"], row["label"])


def words(clones: Path) -> Iterator[ClaimPair]:
    """Sentences that differ in one word: an opposite, another number, a kind of the same."""
    read = files_of(clones, "BIU-NLP", "Breaking_NLI")
    with zipfile.ZipFile(io.BytesIO(read("breaking_nli_dataset.zip"))) as packed:
        for line in packed.read("data/dataset.jsonl").decode().splitlines():
            row = json.loads(line)
            yield from _told("words", row["sentence1"], row["sentence2"], row["gold_label"])


def negations(clones: Path) -> Iterator[ClaimPair]:
    """Pairs in which one or both sides are negated."""
    read = files_of(clones, "mosharafhossain", "negation-and-nli")
    for name in ("MNLI", "SNLI"):
        for row in _rows(read(f"data/new_benchmarks/clean_data/{name}.txt")):
            yield from _told("negations", row["Text"], row["Hypothesis"], row["gold_label"])
    read = files_of(clones, "selenashe", "ScoNe")
    for name in ("no_negation", "one_not_scoped", "one_scoped", "one_scoped_one_not_scoped",
                 "two_not_scoped", "two_scoped"):  # fmt: skip
        for row in _rows(read(f"scone_nli/train/{name}.csv"), ","):
            older, newer = (row.get(f"sentence{number}_edited") or row[f"sentence{number}"]
                            for number in (1, 2))  # fmt: skip
            label = row.get("gold_label_edited") or row["gold_label"]
            yield from _told("negations", older, newer, label)


def monotone(clones: Path) -> Iterator[ClaimPair]:
    """Sentences of which one says more than the other; none contradicts."""
    read = files_of(clones, "verypluming", "MED")
    for row in _rows(read("MED.tsv")):
        yield from _told("monotone", row["sentence1"], row["sentence2"], row["gold_label"])


def common_sense(clones: Path) -> Iterator[ClaimPair]:
    """Two claims about one thing of which one is true and the other false."""
    read = files_of(clones, "yasumasaonoe", "creak")
    both: dict[str, list[str]] = {}
    for line in read("data/creak/contrast_set.json").decode().splitlines():
        row = json.loads(line)
        both.setdefault(row["pair_id"], []).append(row["sentence"])
    for told in both.values():
        if len(told) == 2:
            yield from _told("common_sense", told[0], told[1], "contradiction")


def swapped(pairs: Iterable[ClaimPair], chance: Random) -> Iterator[ClaimPair]:
    """By rules from the sentences of Wikipedia above: a part of one, or another name or number."""
    texts = [*{pair.older: None for pair in pairs
               if pair.src in _ENCYCLOPEDIC}]  # fmt: skip
    names = [name for text in texts for name in _NAME.findall(text)]
    for text in chance.sample(texts, min(_SWAPPED, len(texts))):
        part = text.split(", ")[0].rstrip(".") + "."
        kept = part if len(words_of(part)) > 5 and chance.random() < 0.6 else text
        if kept != text:
            yield ClaimPair("swapped", text, kept, COMPATIBLE)
        other = _otherwise(kept, names, chance)
        if other is not None:
            ends = (text, other) if chance.random() < 0.7 else (other, text)
            yield ClaimPair("swapped", *ends, CONTRADICTS)


def subjects(pairs: Iterable[ClaimPair], chance: Random) -> Iterator[ClaimPair]:
    """By rules from the same sentences: two about one subject, and one about two subjects."""
    named: dict[str, str] = {}
    for pair in pairs:
        found = _LEADING.match(pair.older) if pair.src in _ENCYCLOPEDIC else None
        if found is not None and found[1] not in _NO_SUBJECTS:
            named.setdefault(pair.older, found[1])
    by_name: dict[str, list[str]] = {}
    for text, name in named.items():
        by_name.setdefault(name, []).append(text)
    for texts in by_name.values():
        for one, other in pairwise(chance.sample(texts, len(texts))):
            yield ClaimPair("subjects", one, other, COMPATIBLE)
    names = [*by_name]
    for text, name in chance.sample([*named.items()], min(_SUBJECTS, len(named))):
        other = chance.choice(names)
        if other != name:
            yield ClaimPair("subjects", text, other + text[len(name) :], COMPATIBLE)


def _otherwise(text: str, names: list[str], chance: Random) -> str | None:
    """Return the text with another name, another number, or denied; None if it has no place."""
    spots = [*_NUMBER.finditer(text), *_NAME.finditer(text), *_BE.finditer(text)]
    if not spots:
        return None
    spot = chance.choice(spots)
    if spot.re is _NUMBER:
        new = str(max(1, int(spot[0]) + chance.choice([-40, -7, -3, -2, -1, 1, 2, 5, 9, 30])))
    elif spot.re is _NAME:
        new = chance.choice(names)
    else:
        new = f"{spot[0]} not"
    if new == spot[0]:
        return None
    return text[: spot.start()] + new + text[spot.end() :]


def unrelated(pairs: list[ClaimPair], chance: Random) -> Iterator[ClaimPair]:
    """Claims of different pairs of one source."""
    by_source: dict[str, list[ClaimPair]] = {}
    for pair in pairs:
        by_source.setdefault(pair.src, []).append(pair)
    for src, some in by_source.items():
        for _ in range(int(len(some) * _UNRELATED_SHARE)):
            one, other = chance.choice(some), chance.choice(some)
            if one.older != other.older:
                yield ClaimPair(src, one.older, other.newer, UNRELATED)


READERS = (snli, mnli, counterfactual, conjunctions, fooled, encyclopedia, words, negations,
           monotone, common_sense)  # fmt: skip


def clean(pairs: Iterable[ClaimPair], marks: Marks) -> Iterator[ClaimPair]:
    """Leave out repeated pairs, long and empty ones, and all that share text with the sets."""
    seen: set[tuple[str, str]] = set()
    for pair in pairs:
        both = pair.older, pair.newer
        if both in seen or not all(_SHORTEST <= len(text) <= _LONGEST for text in both):
            continue
        seen.add(both)
        said = [words_of(text) for text in both]
        is_whole = any(" ".join(one) in marks.questions for one in said)
        if not is_whole and not any(mark in marks.runs for one in said for mark, _ in runs_of(one)):
            yield pair


def main() -> None:
    """Read everything, make pairs by rules, and write what is left."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clones", type=Path, required=True)
    parser.add_argument("--sets", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    chance = Random(SEED)
    marks = marks_of(given.sets, (*SETS, *OTHERS))
    add_pairs(marks, given.sets / "fever_symmetric")
    pairs = [pair for reader in READERS for pair in reader(given.clones)]
    pairs += [*swapped(pairs, chance), *subjects(pairs, chance)]
    pairs += [*documented(given.clones, chance)]
    pairs += [*made_pairs(chance), *slot_pairs(chance)]
    pairs += [*unrelated(pairs, chance)]
    kept = [*clean(pairs, marks)]
    write_pairs(given.out, kept)
    for (src, label), count in sorted(Counter((one.src, one.label) for one in kept).items()):
        sys.stdout.write(f"{src} {label} {count}\n")


if __name__ == "__main__":
    main()
