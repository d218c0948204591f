"""The specialists that ship: rules for each sort of work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.roles.step import StepWork
from holdfast.heuristics.planning.curator import curate
from holdfast.heuristics.planning.historian import history
from holdfast.heuristics.planning.interpreting import interpret
from holdfast.heuristics.planning.planner import plan
from holdfast.heuristics.planning.recapping import recap

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

RULES: Mapping[StepWork, Callable[[Mapping[str, object]], dict[str, object]]] = {
    StepWork.INTERPRET: interpret,
    StepWork.HISTORY: history,
    StepWork.PLAN: plan,
    StepWork.CURATE: curate,
    StepWork.CONSOLIDATE: recap,
}
"""What each rule does with its inputs; the answer depends on nothing else."""
