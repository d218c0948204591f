"""Tasks in an answer: those in work, and those that match the question, as passages with reasons.

Only tasks that are not done and that count in this checkout are searched, in a bounded number:
first those in work and those that can start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import PassageKind
from holdfast.domain.recall.bundle import Passage, Reason
from holdfast.domain.recall.question import matched_terms, terms_of
from holdfast.domain.tasks.finding import ReadyQuestion
from holdfast.domain.tasks.task import PRIORITIES, TaskStatus
from holdfast.domain.text.words import STOP_WORDS
from holdfast.domain.values import replace
from holdfast.usecases.tasks.ports import unseen_from

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.ids import TaskId
    from holdfast.domain.memory.place import Place
    from holdfast.domain.recall.question import Question
    from holdfast.domain.tasks.task import Task
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store, Transaction

# Chosen by hand.
_MOST_SEARCHED = 300
_LONGEST_NOTES = 600
_SHOWN_UNMET = 3
_WORDS, _IN_WORK, _READY, _URGENT = 0.6, 0.25, 0.1, 0.1


def task_passages(
    question: Question,
    *,
    place: Place,
    store: Store,
    clock: Clock,
    verifier: Verifier | None,
) -> tuple[Passage, ...]:
    """Return the tasks that answer a question asked from a place, best first."""
    now = clock.now()
    terms = tuple(term for term in terms_of(question.text) if term not in STOP_WORDS)
    with store.reading() as tx:
        graph = tx.diary.tasks.graph
        hidden = unseen_from(place, tx=tx, verifier=verifier)
        asked = ReadyQuestion(repo=place.repo or "", at=now, unseen=hidden, limit=_MOST_SEARCHED)
        ready = dict.fromkeys(name for name, _ in graph.ready(asked))
        known = tx.diary.tasks.get_many([*ready, *graph.held(asked)])
        scored = [
            _scored(task, terms, is_ready=name in ready)
            for name, task in known.items()
            if task.aside not in asked.unseen
        ]
        found = sorted(
            [one for one in scored if one[1] is not None], key=lambda one: (-one[0], one[2].id)
        )[: question.limit]
        waits = _waits([task for _, _, task in found], tx=tx)
    return tuple(
        _passage(task, reasons or (), score, waits=waits.get(task.id, ()))
        for score, reasons, task in found
    )


def _scored(
    task: Task, terms: tuple[str, ...], *, is_ready: bool
) -> tuple[float, tuple[Reason, ...] | None, Task]:
    """Return the score of a task and its parts; none if it is not in work and has no term."""
    hits = matched_terms(terms, f"{task.title} {task.notes} {' '.join(task.labels)} {task.id}")
    share = len(hits) / len(terms) if terms else 0.0
    is_in_work = task.status is TaskStatus.STARTED
    if not hits and not is_in_work:
        return 0.0, None, task
    urgency = _URGENT * (1 - task.priority / (len(PRIORITIES) - 1))
    reasons = [Reason(leg="words", amount=_WORDS * share, note=", ".join(hits))]
    reasons += [Reason(leg="in work", amount=_IN_WORK)] if is_in_work else []
    reasons += [Reason(leg="ready", amount=_READY)] if is_ready else []
    reasons.append(Reason(leg="priority", amount=urgency))
    kept = tuple(one for one in reasons if one.amount)
    return sum(one.amount for one in kept), kept, task


def _waits(tasks: list[Task], *, tx: Transaction) -> Mapping[TaskId, tuple[Task, ...]]:
    """Return the first tasks that each task waits for."""
    unmet = tx.diary.tasks.graph.dependencies([task.id for task in tasks], unmet=True)
    near = {name: tuple(others)[:_SHOWN_UNMET] for name, others in unmet.items()}
    firsts = tx.diary.tasks.get_many(sorted({one for names in near.values() for one in names}))
    return {
        name: tuple(firsts[one] for one in names if one in firsts) for name, names in near.items()
    }


def _passage(
    task: Task, reasons: tuple[Reason, ...], score: float, *, waits: tuple[Task, ...]
) -> Passage:
    """Return a task as a passage; a stored answer has its id and no word of it.

    The title of a passage is stored with the answer, so it holds the state only.
    """
    notes = task.notes if len(task.notes) <= _LONGEST_NOTES else f"{task.notes[:_LONGEST_NOTES]}…"
    lines = [task.title, *(f"> {line}" for line in notes.splitlines())]
    lines += [f"waits for {one.id}: {one.title}" for one in waits]
    lines += [f"blocked: {task.blocked}"] if task.blocked else []
    lines += [f"claimed by {task.lease.holder}"] if task.lease is not None else []
    return Passage(
        kind=PassageKind.TASK,
        reference=task.id,
        title=f"{task.status.value}, P{task.priority}, {task.kind.value}",
        text="\n".join(lines),
        score=score,
        reasons=tuple(replace(one, note="") for one in reasons),
    )
