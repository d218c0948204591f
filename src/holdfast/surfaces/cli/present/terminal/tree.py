"""Print a tree of lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass, field
from holdfast.surfaces.cli.present.terminal.colour import Dim

if TYPE_CHECKING:
    from holdfast.surfaces.cli.present.terminal.output import Output


@dataclass(frozen=True, slots=True)
class Branch:
    """A line, and the lines below it."""

    line: list[str]
    branches: list[Branch] = field(default_factory=list)


def show_tree(output: Output, root: Branch) -> None:
    """Write a tree from its root."""
    output.say(*root.line)
    _show_branches(output, root.branches, indent="")


def _show_branches(output: Output, branches: list[Branch], *, indent: str) -> None:
    for place, branch in enumerate(branches, start=1):
        is_last = place == len(branches)
        output.say(Dim(indent + ("└─ " if is_last else "├─ ")), *branch.line)
        _show_branches(output, branch.branches, indent=indent + ("   " if is_last else "│  "))
