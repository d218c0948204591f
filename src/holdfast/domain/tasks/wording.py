"""Other words for a task, which a program proposes and a person takes or drops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.fields import Fields, time_text
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedWording:
    """A title, notes, or both; what is None stays as the person wrote it."""

    by: str
    at: datetime
    title: str | None = None
    notes: str | None = None


def wording_json(wording: ProposedWording) -> dict[str, object]:
    """Return the JSON that is stored, exported and shown by ``--json``."""
    return {
        "by": wording.by,
        "at": time_text(wording.at),
        "title": wording.title,
        "notes": wording.notes,
    }


def wording_from_json(shape: object) -> ProposedWording | None:
    """Read proposed words; None if there are none."""
    if shape is None:
        return None
    fields = Fields(shape, noun="proposed wording")
    return ProposedWording(
        by=fields.text("by"),
        at=fields.moment("at"),
        title=fields.maybe_text("title"),
        notes=fields.maybe_text("notes"),
    )
