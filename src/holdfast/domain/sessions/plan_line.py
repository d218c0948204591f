"""A task, as far as sessions and the file of the project speak of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanLine:
    """A task: how many others it waits for, who works on it, and the commit when it was done.

    ``author`` is who added it, if it was no person.
    """

    id: str
    title: str
    status: str
    author: str = ""
    waits: int = 0
    holder: str = ""
    commit: str | None = None
    finished_at: datetime | None = None
    is_done: bool = False
