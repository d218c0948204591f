"""The results of explain, verify and forget as Python programs receive them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from holdfast.domain.text.counting import counted
from holdfast.surfaces.python.memories import HasId, Listing, Memory, shortened, worst

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.memory.anchor import Checked, Verdict
    from holdfast.domain.memory.evidence import Evidence, Span
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.usecases.anchors.verify import Verification
    from holdfast.usecases.memory.browse import Provenance
    from holdfast.usecases.memory.forget import Forgotten


class Explanation:
    """Where a memory comes from.

    >>> parent = hf.remember("Keys rotate daily.", because="We decided it.")
    >>> child = hf.remember("Tokens rotate too.", because="It follows.", derived_from=[parent.id])
    >>> explained = hf.explain(child)
    >>> explained.memory.text, [one.memory.text for one in explained.derived_from]
    ('Tokens rotate too.', ['Keys rotate daily.'])
    >>> explained.events[0][1]
    'memory.added'
    """

    __slots__ = ("provenance",)

    def __init__(self, provenance: Provenance) -> None:
        self.provenance = provenance
        """The engine's own value; its fields may change between versions."""

    @property
    def memory(self) -> Memory:
        """The memory."""
        return Memory(self.provenance.record)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What it rests on."""
        return self.memory.evidence

    @property
    def spans(self) -> tuple[Span, ...]:
        """The lines of files that it rests on, as they were read."""
        return self.provenance.spans

    @property
    def derived_from(self) -> tuple[Explanation, ...]:
        """The memories that it was derived from, each explained."""
        return tuple(map(Explanation, self.provenance.derived_from))

    @property
    def replaced(self) -> tuple[Memory, ...]:
        """The memories that it superseded."""
        return tuple(map(Memory, self.provenance.replaced))

    @property
    def events(self) -> tuple[tuple[datetime, str], ...]:
        """What happened to it and when, in UTC, oldest first."""
        return tuple(
            (datetime.fromtimestamp(one.at_millis / 1000, tz=UTC), one.action)
            for one in self.provenance.events
        )

    @property
    def record(self) -> MemoryRecord:
        """The engine's own record of the memory; its fields may change between versions."""
        return self.provenance.record

    def __repr__(self) -> str:
        """Return the memory, and how much stands behind it."""
        parents, pieces = len(self.derived_from), len(self.evidence)
        return f"Explanation({self.memory!r}, evidence={pieces}, derived_from={parents})"


class EvidenceCheck:
    """A memory, and whether its evidence still says what it said.

    >>> _ = hf.remember("Tokens rotate.", evidence=["src/auth/tokens.py:3"])
    >>> (check,) = hf.verify()
    >>> print(check.memory, check.verdict, check.details)
    Tokens rotate. fresh {'src/auth/tokens.py:3': 'fresh'}
    """

    __slots__ = ("checked", "record")

    def __init__(self, record: MemoryRecord, checked: tuple[Checked, ...]) -> None:
        self.record = record
        """The engine's own value; its fields may change between versions."""
        self.checked = checked
        """The engine's own values; their fields may change between versions."""

    @property
    def memory(self) -> Memory:
        """The memory."""
        return Memory(self.record)

    @property
    def verdict(self) -> Verdict | None:
        """The worst verdict about its evidence; None if nothing could be checked."""
        return worst(one.sighting.verdict for one in self.checked)

    @property
    def details(self) -> dict[str, str]:
        """The verdict about each piece of evidence in words, by its reference."""
        return {one.words: one.sighting.words for one in self.checked}

    def __repr__(self) -> str:
        """Return the claim and the verdict."""
        verdict = None if self.verdict is None else self.verdict.value
        return f"EvidenceCheck({shortened(self.memory.text)}, verdict={verdict!r})"


class EvidenceReport(Listing[EvidenceCheck]):
    """The checked memories, worst first.

    >>> _ = hf.remember("Tokens rotate.", evidence=["src/auth/tokens.py:3"])
    >>> report = hf.verify()
    >>> report.is_sound, report.counts["fresh"], len(report)
    (True, 1, 1)
    """

    __slots__ = ("verification",)

    def __init__(self, verification: Verification) -> None:
        self.verification = verification
        """The engine's own value; its fields may change between versions."""
        super().__init__(EvidenceCheck(one.record, one.evidence) for one in verification.checked)

    @property
    def is_sound(self) -> bool:
        """Whether no evidence has changed or is gone."""
        return self.verification.is_sound

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """How many memories have each verdict."""
        return self.verification.counts

    @property
    def unanchored(self) -> int:
        """How many memories have no evidence that can be checked."""
        return self.verification.unanchored

    @property
    def sensitive(self) -> int:
        """How many memories were not checked, because their evidence is encrypted."""
        return self.verification.sensitive

    @property
    def notes(self) -> tuple[str, ...]:
        """What the caller should know."""
        return self.verification.notes

    def __repr__(self) -> str:
        """Return how many memories have each verdict."""
        counts = ", ".join(f"{many} {verdict.value}" for verdict, many in self.counts.items())
        return f"EvidenceReport({counts}, {self.unanchored} without places)"


class ForgottenMemory(HasId):
    """What a call of ``forget`` removed, or would remove.

    >>> memory = hf.remember("The zebra sleeps.", because="I saw it.")
    >>> gone = hf.forget(memory, reason="asked to")
    >>> gone.id == memory.id, gone.remaining
    (True, ())
    """

    __slots__ = ("forgotten", "repeated")

    def __init__(self, forgotten: Forgotten, repeated: tuple[str, ...] = ()) -> None:
        self.forgotten = forgotten
        """The engine's own value; its fields may change between versions."""
        self.repeated = repeated
        """What else says nearly the same words in clear, by id or place; ``protect`` gives it."""

    @property
    def id(self) -> str:
        """The id that the memory had (``m_…``)."""
        return self.forgotten.record.memory.id

    @property
    def earlier(self) -> tuple[str, ...]:
        """The ids of the earlier versions that were removed with it."""
        return tuple(one.memory.id for one in self.forgotten.earlier)

    @property
    def nearly(self) -> tuple[str, ...]:
        """The places of the store that keep nearly the same words."""
        return self.forgotten.nearly

    @property
    def is_dry_run(self) -> bool:
        """Whether nothing was removed, because only a dry run was asked for."""
        return self.forgotten.dry_run

    @property
    def remaining(self) -> tuple[str, ...]:
        """The places that still hold the text, such as the history of git, and what to do."""
        from holdfast.domain.review.traces import Reach

        left = [one for one in self.forgotten.traces if one.reach is not Reach.REMOVED]
        words = [f"{one.place}: {one.advice}" for one in left]
        return tuple(filter(None, (*words, self.forgotten.not_yet)))

    def __repr__(self) -> str:
        """Return the id, and how many places still hold the text."""
        word = "would forget" if self.is_dry_run else "forgot"
        return f"<{word} {self.id}; {counted(len(self.remaining), 'place')} left with the text>"
