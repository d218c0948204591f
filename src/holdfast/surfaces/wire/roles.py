"""JSON of supervised runs: their steps, their recap, and their replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError, BadLifetimeError
from holdfast.domain.memory.lifetime import read_lifetime
from holdfast.domain.roles.step import BUDGETS, StepWork, step_json
from holdfast.domain.sessions.run import run_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from holdfast.domain.roles.commands import AllowedCommand
    from holdfast.usecases.roles.replaying import ReplayedStep, RunReplay
    from holdfast.usecases.roles.supervising import SupervisedRun

    Json = dict[str, object]


def supervised_json(found: SupervisedRun) -> Json:
    """Return a supervised run: the run, its steps, its recap and its disagreements."""
    return {
        "run": None if found.run is None else run_json(found.run),
        "steps": [step_json(one) for one in found.steps],
        "failed": [one.name for one in found.failed],
        "recap": recap_of(found),
        "disagreements": disagreements_of(found),
        "notes": list(found.notes),
        "pages": list(found.pages),
    }


def recap_of(found: SupervisedRun) -> str:
    """Return the words of the recap; empty before it was written."""
    for step in found.steps:
        if step.work is StepWork.CONSOLIDATE and step.outputs is not None:
            return str(step.outputs.get("text", ""))
    return ""


def disagreements_of(found: SupervisedRun) -> list[object]:
    """Return the disagreements of a run with both sides, and who decided."""
    for step in found.steps:
        if step.work is StepWork.CONSOLIDATE and step.inputs is not None:
            listed = step.inputs.get("disagreements")
            return list(listed) if isinstance(listed, list) else []
    return []


def supervised_runs_json(found: Iterable[SupervisedRun]) -> Json:
    """Return a list of supervised runs, without their steps."""
    return {
        "runs": [
            {
                "run": None if one.run is None else run_json(one.run),
                "steps": len(one.steps),
                "over": sum(step.is_over for step in one.steps),
            }
            for one in found
        ]
    }


def replay_json(found: RunReplay) -> Json:
    """Return a replay: each step with its differences."""
    return {
        "run": run_json(found.run),
        "same": found.is_same,
        "steps": [_replayed_json(one) for one in found.steps],
    }


def _replayed_json(one: ReplayedStep) -> dict[str, object]:
    return {
        "number": one.step.number,
        "role": one.step.role.value,
        "work": one.step.work.value,
        "subject": one.step.subject,
        "specialist": one.step.specialist,
        "not_replayed": one.not_replayed,
        "differences": [
            {"where": each.where, "recorded": each.recorded, "now": each.now}
            for each in one.differences
        ],
    }


def allowed_json(found: Mapping[str, AllowedCommand]) -> Json:
    """Return the commands that a person allowed here."""
    return {
        "commands": [
            {
                "name": name,
                "command": one.command,
                "files": list(one.files),
                "refusal": one.refusal,
            }
            for name, one in sorted(found.items())
        ]
    }


def read_budget(words: str | None) -> float | None:
    """Read a budget of time in seconds: ``90s``, ``5m`` or ``90``; None for the usual one.

    Raises:
        BadFieldError: It is not a length of time.
    """
    if words is None:
        return None
    text = words.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    if text.endswith("s") and text[:-1].isascii() and text[:-1].isdigit():
        return float(text[:-1][:9])
    try:
        length = read_lifetime(text)
    except BadLifetimeError:
        length = None
    if length is None:
        problem = f"cannot be '{text[:40]}'; {BUDGETS}, for example 90s, 5m or 2h."
        raise BadFieldError(field="budget", problem=problem)
    return length.total_seconds()
