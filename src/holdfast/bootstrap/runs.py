"""Runs joined to the repository they are about and the pages they are shown on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.app import Holdfast
    from holdfast.app.runs import Runs


def runs_of(memory: Holdfast, folder: Path) -> Runs:
    """Return the runs of the repository that holds a folder."""
    from holdfast.adapters.git.log import GitLog
    from holdfast.app.runs import Runs
    from holdfast.bootstrap.filing import open_notebook

    return Runs(memory, chronicle=GitLog(folder), notebook=open_notebook(folder))
