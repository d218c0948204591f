"""Jobs: bulk work of a space whose parts many workers share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import Part, performs
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    from holdfast.domain.care.job import BulkJob
    from holdfast.usecases.care.adding import AddedJob, JobPorts
    from holdfast.usecases.care.working import PartDone, WorkOrder
    from holdfast.usecases.screening import SecretPolicy


class JobsPart(Part):
    """Adds jobs, and does their parts."""

    @performs(Operation.RESTORE)
    def add_import(self, lines: Iterable[str], *, secrets: SecretPolicy, by: str) -> AddedJob:
        """Add an import of an export."""
        from holdfast.usecases.care.adding import add_import

        return add_import(lines, secrets=secrets, ports=self._ports(by))

    @performs(Operation.MAINTAIN)
    def add_embedding(self, *, by: str) -> AddedJob:
        """Add the embedding of every memory without a vector of the chosen model."""
        from holdfast.domain.lookup_errors import NoModelError
        from holdfast.usecases.care.adding import add_embedding

        embedder = self._holdfast.embedder
        if embedder is None:
            raise NoModelError
        return add_embedding(embedder.model.name, ports=self._ports(by))

    @performs(Operation.FORGET)
    def add_pruning(self, *, by: str, force: bool = False) -> AddedJob:
        """Add the pruning of everything in the space that is due."""
        from holdfast.app.care import prune_ports
        from holdfast.usecases.care.adding import add_pruning
        from holdfast.usecases.care.prune import prune
        from holdfast.usecases.care.prune_request import Prune

        wish = Prune(by=by, everywhere=True, dry_run=True)
        plan = prune(wish, ports=prune_ports(self._holdfast)).plan
        return add_pruning(plan, force=force, ports=self._ports(by))

    @performs(Operation.DECIDE)
    def add_curation(self, *, by: str) -> AddedJob:
        """Add a curation with the fixes that can be undone."""
        from holdfast.usecases.care.adding import add_curation

        return add_curation(ports=self._ports(by))

    @performs(Operation.READ)
    def list(self) -> Sequence[BulkJob]:
        """Return all jobs, oldest first."""
        return self._holdfast.store.jobs.list()

    @performs(Operation.DECIDE)
    def cancel(self, job: str) -> None:
        """Cancel a job; what was done stays."""
        self._holdfast.store.jobs.cancel(job, at=self._holdfast.clock.now())

    @performs(Operation.MAINTAIN)
    def run(
        self, order: WorkOrder, *, pause: Callable[[], None]
    ) -> Generator[PartDone, None, None]:
        """Do parts until none is left; a person allowed each job when they added it."""
        from holdfast.app.care import prune_ports
        from holdfast.usecases.care.working import WorkPorts, work_off

        holdfast = self._holdfast
        ports = WorkPorts(
            store=holdfast.store,
            clock=holdfast.clock,
            surroundings=holdfast.surroundings,
            heuristics=holdfast.heuristics,
            verifier=holdfast.verifier,
            embedder=holdfast.embedder,
            pruning=lambda: prune_ports(holdfast),
        )
        return work_off(order, ports=ports, pause=pause)

    def _ports(self, by: str) -> JobPorts:
        from holdfast.usecases.care.adding import JobPorts

        return JobPorts(store=self._holdfast.store, clock=self._holdfast.clock, by=by)
