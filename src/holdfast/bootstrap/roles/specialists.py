"""Asks specialists: each answer is given by a process that is killed when its time is up."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from holdfast.adapters.processes.answering import asked
from holdfast.bootstrap.roles.specialist_process import RULES
from holdfast.domain.roles.step import StepWork
from holdfast.ports.roles.specialists import SpecialistEnd

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PROCESS = (sys.executable, "-P", "-m", "holdfast.bootstrap.roles.specialist_process")
"""``-P`` keeps the current folder off the path: code in a repository must never run."""
SETTINGS = {
    StepWork.HISTORY: "supervise.historian",
    StepWork.PLAN: "supervise.planner",
    StepWork.CURATE: "supervise.curator",
    StepWork.CONSOLIDATE: "supervise.recap",
}
_ACCESS = ("url", "model", "key_env", "tokens")


class ProcessSpecialists:
    """Starts a process for each answer; ``value`` returns the value of a setting."""

    def __init__(self, value: Callable[[str], str]) -> None:
        self._value = value

    def chosen(self, work: StepWork) -> str:
        """Return the specialist that a setting chooses; an intent is interpreted by rules."""
        return RULES if work not in SETTINGS else self._value(SETTINGS[work])

    def ask(
        self, name: str, work: StepWork, inputs: Mapping[str, object], *, seconds: float
    ) -> SpecialistEnd:
        """Return the answer of a specialist, or why there is none."""
        question = {
            "name": name,
            "work": work.value,
            "inputs": dict(inputs),
            "seconds": seconds,
            "access": {one: self._value(f"supervise.{one}") for one in _ACCESS},
        }
        end = asked(PROCESS, json.dumps(question).encode(), seconds=seconds)
        if end.problem:
            return SpecialistEnd(None, end.problem)
        try:
            answer = json.loads(end.output)
        except (ValueError, RecursionError):
            return SpecialistEnd(None, "ended without an answer")
        if not isinstance(answer, dict) or "problem" in answer:
            problem = answer.get("problem") if isinstance(answer, dict) else "ended oddly"
            return SpecialistEnd(None, str(problem))
        return SpecialistEnd(answer.get("outputs"))
