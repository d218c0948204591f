"""``python -m benchmarks.peers``: compares Holdfast with other stores, in one table."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.peers.making import made
from benchmarks.peers.meanings import HashedWords, a_reader
from benchmarks.peers.measure import Plan, Round, Row
from benchmarks.peers.peer import ENTRIES, OURS, PLAIN, Entry
from benchmarks.peers.processes import ROOT, StoreFailedError, ToolInstaller
from benchmarks.peers.report import (
    NoMarkersError,
    into_page,
    pictures,
    read,
    results,
    section,
    tables,
)
from holdfast.domain.errors import HoldfastError

_PEERS = ROOT / ".peers"
_PAGE = ROOT / "docs" / "benchmarks.md"
_ALL = [10_000, 100_000, 1_000_000]
_SHORT = Plan(questions=20, cold_runs=1, patience=60, largest_of_others=500)
_FULL = Plan(questions=60, cold_runs=5, patience=900, largest_of_others=100_000)


def main() -> int:
    """Measure, print, and write the requested files."""
    options = _options()
    if options.page:
        return _refresh_page(options.page)
    sizes = [int(size) for size in options.sizes.split(",")] if options.sizes else _ALL
    entries, plan, texts_read = list(ENTRIES), _FULL, 3_000
    if options.short:
        entries, plan, sizes, texts_read = [OURS, PLAIN], _SHORT, [500], 100
    if options.patience:
        plan = replace(plan, patience=options.patience)
    if options.only:
        entries = _named(options.only.split(","))
    with tempfile.TemporaryDirectory(prefix="holdfast-peers-", dir=options.work) as folder:
        material = made(
            Path(folder) / "material" if options.short else _PEERS / "material",
            HashedWords() if options.short else a_reader(),
            size=max(sizes),
            read=texts_read,
            questions=plan.questions,
        )
        workshop = ToolInstaller(
            environments=_PEERS, stores=Path(folder), material=material.folder.absolute()
        )
        entries = [entry for entry in entries if _is_there(workshop, entry)]
        rows: list[Row] = []
        for size in sizes:
            rows += Round(workshop, material, entries, size=size).measured(plan)
        versions = {entry.name: _version(workshop, entry) for entry in entries if entry.package}
    sys.stdout.write(tables(rows))
    if options.write:
        options.write.write_text(results(rows, material.about, versions), encoding="utf-8")
    return 1 if any(row.name == OURS.name and row.problem for row in rows) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--short", action="store_true", help="500 texts, beside plain FTS5 and numpy alone"
    )
    length.add_argument(
        "--full", action="store_true", help="10k and 100k, and a million alone (the default)"
    )
    parser.add_argument("--sizes", help="sizes to measure at, such as 10000,100000")
    parser.add_argument("--only", help="names of stores, such as holdfast,chroma")
    parser.add_argument(
        "--patience", type=float, help="seconds a store may take to be filled (default: 900)"
    )
    parser.add_argument("--work", type=Path, help="folder for the stores (default: temporary)")
    parser.add_argument("--write", type=Path, help="also write the results into this JSON file")
    parser.add_argument(
        "--page", type=Path, help="measure nothing: put this results file into docs/benchmarks.md"
    )
    return parser.parse_args()


def _named(names: Sequence[str]) -> list[Entry]:
    known = {entry.name: entry for entry in ENTRIES}
    for name in names:
        if name not in known:
            sys.exit(f"There is no store '{name}'. There are: {', '.join(known)}.")
    return [known[name] for name in names]


def _is_there(workshop: ToolInstaller, entry: Entry) -> bool:
    if workshop.has(entry):
        return True
    sys.stderr.write(f"{entry.name} is left out: make .peers/{entry.environment}/.ready\n")
    return False


def _version(workshop: ToolInstaller, entry: Entry) -> str:
    program = "import sys, importlib.metadata as m; print(m.version(sys.argv[1]))"
    python = str(workshop.python_of(entry))
    told = subprocess.run([python, "-c", program, entry.package], capture_output=True, check=True)
    return told.stdout.decode().strip()


def _refresh_page(path: Path) -> int:
    rows, told = read(path)
    page = _PAGE.read_text(encoding="utf-8")
    _PAGE.write_text(into_page(page, section(rows, told)), encoding="utf-8")
    for name, picture in pictures(rows).items():
        (_PAGE.parent / name).write_text(picture, encoding="utf-8")
    sys.stdout.write(json.dumps({"page": str(_PAGE), "rows": len(rows)}) + "\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (HoldfastError, NoMarkersError, StoreFailedError) as error:
        sys.exit(str(error))
