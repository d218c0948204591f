"""Apply the answers of specialists: tasks, candidates and fixes, nothing that a person must decide.

A plan and the end of its step are written in one unit of work, so that no task is added twice.
Candidates have an identity: proposing them again after a crash changes nothing.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.ids import TaskId, sortable
from holdfast.domain.roles.answers import (
    GOAL,
    in_order,
    read_curation,
    read_history,
    read_plan,
)
from holdfast.domain.sessions.session import Proposal
from holdfast.domain.sessions.transcript import Speaker, Transcript, Turn
from holdfast.domain.tasks.task import Task, TaskKind, TaskStatus, check_title
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.review.tidying import tidy
from holdfast.usecases.roles.earlier import planned_meanwhile
from holdfast.usecases.sessions.propose import Propose, ProposerSetup, propose
from holdfast.usecases.tasks.placing import put_task

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import RunId
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.review.curation import Concern
    from holdfast.domain.roles.answers import ProposedClaim, TaskDraft
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.roles.reading import GivenInputs
    from holdfast.usecases.roles.role_ports import RolePorts

PLANNER, HISTORIAN = "planner", "historian"
_COMMIT = -1
_PLANNED = "planned:"
_NOT_A_PERSON = "only a person may have them fixed"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOccasion:
    """The run, its intent and the moment of a plan, and the branch that it belongs to.

    ``is_apart`` leaves out the edges between new tasks and those that exist.
    """

    run_id: RunId
    intent: str
    at: datetime
    point: BranchPoint | None
    is_apart: bool = False


def add_planned(
    outputs: Mapping[str, object],
    given: Mapping[str, object],
    when: PlanOccasion,
    *,
    ports: RolePorts,
    tx: Transaction,
) -> dict[str, object]:
    """Write the tasks of a plan inside a unit of work; return which tasks it added and reused.

    A task that was finished or deleted while the planner worked is planned anew; one that an
    earlier run of the same intent planned, and that was done before, is not. Nor is one that a
    run of the same intent added at the same time.

    Raises:
        TaskCycleError: A task that exists waits for what would wait for it.
    """
    tasks, commands = given.get("tasks"), given.get("commands")
    known = [str(one["id"]) for one in tasks] if isinstance(tasks, list) else []
    names = list(map(str, commands)) if isinstance(commands, list) else []
    plan = read_plan(outputs, known=known, commands=names)
    repo = ports.surroundings.place().repo
    before = done_before(given)
    twins = planned_meanwhile(when.intent, besides=when.run_id, known=known, ports=ports, tx=tx)
    ids: dict[str, TaskId] = {}
    added, done = list[str](), list[str]()
    for one in goal_first(in_order(plan.tasks)):
        name = twins.get((one.key, one.title)) if one.reuse is None else TaskId(one.reuse)
        found = None if name is None else _usable(name, before, tx=tx)
        if found is not None:
            ids[one.key] = found.id
            done += [found.id] if found.is_done else []
            continue
        task = Task(
            id=_next_id(when, len(added), ports),
            title=check_title(one.title),
            created_at=when.at,
            updated_at=when.at,
            repo=repo,
            kind=TaskKind.MILESTONE if one.key == GOAL else TaskKind.TASK,
            parent=_parent(one, ids.get(GOAL), added, done, is_apart=when.is_apart),
            after=tuple(
                name
                for key in one.after
                if (name := _near(ids[key], added, is_apart=when.is_apart)) is not None
            ),
            labels=(f"{_PLANNED}{when.run_id}",),
            branch_point=when.point,
            added_by=PLANNER,
            origin=Origin.TOOL,
        )
        put_task(task, before=None, tx=tx)
        ids[one.key] = task.id
        added.append(task.id)
    return {
        "added": added,
        "reused": [ids[one.key] for one in plan.tasks if ids[one.key] not in {*added, *done}],
        "done": done,
        "keys": dict(ids),
        "commands": {one.command: ids[one.key] for one in plan.tasks if one.command},
    }


def _next_id(when: PlanOccasion, before: int, ports: RolePorts) -> TaskId:
    """Return an id that sorts after the tasks of the plan before it."""
    at = when.at + timedelta(milliseconds=before)
    return TaskId(sortable("t", at=at, entropy=ports.clock.entropy()))


def _near(task_id: TaskId | None, added: list[str], *, is_apart: bool) -> TaskId | None:
    """Return a task; None if edges to tasks that exist are left out, and it is one."""
    return None if is_apart and task_id not in added else task_id


def _parent(
    one: TaskDraft, goal: TaskId | None, added: list[str], done: list[str], *, is_apart: bool
) -> TaskId | None:
    """Return the goal above a task; a goal that is done gets no more parts."""
    if one.key == GOAL or goal in done:
        return None
    return _near(goal, added, is_apart=is_apart)


def done_before(given: Mapping[str, object]) -> frozenset[str]:
    """Return the tasks that were done when the planner was asked."""
    tasks = given.get("tasks")
    items = tasks if isinstance(tasks, list) else []
    return frozenset(str(one["id"]) for one in items if one["status"] == TaskStatus.DONE.value)


def _usable(task_id: TaskId, before: frozenset[str], *, tx: Transaction) -> Task | None:
    """Return a task that a plan may use: an open one, or one that was done before."""
    found = tx.diary.tasks.get_many([task_id]).get(task_id)
    return None if found is None or (found.is_done and task_id not in before) else found


def goal_first(tasks: Sequence[TaskDraft]) -> tuple[TaskDraft, ...]:
    """Return the tasks of a plan with its goal before all others, so that it is their parent."""
    return tuple(sorted(tasks, key=lambda one: one.key != GOAL))


def propose_claims(
    outputs: Mapping[str, object], given: GivenInputs, *, ports: RolePorts
) -> dict[str, object]:
    """Keep the claims of a historian as candidates; a claim that quotes nothing is dropped."""
    found = read_history(outputs, known=_known(given))
    added: list[str] = []
    dropped = 0
    for one in found.claims:
        wish = _wish(one, given)
        if wish is None:
            dropped += 1
            continue
        kept = propose(
            replace(wish, origin=ports.caller.origin, most_waiting=ports.caller.most_waiting),
            store=ports.store,
            clock=ports.clock,
            surroundings=ports.surroundings,
            verifier=ports.verifier,
            reading=ProposerSetup(heuristics=ports.heuristics, documents=ports.sources.documents),
        )
        added += [item.record.memory.id for item in kept.added if item.record is not None]
    return {"candidates": added, "dropped": dropped}


def _known(given: GivenInputs) -> tuple[str, ...]:
    tasks = given.full.get("tasks")
    return tuple(str(one["id"]) for one in tasks) if isinstance(tasks, list) else ()


def _wish(one: ProposedClaim, given: GivenInputs) -> Propose | None:
    """Return the request for a claim; None if the words it quotes are not where it says."""
    if one.source == _COMMIT:
        commit = given.commits.get(one.commit)
        text = "" if commit is None else commit.body
        turn = Turn(number=1, speaker=Speaker.USER, text=text)
        talk = Transcript(tool="git", session=one.commit, turns=(turn,))
        return _proposed(replace(one, turn=1), talk, source="git:history", commit=one.commit)
    within = 0 <= one.source < len(given.transcripts)
    heard = given.transcripts[one.source] if within else None
    return None if heard is None else _proposed(one, heard)


def _proposed(
    one: ProposedClaim, talk: Transcript, *, source: str = "", commit: str | None = None
) -> Propose | None:
    text = next((turn.text for turn in talk.turns if turn.number == one.turn), "")
    first = text.find(one.quote)
    if first < 0:
        return None
    proposal = Proposal(
        claim=one.claim,
        kind=one.kind,
        turn=one.turn,
        quote=one.quote,
        first=first,
        last=first + len(one.quote),
        rule=one.rule,
        confidence=one.confidence,
    )
    return Propose(transcript=talk, proposals=(proposal,), source=source, commit=commit)


def fix_findings(
    outputs: Mapping[str, object], concerns: Sequence[Concern], *, applies: bool, ports: RolePorts
) -> dict[str, object]:
    """Fix the findings that a curator chose, if the caller lets it; each fix can be undone."""
    if not concerns:
        return {"decisions": [], "fixable": 0, "fixed": []}
    chosen = read_curation(outputs, findings=len(concerns)).fix
    fixable = [concerns[one] for one in chosen if concerns[one].step is not None]
    if not applies or not ports.caller.decides or not fixable:
        why = _NOT_A_PERSON if applies and fixable else ""
        return {"decisions": [], "fixable": len(fixable), "fixed": [], "why": why}
    done = tidy(
        fixable,
        by=ports.caller.name,
        store=ports.store,
        clock=ports.clock,
        heuristics=ports.heuristics,
    )
    return {
        "decisions": [one.id for one in done.decisions],
        "fixable": len(fixable),
        "fixed": [_fixed(one) for one in done.fixed],
    }


def _fixed(one: Concern) -> dict[str, object]:
    return {
        "trouble": one.trouble.value,
        "step": None if one.step is None else one.step.value,
        "subjects": list(one.memories) or ([] if one.span is None else [one.span]),
    }
