"""Which role decides where two disagree. The tables are data: a setting changes them, no code."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.choices import choose
from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields
from holdfast.domain.roles.step import Role, StepWork
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PERSON = "person"
"""In an order of precedence: from here on nobody decides but a person."""


class Topic(StrEnum):
    """What roles can disagree about."""

    TASK_DONE = "task-done"
    CITED_MEMORY = "cited-memory"


PRECEDENCE: Mapping[Topic, tuple[str, ...]] = {
    # The end of a command is a fact; a commit message and a plan are words.
    Topic.TASK_DONE: (Role.EXECUTOR.value, PERSON),
    Topic.CITED_MEMORY: (Role.CURATOR.value, PERSON),
}
"""Who decides about each topic, if no setting says otherwise: the first role that has a side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaybookStep:
    """One sort of step: its share of the time, and who is asked if the chosen specialist fails."""

    work: StepWork
    role: Role
    share: float
    fallbacks: tuple[str, ...]


RULES, NOTHING = "rules", "nothing"
PLAYBOOK = (
    PlaybookStep(
        work=StepWork.INTERPRET, role=Role.SUPERVISOR, share=0.05, fallbacks=(RULES, NOTHING)
    ),
    PlaybookStep(work=StepWork.HISTORY, role=Role.HISTORIAN, share=0.4, fallbacks=(RULES, NOTHING)),
    PlaybookStep(work=StepWork.PLAN, role=Role.PLANNER, share=0.25, fallbacks=(RULES, NOTHING)),
    PlaybookStep(work=StepWork.COMMAND, role=Role.EXECUTOR, share=0.0, fallbacks=()),
    PlaybookStep(work=StepWork.CURATE, role=Role.CURATOR, share=0.2, fallbacks=(RULES, NOTHING)),
    PlaybookStep(
        work=StepWork.CONSOLIDATE, role=Role.SUPERVISOR, share=0.1, fallbacks=(RULES, NOTHING)
    ),
)
"""The steps of a run in order. A command has no share: it gets the time that the others leave."""


def played(work: StepWork) -> PlaybookStep:
    """Return the line of the playbook about a sort of work."""
    return next(one for one in PLAYBOOK if one.work is work)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleSide:
    """What one role says, and why."""

    role: Role
    says: str
    because: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """Two roles say different things about one subject; ``decided_by`` is a role or a person.

    ``outcome`` is what holds now; for a person, it is the question that is open.
    """

    topic: Topic
    subject: str
    sides: tuple[RoleSide, ...]
    decided_by: str = PERSON
    outcome: str = ""

    @property
    def is_open(self) -> bool:
        """Whether a person has to decide."""
        return self.decided_by == PERSON


def deciding_side(sides: Sequence[RoleSide], order: Iterable[str]) -> RoleSide | None:
    """Return the side that decides: the first role of the order with one; None for a person."""
    by_role = {side.role.value: side for side in sides}
    for name in order:
        if name == PERSON:
            return None
        if name in by_role:
            return by_role[name]
    return None


def read_precedence(text: str) -> Mapping[Topic, tuple[str, ...]]:
    """Read ``task-done: executor, historian; cited-memory: curator``; other topics stay usual.

    Raises:
        BadFieldError: A part is not a topic and an order of roles.
        UnknownChoiceError: A topic or a role is unknown.
    """
    found = dict(PRECEDENCE)
    for part in filter(None, map(str.strip, text.split(";"))):
        topic, colon, names = part.partition(":")
        order = tuple(filter(None, (name.strip() for name in names.split(","))))
        if not colon or not order:
            problem = f"'{part[:60]}' is not a topic, a colon and roles in their order."
            raise BadFieldError(field="precedence", problem=problem)
        for name in order:
            if name != PERSON:
                choose(Role, name, what="role")
        found[choose(Topic, topic.strip(), what="topic")] = order
    return found


def precedence_json(table: Mapping[Topic, tuple[str, ...]]) -> dict[str, object]:
    """Return the orders as they are recorded with a run."""
    return {topic.value: list(order) for topic, order in table.items()}


def disagreement_json(one: Disagreement) -> dict[str, object]:
    """Return the JSON that is recorded and shown."""
    return {
        "topic": one.topic.value,
        "subject": one.subject,
        "sides": [
            {"role": side.role.value, "says": side.says, "because": side.because}
            for side in one.sides
        ],
        "decided_by": one.decided_by,
        "outcome": one.outcome,
    }


def disagreement_from_json(shape: object) -> Disagreement:
    """Read a disagreement."""
    fields = Fields(shape, noun="disagreement")
    return Disagreement(
        topic=choose(Topic, fields.text("topic"), what="topic"),
        subject=fields.text("subject"),
        sides=tuple(_side(item) for item in fields.items("sides")),
        decided_by=fields.text("decided_by"),
        outcome=fields.text("outcome"),
    )


def _side(shape: object) -> RoleSide:
    fields = Fields(shape, noun="side")
    return RoleSide(
        role=choose(Role, fields.text("role"), what="role"),
        says=fields.text("says"),
        because=fields.text("because"),
    )
