"""The port for bulk work that many workers share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from holdfast.domain.care.job import BulkJob, LeasedPart, NewJob


class JobQueue(Protocol):
    """The jobs of a space. A part must be leased to one worker at a time."""

    def add(self, job: NewJob, *, at: datetime) -> None:
        """Add a job with its parts."""
        ...

    def list(self) -> Sequence[BulkJob]:
        """Return all jobs, oldest first."""
        ...

    def take(self, *, worker: str, seconds: float, job: str | None = None) -> LeasedPart | None:
        """Lease the next free part for some seconds; None if none is free.

        A part is free again when its lease has ended. After three leases that ended so, it must
        count as failed. Two workers must never hold the same part, and must not wait for each
        other.
        """
        ...

    def finish(self, part: LeasedPart) -> None:
        """Mark a part as done.

        Inside a unit of work of this thread, both must be stored, or neither.

        Raises:
            LeaseLostError: The lease has ended and the part was given to another worker, or the
                job was cancelled.
        """
        ...

    def fail(self, part: LeasedPart, problem: str) -> None:
        """Give a part back with the reason; after the third failure it must stay failed."""
        ...

    def cancel(self, job: str, *, at: datetime) -> None:
        """Cancel a job; what was done stays, and a part in work cannot be finished.

        Raises:
            NoSuchError: No open job has that id.
        """
        ...
