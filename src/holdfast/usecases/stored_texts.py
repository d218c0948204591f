"""The texts of a store that are no memories: of tasks, runs, agents, cycles and sessions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.domain.agents.shapes import agent_json, cycle_json
from holdfast.domain.sessions.run import run_json
from holdfast.domain.tasks.finding import TaskFilter
from holdfast.domain.tasks.task import task_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.domain.ids import AgentId
    from holdfast.ports.store.store import Transaction

_PAGE = 500


def work_texts(tx: Transaction) -> Iterator[tuple[str, str]]:
    """Yield the texts of tasks, runs and agents, each with the name of its place."""
    beyond = ""
    while tasks := tx.diary.tasks.find(TaskFilter(beyond=beyond), limit=_PAGE):
        yield from ((f"the task {task.id}", plain_text(task_json(task))) for task in tasks)
        beyond = tasks[-1].id
    last: str | None = None
    while runs := tx.diary.runs.page(beyond=last, limit=_PAGE):
        yield from ((f"the run {run.label}", plain_text(run_json(run))) for run in runs)
        last = runs[-1].id
    last = None
    while agents := tx.diary.agents.names.page(beyond=last, limit=_PAGE):
        for agent in agents:
            yield f"the directives of {agent.name}", plain_text(agent_json(agent))
            yield from _cycle_texts(agent.id, agent.name, tx=tx)
        last = agents[-1].id


def asked_texts(tx: Transaction) -> Iterator[tuple[str, str]]:
    """Yield the questions of sessions, and the notes about their answers."""
    last: str | None = None
    while sessions := tx.sessions.page(beyond=last, limit=_PAGE):
        for session in sessions:
            for asked in tx.sessions.turns(session.id):
                yield f"the session {session.id}", f"{asked.query}\n{asked.notes}"
        last = sessions[-1].id


def _cycle_texts(agent: AgentId, name: str, *, tx: Transaction) -> Iterator[tuple[str, str]]:
    before: int | None = None
    while cycles := tx.diary.agents.cycles.page(agent, before=before, limit=_PAGE):
        for cycle in cycles:
            yield f"cycle {cycle.index} of {name}", plain_text(cycle_json(cycle))
        before = cycles[-1].index


def plain_text(shape: object) -> str:
    """Return all strings of a shape, one after the other."""
    if isinstance(shape, str):
        return shape
    if isinstance(shape, Mapping):
        return " ".join(plain_text(one) for one in (*shape.keys(), *shape.values()))
    if isinstance(shape, list | tuple):
        return " ".join(plain_text(one) for one in shape)
    return ""
