"""Methods that hand work to specialists, and resume and replay such runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict

from holdfast.domain.roles.step import step_json
from holdfast.domain.text.counting import counted
from holdfast.surfaces.python.advice import with_advice
from holdfast.surfaces.python.door import Door
from holdfast.surfaces.python.expecting import (
    NUMBER,
    TEXT,
    TEXTS,
    TRUTH,
    WHOLE,
    UnknownOptionError,
    expect,
    expect_given,
)
from holdfast.surfaces.wire.roles import disagreements_of, recap_of

if TYPE_CHECKING:
    from typing import Unpack

    from holdfast.usecases.roles.replaying import RunReplay
    from holdfast.usecases.roles.role_ports import SuperviseOptions
    from holdfast.usecases.roles.supervising import SupervisedRun


class SupervisionOptions(TypedDict, total=False):
    """The options of ``supervise`` and ``resume_supervised``.

    >>> options: holdfast.SupervisionOptions = {"budget": 30.0}
    >>> hf.supervise("release 1.2", dry_run=True, **options).id is None
    True
    """

    budget: float
    run: Sequence[str]
    apply: bool
    branch: str


class Supervision:
    """A supervised run: its steps, its recap, and where the roles disagreed.

    >>> work = hf.supervise("release 1.2")
    >>> work.is_over
    True
    >>> [step["role"] for step in work.steps]
    ['supervisor', 'historian', 'planner', 'curator', 'supervisor']
    """

    __slots__ = ("found",)

    def __init__(self, found: SupervisedRun) -> None:
        self.found = found
        """The engine's own value; its fields may change between versions."""

    @property
    def id(self) -> str | None:
        """The id of the run (``r_…``); None after a dry run."""
        return None if self.found.run is None else self.found.run.id

    @property
    def label(self) -> str | None:
        """The label of the run; None after a dry run."""
        return None if self.found.run is None else self.found.run.label

    @property
    def steps(self) -> Sequence[Mapping[str, object]]:
        """The steps in their order, as ``--json`` shows them."""
        return [step_json(step) for step in self.found.steps]

    @property
    def failed(self) -> Sequence[str]:
        """The steps whose work was not done, as a command that did not pass."""
        return [step.name for step in self.found.failed]

    @property
    def recap(self) -> str:
        """The recap for people."""
        return recap_of(self.found)

    @property
    def disagreements(self) -> Sequence[Mapping[str, object]]:
        """Where roles disagreed: both sides, who decided, and what holds now."""
        return [one for one in disagreements_of(self.found) if isinstance(one, Mapping)]

    @property
    def is_over(self) -> bool:
        """Whether no step is left to do."""
        return all(step.is_over for step in self.found.steps)

    def __repr__(self) -> str:
        """Return the label, and how many steps are over."""
        over = sum(step.is_over for step in self.found.steps)
        return f"Supervision({self.label}, {over} of {len(self.found.steps)} steps)"


class ReplayedRun:
    """A run that was done again from its recorded inputs; nothing of it was written.

    >>> work = hf.supervise("release 1.2")
    >>> again = hf.replay_supervised(work.id)
    >>> again.is_same, again.differences
    (True, [])
    """

    __slots__ = ("found",)

    def __init__(self, found: RunReplay) -> None:
        self.found = found
        """The engine's own value; its fields may change between versions."""

    @property
    def is_same(self) -> bool:
        """Whether every answer is the same as then."""
        return self.found.is_same

    @property
    def differences(self) -> Sequence[tuple[str, str, str, str]]:
        """Each difference: the step, the place, what was recorded, and what it is now."""
        return [
            (one.step.name, each.where, each.recorded, each.now)
            for one in self.found.steps
            for each in one.differences
        ]

    def __repr__(self) -> str:
        """Return the label, and the number of differences."""
        return (
            f"ReplayedRun({self.found.run.label}, {counted(len(self.differences), 'difference')})"
        )


