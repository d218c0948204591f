"""Calls about proposals: a conversation is read here, and what it proposes is sent as claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from holdfast.app.intake import Intake
from holdfast.app.part_ports import over
from holdfast.bootstrap.remote.asking import quoted
from holdfast.bootstrap.remote.reading import listed, read_remembered
from holdfast.bootstrap.remote.reading_review import read_proposed
from holdfast.bootstrap.remote.shelf import shelf_of
from holdfast.domain.memory.decision import RESERVED
from holdfast.domain.memory.evidence import evidence_json
from holdfast.domain.values import replace
from holdfast.usecases.screening import Screened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.domain.fields import Fields
    from holdfast.domain.memory.memory import Memory
    from holdfast.domain.sessions.run import Run
    from holdfast.usecases.sessions.propose import KeptProposal, Propose, Proposed

    Json = dict[str, object]


def propose(at: Asking, wish: Propose) -> Proposed:
    """Propose what a conversation contains.

    It is read and sifted here, against the memories that were read from the server before; the
    server compares what is sent with all of them.
    """
    local, now = at.holdfast, at.holdfast.now()
    store = shelf_of(at.server, now=now).store(local.place().space, now=now)
    intake = over(cast("Intake", at.part), replace(local, store=store, carrier=None))
    proposed = intake.propose(wish)
    made = [one for one in proposed.added if one.record is not None]
    if wish.dry_run or not made:
        return proposed
    claims = [_claim(one.record.memory) for one in made if one.record is not None]
    sent = at.send(
        "POST",
        "/v1/memories/batch",
        lambda answer: _kept(at, answer, made),
        body={"claims": claims},
        may_wait=True,
    )
    return replace(proposed, added=tuple(sent))


def _claim(memory: Memory) -> Json:
    return {
        "claim": memory.claim,
        "kind": memory.kind,
        "scope": memory.scope,
        "tags": list(memory.tags),
        "origin": memory.origin,
        "source": memory.source,
        "importance": memory.importance,
        "evidence": [evidence_json(item) for item in memory.evidence],
        "metadata": {
            name: value
            for name, value in memory.metadata.items()
            if not str(name).startswith(RESERVED)
        },
        **({} if memory.key is None else {"key": memory.key}),
    }


def _kept(at: Asking, answer: Fields, made: Sequence[KeptProposal]) -> list[KeptProposal]:
    found = listed(answer, "remembered", noun="memory")
    results = [read_remembered(at, one, Screened(text="")) for one in found]
    return [
        replace(kept, record=done.record, conflicts=done.conflicts)
        for kept, done in zip(made, results, strict=True)
    ]


def propose_run(at: Asking, run: Run) -> Proposed:
    """Propose candidates from the notes and the summary of a run, on the server."""
    path = f"/v1/runs/{quoted(run.id)}/propose"
    return at.send("POST", path, lambda answer: read_proposed(at, answer), body={}, may_wait=True)


PARTS = {Intake: (propose, propose_run)}
