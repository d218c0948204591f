"""The methods about checks, and their results as Python programs receive them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.checks.change import Change, ChangeRange
from holdfast.domain.errors import BadFieldError
from holdfast.surfaces.python.advice import with_advice
from holdfast.surfaces.python.door import Door
from holdfast.surfaces.python.expecting import TEXT, TRUTH, expect, expect_given, name_of, texts_of
from holdfast.surfaces.python.memories import Listing, Memory, shortened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.checks.outcome import CheckOutcome, CheckState
    from holdfast.surfaces.python.memories import HasId
    from holdfast.usecases.checks.run_checks import ChecksReport, MemoryOutcomes


class RuleCheck:
    """A memory, and whether its checks hold.

    >>> _ = hf.remember("No pickle.", checks=["src/** must not import pickle"], because="Safety.")
    >>> (rule,) = hf.run_checks()
    >>> print(rule.memory, rule.is_broken, rule.details)
    No pickle. False {'src/** must not import pickle': 'holds'}
    """

    __slots__ = ("found",)

    def __init__(self, found: MemoryOutcomes) -> None:
        self.found = found
        """The engine's own value; its fields may change between versions."""

    @property
    def memory(self) -> Memory:
        """The memory."""
        return Memory(self.found.record)

    @property
    def outcomes(self) -> tuple[CheckOutcome, ...]:
        """What came out of each check, with the places where it is broken."""
        return self.found.outcomes

    @property
    def is_broken(self) -> bool:
        """Whether one of its checks is broken."""
        return any(one.state.value == "broken" for one in self.outcomes)

    @property
    def details(self) -> dict[str, str]:
        """What came out of each check in words, by its text."""
        return {one.text: one.words for one in self.outcomes}

    def __repr__(self) -> str:
        """Return the claim, and what came out."""
        words = ", ".join(one.words for one in self.outcomes)
        return f"RuleCheck({shortened(self.memory.text)}, {words!r})"


class RuleReport(Listing[RuleCheck]):
    """The memories with checks, in the order they were remembered.

    >>> _ = hf.remember("No pickle.", checks=["src/** must not import pickle"], because="Safety.")
    >>> report = hf.run_checks()
    >>> report.is_sound, report.counts["holds"], len(report)
    (True, 1, 1)
    """

    __slots__ = ("report",)

    def __init__(self, report: ChecksReport) -> None:
        self.report = report
        """The engine's own value; its fields may change between versions."""
        super().__init__(RuleCheck(one) for one in report.memories)

    @property
    def is_sound(self) -> bool:
        """Whether no check is broken."""
        return self.report.is_sound

    @property
    def is_certain(self) -> bool:
        """Whether no check is broken, and every check could be run."""
        return self.report.is_certain

    @property
    def counts(self) -> Mapping[CheckState, int]:
        """How many checks have each outcome."""
        return self.report.counts

    @property
    def notes(self) -> tuple[str, ...]:
        """What the caller should know."""
        return self.report.notes

    def __repr__(self) -> str:
        """Return how many checks have each outcome."""
        counts = ", ".join(f"{many} {state.value}" for state, many in self.counts.items())
        return f"RuleReport({counts})"


@with_advice
class CheckMethods(Door):
    """The methods about checks."""

    def run_checks(
        self,
        *memories: str | HasId,
        changed: bool = False,
        staged: bool = False,
        since: str | None = None,
    ) -> RuleReport:
        """Run the checks of memories: of those named, or of all accepted ones here.

        ``changed`` looks only at files that differ from HEAD, ``staged`` at the staged versions,
        ``since`` at files that changed since the branch left a revision. A command runs only if a
        person accepted it.

        >>> _ = hf.remember("We license it.", checks=["file LICENSE must exist"], because="Law.")
        >>> for rule in hf.run_checks():
        ...     print(rule.memory, "|", rule.outcomes[0].words)
        We license it. | broken at LICENSE: there is no such file
        """
        from holdfast.usecases.checks.run_checks import RunChecks

        expect("run_checks", TRUTH, changed=changed, staged=staged)
        expect_given("run_checks", TEXT, since=since)
        if sum((changed, staged, since is not None)) > 1:
            raise BadFieldError(field="change", problem="is one of changed, staged and since.")
        kind = ChangeRange.CHANGED if changed else ChangeRange.EVERYTHING
        kind = ChangeRange.STAGED if staged else kind
        change = Change(kind=kind if since is None else ChangeRange.SINCE, since=since)
        references = tuple(name_of("run_checks", memory=memory) for memory in memories)
        return RuleReport(self.app.checks.run(RunChecks(references=references, change=change)))

    def accept_check(self, memory: str | HasId, /, *, commands: Sequence[str]) -> None:
        """Let the commands of a memory's checks run in this clone; only a person may.

        ``commands`` are the texts that the person saw; other texts are refused.

        >>> rule = hf.remember("Lint.", checks=["command: make lint"], because="We agreed.")
        >>> hf.accept_check(rule, commands=["make lint"])
        """
        from holdfast.domain.checks.kinds import shown_mark
        from holdfast.usecases.checks.accepting import AcceptCommands

        reference = name_of("accept_check", memory=memory)
        found = self.app.checks.commands(reference)
        if [one.command for one in found] != list(texts_of("accept_check", commands=commands)):
            raise BadFieldError(field="commands", problem="are not those of the memory.")
        wish = AcceptCommands(reference=reference, by=self._person(), shown=shown_mark(found))
        self.app.checks.accept(wish)

    def revoke_check(self, memory: str | HasId, /) -> Sequence[str]:
        """Stop the commands of a memory from running here; return those that were accepted.

        >>> rule = hf.remember("Lint.", checks=["command: make lint"], because="We agreed.")
        >>> hf.revoke_check(rule)
        ()
        """
        return self.app.checks.revoke(name_of("revoke_check", memory=memory))

    def list_checks(self) -> Sequence[tuple[Memory, str]]:
        """Return the checks of the memories that reach this place, each with its memory.

        >>> _ = hf.remember("Lint.", checks=["file Makefile must exist"], because="We agreed.")
        >>> [text for _, text in hf.list_checks()]
        ['file Makefile must exist']
        """
        return tuple((Memory(one.record), one.text) for one in self.app.checks.listed())
