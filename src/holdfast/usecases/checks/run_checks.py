"""Run the checks of memories and report them, for a person or for CI."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.domain.checks.change import Change
from holdfast.domain.checks.check import checks_in
from holdfast.domain.checks.outcome import CheckState
from holdfast.domain.choices import Status
from holdfast.domain.memory.selection import Selection
from holdfast.domain.values import dataclass, field
from holdfast.usecases.anchors.checking import view
from holdfast.usecases.anchors.verify import every
from holdfast.usecases.checks.evaluate import evaluate
from holdfast.usecases.checks.showing import shown_at
from holdfast.usecases.naming import memory_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.domain.checks.outcome import CheckOutcome
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.usecases.anchors.checking import RepositoryPorts
    from holdfast.usecases.checks.check_ports import CheckPorts

_EVERYTHING = Change()
_NO_CHECKS = "no accepted memory that reaches this place has a check, so nothing was checked"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChecks:
    """A request to run checks: of the named memories, or of all that reach this place."""

    references: tuple[str, ...] = ()
    change: Change = _EVERYTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryOutcomes:
    """A memory with what came out of each of its checks."""

    record: MemoryRecord
    outcomes: tuple[CheckOutcome, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecksReport:
    """The memories with checks, in the order they were remembered.

    ``shown_at`` is the file that a broken or unknown check is shown at, if it has no other place.
    """

    memories: tuple[MemoryOutcomes, ...]
    notes: tuple[str, ...] = ()
    shown_at: Mapping[str, str] = field(default_factory=dict)

    @property
    def counts(self) -> Mapping[CheckState, int]:
        """The number of checks with each outcome."""
        counted = Counter(one.state for memory in self.memories for one in memory.outcomes)
        return {state: counted[state] for state in CheckState}

    @property
    def is_sound(self) -> bool:
        """Tell whether no check is broken."""
        return not self.counts[CheckState.BROKEN]

    @property
    def is_certain(self) -> bool:
        """Tell whether no check is broken, and every check could be run."""
        return self.is_sound and not self.counts[CheckState.UNKNOWN]


def run_checks(wish: RunChecks, *, ports: RepositoryPorts, checks: CheckPorts) -> ChecksReport:
    """Run checks; the command of a candidate never runs.

    Raises:
        NoHistoryError: There is no repository.
        NoSuchRevisionError: The revision of the change is not a commit.
    """
    records = [one for one in _meant(wish, ports) if checks_in(one.memory.metadata)]
    accepted = [one for one in records if one.standing.status is Status.ACCEPTED]
    others = [one for one in records if one.standing.status is not Status.ACCEPTED]
    found: list[MemoryOutcomes] = []
    shown: dict[str, str] = {}
    for some, has_commands in ((accepted, True), (others, False)):
        if some:
            tools = checks.tools(wish.change, has_commands=has_commands)
            outcomes = evaluate(_texts(some), tools=tools)
            found += _of_each(some, outcomes)
            if placeless := [text for text, one in outcomes.items() if _needs_place(one)]:
                files = tools.tree.files()
                shown |= {text: shown_at(text, files) for text in placeless}
    notes = () if found else (_NO_CHECKS,)
    return ChecksReport(memories=tuple(found), notes=notes, shown_at=shown)


def _needs_place(outcome: CheckOutcome) -> bool:
    return outcome.state in {CheckState.BROKEN, CheckState.UNKNOWN} and not outcome.breaches


def _texts(records: Iterable[MemoryRecord]) -> list[str]:
    return [text for one in records for text in checks_in(one.memory.metadata)]


def _of_each(
    records: Iterable[MemoryRecord], outcomes: Mapping[str, CheckOutcome]
) -> list[MemoryOutcomes]:
    return [
        MemoryOutcomes(
            record=one,
            outcomes=tuple(outcomes[text] for text in checks_in(one.memory.metadata)),
        )
        for one in records
    ]


def _meant(wish: RunChecks, ports: RepositoryPorts) -> Sequence[MemoryRecord]:
    place, now = ports.surroundings.place(), ports.clock.now()
    with ports.store.reading() as tx:
        if wish.references:
            return [tx.memories.get(memory_id(tx, name)) for name in wish.references]
        seen = view(place, tx=tx, verifier=ports.verifier)
        selection = Selection(space=place.space, place=place, recallable_at=now, view=seen)
        return list(every(selection, tx=tx))
