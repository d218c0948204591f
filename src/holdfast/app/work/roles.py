"""Supervised runs: an intent becomes steps, which specialists do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.part_ports import here
from holdfast.app.performing import Part, performs, when
from holdfast.domain.errors import HoldfastError
from holdfast.domain.memory.callers import Operation
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from holdfast.domain.roles.commands import AllowedCommand
    from holdfast.domain.roles.step import RunStep
    from holdfast.usecases.roles.replaying import RunReplay
    from holdfast.usecases.roles.role_ports import RolePorts, SuperviseOptions
    from holdfast.usecases.roles.supervising import SupervisedRun


def _says_nothing(_step: RunStep) -> None:
    return


def _is_rehearsal(_intent: str, options: SuperviseOptions, **_: object) -> bool:
    return options.dry_run


_REHEARSAL = when(_is_rehearsal, Operation.READ, "dry run")


class RolesPart(Part):
    """The runs of a repository that a supervisor hands to specialists."""

    @performs(Operation.RECORD, _REHEARSAL)
    def supervise(
        self,
        intent: str,
        options: SuperviseOptions,
        *,
        by: str = "",
        tell: Callable[[RunStep], None] = _says_nothing,
    ) -> SupervisedRun:
        """Start a run for an intent, and do its steps; a dry run writes nothing."""
        from holdfast.usecases.roles.supervising import supervise

        ports = replace(self._ports(by), tell=tell)
        return self._written(supervise(intent, options, ports=ports))

    @performs(Operation.RECORD)
    def resume(
        self,
        reference: str,
        options: SuperviseOptions,
        *,
        by: str = "",
        tell: Callable[[RunStep], None] = _says_nothing,
    ) -> SupervisedRun:
        """Go on with a run whose process ended."""
        from holdfast.usecases.roles.supervising import resume_supervised

        ports = replace(self._ports(by), tell=tell)
        return self._written(resume_supervised(reference, options, ports=ports))

    @performs(Operation.READ)
    def replay(self, reference: str) -> RunReplay:
        """Ask the specialists of a recorded run again, and return every difference."""
        from holdfast.usecases.roles.replaying import replay

        return replay(reference, ports=self._ports())

    @performs(Operation.READ)
    def latest(self, *, limit: int = 20) -> tuple[SupervisedRun, ...]:
        """List supervised runs, newest first."""
        from holdfast.usecases.naming import check_limit
        from holdfast.usecases.roles.supervising import supervised_runs

        check_limit(limit)
        return supervised_runs(limit=limit, ports=self._ports())

    @performs(Operation.READ)
    def show(self, reference: str) -> SupervisedRun:
        """Show a supervised run with its steps."""
        from holdfast.usecases.roles.supervising import SupervisedRun, supervised_run

        run, steps = supervised_run(reference, ports=self._ports())
        return SupervisedRun(run=run, steps=steps)

    @performs(Operation.READ)
    def commands(self) -> Mapping[str, AllowedCommand]:
        """Return the commands that a person allowed here, by name."""
        from holdfast.domain.roles.commands import AllowedCommand

        known = self._ports().sources.commands
        return {
            name: AllowedCommand(
                command=text, files=tuple(known.files(name)), refusal=known.refusal(name)
            )
            for name, text in known.allowed().items()
        }

    @performs(Operation.TRUST)
    def allow(self, name: str, command: str, *, by: str = "") -> None:
        """Let the executor run a command in this clone, by its name."""
        self._ports().sources.commands.allow(name, command, by=by or self.principal.name)

    @performs(Operation.TRUST)
    def disallow(self, name: str) -> bool:
        """Take that back; return whether it was allowed."""
        return self._ports().sources.commands.disallow(name)

    def _written(self, done: SupervisedRun) -> SupervisedRun:
        """Write the summary of a run and the journal of the day as pages, where there are pages."""
        run = done.run
        if run is None or run.finished_at is None:
            return done
        runs = self._holdfast.runs
        try:
            found = [runs.write_page(run), runs.write_journal(run.finished_at.date())]
        except HoldfastError as error:
            return replace(done, notes=(*done.notes, f"the pages were not written: {error}"))
        return replace(done, pages=tuple(page for page in found if page is not None))

    def _ports(self, by: str = "") -> RolePorts:
        from holdfast.domain.choices import Origin
        from holdfast.usecases.roles.role_ports import RoleCaller

        principal = self.principal
        name = by or principal.name or principal.kind.value
        caller = RoleCaller(
            name=name,
            decides=Operation.DECIDE in principal.may,
            runs=Operation.TRUST in principal.may,
            origin=principal.at_most(Origin.TOOL),
            most_waiting=self._holdfast.most_waiting,
        )
        return here(self._holdfast.attachments).roles(self._holdfast, caller)
