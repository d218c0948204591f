"""Candidates, decisions and conflicts as Python programs receive them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.python.memories import HasId, Listing, Memory, shortened, worst

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from typing import Self

    from holdfast.domain.memory.anchor import Verdict
    from holdfast.domain.memory.decision import Action, Decision
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.review.review import Risk
    from holdfast.usecases.review.approve import Decided
    from holdfast.usecases.review.conflicts import Conflict
    from holdfast.usecases.review.queued import Queue, WaitingCandidate


class Candidate(HasId):
    """A memory that waits for a person, with everything that a decision needs.

    Pass it to ``approve`` or ``reject``. The approval is refused if the candidate, or a memory that
    it would replace, is no longer what was shown.

    >>> _ = hf.remember("Tokens rotate.", evidence=["src/auth/tokens.py:3"], origin="agent")
    >>> (candidate,) = hf.review()
    >>> print(candidate.text, candidate.proposed_by, candidate.risk)
    Tokens rotate. python medium
    >>> candidate.cited_lines
    {'src/auth/tokens.py:3': 'line 3'}
    """

    __slots__ = ("waiting",)

    def __init__(self, waiting: WaitingCandidate) -> None:
        self.waiting = waiting
        """The engine's own value; its fields may change between versions."""

    @property
    def memory(self) -> Memory:
        """The memory that waits."""
        return Memory(self.waiting.record)

    @property
    def id(self) -> str:
        """The id (``m_…``)."""
        return self.memory.id

    @property
    def text(self) -> str:
        """The claim."""
        return self.memory.text

    @property
    def proposed_by(self) -> str:
        """The tool or person that proposed it."""
        return self.memory.source

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What it rests on."""
        return self.memory.evidence

    @property
    def cited_lines(self) -> dict[str, str]:
        """The lines that its evidence cites, as they are now, by their place."""
        return {quote.reference: "\n".join(quote.lines) for quote in self.waiting.quotes}

    @property
    def verdict(self) -> Verdict | None:
        """The worst verdict about its evidence; None if nothing could be checked."""
        return worst(one.sighting.verdict for one in self.waiting.checked)

    @property
    def risk(self) -> Risk:
        """How much harm it could do if it is wrong: ``low``, ``medium`` or ``high``."""
        return self.waiting.danger.risk

    @property
    def risk_reasons(self) -> tuple[str, ...]:
        """Why the risk is not lower."""
        return self.waiting.danger.why

    @property
    def contradicts(self) -> tuple[Memory, ...]:
        """The accepted memories that it seems to contradict; ``resolve`` decides between them."""
        return tuple(Memory(one.standing) for one in self.waiting.against.conflicts)

    @property
    def advice(self) -> tuple[OpenConflict, ...]:
        """The pairs that only a model reads as contradicting; they block no approval."""
        return tuple(map(OpenConflict, self.waiting.advice))

    @property
    def replaces(self) -> tuple[Memory, ...]:
        """The accepted memories that it would supersede."""
        return tuple(Memory(one) for one in self.waiting.against.replaces)

    @property
    def notes(self) -> tuple[str, ...]:
        """What has changed since it was proposed."""
        return self.waiting.marks

    @property
    def hash(self) -> str:
        """The hash of everything that is shown here; ``approve`` compares it."""
        return self.waiting.shown

    def __str__(self) -> str:
        """Return the claim."""
        return self.text

    def __repr__(self) -> str:
        """Return the claim, the id, the proposer and the risk."""
        rest = f"id={self.id!r}, proposed_by={self.proposed_by!r}, risk={self.risk.value!r}"
        return f"Candidate({shortened(self.text)}, {rest})"


class ReviewQueue(Listing[Candidate]):
    """The candidates that wait for a person, the most valuable first.

    >>> _ = hf.remember("Tokens rotate.", because="I read it.", origin="agent")
    >>> queue = hf.review(limit=10)
    >>> [candidate.text for candidate in queue], queue.total
    (['Tokens rotate.'], 1)
    """

    __slots__ = ("queue",)

    def __init__(self, queue: Queue) -> None:
        self.queue = queue
        """The engine's own value; its fields may change between versions."""
        super().__init__(map(Candidate, queue.items))

    @property
    def total(self) -> int:
        """How many wait; more than are here if the limit cut the list."""
        return self.queue.total

    @property
    def elsewhere(self) -> int:
        """How many wait in other repositories and branches."""
        return self.queue.elsewhere

    @property
    def notes(self) -> tuple[str, ...]:
        """What the caller should know, for example that evidence was not checked."""
        return self.queue.notes

    def __repr__(self) -> str:
        """Return how many candidates there are."""
        return f"ReviewQueue({len(self)} of {self.total} candidates)"


