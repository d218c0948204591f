"""``python -m benchmarks.robustness``: the sets again with reworded questions, and the drop.

The stores of a set are made once and asked in every form. A drop of more than five points is a
defect: then recall depends on the wording of a set.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.eval_table import evaluated
from benchmarks.rewording import FORMS, Rule
from holdfast.domain.evaluation.benchmark import SetResult, results_from_json
from holdfast.domain.evaluation.comparison import mean_of

MEASURES = ("R@5", "R@10", "gold@1000", "key@1000")
LARGEST_DROP = 5.0
_AS_ASKED = "as asked"
_SPLIT = "dev"


def reworded_set(source: Path, target: Path, rule: Rule) -> None:
    """Write a copy of a set whose questions are reworded; its documents are linked."""
    target.mkdir(parents=True)
    for path in source.iterdir():
        if path.is_file() and path.name != "queries.jsonl":
            (target / path.name).symlink_to(path.resolve())
    split = source / _SPLIT if (source / _SPLIT).is_dir() else source
    into = target if split == source else target / _SPLIT
    into.mkdir(exist_ok=True)
    if split != source:
        for path in split.iterdir():
            if path.name != "queries.jsonl":
                (into / path.name).symlink_to(path.resolve())
    lines = (split / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    queries = [json.loads(line) for line in lines if line.strip()]
    changed = [json.dumps({**query, "text": rule(query["text"])}) for query in queries]
    (into / "queries.jsonl").write_text("\n".join(changed) + "\n", encoding="utf-8")


def table(forms: dict[str, list[SetResult]]) -> list[tuple[str, ...]]:
    """Return a row for each set and measure: the figure as asked, and the change in each form."""
    asked = {result.name: result for result in forms[_AS_ASKED]}
    found: list[tuple[str, ...]] = []
    for name, result in asked.items():
        for measure in MEASURES:
            base = mean_of(result.judged, measure)
            if base is None:
                continue
            changes = [
                _change(base, next((one for one in results if one.name == name), None), measure)
                for form, results in forms.items()
                if form != _AS_ASKED
            ]
            found.append((name, measure, f"{base * 100:.1f}", *changes))
    return found


def _change(base: float, result: SetResult | None, measure: str) -> str:
    mean = None if result is None else mean_of(result.judged, measure)
    return "" if mean is None else f"{(mean - base) * 100:+.1f}"


def defects(rows: Sequence[Sequence[str]]) -> int:
    """Count the figures that fall by more than the largest allowed drop."""
    return sum(bool(cell) and float(cell) < -LARGEST_DROP for row in rows for cell in row[3:])


def measured(data: Path, words: Sequence[str], folder: Path) -> dict[str, list[SetResult]]:
    """Ask the questions of all sets as they are and in every form."""
    keep = ["--keep", str(folder / "stores")] if "--keep" not in words else []
    forms: dict[str, list[SetResult]] = {}
    for form in (_AS_ASKED, *FORMS):
        place = data
        if form != _AS_ASKED:
            place = folder / form
            for source in _sets(data):
                reworded_set(source, place / source.name, FORMS[form])
        saved = folder / f"{form}.json"
        evaluated(["--data", str(place), *words, *keep], saved)
        forms[form] = list(results_from_json(json.loads(saved.read_bytes())))
    return forms


def _sets(data: Path) -> list[Path]:
    found = {path.parent for path in data.glob("*/queries.jsonl")}
    found |= {path.parents[1] for path in data.glob(f"*/{_SPLIT}/queries.jsonl")}
    return sorted(found)


def main(given: Sequence[str] | None = None) -> None:
    """Run, and print one table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.robustness",
        description=__doc__,
        epilog="Other options go to 'holdfast eval': --only SETS, --limit N, --budget TOKENS.",
    )
    parser.add_argument("--data", required=True, type=Path, help="a folder of sets")
    options, words = parser.parse_known_args(given)
    with tempfile.TemporaryDirectory(prefix="holdfast-robustness-") as folder:
        forms = measured(options.data, words, Path(folder))
    rows = table(forms)
    heads = ("set", "measure", _AS_ASKED, *FORMS)
    lines = [heads, tuple("---" for _ in heads), *rows]
    sys.stdout.write("\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n")
    sys.stdout.write(f"\n{defects(rows)} of them fall by more than {LARGEST_DROP:g} points.\n")


if __name__ == "__main__":
    main()
