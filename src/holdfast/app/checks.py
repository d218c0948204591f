"""Checks: run the checks of memories, and accept the commands among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.part_ports import here, id_here, ids_here, repository_ports
from holdfast.app.performing import Part, performs
from holdfast.domain.memory.callers import Operation
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.checks.change import AcceptedCommand
    from holdfast.domain.checks.kinds import CommandCheck
    from holdfast.usecases.checks.accepting import AcceptCommands, ListedCheck
    from holdfast.usecases.checks.check_ports import CheckPorts, Outcomes
    from holdfast.usecases.checks.run_checks import ChecksReport, RunChecks


class ChecksPart(Part):
    """The checks of memories in the repository around the folder."""

    @performs(Operation.MAINTAIN)
    def run(self, wish: RunChecks) -> ChecksReport:
        """Run checks; a command runs only if a person accepted its exact text here."""
        from holdfast.usecases.checks.run_checks import run_checks

        named = replace(wish, references=ids_here(self._holdfast, wish.references))
        return run_checks(named, ports=repository_ports(self._holdfast), checks=self._ports())

    @performs(Operation.READ)
    def listed(self) -> Sequence[ListedCheck]:
        """Return the checks of the memories that reach this place."""
        from holdfast.usecases.checks.accepting import listed_checks

        return listed_checks(ports=repository_ports(self._holdfast), checks=self._ports())

    @performs(Operation.READ)
    def told(self, texts: Sequence[str]) -> Outcomes:
        """Return what checks say now, within a small effort and without running commands."""
        return self._ports().brief(texts)

    @performs(Operation.READ)
    def commands(self, reference: str) -> Sequence[CommandCheck]:
        """Return the commands of an accepted memory, to be shown before they are accepted."""
        from holdfast.usecases.checks.accepting import commands_to_accept

        name = id_here(self._holdfast, reference)
        return commands_to_accept(name, ports=repository_ports(self._holdfast))

    @performs(Operation.TRUST)
    def accept(self, wish: AcceptCommands) -> Sequence[AcceptedCommand]:
        """Let the commands of a memory run in this clone, exactly as they were shown."""
        from holdfast.usecases.checks.accepting import accept

        named = replace(wish, reference=id_here(self._holdfast, wish.reference))
        return accept(named, ports=repository_ports(self._holdfast), checks=self._ports())

    @performs(Operation.TRUST)
    def revoke(self, reference: str) -> Sequence[str]:
        """Take back the acceptance of a memory's commands; return those that were accepted."""
        from holdfast.usecases.checks.accepting import revoke_commands

        name = id_here(self._holdfast, reference)
        return revoke_commands(name, ports=repository_ports(self._holdfast), checks=self._ports())

    def _ports(self) -> CheckPorts:
        return here(self._holdfast.attachments).checks(self._holdfast)
