"""``python -m torture <tool>``: run one fault tool, or all of them, and print one table."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import cast

from torture.crew import ChildFailedError
from torture.patience import set_busy_timeout
from torture.report import Report, faulty, table
from torture.task import Task, Tool, place_for, workplace

TOOLS = (
    *("kill", "power", "states", "sweep", "disk", "contend", "vectors", "git", "files", "sync"),
    *("poison", "secrets", "derived", "alarm", "zero_bytes", "stopped", "history", "forgotten"),
    *("racy", "hostile", "offers", "common", "http", "postgres", "workspaces", "agents"),
    *("remote", "sessions", "prune", "roles", "frameworks"),
)
PARTS = ("full_disk", "read_only", "damage", "tails", "tenants")
"""Parts of the tools ``disk`` and ``postgres`` that also run by themselves."""


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line; return 0 if nothing failed."""
    options = _parser().parse_args(words)
    set_busy_timeout()
    # A closed terminal or a stopped job must unmount as well, so it ends like Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(143))
    if options.tool == "record":
        import_module("torture.states").record(options.work, options.seconds, options.seed)
        return 0
    if options.tool == "planted":
        caught: int = import_module("torture.planted").main(options)
        return caught
    names = TOOLS if options.tool == "all" else (options.tool,)
    reports = [_run(name, options) for name in names]
    print(table(reports))
    return int(any(report.result == "FAIL" for report in reports))


def _run(name: str, options: argparse.Namespace) -> Report:
    tool = cast("Tool", import_module(f"torture.{name}").run)
    began = time.monotonic()
    with workplace(options.work or place_for(name)) as work:
        task = Task(
            work=work,
            seed=options.seed,
            full=options.full,
            amount=options.amount,
            repo=options.repo,
        )
        try:
            report = tool(task)
        except ChildFailedError as error:
            report = Report(tool=name, done="it broke", tally=faulty(str(error)))
    report = replace(report, seconds=time.monotonic() - began, command=_command(name, options))
    if options.tool == "all":
        print(f"{name}: {report.result} after {report.seconds:.1f} s", flush=True)
    return report


def _command(name: str, options: argparse.Namespace) -> str:
    length = "--full" if options.full else "--short"
    amount = "" if options.amount is None else f" --amount {options.amount}"
    repo = "" if options.repo is None else f" --repo {options.repo}"
    return f"python -m torture {name} {length} --seed {options.seed}{amount}{repo}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m torture", description=__doc__)
    parser.add_argument("tool", choices=[*TOOLS, *PARTS, "all", "planted", "record"])
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--full", action="store_true", help="as long as the promises ask for")
    length.add_argument("--short", action="store_true", help="a few seconds each (the default)")
    parser.add_argument("--seed", type=int, default=1, help="where chance begins")
    parser.add_argument("--amount", type=int, help="how many faults, instead of the tool's number")
    parser.add_argument("--work", type=Path, help="a folder to work in; it is left empty")
    parser.add_argument("--repo", type=Path, help="a repository whose history is followed")
    parser.add_argument("--seconds", type=float, default=1.0, help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped; everything was unmounted and removed")
