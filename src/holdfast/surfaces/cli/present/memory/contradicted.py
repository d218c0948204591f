"""What a new claim seems to contradict, as the command line tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.cli.advising.advice import ways_to_resolve
from holdfast.surfaces.cli.present.terminal.colour import Dim, Warn

if TYPE_CHECKING:
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.memory.remember import Remembered


def tell_conflicts(remembered: Remembered, output: Output) -> None:
    """Write what a claim seems to contradict, and the commands that settle it."""
    name = remembered.record.memory.id
    others = [one.standing.memory.id for one in remembered.conflicts]
    for one in remembered.conflicts:
        output.note(Warn(f"seems to contradict {one.standing.memory.id}: "), one.suspicion.reason)
    every, *single = ways_to_resolve(name, others)
    output.note(Dim(f"resolve {'all of them' if single else 'it'}: {every}"))
    for command in single:
        output.note(Dim(f"resolve one: {command}"))
