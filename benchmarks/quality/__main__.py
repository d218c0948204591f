"""``python -m benchmarks.quality``: what Holdfast and other stores find, with one embedder.

Every store gets the same documents, the same vectors and the same questions, and returns its 100
best. The measures are those of ``holdfast eval``: the share of gold among the first five and ten,
and within a budget of tokens when the texts are read in order.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.eval_table import evaluated
from benchmarks.peers.meanings import Reader, a_reader
from benchmarks.peers.peer import ENTRIES, LIMIT_VARIABLE, OURS, PLAIN, Entry
from benchmarks.peers.processes import ROOT, ToolInstaller
from benchmarks.quality.material import MeasuredSet, prepared
from benchmarks.quality.report import BEGIN, END, PICTURE, StoreRow, picture, row_from_json, text
from benchmarks.quality.small import write_small_set
from holdfast.domain.evaluation.benchmark import SetResult, results_from_json

_PEERS = ROOT / ".peers"
_PAGE = ROOT / "docs" / "benchmarks.md"
_SETS = "locomo,musique300,cosqa"
_NAMES = ("holdfast", "fts5+numpy", "lancedb", "txtai", "chroma", "mem0", "langgraph sqlite",
          "langgraph memory")  # fmt: skip
_ABSENT = {"basic-memory": "not measured: its package needs Python 3.12; this runs on 3.11 too"}
_RANKED = 100
_QUESTIONS, _SHORT_QUESTIONS = 200, 10


def main() -> int:
    """Measure, print, and write the requested files."""
    given = _options()
    if given.page:
        return _refresh_page(given.page)
    reader = a_reader()
    with tempfile.TemporaryDirectory(prefix="holdfast-quality-", dir=given.work) as folder:
        work = Path(folder)
        if given.short:
            given.data, given.sets = write_small_set(work / "data"), "small"
            given.only = given.only or f"{OURS.name},{PLAIN.name}"
        sets = [
            prepared(given.data, name, limit=given.limit, reader=reader, work=work / "trials")
            for name in given.sets.split(",")
        ]
        rows = [
            _ours(given, sets, work) if entry is OURS else _row(entry, sets, work, given.budget)
            for entry in _entries(given.only)
        ]
    rows += (
        [] if given.short else [StoreRow(name=name, problem=why) for name, why in _ABSENT.items()]
    )
    sys.stdout.write(text(rows, model=reader.name, budget=given.budget))
    if given.write:
        given.write.write_text(_told(rows, reader, given.budget), encoding="utf-8")
    return 0 if all(row.results for row in rows if row.name in {OURS.name, PLAIN.name}) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    add = parser.add_argument
    add("--data", type=Path, help="a folder of sets")
    add("--sets", default=_SETS, help=f"with commas ({_SETS})")
    most = f"at most so many questions of each set ({_QUESTIONS}; {_SHORT_QUESTIONS} with --short)"
    add("--limit", type=int, help=most)
    add("--budget", type=int, default=1000, help="tokens (1000)")
    add("--only", default="", help="only these stores, with commas")
    add("--ours", type=Path, nargs="+", default=[], help="saved results of holdfast eval")
    add("--work", help="the folder for the stores while they are measured")
    add("--write", type=Path, help="write the results as JSON")
    add("--page", type=Path, help="put saved results into docs/benchmarks.md; nothing is run")
    add("--short", action="store_true", help="a small set of our own, beside fts5 and numpy only")
    given = parser.parse_args()
    given.limit = given.limit or (_SHORT_QUESTIONS if given.short else _QUESTIONS)
    if given.data is None and not given.short and not given.page:
        parser.error("--data is needed, or --short")
    return given


def _entries(only: str) -> list[Entry]:
    wanted = only.split(",") if only else _NAMES
    known = {entry.name: entry for entry in ENTRIES}
    if unknown := [name for name in wanted if name not in known]:
        sys.exit(f"There is no store {unknown[0]}; there are: {', '.join(known)}.")
    return [known[name] for name in wanted]


def _ours(given: argparse.Namespace, sets: Sequence[MeasuredSet], work: Path) -> StoreRow:
    """Return what Holdfast finds: its own evaluation, by its own write path."""
    files: Sequence[Path] = given.ours
    if not files:
        files = [work / "ours.json"]
        words = ["--data", str(given.data), "--limit", str(given.limit)]
        words += [] if given.short else ["--only", given.sets]
        evaluated([*words, "--budget", str(given.budget), "--quiet"], files[0])
    found: dict[str, SetResult] = {}
    for path in files:
        saved = results_from_json(json.loads(path.read_text(encoding="utf-8")))
        found |= {result.name: result for result in saved}
    results = tuple(one.asked_of(found[one.name]) for one in sets)
    return StoreRow(name=OURS.name, note=_real(results, given.budget), results=results)


def _real(results: Sequence[SetResult], budget: int) -> str:
    """Return what a real answer holds, whose ids and evidence cost tokens too."""
    shares = []
    for result in results:
        values = [one.measures.get(f"gold@{budget}") for one in result.judged]
        known = [value for value in values if value is not None]
        if known:
            shares.append(f"{result.name} {100 * sum(known) / len(known):.1f}")
    said = f"words, meaning, names and links; a real answer of {budget:,} tokens, with ids and"
    return f"{said} evidence, holds {', '.join(shares)}"


def _row(entry: Entry, sets: Sequence[MeasuredSet], work: Path, budget: int) -> StoreRow:
    row = StoreRow(name=entry.name, note=entry.note)
    tools = ToolInstaller(environments=_PEERS, stores=work / "stores", material=work)
    if not tools.has(entry):
        return replace(row, problem="not measured: it is not installed; make bench-quality does it")
    version = _version(tools, entry)
    results = []
    for one in sets:
        sys.stderr.write(f"{entry.name}: {one.name}\n")
        out = work / "rankings.json"
        command = [str(tools.python_of(entry)), "-m", "benchmarks.quality.asking", entry.name]
        command += [str(tools.folder_of(entry) / one.name), str(one.folder), str(out)]
        environment = {**tools.environment(), LIMIT_VARIABLE: str(_RANKED)}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True
        )
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            return replace(row, version=version, problem=f"failed on {one.name}: {why}")
        results.append(one.result(json.loads(out.read_text(encoding="utf-8")), budget))
    return replace(row, version=version, results=tuple(results))


def _version(tools: ToolInstaller, entry: Entry) -> str:
    if not entry.package:
        return ""
    ask = f"from importlib.metadata import version; print(version({entry.package!r}))"
    done = subprocess.run(
        [str(tools.python_of(entry)), "-c", ask], check=True, capture_output=True, text=True
    )
    return f"{entry.package} {done.stdout.strip()}"


def _told(rows: Sequence[StoreRow], reader: Reader, budget: int) -> str:
    told = {"model": reader.name, "budget": budget, "rows": [row.told() for row in rows]}
    return json.dumps(told, indent=1) + "\n"


def _refresh_page(saved: Path) -> int:
    told = json.loads(saved.read_text(encoding="utf-8"))
    rows = [row_from_json(row) for row in told["rows"]]
    content = _PAGE.read_text(encoding="utf-8")
    before, start, rest = content.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not start or not end:
        sys.exit(f"{_PAGE} has no place for this: it lacks {BEGIN} and {END}.")
    written = text(rows, model=told["model"], budget=told["budget"])
    image = f"![What a budget of tokens holds, by store]({PICTURE})\n"
    _PAGE.write_text(f"{before}{BEGIN}\n\n{written}\n{image}\n{END}{after}", encoding="utf-8")
    drawn = picture(rows, budget=told["budget"])
    _PAGE.with_name(PICTURE).write_text(drawn, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
