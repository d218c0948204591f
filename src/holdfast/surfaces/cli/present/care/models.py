"""Print embedding models: installed, in use, and how many memories they embedded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import show_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.bootstrap.opening.models import ModelLine
    from holdfast.surfaces.cli.present.terminal.output import Output

_MEGABYTE = 1_000_000
_HEADS = ("", "NAME", "INSTALLED", "SIZE", "NUMBERS", "READ", "LICENCE", "WHAT IT IS")


def show_models(output: Output, lines: Sequence[ModelLine], read: Mapping[str, int]) -> None:
    """Write one row for each model."""
    rows = [
        (
            Good("used") if line.is_chosen and line.is_installed else "",
            Name(line.name),
            _where(line),
            f"{line.size / _MEGABYTE:.0f} MB" if line.size else "",
            str(line.dimension) if line.is_installed or line.sends_to else "",
            f"{read.get(line.model, 0):,}" if line.is_installed or line.model in read else "",
            line.licence,
            line.title,
        )
        for line in lines
    ]
    show_table(output, _HEADS, rows)


def _where(line: ModelLine) -> str:
    """Return whether a model is installed; a service on the network is not."""
    if line.problem:
        return Warn("broken")
    if line.sends_to:
        return "network"
    return "yes" if line.is_installed else Dim("no")
