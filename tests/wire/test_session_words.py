"""What the schemas about sessions write out is what the values are."""

from __future__ import annotations

from holdfast.domain.sessions.cache import FEWEST_TOKENS, LONGEST_SUMMARY, MOST_TOKENS, NoteKind
from holdfast.domain.sessions.reconciling import Happened, ReconcileChoice
from holdfast.surfaces.wire.schema.session_cache import CHOICES, HAPPENINGS, LIMITS, NOTE_KINDS


def test_the_schemas_name_every_value() -> None:
    assert list(NoteKind) == NOTE_KINDS
    assert list(Happened) == HAPPENINGS
    assert list(ReconcileChoice) == CHOICES
    assert [*LIMITS.values()] == [FEWEST_TOKENS, MOST_TOKENS, LONGEST_SUMMARY]
