"""Take the lines of an export into the store, one kind of record at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from enum import Enum, auto
from typing import TYPE_CHECKING

from holdfast.domain.agents.shapes import agent_from_json, cycle_from_json, index_from_json
from holdfast.domain.choices import least_trusted
from holdfast.domain.encryption.ciphertext import ciphertext_from_json
from holdfast.domain.errors import BadFieldError, ConflictError
from holdfast.domain.exchange.anchor_shape import rewrite_from_json
from holdfast.domain.exchange.bundle_reading import bundle_from_json
from holdfast.domain.exchange.decision_shape import decision_from_json
from holdfast.domain.exchange.session_shapes import session_from_json, turn_from_json
from holdfast.domain.exchange.shapes import (
    link_from_json,
    record_from_json,
    span_from_json,
    tombstone_from_json,
)
from holdfast.domain.ids import MemoryId
from holdfast.domain.roles.step import step_from_json
from holdfast.domain.sessions.run import run_from_json
from holdfast.domain.tasks.task_shape import task_from_json
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.exchange.document_lines import DOCUMENT, take_document
from holdfast.usecases.exchange.screened_lines import LineScreening, rehashed
from holdfast.usecases.exchange.session_lines import KEPT, take_kept
from holdfast.usecases.naming import is_known
from holdfast.usecases.review.recognise import is_linked
from holdfast.usecases.screening import screened_values
from holdfast.usecases.tasks.placing import put_imported

if TYPE_CHECKING:
    from holdfast.domain.memory.place import SpaceId
    from holdfast.domain.sessions.session import Interaction
    from holdfast.ports.store.store import Transaction


_LONGEST_ID = 64
Said = tuple[str, datetime, str, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchContext:
    """The transaction of one batch, its space, the screening, and the turns that were read."""

    tx: Transaction
    space: SpaceId
    screening: LineScreening
    read: Counter[Said]


class LineOutcome(Enum):
    """What became of one line of an export."""

    ADDED = auto()
    KNOWN = auto()
    FORGOTTEN = auto()
    BURIED = auto()


def _is_here(tx: Transaction, name: str, prefix: str) -> bool:
    """Tell whether the store has the id; an id that no command could name is refused."""
    if not name.startswith(prefix) or len(name) > _LONGEST_ID:
        raise BadFieldError(field="id", problem=f"'{name[:_LONGEST_ID]}' must start {prefix}.")
    if not name.isascii() or not name.replace("_", "").isalnum():
        raise BadFieldError(field="id", problem=f"'{name!a}' must be letters and digits.")
    return is_known(tx, name, prefix)


def _take_memory(data: object, context: BatchContext) -> LineOutcome:
    record = record_from_json(rehashed(data, context.screening.line(data, "memory")))
    memory = replace(record.memory, space=context.space)
    if _is_here(context.tx, memory.id, "m_"):
        return LineOutcome.BURIED if context.tx.names.tombstone(memory.id) else LineOutcome.KNOWN
    if memory.trust is not least_trusted([memory.origin, memory.trust]):
        raise BadFieldError(field="trust", problem="is above the origin; trust never rises.")
    context.tx.memories.add(memory, record.standing)
    context.tx.memories.usage.put(memory.id, record.usage)
    for item in record.added_evidence:
        context.tx.anchors.reasons.add(memory.id, item)
    return LineOutcome.ADDED


def _take_span(data: object, context: BatchContext) -> LineOutcome:
    span = span_from_json(context.screening.line(data, "span"))
    if _is_here(context.tx, span.id, "s_"):
        return LineOutcome.KNOWN
    context.tx.anchors.spans.put(span)
    return LineOutcome.ADDED


def _take_rewrite(data: object, context: BatchContext) -> LineOutcome:
    rewrite = rewrite_from_json(context.screening.line(data, "rewrite"))
    if context.tx.anchors.past.rewrites_of(rewrite.repo, [rewrite.old]):
        return LineOutcome.KNOWN
    context.tx.anchors.past.put_rewrites([rewrite])
    return LineOutcome.ADDED


def _take_link(data: object, context: BatchContext) -> LineOutcome:
    link = link_from_json(context.screening.line(data, "link"))
    if any(context.tx.names.tombstone(end) for end in (link.src, link.dst)):
        return LineOutcome.BURIED
    if is_linked(link, tx=context.tx):
        return LineOutcome.KNOWN
    context.tx.links.put(link)
    return LineOutcome.ADDED


def _take_bundle(data: object, context: BatchContext) -> LineOutcome:
    bundle = bundle_from_json(context.screening.line(data, "bundle"))
    if _is_here(context.tx, bundle.id, "c_"):
        return LineOutcome.KNOWN
    context.tx.bundles.put(replace(bundle, place=replace(bundle.place, space=context.space)))
    return LineOutcome.ADDED


def _take_session(data: object, context: BatchContext) -> LineOutcome:
    session = session_from_json(context.screening.line(data, "session"))
    if _is_here(context.tx, session.id, "i_"):
        return LineOutcome.KNOWN
    context.tx.sessions.put(session)
    return LineOutcome.ADDED


def _take_turn(data: object, context: BatchContext) -> LineOutcome:
    turn = turn_from_json(context.screening.line(data, "turn"))
    said = _said(turn)
    context.read[said] += 1
    kept = [_said(known) for known in context.tx.sessions.turns(turn.session_id)]
    if kept.count(said) >= context.read[said]:
        return LineOutcome.KNOWN
    context.tx.sessions.add_turn(replace(turn, id=0))
    return LineOutcome.ADDED


def _take_run(data: object, context: BatchContext) -> LineOutcome:
    run = run_from_json(context.screening.line(data, "run"))
    if _is_here(context.tx, run.id, "r_"):
        return LineOutcome.KNOWN
    context.tx.diary.runs.put(run)
    return LineOutcome.ADDED


def _take_step(data: object, context: BatchContext) -> LineOutcome:
    step, steps = step_from_json(data), context.tx.diary.runs.steps
    if any(one.number == step.number for one in steps.of(step.run_id)):
        return LineOutcome.KNOWN
    steps.put(step_from_json(screened_values(data, what="step", secrets=context.screening.secrets)))
    return LineOutcome.ADDED


def _take_task(data: object, context: BatchContext) -> LineOutcome:
    task = task_from_json(context.screening.line(data, "task"))
    if _is_here(context.tx, task.id, "t_"):
        return LineOutcome.KNOWN
    try:
        put_imported(task, tx=context.tx)
    except ConflictError:
        # The line is refused, and the others are kept, so what was written of it goes.
        context.tx.diary.tasks.delete(task.id)
        raise
    return LineOutcome.ADDED


def _take_decision(data: object, context: BatchContext) -> LineOutcome:
    decision = decision_from_json(context.screening.line(data, "decision"))
    if _is_here(context.tx, decision.id, "d_"):
        return LineOutcome.KNOWN
    graves = [name for name in decision.memories if context.tx.names.tombstone(name)]
    for name in graves:
        decision = decision.without(name)
    context.tx.diary.decisions.put(decision)
    return LineOutcome.ADDED


def _take_agent(data: object, context: BatchContext) -> LineOutcome:
    agent = agent_from_json(context.screening.line(data, "agent"))
    if _is_here(context.tx, agent.id, "a_"):
        return LineOutcome.KNOWN
    context.tx.diary.agents.names.put(agent)
    return LineOutcome.ADDED


def _take_cycle(data: object, context: BatchContext) -> LineOutcome:
    """Take a cycle whose index follows the last one; a known one must be in the store already."""
    cycle = cycle_from_json(context.screening.line(data, "cycle"))
    cycles = context.tx.diary.agents.cycles
    last = cycles.last_index(cycle.agent_id)
    if cycle.index <= last:
        return LineOutcome.KNOWN
    if cycle.index != last + 1:
        raise BadFieldError(field="index", problem=f"must be {last + 1}: cycles have no gaps.")
    cycles.add(cycle)
    return LineOutcome.ADDED


def _take_namespace(data: object, context: BatchContext) -> LineOutcome:
    entry = index_from_json(context.screening.line(data, "namespace"))
    if context.tx.names.tombstone(entry.memory_id):
        return LineOutcome.BURIED
    known = context.tx.diary.agents.indexes.about(entry.memory_id)
    if any((one.agent_id, one.namespace) == (entry.agent_id, entry.namespace) for one in known):
        return LineOutcome.KNOWN
    context.tx.diary.agents.indexes.put(entry)
    return LineOutcome.ADDED


def _take_kept(data: object, context: BatchContext) -> LineOutcome:
    is_new = take_kept(context.screening.line(data, "session"), tx=context.tx)
    return LineOutcome.ADDED if is_new else LineOutcome.KNOWN


def _take_document(data: object, context: BatchContext) -> LineOutcome:
    return LineOutcome.ADDED if take_document(data, tx=context.tx) else LineOutcome.KNOWN


def _take_ciphertext(data: object, context: BatchContext) -> LineOutcome:
    """Take an encrypted content; its memory or agent comes before it, and no key is needed."""
    ciphertext = ciphertext_from_json(data)
    owner, tx = ciphertext.record.partition(" ")[0], context.tx
    if owner.startswith("m_") and tx.names.tombstone(MemoryId(owner)):
        return LineOutcome.BURIED
    if not _is_here(tx, owner, owner[:2]):
        raise BadFieldError(field="ciphertext", problem=f"is of {owner}, which is not here.")
    if tx.names.ciphertexts.get(ciphertext.record) is not None:
        return LineOutcome.KNOWN
    tx.names.ciphertexts.put(ciphertext)
    return LineOutcome.ADDED


def _said(turn: Interaction) -> Said:
    """Return the identity of a turn, because its number differs in every store."""
    return (turn.session_id, turn.at, turn.query, turn.bundle_id)


def _take_tombstone(data: object, context: BatchContext) -> LineOutcome:
    grave = tombstone_from_json(context.screening.line(data, "tombstone"))
    if _is_here(context.tx, grave.memory_id, "m_"):
        if context.tx.names.tombstone(grave.memory_id):
            return LineOutcome.KNOWN
        context.tx.memories.forget(grave)
        return LineOutcome.FORGOTTEN
    context.tx.names.bury(grave)
    return LineOutcome.ADDED


TAKERS: dict[str, Callable[[object, BatchContext], LineOutcome]] = {
    "span": _take_span,
    "rewrite": _take_rewrite,
    "tombstone": _take_tombstone,
    "memory": _take_memory,
    "link": _take_link,
    "bundle": _take_bundle,
    "session": _take_session,
    "turn": _take_turn,
    KEPT: _take_kept,
    "run": _take_run,
    "step": _take_step,
    "task": _take_task,
    "decision": _take_decision,
    "agent": _take_agent,
    "cycle": _take_cycle,
    "namespace": _take_namespace,
    "ciphertext": _take_ciphertext,
    DOCUMENT: _take_document,
}