@with_advice
class SuperviseMethods(Door):
    """Methods that supervise runs."""

    def supervise(
        self, intent: str, /, *, dry_run: bool = False, **options: Unpack[SupervisionOptions]
    ) -> Supervision:
        """Hand an intent to specialists: historian, planner, executor and curator.

        ``budget`` is the number of seconds for all of it. ``run`` names commands that a person
        allowed here; naming them is the confirmation. ``apply`` fixes what the curator found.
        ``branch`` is what to do if the checkout is stale or changes: stop, continue or fork.

        >>> work = hf.supervise("release 1.2", dry_run=True)
        >>> print(work.recap.splitlines()[3])
        - planner: 5 tasks would be added
        """
        expect("supervise", TEXT, intent=intent)
        expect("supervise", TRUTH, dry_run=dry_run)
        wish = _options("supervise", options, dry_run=dry_run)
        return Supervision(self.app.roles.supervise(intent, wish))

    def resume_supervised(self, run: str, /, **options: Unpack[SupervisionOptions]) -> Supervision:
        """Go on with a run whose process ended; steps that are over stay as they are.

        >>> work = hf.supervise("release 1.2")
        >>> try:
        ...     hf.resume_supervised(work.id)
        ... except holdfast.ConflictError as error:
        ...     print(error.code)
        run-complete
        """
        expect("resume_supervised", TEXT, run=run)
        wish = _options("resume_supervised", options)
        return Supervision(self.app.roles.resume(run, wish))

    def replay_supervised(self, run: str, /) -> ReplayedRun:
        """Ask the specialists of a recorded run again, and return every difference.

        >>> work = hf.supervise("release 1.2")
        >>> hf.replay_supervised(work.id).is_same
        True
        """
        expect("replay_supervised", TEXT, run=run)
        return ReplayedRun(self.app.roles.replay(run))

    def supervised(self, *, limit: int = 20) -> Sequence[Supervision]:
        """List the supervised runs of this repository, newest first.

        >>> _ = hf.supervise("release 1.2")
        >>> [work.is_over for work in hf.supervised()]
        [True]
        """
        expect("supervised", WHOLE, limit=limit)
        return [Supervision(one) for one in self.app.roles.latest(limit=limit)]

    def get_supervised(self, run: str, /) -> Supervision:
        """Return a supervised run by its id or its label.

        >>> work = hf.supervise("release 1.2")
        >>> hf.get_supervised(work.id).is_over
        True
        """
        expect("get_supervised", TEXT, run=run)
        return Supervision(self.app.roles.show(run))

    def allowed_commands(self) -> Mapping[str, str]:
        """Return the commands that a person allowed in this clone, by name.

        >>> hf.allowed_commands()
        {}
        """
        return {name: one.command for name, one in self.app.roles.commands().items()}


def _options(
    method: str, options: SupervisionOptions, *, dry_run: bool = False
) -> SuperviseOptions:
    from holdfast.domain.choices import choose
    from holdfast.domain.roles.checkout import BranchChoice
    from holdfast.usecases.roles.role_ports import SuperviseOptions

    known = SupervisionOptions.__annotations__
    for name in options:
        if name not in known:
            raise UnknownOptionError(verb=method, name=name, options=known)
    budget, branch, run = options.get("budget"), options.get("branch"), options.get("run", ())
    expect_given(method, NUMBER, budget=budget)
    expect_given(method, TEXT, branch=branch)
    expect(method, TRUTH, apply=options.get("apply", False))
    expect(method, TEXTS, run=run)
    names = (run,) if isinstance(run, str) else tuple(run)
    chosen = None if branch is None else choose(BranchChoice, branch, what="branch")
    return SuperviseOptions(
        seconds=None if budget is None else float(budget),
        run=names,
        may_run=bool(names),
        applies=options.get("apply", False),
        dry_run=dry_run,
        ask=None if chosen is None else lambda _: chosen,
    )
