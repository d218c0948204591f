"""Find the tasks that earlier runs of the same intent planned, so that none is added twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.ids import TaskId
from holdfast.domain.roles.step import StepWork
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from holdfast.domain.roles.step import RunStep
    from holdfast.domain.tasks.task import Task
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.roles.role_ports import RolePorts

_MOST_RUNS, _MOST_AT_ONCE = 100, 20


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierPlans:
    """The tasks of earlier runs of the same intent that exist; ``keys`` are theirs in the plan.

    ``label`` is that of the newest such run, empty if there is none.
    """

    label: str = ""
    tasks: tuple[Task, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)

    def note(self) -> str:
        """Return in words what counts as planned already; empty if there is nothing."""
        if not self.tasks:
            return ""
        done = sum(one.is_done for one in self.tasks)
        many = "no task of it is" if not done else "1 task of it is" if done == 1 else f"{done} are"
        return f"{self.label} had the same intent: {many} done, and nothing is added twice"


def earlier_plans(intent: str, *, besides: str, ports: RolePorts) -> EarlierPlans:
    """Return what earlier runs of this intent planned here; ``besides`` is the run itself."""
    with ports.store.reading() as tx:
        return _plans(intent, besides=besides, most=_MOST_RUNS, ports=ports, tx=tx)


def planned_meanwhile(
    intent: str, *, besides: str, known: Collection[str], ports: RolePorts, tx: Transaction
) -> Mapping[tuple[str, str], TaskId]:
    """Return the tasks that runs of the same intent at the same time planned, by key and title.

    ``known`` are the tasks that the planner was given: it decided about them itself.
    """
    found = _plans(intent, besides=besides, most=_MOST_AT_ONCE, ports=ports, tx=tx)
    return {(found.keys[one.id], one.title): one.id for one in found.tasks if one.id not in known}


def _plans(
    intent: str, *, besides: str, most: int, ports: RolePorts, tx: Transaction
) -> EarlierPlans:
    repo = ports.surroundings.place().repo
    label, keys, diary = "", dict[str, str](), tx.diary.runs
    for name in diary.steps.supervised(beyond=None, limit=most):
        run = diary.get(name)
        if name == besides or run.repo != repo or _plain(run.goal) != _plain(intent):
            continue
        planned = _keys(diary.steps.of(name))
        label = label or (run.label if planned else "")
        keys = {**planned, **keys}
    return EarlierPlans(label=label, tasks=_here(keys, ports=ports, tx=tx), keys=keys)


def _here(keys: Mapping[str, str], *, ports: RolePorts, tx: Transaction) -> tuple[Task, ...]:
    """Return the tasks that exist and count in this checkout."""
    asked = ports.tasks("supervisor")
    unseen = asked.unseen(tx)
    found = tx.diary.tasks.get_many([TaskId(name) for name in keys])
    return tuple(one for one in found.values() if one.aside is None or one.aside not in unseen)


def _keys(steps: Sequence[RunStep]) -> dict[str, str]:
    """Return the tasks of a plan with their keys; a run of an older version has no keys."""
    effects = next((one.effects for one in steps if one.work is StepWork.PLAN), {})
    keys, added = effects.get("keys"), effects.get("added")
    if isinstance(keys, dict):
        return {str(task): str(key) for key, task in keys.items()}
    return dict.fromkeys(map(str, added), "") if isinstance(added, list) else {}


def _plain(intent: str) -> str:
    return " ".join(intent.casefold().split()).rstrip(".!")
