"""Warn: render the memories about exactly the file or command of a tool call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.checks.check import checks_in, read_check
from holdfast.domain.checks.kinds import ImportCheck, PatternCheck
from holdfast.domain.checks.outcome import CheckState
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.bundle import Reason
from holdfast.domain.recall.ranking import Scored
from holdfast.domain.recall.rendering import BlockForm, below, item_block
from holdfast.domain.text.fencing import fenced, nonce_of, quoted
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.checking import check_evidence, cited, view
from holdfast.usecases.recall.disputing import with_disputes

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from holdfast.domain.checks.outcome import CheckOutcome
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.usecases.recall.recalled_memories import RecallPorts

WARNING_TOKENS = 400
_LEAD = "Before you do this: memory speaks of exactly this file or command."


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned:
    """The fenced text, the memories it names, and the first claim on one line."""

    text: str = ""
    memories: tuple[MemoryId, ...] = ()
    first: str = ""


def warn(memories: Sequence[str], *, ports: RecallPorts, paths: Collection[str] = ()) -> Warned:
    """Return the warning with those memories that may be given here and now, freshly checked.

    ``paths`` are the files of the action; checks of single files are run on these only.
    """
    place, now = ports.surroundings.place(), ports.clock.now()
    with ports.store.reading() as tx:
        seen = view(place, tx=tx, verifier=ports.verifier)
        within = Selection(space=place.space, place=place, recallable_at=now, view=seen)
        records = [
            record
            for record in tx.memories.get_many(map(MemoryId, memories)).values()
            if within.takes(record) and not is_sensitive(record.memory)
        ]
        reasons = (Reason(leg="what you are about to do", amount=1.0),)
        scored = [Scored(record=one, score=1.0, reasons=reasons) for one in records]
        marked = with_disputes(scored, within, tx=tx, ports=ports)
        asked = cited(records, repo=place.repo, tx=tx)
    testimony = check_evidence(
        asked, repo=place.repo, at=now, verifier=ports.verifier, is_brief=True
    )
    nonce = nonce_of(ports.clock.entropy())
    blocks: list[str] = []
    given: list[MemoryId] = []
    form = BlockForm(at=now)
    for item in marked:
        record, memory_id = item.record, item.record.memory.id
        checked = testimony.by_memory.get(memory_id, ())
        outcomes = _outcomes(record, paths, ports)
        block = item_block(len(blocks) + 1, record, item.reasons, form=form, checked=checked)
        block += below(outcomes)
        whole = _whole([*blocks, block], nonce)
        if not blocks or ports.counter.count(whole) <= WARNING_TOKENS:
            blocks.append(block)
            given.append(memory_id)
    if not blocks:
        return Warned()
    first = " ".join(records[0].memory.claim.split())
    return Warned(text=_whole(blocks, nonce), memories=tuple(given), first=first)


def _outcomes(
    record: MemoryRecord, paths: Collection[str], ports: RecallPorts
) -> tuple[CheckOutcome, ...]:
    """Run the checks of a memory on the files of the action; those of other files say nothing.

    A check that reads each file by itself says for which of them it holds.
    """
    texts = checks_in(record.memory.metadata)
    if ports.checker is None or not texts:
        return ()
    found = ports.checker(texts, only=frozenset(paths))
    return tuple(
        replace(one, within=_looked_at(one.text, paths)) if one.state is CheckState.HOLDS else one
        for one in found.values()
        if one.state is not CheckState.ASIDE
    )


def _looked_at(text: str, paths: Collection[str]) -> tuple[str, ...]:
    """Return the files of the action that a check read; empty if it looked at the repository."""
    check = read_check(text)
    if isinstance(check, PatternCheck | ImportCheck):
        return tuple(check.paths.among(sorted(paths)))
    return ()


def _whole(blocks: list[str], nonce: str) -> str:
    return fenced("\n".join([_LEAD, *quoted(blocks, nonce=nonce)]), nonce=nonce)
