"""What a person is told about the places outside the store that held a forgotten text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import HoldfastError
from holdfast.domain.traces import Reach, Trace, remains
from holdfast.surfaces.cli.present.colour import Dim, Good, Warn
from holdfast.surfaces.cli.present.table import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.surfaces.cli.desk import Desk
    from holdfast.usecases.forget import Forgotten

TEXT_REMAINS = 7


def follow_forgetting(gone: Sequence[Forgotten], desk: Desk) -> int | None:
    """Write the generated pages again, name what held the text, and return the exit code."""
    from holdfast.bootstrap.forgetting import make_again

    traces = tuple(dict.fromkeys(trace for one in gone for trace in one.traces))
    if any(trace.reach is Reach.REMOVED for trace in traces):
        try:
            traces += make_again(desk.memory, gone, folder=desk.folder, home=desk.home)
        except HoldfastError as error:
            desk.output.complain(f"Forgotten, but the pages were not written again: {error}")
    if not desk.output.as_json:
        for trace in traces:
            _say(trace, desk)
    return TEXT_REMAINS if remains(traces) else None


def trace_json(trace: Trace) -> dict[str, object]:
    """Return one place for programs."""
    return {"place": trace.place, "state": trace.reach.value, "advice": trace.advice}


def _say(trace: Trace, desk: Desk) -> None:
    word = trace.reach.value
    shown = Good(word) if trace.reach is Reach.REMOVED else Warn(word)
    desk.output.say(shown, f"  {trace.place}  ", Dim(one_line(trace.advice)))
