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
from tests.postgres_server import APP, EMPTY, READY, Server, new_server

_PEERS = ROOT / ".peers" / "postgres" / "bin" / "python"
_OWN = ("holdfast", "document", "hnsw")
_SHORT, _FULL = 600, 100_000
_SHORT_QUESTIONS, _QUESTIONS = 10, 100
# All designs fit into this, as they would on a server of their own.
_BUFFERS = ("-c", "shared_buffers=2GB")


def main() -> int:
    """Measure, print, and write the requested files."""
    options = _options()
    if options.page:
        into_page(json.loads(options.page.read_text(encoding="utf-8")))
        return 0
    rows = options.rows or (_SHORT if options.short else _FULL)
    questions = _SHORT_QUESTIONS if options.short else _QUESTIONS
    names = options.only.split(",") if options.only else list(DESIGNS)
    found: dict[str, Any] = {}
    database = new_server(*_BUFFERS)
    try:
        for name in names:
            if figures := _measured(name, database, (rows, questions), options.python):
                found[name] = figures
                _keep(_results(rows, found), options.write)
    finally:
        database.stop()
    sys.stdout.write(tables(_results(rows, found)) + "\n")
    return int("holdfast" in names and "holdfast" not in found)


def _results(rows: int, found: dict[str, Any]) -> dict[str, Any]:
    return {"rows": rows, "designs": {name: found[name] for name in DESIGNS if name in found}}


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
    parser.add_argument("--write", type=Path, help="also write the results into this JSON file")
    parser.add_argument(
        "--page", type=Path, help="measure nothing: put this results file into docs/benchmarks.md"
    )
    return parser.parse_args()


def _measured(
    name: str, database: Server, amounts: tuple[int, int], peers: Path
) -> dict[str, Any] | None:
    """Return the figures of a design; None if it is not installed or fails."""
    rows, questions = amounts
    own = name in _OWN
    python = Path(sys.executable) if own else peers
    if not python.exists():
        sys.stderr.write(f"{name} is left out: make .peers/postgres/.ready\n")
        return None
    sys.stderr.write(f"{name}: {rows:,} rows …\n")
    ours = name == "holdfast"
    made = database.new_database(READY if ours else EMPTY)
    owner = database.url(made, "postgres")
    address = database.url(made, APP) if ours else owner
    words = [name, address, owner, str(database.process.pid), str(rows), str(questions)]
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