class OpenConflict:
    """Two claims that seem to contradict each other, and why.

    >>> _ = hf.remember("Tokens rotate every hour.", key="rotation", because="We decided it.")
    >>> _ = hf.remember("Tokens never rotate.", key="rotation", because="Read.", origin="agent")
    >>> (conflict,) = hf.conflicts()
    >>> conflict.new.text, conflict.old.text
    ('Tokens never rotate.', 'Tokens rotate every hour.')
    """

    __slots__ = ("conflict",)

    def __init__(self, conflict: Conflict) -> None:
        self.conflict = conflict
        """The engine's own value; its fields may change between versions."""

    @property
    def new(self) -> Memory:
        """The newer claim; often a candidate."""
        return Memory(self.conflict.candidate)

    @property
    def old(self) -> Memory:
        """The accepted memory that it seems to contradict."""
        return Memory(self.conflict.standing)

    @property
    def why(self) -> str:
        """Why they seem to contradict each other."""
        return self.conflict.suspicion.reason

    @property
    def confidence(self) -> float:
        """How certain that is, from 0 to 1."""
        return self.conflict.suspicion.confidence

    @property
    def is_advice(self) -> bool:
        """Whether only a model suspects it; then it blocks no approval."""
        return self.conflict.suspicion.is_advice

    def __repr__(self) -> str:
        """Return both claims."""
        return f"OpenConflict(new={shortened(self.new.text)}, old={shortened(self.old.text)})"


class OpenConflicts(tuple[OpenConflict, ...]):
    """The conflicts that wait for a person, newest first, then those that only a model suspects.

    >>> conflicts = hf.conflicts()
    >>> len(conflicts), conflicts.notes
    (0, ())
    """

    notes: tuple[str, ...]
    """What the caller should know, for example how many pairs the model did not read."""

    def __new__(cls, conflicts: Iterable[Conflict], *, notes: tuple[str, ...] = ()) -> Self:
        """Return the conflicts with their notes."""
        made = super().__new__(cls, map(OpenConflict, conflicts))
        made.notes = notes
        return made


class DecisionResult(Listing[Memory]):
    """The memories that a decision changed, and what else it did.

    >>> _ = hf.remember("Tokens rotate.", because="I read it.", origin="agent")
    >>> result = hf.approve(*hf.review())
    >>> for memory in result:
    ...     print(memory.text, memory.status)
    Tokens rotate. accepted
    >>> undone = hf.undo(result.decision_id)
    """

    __slots__ = ("decided",)

    def __init__(self, decided: Decided) -> None:
        self.decided = decided
        """The engine's own value; its fields may change between versions."""
        super().__init__(map(Memory, decided.records))

    @property
    def replaced(self) -> tuple[Memory, ...]:
        """The memories that were superseded."""
        return tuple(map(Memory, self.decided.replaced))

    @property
    def left(self) -> tuple[OpenConflict, ...]:
        """The conflicts because of which candidates were left undecided."""
        return tuple(map(OpenConflict, self.decided.left))

    @property
    def decision_id(self) -> str | None:
        """The id for ``undo`` (``d_…``); None if nothing was changed."""
        return None if self.decided.decision is None else self.decided.decision.id

    def __repr__(self) -> str:
        """Return the memories and the id of the decision."""
        return f"DecisionResult({list(self)!r}, decision_id={self.decision_id!r})"


class DecisionEntry(HasId):
    """A decision of a person, as ``decisions`` lists it and ``undo`` returns it.

    >>> _ = hf.remember("Tokens rotate.", because="I read it.", origin="agent")
    >>> _ = hf.reject(*hf.review(), reason="nobody uses tokens")
    >>> (entry,) = hf.decisions()
    >>> print(entry.action, len(entry.memory_ids), entry.is_undone)
    reject 1 False
    """

    __slots__ = ("decision",)

    def __init__(self, decision: Decision) -> None:
        self.decision = decision
        """The engine's own value; its fields may change between versions."""

    @property
    def id(self) -> str:
        """The id (``d_…``)."""
        return self.decision.id

    @property
    def action(self) -> Action:
        """What was decided: ``approve``, ``reject``, ``edit``, ``resolve`` and others."""
        return self.decision.action

    @property
    def by(self) -> str:
        """Who decided."""
        return self.decision.by

    @property
    def at(self) -> datetime:
        """When, in UTC."""
        return self.decision.at

    @property
    def memory_ids(self) -> tuple[str, ...]:
        """The memories that it is about."""
        return self.decision.memories

    @property
    def is_undone(self) -> bool:
        """Whether it was undone since."""
        return self.decision.undone_at is not None

    def __repr__(self) -> str:
        """Return the id, the action, the person and the number of memories."""
        undone = ", undone" if self.is_undone else ""
        many = len(self.memory_ids)
        about = "1 memory" if many == 1 else f"{many} memories"
        return f"DecisionEntry({self.id!r}, {self.action.value} by {self.by!r}, {about}{undone})"
