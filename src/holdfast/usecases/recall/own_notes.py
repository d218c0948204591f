"""What belongs to the agent that asks: its own notes, and the results of its last cycles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import PassageKind, Status
from holdfast.domain.errors import NotFoundError
from holdfast.domain.ids import AgentId
from holdfast.domain.memory.entry import canonical_json
from holdfast.domain.recall.bundle import OWN, Passage, Reason
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.agents.cycle import AgentCycle
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.domain.recall.question import Question
    from holdfast.domain.recall.ranking import Scored
    from holdfast.ports.store.store import Store, Transaction

_OWN_WORDS = {
    Status.NOTED: "a note of the agent that asks; no person has accepted it",
    Status.CANDIDATE: "a proposal of the agent that asks; it waits for a person",
}
# Chosen by hand.
_MOST_NOTES = 20_000
_RECENT = 5
_SHOWN_OUTPUT = 400


def own_notes(question: Question, *, tx: Transaction) -> frozenset[MemoryId]:
    """Return the newest memories of the agent that asks, in the namespaces it asks for."""
    if question.agent is None:
        return frozenset()
    found = tx.diary.agents.indexes.of(
        question.agent, namespaces=question.namespaces, limit=_MOST_NOTES
    )
    return frozenset(entry.memory_id for entry in found)


def marked_own(scored: Sequence[Scored]) -> tuple[Scored, ...]:
    """Mark what no person accepted; only the recall of the agent that wrote it finds such hits."""
    return tuple(
        replace(item, reasons=(*item.reasons, Reason(leg=OWN, amount=0.0, note=words)))
        if (words := _OWN_WORDS.get(item.record.standing.status))
        else item
        for item in scored
    )


def recent_results(question: Question, *, store: Store) -> tuple[Passage, ...]:
    """Return the results of the last complete cycles of the agent that asks, newest first.

    Those of a sensitive agent are encrypted, and in no answer.
    """
    if question.agent is None:
        return ()
    from holdfast.domain.encryption.sensitive import is_sensitive_agent

    with store.reading() as tx:
        if is_sensitive_agent(tx.diary.agents.names.get(question.agent)):
            return ()
        found = tx.diary.agents.cycles.page(
            question.agent, before=None, limit=_RECENT, complete=True
        )
    return tuple(_passage(cycle, place) for place, cycle in enumerate(found, start=1))


def result_texts(bundle: Bundle, *, tx: Transaction) -> dict[str, str]:
    """Return the results that a stored bundle names, as long as their agent exists.

    A result never changes, so its text is the one that was given.
    """
    texts: dict[str, str] = {}
    for item in bundle.passages:
        if item.kind is PassageKind.CYCLE:
            agent_id, _, index = item.reference.partition("/")
            try:
                cycle = tx.diary.agents.cycles.get(AgentId(agent_id), int(index))
            except NotFoundError:
                continue
            texts[item.reference] = _text(cycle)
    return texts


def _passage(cycle: AgentCycle, place: int) -> Passage:
    score = round(1 / place, 3)
    return Passage(
        kind=PassageKind.CYCLE,
        # A bundle stores the reference and the title, so neither has words of the agent.
        reference=f"{cycle.agent_id}/{cycle.index}",
        title=f"result of cycle {cycle.index}",
        text=_text(cycle),
        score=score,
        reasons=(Reason(leg="recent", amount=score, note=f"{place} of the last results"),),
    )


def _text(cycle: AgentCycle) -> str:
    proposal, result = cycle.proposal, cycle.result
    if proposal is None or result is None:
        return ""
    lines = [f"{proposal.tool}: {result.summary}"]
    lines += [
        f"{name}: {_short(value)}"
        for name, value in (("output", result.output), ("error", result.error))
        if value is not None
    ]
    lines += [f"artifacts: {', '.join(result.artifacts)}"] if result.artifacts else []
    return "\n".join(lines)


def _short(value: object) -> str:
    words = value if isinstance(value, str) else canonical_json(value)
    return words if len(words) <= _SHOWN_OUTPUT else f"{words[:_SHOWN_OUTPUT]}…"
