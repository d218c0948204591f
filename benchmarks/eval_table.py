"""``python -m benchmarks.eval_table``: runs ``holdfast eval`` on every set, with its targets."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from holdfast.domain.evaluation.benchmark import SetResult, results_from_json
from holdfast.domain.evaluation.comparison import figure, values_of
from holdfast.surfaces.cli.present.care.evaluation import quality_by_tokens

REACH = Path(__file__).parent / "reach.toml"
PICTURE = "recall-by-tokens.svg"
_START, _END = "<!-- eval -->", "<!-- /eval -->"
_HEADS = ("set", "measure", "n", "plain", "reach", "beyond", "ours", "95 %", "")
TRAINED_ON = (
    "The models in the package were trained on the development halves of locomo, beam_100k,"
    " musique300, hotpot300, 2wiki and cosqa, and kelp on sde_decisions too: on these halves the"
    " figures are too high (decisions 132 and 133)."
)


@dataclass(frozen=True, kw_only=True)
class Target:
    """The target of one figure, in percent."""

    set: str
    measure: str
    plain: float
    reach: float
    beyond: float | None = None
    categories: str = ""


def targets(path: Path = REACH) -> list[Target]:
    """Read the targets."""
    return [Target(**one) for one in tomllib.loads(path.read_text(encoding="utf-8"))["figure"]]


def rows(results: Sequence[SetResult], wanted: Sequence[Target]) -> list[tuple[str, ...]]:
    """Return a row for each target whose set was evaluated."""
    found: list[tuple[str, ...]] = []
    by_name = {result.name: result for result in results}
    for target in wanted:
        result = by_name.get(target.set)
        if result is None:
            continue
        ours = [one for one in result.judged if one.category.startswith(target.categories)]
        measured = figure(values_of(ours, target.measure))
        if not measured.count:
            continue
        value = round(measured.mean * 100, 1)
        beyond = "" if target.beyond is None else f"{target.beyond:g}"
        found.append(
            (
                target.set,
                target.measure,
                str(measured.count),
                f"{target.plain:g}",
                f"{target.reach:g}",
                beyond,
                f"{value:.1f}",
                f"{measured.low * 100:.1f} to {measured.high * 100:.1f}",
                _verdict(value, target),
            )
        )
    return found


def _verdict(value: float, target: Target) -> str:
    if target.beyond is not None and value >= target.beyond:
        return "beyond"
    if value >= target.reach:
        return "reached"
    return f"{target.reach - value:.1f} short" if value >= target.plain else "below plain"


def markdown(table: Sequence[Sequence[str]], notes: Sequence[str]) -> str:
    """Return the rows as a Markdown table that is also readable as plain text."""
    lines = [_HEADS, *table]
    widths = [max(len(line[place]) for line in lines) for place in range(len(_HEADS))]
    shown = [_line(_HEADS, widths), _line(["-" * width for width in widths], widths)]
    shown += [_line(row, widths) for row in table]
    return "\n".join([*shown, "", *notes]) + "\n"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]
    return f"| {' | '.join(padded)} |"


def evaluated(words: Sequence[str], saved: Path) -> None:
    """Run ``holdfast eval``; its progress and its tables go to the terminal."""
    command = [sys.executable, "-m", "holdfast", "eval", *words, "--save", str(saved)]
    done = subprocess.run(command, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)


def notes_of(results: Sequence[SetResult], model: str | None, *, is_deep: bool) -> list[str]:
    """Return the notes for a reader, one sentence per line."""
    notes = [f"{result.name}: {note}." for result in results for note in result.notes]
    read = (
        "the best hits were read again, as for an MCP client" if is_deep else "nothing read again"
    )
    found = "Found by words only." if model is None else f"Embedding model: {model}; {read}."
    seen = [TRAINED_ON] if model is not None and (is_deep or model.startswith("kelp@")) else []
    return [found, *seen, *notes, "Written by `make eval`."]


def put_between(page: Path, text: str) -> None:
    """Replace the text between the markers of a page."""
    content = page.read_text(encoding="utf-8")
    before, start, rest = content.partition(_START)
    _, end, after = rest.partition(_END)
    if not start or not end:
        sys.exit(f"{page} has no place for this: it lacks {_START} and {_END}.")
    page.write_text(f"{before}{_START}\n{text}{_END}{after}", encoding="utf-8")


def main(given: Sequence[str] | None = None) -> None:
    """Run, print the table, and write it to the requested page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.eval_table", description=__doc__)
    parser.add_argument("--data", required=True, help="a folder of sets")
    parser.add_argument("--result", type=Path, help="a saved result; nothing is run")
    parser.add_argument("--write", type=Path, help="put table and picture into this page's folder")
    options, words = parser.parse_known_args(given)
    with tempfile.TemporaryDirectory(prefix="holdfast-eval-") as folder:
        saved = options.result or Path(folder) / "result.json"
        if options.result is None:
            evaluated(["--data", options.data, *words], saved)
        run = json.loads(saved.read_bytes())
    results = results_from_json(run)
    notes = notes_of(results, run.get("model"), is_deep=bool(run.get("deep")))
    text = markdown(rows(results, targets()), notes)
    sys.stdout.write("\n" + text)
    if options.write is not None:
        picture = options.write.parent / PICTURE
        put_between(options.write, f"{text}\n![What a budget of tokens holds]({PICTURE})\n")
        picture.write_text(quality_by_tokens(results), encoding="utf-8")


if __name__ == "__main__":
    main()
