"""The command line's advice about the notes of a sync."""

from __future__ import annotations

from holdfast.surfaces.cli.advising import note_advice
from holdfast.usecases.pages import sync_words

_RESOLVE = "'holdfast resolve {candidate} {id}' settles it"
_TRUST = "'holdfast trust' shows and accepts it"

NOTES: dict[str, str] = {
    sync_words.BY_GIT: _TRUST,
    sync_words.STATUS_WAITS: _TRUST,
    sync_words.BY_AGENT: "'holdfast review' shows it",
    sync_words.RIVAL: _RESOLVE,
    sync_words.BOTH: _RESOLVE,
    sync_words.DEPRECATED: "'holdfast undo' after the sync accepts it again",
    sync_words.REMOVED_BY_AGENT: "'holdfast sync --accept-removals' deprecates it",
    sync_words.LEFT: "'holdfast sync' takes it in",
    sync_words.MASS: "'holdfast sync --accept-removals' goes on",
    sync_words.FORGOTTEN_TEXT: "'holdfast remember' keeps it anew",
    sync_words.MAY_BE_FORGOTTEN: "'holdfast remember' keeps it anew; 'holdfast doctor --repair'"
    " goes on without the list",
}
"""Advice by note; a note may have parts, which its advice can name."""


def advice_on(note: str) -> str:
    """Return what a person can do about the note of an entry; empty if unknown."""
    return note_advice.advice_on(note, NOTES)


def with_advice(note: str) -> str:
    """Return the note of an entry with the advice for it, if there is any."""
    return note_advice.with_advice(note, NOTES)
