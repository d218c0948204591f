"""Holdfast beside the reference implementations of frameworks, on random operations."""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

from torture.frameworks.comparing import Comparison
from torture.frameworks.installed import is_installed
from torture.report import Report, Tally, faulty
from torture.task import Task

SUBJECTS = {
    "memory_tool": "anthropic",
    "graph_store": "langgraph",
    "mem0_client": "mem0",
    "agent_session": "agents",
}
"""The comparisons, and the package that each of them needs."""
SHORT, FULL = 150, 10_000


def run(task: Task) -> Report:
    """Compare each integration with its reference."""
    most = task.number(short=SHORT, full=FULL)
    tally, done, left_out = Tally(), [], []
    logging.disable(logging.WARNING)
    for subject, package in SUBJECTS.items():
        if not is_installed(package):
            left_out.append(package)
            continue
        module = import_module(f"torture.frameworks.{subject}")
        compare = cast("Callable[[int, int, Path], Comparison]", vars(module)[f"compare_{subject}"])
        found = compare(most, task.seed, task.folder(subject))
        done.append(f"{found.operations:,} for {found.subject}")
        tally += Tally(acks=found.operations)
        for difference in found.differences:
            tally += faulty(f"{found.subject}: {difference}")
    if not done:
        return Report(tool="frameworks", done="", skipped="run: make frameworks")
    missing = f"; not installed: {', '.join(left_out)}" if left_out else ""
    return Report(tool="frameworks", done=f"{'; '.join(done)}{missing}", tally=tally)
