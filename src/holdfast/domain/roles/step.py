"""A step of a supervised run: who does it, its inputs, its time, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, cast

from holdfast.domain.choices import choose
from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields, Shape, time_text
from holdfast.domain.ids import RunId
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from datetime import datetime

LARGEST_STEP = 1024 * 1024
"""How many bytes the inputs of a step, and its outputs, may have as JSON."""
LEAST_SECONDS, MOST_SECONDS = 1.0, 24 * 3600.0
"""The shortest and the longest time of a run."""
BUDGETS = "the smallest budget is 1 second, the largest 1 day"
MOST_STEPS = 64
MOST_ATTEMPTS = 20


class Role(StrEnum):
    """Who does a step."""

    SUPERVISOR = "supervisor"
    HISTORIAN = "historian"
    PLANNER = "planner"
    EXECUTOR = "executor"
    CURATOR = "curator"


class StepWork(StrEnum):
    """What a step does; each sort of work belongs to one role."""

    INTERPRET = "interpret"
    HISTORY = "history"
    PLAN = "plan"
    COMMAND = "command"
    CURATE = "curate"
    CONSOLIDATE = "consolidate"


class StepStatus(StrEnum):
    """How far a step is. A skipped step has a reason in its notes."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepAttempt:
    """One try of a specialist; ``problem`` is empty if its answer was used."""

    specialist: str
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLease:
    """Which process works on a step, and until when no other takes it."""

    holder: str
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStep:
    """One step of the queue of a run.

    ``inputs`` are recorded before the specialist starts, ``outputs`` are its checked answer, and
    ``effects`` what was written because of it. ``budget`` is the number of seconds the step may
    take. ``subject`` is the name of the command, if the step runs one.
    """

    run_id: RunId
    number: int
    role: Role
    work: StepWork
    subject: str = ""
    budget: float = 0.0
    status: StepStatus = StepStatus.WAITING
    specialist: str = ""
    inputs: Shape | None = None
    outputs: Shape | None = None
    effects: Shape = field(default_factory=dict)
    attempts: tuple[StepAttempt, ...] = ()
    lease: StepLease | None = None
    notes: tuple[str, ...] = ()
    started_at: datetime | None = None
    finished_at: datetime | None = None

    @property
    def id(self) -> str:
        """The name of the step in the event log."""
        return f"{self.run_id}/{self.number}"

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to do."""
        return self.status in {StepStatus.DONE, StepStatus.SKIPPED}

    @property
    def name(self) -> str:
        """The step in words for people: the role, and the command it runs."""
        return f"{self.role.value} {self.subject}".rstrip()

    def is_held_at(self, moment: datetime) -> bool:
        """Tell whether a process works on it at a moment."""
        return self.lease is not None and moment < self.lease.until


def step_json(step: RunStep) -> dict[str, object]:
    """Return the JSON that is stored, exported and shown by ``--json``."""
    return {
        "run": step.run_id,
        "number": step.number,
        "role": step.role.value,
        "work": step.work.value,
        "subject": step.subject,
        "status": step.status.value,
        "budget": step.budget,
        "specialist": step.specialist,
        "inputs": None if step.inputs is None else dict(step.inputs),
        "outputs": None if step.outputs is None else dict(step.outputs),
        "effects": dict(step.effects),
        "attempts": [
            {"specialist": one.specialist, "problem": one.problem} for one in step.attempts
        ],
        "held_by": None if step.lease is None else step.lease.holder,
        "lease_until": None if step.lease is None else time_text(step.lease.until),
        "notes": list(step.notes),
        "started_at": time_text(step.started_at),
        "finished_at": time_text(step.finished_at),
    }


def step_from_json(shape: object) -> RunStep:
    """Read a step."""
    fields = Fields(shape, noun="step")
    holder, until = fields.maybe_text("held_by"), fields.maybe_moment("lease_until")
    return RunStep(
        run_id=RunId(fields.text("run")),
        number=fields.whole("number"),
        role=choose(Role, fields.text("role"), what="role"),
        work=choose(StepWork, fields.text("work"), what="work of a step"),
        subject=fields.text("subject"),
        status=choose(StepStatus, fields.text("status"), what="status of a step"),
        budget=float(fields.number("budget")),
        specialist=fields.text("specialist"),
        inputs=maybe_object(fields.raw("inputs"), what="inputs"),
        outputs=maybe_object(fields.raw("outputs"), what="outputs"),
        effects=maybe_object(fields.raw("effects"), what="effects") or {},
        attempts=tuple(_attempt(item) for item in fields.items("attempts")),
        lease=None if holder is None or until is None else StepLease(holder=holder, until=until),
        notes=fields.words("notes"),
        started_at=fields.maybe_moment("started_at"),
        finished_at=fields.maybe_moment("finished_at"),
    )


def maybe_object(value: object, *, what: str) -> Shape | None:
    """Return a JSON object, or None.

    Raises:
        BadFieldError: It is something else.
    """
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise BadFieldError(field=f"step's {what}", problem="must be an object.")
    return cast("Shape", value)


def _attempt(shape: object) -> StepAttempt:
    fields = Fields(shape, noun="attempt")
    return StepAttempt(specialist=fields.text("specialist"), problem=fields.text("problem"))
