"""Exchange: import an export completely, without duplicates, with every text screened."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from enum import Enum, auto
from typing import TYPE_CHECKING

from holdfast.domain.agents.shapes import agent_from_json, cycle_from_json, index_from_json
from holdfast.domain.choices import least_trusted
from holdfast.domain.encryption.ciphertext import ciphertext_from_json
from holdfast.domain.errors import BadFieldError, ConflictError, InvalidError, NotFoundError
from holdfast.domain.exchange.anchor_shape import rewrite_from_json
from holdfast.domain.exchange.bundle_shape import bundle_from_json
from holdfast.domain.exchange.decision_shape import decision_from_json
from holdfast.domain.exchange.shapes import (
    link_from_json,
    record_from_json,
    session_from_json,
    span_from_json,
    tombstone_from_json,
    turn_from_json,
)
from holdfast.domain.ids import MemoryId
from holdfast.domain.refusals import BadExchangeError
from holdfast.domain.review.curation import Ability
from holdfast.domain.roles.step import step_from_json
from holdfast.domain.sessions.run import run_from_json
from holdfast.domain.tasks.task import task_from_json
from holdfast.domain.values import dataclass, field, replace
from holdfast.usecases.exchange.document_lines import DOCUMENT, take_document
from holdfast.usecases.exchange.export import FORMAT, READABLE
from holdfast.usecases.exchange.screened_lines import rehashed, screened_line
from holdfast.usecases.exchange.session_lines import KEPT, take_kept
from holdfast.usecases.naming import is_known
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.recognise import is_linked
from holdfast.usecases.screening import SecretPolicy, screened_values
from holdfast.usecases.tasks.placing import put_imported

if TYPE_CHECKING:
    from holdfast.domain.memory.place import SpaceId
    from holdfast.domain.sessions.session import Interaction
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store, Transaction

BATCH = 1_000
"""How many lines an import stores in one unit of work."""
_LONGEST_ID = 64

Line = dict[str, object]
Said = tuple[str, datetime, str, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """The result of an import, counted by lines.

    ``forgotten`` were forgotten by it. ``buried`` are about memories that were forgotten here
    before, and were left out: what was forgotten stays forgotten.
    """

    added: int = 0
    known: int = 0
    forgotten: int = 0
    buried: int = 0
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _BatchContext:
    """The transaction of one batch, its space and policy, and the turns that were read."""

    tx: Transaction
    space: SpaceId
    secrets: SecretPolicy
    read: Counter[Said]


class _Taken(Enum):
    ADDED = auto()
    KNOWN = auto()
    FORGOTTEN = auto()
    BURIED = auto()


def bring_in(
    lines: Iterable[str],
    *,
    store: Store,
    clock: Clock,
    secrets: SecretPolicy = SecretPolicy.REFUSE,
    tell: Callable[[Brought], None] = lambda _: None,
) -> Brought:
    """Import an export batch by batch; existing records stay as they are.

    Every batch is durable when it is reported, so an interrupted import can simply be repeated.
    Imported records get the space of the store. Text passes the same gates as everything else; a
    line that does not pass is refused and named, and the others are kept.

    Raises:
        BadExchangeError: A line is not from an export; the lines before it were imported.
    """
    so_far = _Progress()
    numbered = enumerate(lines, start=1)
    while batch := list(itertools.islice(numbered, BATCH)):
        before = so_far.brought
        so_far = _taken(batch, so_far, store=store, at=clock.now(), secrets=secrets)
        brought, trouble = so_far.brought, so_far.trouble
        if brought.forgotten > before.forgotten and Ability.SCRUB in store.upkeep.abilities:
            store.upkeep.scrub()
        tell(brought)
        if trouble is not None:
            raise BadExchangeError(trouble.line, trouble.problem, refused=brought.refused)
    return so_far.brought


@dataclass(frozen=True, slots=True, kw_only=True)
class _Progress:
    """How far an import has come: what it brought, what it read, and what stopped it."""

    brought: Brought = field(default_factory=Brought)
    read: Counter[Said] = field(default_factory=Counter)
    trouble: BadExchangeError | None = None


@repeatable
def _taken(
    batch: Sequence[tuple[int, str]],
    so_far: _Progress,
    *,
    store: Store,
    at: datetime,
    secrets: SecretPolicy,
) -> _Progress:
    """Take one batch in, in one unit of work."""
    brought, read, trouble = so_far.brought, Counter(so_far.read), None
    with store.writing(at) as tx:
        context = _BatchContext(tx=tx, space=store.space, secrets=secrets, read=read)
        try:
            for number, line in batch:
                brought = _take(number, line, brought, context=context)
        except BadExchangeError as error:
            trouble = error
    return _Progress(brought=brought, read=read, trouble=trouble)


def _take(number: int, text: str, brought: Brought, *, context: _BatchContext) -> Brought:
    if not text.strip():
        return brought
    line = _parsed(number, text)
    named = str(line.get("type"))
    if named == "holdfast":
        _check_header(number, line.get("data"))
        return brought
    if named not in _TAKERS:
        raise BadExchangeError(number, f"its type '{named[:40]}' is unknown.")
    try:
        taken = _TAKERS[named](line.get("data"), context)
    except (InvalidError, NotFoundError, ConflictError) as error:
        return replace(brought, refused=(*brought.refused, f"line {number}: {error}"))
    return replace(
        brought,
        added=brought.added + (taken is _Taken.ADDED),
        known=brought.known + (taken is _Taken.KNOWN),
        forgotten=brought.forgotten + (taken is _Taken.FORGOTTEN),
        buried=brought.buried + (taken is _Taken.BURIED),
    )


def _parsed(number: int, line: str) -> Line:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise BadExchangeError(number, "it is not JSON.") from None
    if not isinstance(value, dict):
        raise BadExchangeError(number, "it is not an object.")
    return value


def _check_header(number: int, data: object) -> None:
    found = data.get("format") if isinstance(data, dict) else None
    if not isinstance(found, int) or found not in READABLE:
        problem = f"its format is {found}, this program reads formats up to {FORMAT}."
        raise BadExchangeError(number, problem)


def _is_here(tx: Transaction, name: str, prefix: str) -> bool:
    """Tell whether the store has the id; an id that no command could name is refused."""
    if not name.startswith(prefix) or len(name) > _LONGEST_ID:
        raise BadFieldError(field="id", problem=f"'{name[:_LONGEST_ID]}' must start {prefix}.")
    if not name.isascii() or not name.replace("_", "").isalnum():
        raise BadFieldError(field="id", problem=f"'{name!a}' must be letters and digits.")
    return is_known(tx, name, prefix)


def _take_memory(data: object, context: _BatchContext) -> _Taken:
    record = record_from_json(rehashed(data, screened_line(data, context.secrets, "memory")))
    memory = replace(record.memory, space=context.space)
    if _is_here(context.tx, memory.id, "m_"):
        return _Taken.BURIED if context.tx.names.tombstone(memory.id) else _Taken.KNOWN
    if memory.trust is not least_trusted([memory.origin, memory.trust]):
        raise BadFieldError(field="trust", problem="is above the origin; trust never rises.")
    context.tx.memories.add(memory, record.standing)
    context.tx.memories.usage.put(memory.id, record.usage)
    for item in record.added_evidence:
        context.tx.anchors.reasons.add(memory.id, item)
    return _Taken.ADDED


def _take_span(data: object, context: _BatchContext) -> _Taken:
    span = span_from_json(screened_line(data, context.secrets, "span"))
    if _is_here(context.tx, span.id, "s_"):
        return _Taken.KNOWN
    context.tx.anchors.spans.put(span)
    return _Taken.ADDED


def _take_rewrite(data: object, context: _BatchContext) -> _Taken:
    rewrite = rewrite_from_json(screened_line(data, context.secrets, "rewrite"))
    if context.tx.anchors.past.rewrites_of(rewrite.repo, [rewrite.old]):
        return _Taken.KNOWN
    context.tx.anchors.past.put_rewrites([rewrite])
    return _Taken.ADDED


def _take_link(data: object, context: _BatchContext) -> _Taken:
    link = link_from_json(screened_line(data, context.secrets, "link"))
    if any(context.tx.names.tombstone(end) for end in (link.src, link.dst)):
        return _Taken.BURIED
    if is_linked(link, tx=context.tx):
        return _Taken.KNOWN
    context.tx.links.put(link)
    return _Taken.ADDED


def _take_bundle(data: object, context: _BatchContext) -> _Taken:
    bundle = bundle_from_json(screened_line(data, context.secrets, "bundle"))
    if _is_here(context.tx, bundle.id, "c_"):
        return _Taken.KNOWN
    context.tx.bundles.put(replace(bundle, place=replace(bundle.place, space=context.space)))
    return _Taken.ADDED


def _take_session(data: object, context: _BatchContext) -> _Taken:
    session = session_from_json(screened_line(data, context.secrets, "session"))
    if _is_here(context.tx, session.id, "i_"):
        return _Taken.KNOWN
    context.tx.sessions.put(session)
    return _Taken.ADDED


def _take_turn(data: object, context: _BatchContext) -> _Taken:
    turn = turn_from_json(screened_line(data, context.secrets, "turn"))
    said = _said(turn)
    context.read[said] += 1
    kept = [_said(known) for known in context.tx.sessions.turns(turn.session_id)]
    if kept.count(said) >= context.read[said]:
        return _Taken.KNOWN
    context.tx.sessions.add_turn(replace(turn, id=0))
    return _Taken.ADDED


def _take_run(data: object, context: _BatchContext) -> _Taken:
    run = run_from_json(screened_line(data, context.secrets, "run"))
    if _is_here(context.tx, run.id, "r_"):
        return _Taken.KNOWN
    context.tx.diary.runs.put(run)
    return _Taken.ADDED


def _take_step(data: object, context: _BatchContext) -> _Taken:
    step, steps = step_from_json(data), context.tx.diary.runs.steps
    if any(one.number == step.number for one in steps.of(step.run_id)):
        return _Taken.KNOWN
    steps.put(step_from_json(screened_values(data, what="step", secrets=context.secrets)))
    return _Taken.ADDED


def _take_task(data: object, context: _BatchContext) -> _Taken:
    task = task_from_json(screened_line(data, context.secrets, "task"))
    if _is_here(context.tx, task.id, "t_"):
        return _Taken.KNOWN
    try:
        put_imported(task, tx=context.tx)
    except ConflictError:
        # The line is refused, and the others are kept, so what was written of it goes.
        context.tx.diary.tasks.delete(task.id)
        raise
    return _Taken.ADDED


def _take_decision(data: object, context: _BatchContext) -> _Taken:
    decision = decision_from_json(screened_line(data, context.secrets, "decision"))
    if _is_here(context.tx, decision.id, "d_"):
        return _Taken.KNOWN
    graves = [name for name in decision.memories if context.tx.names.tombstone(name)]
    for name in graves:
        decision = decision.without(name)
    context.tx.diary.decisions.put(decision)
    return _Taken.ADDED


def _take_agent(data: object, context: _BatchContext) -> _Taken:
    agent = agent_from_json(screened_line(data, context.secrets, "agent"))
    if _is_here(context.tx, agent.id, "a_"):
        return _Taken.KNOWN
    context.tx.diary.agents.names.put(agent)
    return _Taken.ADDED


def _take_cycle(data: object, context: _BatchContext) -> _Taken:
    """Take a cycle whose index follows the last one; a known one must be in the store already."""
    cycle = cycle_from_json(screened_line(data, context.secrets, "cycle"))
    cycles = context.tx.diary.agents.cycles
    last = cycles.last_index(cycle.agent_id)
    if cycle.index <= last:
        return _Taken.KNOWN
    if cycle.index != last + 1:
        raise BadFieldError(field="index", problem=f"must be {last + 1}: cycles have no gaps.")
    cycles.add(cycle)
    return _Taken.ADDED


def _take_namespace(data: object, context: _BatchContext) -> _Taken:
    entry = index_from_json(screened_line(data, context.secrets, "namespace"))
    if context.tx.names.tombstone(entry.memory_id):
        return _Taken.BURIED
    known = context.tx.diary.agents.indexes.about(entry.memory_id)
    if any((one.agent_id, one.namespace) == (entry.agent_id, entry.namespace) for one in known):
        return _Taken.KNOWN
    context.tx.diary.agents.indexes.put(entry)
    return _Taken.ADDED


def _take_kept(data: object, context: _BatchContext) -> _Taken:
    is_new = take_kept(screened_line(data, context.secrets, "session"), tx=context.tx)
    return _Taken.ADDED if is_new else _Taken.KNOWN


def _take_document(data: object, context: _BatchContext) -> _Taken:
    return _Taken.ADDED if take_document(data, tx=context.tx) else _Taken.KNOWN


def _take_ciphertext(data: object, context: _BatchContext) -> _Taken:
    """Take an encrypted content; its memory or agent comes before it, and no key is needed."""
    ciphertext = ciphertext_from_json(data)
    owner, tx = ciphertext.record.partition(" ")[0], context.tx
    if owner.startswith("m_") and tx.names.tombstone(MemoryId(owner)):
        return _Taken.BURIED
    if not _is_here(tx, owner, owner[:2]):
        raise BadFieldError(field="ciphertext", problem=f"is of {owner}, which is not here.")
    if tx.names.ciphertexts.get(ciphertext.record) is not None:
        return _Taken.KNOWN
    tx.names.ciphertexts.put(ciphertext)
    return _Taken.ADDED


def _said(turn: Interaction) -> Said:
    """Return the identity of a turn, because its number differs in every store."""
    return (turn.session_id, turn.at, turn.query, turn.bundle_id)


def _take_tombstone(data: object, context: _BatchContext) -> _Taken:
    grave = tombstone_from_json(screened_line(data, context.secrets, "tombstone"))
    if _is_here(context.tx, grave.memory_id, "m_"):
        if context.tx.names.tombstone(grave.memory_id):
            return _Taken.KNOWN
        context.tx.memories.forget(grave)
        return _Taken.FORGOTTEN
    context.tx.names.bury(grave)
    return _Taken.ADDED


_TAKERS: dict[str, Callable[[object, _BatchContext], _Taken]] = {
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
