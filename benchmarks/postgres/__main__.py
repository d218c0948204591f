"""``python -m benchmarks.postgres``: Holdfast on Postgres beside other designs, in one table.

Every design runs on the same server in one run, one after the other, each in a database and a
process of its own. CPU time of the client and of the server is measured, because it depends less
on other load of the machine than wall time does.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.peers.processes import ROOT
from benchmarks.postgres.designs import DESIGNS
from benchmarks.postgres.report import into_page, tables
from benchmarks.postgres.runner import ADDED, COPIED, LATE, NEW, THERE
from tests.postgres_server import APP, EMPTY, READY, Server, kept_server, new_server

_PEERS = ROOT / ".peers" / "postgres" / "bin" / "python"
_OWN = ("holdfast", "document", "hnsw")
_SHORT, _FULL = 600, 100_000
_SHORT_QUESTIONS, _QUESTIONS = 10, 100
# All designs fit into this, as they would on a server of their own; the memory that processes share
# for building an index is no file on a disk.
_SETTINGS = ("-c", "shared_buffers=2GB", "-c", "dynamic_shared_memory_type=posix")


def main() -> int:
    """Measure, print, and write the requested files."""
    options = _options()
    if options.page:
        into_page(json.loads(options.page.read_text(encoding="utf-8")))
        return 0
    rows = options.rows or (_SHORT if options.short else _FULL)
    names = options.only.split(",") if options.only else list(DESIGNS)
    found: dict[str, Any] = {}
    database = kept_server(options.keep, *_SETTINGS) if options.keep else new_server(*_SETTINGS)
    bench = _Bench(database, rows, options)
    try:
        for name in names:
            if figures := bench.measured(name):
                found[name] = figures
                _keep(_results(rows, options.how, found), options.write)
    finally:
        database.stop()
    sys.stdout.write(tables(_results(rows, options.how, found)) + "\n")
    return int("holdfast" in names and "holdfast" not in found)


def _results(rows: int, how: str, found: dict[str, Any]) -> dict[str, Any]:
    return {
        "rows": rows,
        "filled": how,
        "designs": {name: found[name] for name in DESIGNS if name in found},
    }


def _keep(results: dict[str, Any], path: Path | None) -> None:
    """Write the results so far: a long run that is stopped leaves them."""
    if path is not None:
        path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.postgres", description=__doc__)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--short", action="store_true", help=f"{_SHORT:,} rows, in seconds")
    length.add_argument("--full", action="store_true", help=f"{_FULL:,} rows (the default)")
    parser.add_argument("--rows", type=int, help="rows of all tenants together")
    parser.add_argument("--only", help=f"names of designs, of {','.join(DESIGNS)}")
    parser.add_argument("--python", type=Path, default=_PEERS, help="interpreter with the peers")
    filling = parser.add_mutually_exclusive_group()
    filling.add_argument(
        "--late",
        action="store_const",
        dest="how",
        const=LATE,
        help="build the HNSW indexes after the rows were added: less than half of the time",
    )
    filling.add_argument(
        "--copied",
        action="store_const",
        dest="how",
        const=COPIED,
        help="copy the vectors into the tables, and build the indexes at the end: for many rows",
    )
    parser.add_argument(
        "--keep",
        type=Path,
        help="keep the databases in this folder; a later run with it asks what is filled",
    )
    parser.add_argument("--write", type=Path, help="also write the results into this JSON file")
    parser.add_argument(
        "--page", type=Path, help="measure nothing: put this results file into docs/benchmarks.md"
    )
    parser.set_defaults(how=ADDED)
    return parser.parse_args()


class _Bench:
    """The databases of one run, one for each design."""

    def __init__(self, server: Server, rows: int, options: argparse.Namespace) -> None:
        self._server = server
        self._rows = rows
        self._questions = _SHORT_QUESTIONS if options.short else _QUESTIONS
        self._options = options

    def measured(self, name: str) -> dict[str, Any] | None:
        """Return the figures of a design; None if it is not installed or fails."""
        python = Path(sys.executable) if name in _OWN else self._options.python
        if not python.exists():
            sys.stderr.write(f"{name} is left out: make .peers/postgres/.ready\n")
            return None
        sys.stderr.write(f"{name}: {self._rows:,} rows …\n")
        note = self._note(name)
        if note and note.exists():
            filled: dict[str, Any] = json.loads(note.read_text(encoding="utf-8"))
            figures = self._run(name, python, THERE)
            return None if figures is None else filled | figures
        made = self._database(name)
        self._server.run(f"DROP DATABASE IF EXISTS {made}")
        self._server.new_database(READY if name == "holdfast" else EMPTY, made)
        figures = self._run(name, python, NEW)
        if note and figures is not None:
            filled = {key: figures[key] for key in ("insert", "copy") if key in figures}
            note.write_text(json.dumps(filled) + "\n", encoding="utf-8")
        return figures

    def _database(self, name: str) -> str:
        return f"{name}_{self._rows}_{self._options.how}"

    def _note(self, name: str) -> Path | None:
        """Return the file that says that a database is filled, if databases are kept."""
        keep: Path | None = self._options.keep
        return None if keep is None else keep / f"{self._database(name)}.json"

    def _run(self, name: str, python: Path, filled: str) -> dict[str, Any] | None:
        own, made = name in _OWN, self._database(name)
        owner = self._server.url(made, "postgres")
        address = self._server.url(made, APP) if name == "holdfast" else owner
        server = str(self._server.process.pid)
        words = [name, address, owner, server, str(self._rows), str(self._questions)]
        words += [filled, self._options.how]
        with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as home:
            paths = os.pathsep.join([str(ROOT), *([str(ROOT / "src")] if own else [])])
            environment = {"PYTHONPATH": paths, "HOLDFAST_HOME": home, "HOLDFAST_MODELS": home}
            done = subprocess.run(
                [str(python), "-m", "benchmarks.postgres.runner", *words],
                env=os.environ | environment,
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
            )
        if done.returncode:
            sys.stderr.write(f"{name} failed:\n{done.stderr[-1500:]}\n")
            return None
        figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return figures


if __name__ == "__main__":
    sys.exit(main())
