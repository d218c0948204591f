"""People's decisions, in the order they were made."""

from __future__ import annotations

import json
from collections.abc import Sequence

from holdfast.adapters.sqlite.database.rows import Row, as_json, checked, millis, sealed
from holdfast.adapters.sqlite.database.work import Work
from holdfast.domain.errors import NoSuchError
from holdfast.domain.exchange.decision_shape import decision_from_json, decision_json
from holdfast.domain.ids import DecisionId, MemoryId
from holdfast.domain.memory.decision import Decision

DECISION = "decision"


class SqliteDecisions:
    """Decisions by id and by memory."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self, decision: Decision) -> None:
        """Write a decision, or mark it as undone."""
        self.work.moment()
        body = as_json(decision_json(decision))
        values = sealed(DECISION, (decision.id, millis(decision.at), body))
        self.work.run("put_decision", *values)
        self.work.record("decision.put", decision.id, values[-1])

    def get(self, decision_id: DecisionId) -> Decision:
        """Return a decision."""
        row = self.work.row("get_decision", decision_id)
        if row is None:
            raise NoSuchError(noun="decision", reference=decision_id)
        return self._decision(row)

    def about(self, memory_id: MemoryId) -> Sequence[Decision]:
        """Return the decisions that changed a memory, newest first."""
        found = self.work.sound(self.work.rows("decisions_about", (memory_id,)), self._decision)
        return tuple(one for one in found if memory_id in one.memories)

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Decision]:
        """Return decisions, newest first, starting after ``beyond``."""
        rows = self.work.rows("decisions_before", {"beyond": beyond, "limit": limit})
        return tuple(self.work.sound(rows, self._decision))

    def _decision(self, row: Row) -> Decision:
        checked(DECISION, row, path=self.work.path, name=str(row[0]))
        return decision_from_json(json.loads(row[2]))


def forget_decisions(memory_id: MemoryId, *, work: Work) -> None:
    """Remove a forgotten memory from every decision about it."""
    decisions = SqliteDecisions(work)
    for one in decisions.about(memory_id):
        decisions.put(one.without(memory_id))
