"""The specialists that ship: rules for each sort of work. Each is imported when it is asked."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from holdfast.domain.roles.step import StepWork

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_HOME = "holdfast.heuristics.planning"
_RULES = {
    StepWork.INTERPRET: ("interpreting", "interpret"),
    StepWork.HISTORY: ("historian", "history"),
    StepWork.PLAN: ("planner", "plan"),
    StepWork.CURATE: ("curator", "curate"),
    StepWork.CONSOLIDATE: ("recapping", "recap"),
}


def rules_answer(work: StepWork, inputs: Mapping[str, object]) -> dict[str, object]:
    """Return what the rules say; it depends on the inputs and on nothing else."""
    module, name = _RULES[work]
    found = getattr(import_module(f"{_HOME}.{module}"), name)
    return cast("Callable[[Mapping[str, object]], dict[str, object]]", found)(inputs)
