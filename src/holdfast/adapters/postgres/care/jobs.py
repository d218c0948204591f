"""The jobs of a space: parts leased with SKIP LOCKED, so that many workers share them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import as_json, millis, moment_of
from holdfast.domain.care.job import BulkJob, JobKind, JobState, LeasedPart, LeaseLostError, NewJob
from holdfast.domain.errors import NoSuchError

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.adapters.postgres.database.work import PostgresWork
    from holdfast.adapters.postgres.units.engine import PostgresEngine

_LONGEST_PROBLEM = 500


class PostgresJobs:
    """Adds, leases and finishes the parts of jobs."""

    def __init__(self, engine: PostgresEngine) -> None:
        self._engine = engine

    def add(self, job: NewJob, *, at: datetime) -> None:
        """Add a job with its parts."""
        parts = as_json([[part.stage, part.payload] for part in job.parts])
        with self._engine.writing(millis(at)) as work:
            work.run("add_job", job.id, job.kind.value, job.by, millis(at))
            work.run("add_job_parts", job.id, parts)
            work.run("end_finished_jobs")

    def list(self) -> Sequence[BulkJob]:
        """Return all jobs, oldest first."""
        with self._engine.reading() as work:
            rows = work.rows("jobs")
        return tuple(
            BulkJob(
                id=name,
                kind=JobKind(kind),
                state=JobState(state),
                by=by,
                created_at=moment_of(created),
                parts=parts,
                done=done,
                leased=leased,
                failed=failed,
                problem=problem,
            )
            for name, kind, state, by, created, parts, done, leased, failed, problem in rows
        )

    def take(self, *, worker: str, seconds: float, job: str | None = None) -> LeasedPart | None:
        """Lease the next free part for some seconds; None if none is free."""
        with self._engine.leasing() as work:
            work.run("fail_spent_parts")
            work.run("end_finished_jobs")
            row = next(iter(work.rows("take_part", (worker, seconds, job))), None)
        if row is None:
            return None
        name, kind, number, token, by, payload = row
        return LeasedPart(
            job=name, kind=JobKind(kind), number=number, token=token, by=by, payload=payload
        )

    def finish(self, part: LeasedPart) -> None:
        """Mark a part as done, in the unit of work of this thread if there is one."""
        if self._engine.is_writing:
            with self._engine.reading() as work:
                self._finish(part, work)
            return
        with self._engine.leasing() as work:
            self._finish(part, work)

    def fail(self, part: LeasedPart, problem: str) -> None:
        """Give a part back with the reason; after the third failure it stays failed."""
        said = problem[:_LONGEST_PROBLEM]
        with self._engine.leasing() as work:
            work.run("fail_part", part.job, part.number, part.token, said)
            work.run("end_finished_jobs")

    def cancel(self, job: str, *, at: datetime) -> None:
        """Cancel a job; what was done stays."""
        with self._engine.writing(millis(at)) as work:
            if not work.rows("cancel_job", (job,)):
                raise NoSuchError(noun="open job", reference=job)
            work.run("drop_payloads", job)

    @staticmethod
    def _finish(part: LeasedPart, work: PostgresWork) -> None:
        if not work.rows("finish_part", (part.job, part.number, part.token)):
            raise LeaseLostError(part.job, part.number)
        work.run("end_finished_jobs")
