"""Bulk work that many workers share: a job has parts, and a worker leases one part at a time."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.errors import ConflictError
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from datetime import datetime


class JobKind(StrEnum):
    """What a job does."""

    IMPORT = "import"
    EMBED = "embed"
    PRUNE = "prune"
    CURATE = "curate"


class JobState(StrEnum):
    """Whether parts of a job are still to be done."""

    OPEN = "open"
    DONE = "done"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPart:
    """One part of a new job. Parts of a higher stage wait until all lower stages are done."""

    stage: int
    payload: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJob:
    """A request to add a job."""

    id: str
    kind: JobKind
    by: str
    parts: tuple[NewPart, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkJob:
    """A job and how far it is; ``problem`` is the error of a part that failed last."""

    id: str
    kind: JobKind
    state: JobState
    by: str
    created_at: datetime
    parts: int
    done: int
    leased: int
    failed: int
    problem: str

    @property
    def waiting(self) -> int:
        """The parts that nobody has done, has failed at, or works on."""
        return self.parts - self.done - self.failed - self.leased


@dataclass(frozen=True, slots=True, kw_only=True)
class LeasedPart:
    """A part that one worker may do until its lease ends; the token names this lease."""

    job: str
    kind: JobKind
    number: int
    token: str
    by: str
    payload: str


class LeaseLostError(ConflictError, code="lease-lost"):
    """The lease of a part ended before the part was done, or the job was cancelled."""

    hint: str = "Nothing of this part was stored; another worker does it, if the job is still open."

    def __init__(self, job: str, number: int) -> None:
        super().__init__(
            f"The lease of part {number:,} of the job {job} ended before it was done.",
            job=job,
            number=number,
        )
