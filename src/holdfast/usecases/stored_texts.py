"""The texts of a store, each with its place: tasks, runs, agents, sessions, notes and memories."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING

from holdfast.domain.agents.shapes import agent_json, cycle_json
from holdfast.domain.exchange.decision_shape import decision_json
from holdfast.domain.memory.evidence import evidence_json
from holdfast.domain.memory.selection import Selection
from holdfast.domain.roles.step import step_json
from holdfast.domain.sessions.run import run_json
from holdfast.domain.tasks.finding import TaskFilter
from holdfast.domain.tasks.task_shape import task_json
from holdfast.usecases.anchors.verify import every
from holdfast.usecases.workspaces.ports import every_snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.domain.ids import AgentId
    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.memory.memory import MemoryRecord, Tombstone
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.domain.service.replies import Reply
    from holdfast.domain.sessions.run import Run
    from holdfast.ports.store.store import Transaction

_PAGE = 500


def work_texts(tx: Transaction) -> Iterator[tuple[str, str]]:
    """Yield the texts of tasks, runs and agents, each with the name of its place."""
    return chain(_task_texts(tx), _run_texts(tx), _agent_texts(tx))


def own_texts(tx: Transaction) -> Iterator[tuple[str, str]]:
    """Yield the texts that only their owner removes: forgetting a memory leaves and names them."""
    yield from chain(_task_texts(tx), _agent_texts(tx))
    for snapshot in every_snapshot(tx):
        yield f"the snapshot {snapshot.id}", snapshot.note
    place = 0
    while documents := tx.names.documents.page(beyond=place, limit=_PAGE):
        for one in documents:
            yield f"the document {one.name.key}", plain_text(one.value)
        place = documents[-1].place


def record_texts(tx: Transaction) -> Iterator[tuple[str, str]]:
    """Yield the texts of records that no verb changes, which forgetting replaces."""
    yield from _run_texts(tx)
    for run in every_run(tx):
        for step in tx.diary.runs.steps.of(run.id):
            yield f"the run {run.label}", plain_text(step_json(step))
    yield from asked_texts(tx)
    for decision in every_decision(tx):
        yield f"the decision {decision.id}", plain_text(decision_json(decision))


def memory_texts(tx: Transaction) -> Iterator[tuple[MemoryRecord, str]]:
    """Yield every memory with all words of it: claim, key, tags, evidence, metadata and reason."""
    for record in every(Selection(), tx=tx):
        memory = record.memory
        shapes = [evidence_json(item) for item in record.evidence]
        parts = [memory.key, *memory.tags, dict(memory.metadata), shapes, record.standing.reason]
        yield record, f"{memory.claim}\n{plain_text(parts)}"


def every_run(tx: Transaction) -> Iterator[Run]:
    """Return all runs, newest first."""
    last: str | None = None
    while runs := tx.diary.runs.page(beyond=last, limit=_PAGE):
        yield from runs
        last = runs[-1].id


def every_bundle(tx: Transaction) -> Iterator[Bundle]:
    """Return all bundles, newest first."""
    last: str | None = None
    while bundles := tx.bundles.page(beyond=last, limit=_PAGE):
        yield from bundles
        last = bundles[-1].id


def every_decision(tx: Transaction) -> Iterator[Decision]:
    """Return all decisions, newest first."""
    beyond: str | None = None
    while page := tx.diary.decisions.page(beyond=beyond, limit=_PAGE):
        yield from page
        beyond = page[-1].id


def every_reply(tx: Transaction) -> Iterator[Reply]:
    """Return all stored answers, in the order of their keys."""
    beyond = ""
    while page := tx.diary.replies.page(beyond=beyond, limit=_PAGE):
        yield from page
        beyond = page[-1].key


def reply_text(reply: Reply) -> str:
    """Return all words of a stored answer; its lines are JSON, and others count as words."""
    return "\n".join(map(_line_text, (reply.body or "").split("\n")))


def every_tombstone(tx: Transaction) -> Iterator[Tombstone]:
    """Return all tombstones, in the order of their ids."""
    beyond = ""
    while graves := tx.names.tombstones(beyond=beyond, limit=_PAGE):
        yield from graves
        beyond = graves[-1].memory_id


def _line_text(line: str) -> str:
    try:
        return plain_text(json.loads(line))
    except ValueError:
        return line


def _task_texts(tx: Transaction) -> Iterator[tuple[str, str]]:
    beyond = ""
    while tasks := tx.diary.tasks.find(TaskFilter(beyond=beyond), limit=_PAGE):
        yield from ((f"the task {task.id}", plain_text(task_json(task))) for task in tasks)
        beyond = tasks[-1].id


def _run_texts(tx: Transaction) -> Iterator[tuple[str, str]]:
    return ((f"the run {run.label}", plain_text(run_json(run))) for run in every_run(tx))


def _agent_texts(tx: Transaction) -> Iterator[tuple[str, str]]:
    last: str | None = None
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
