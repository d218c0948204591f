"""The command line's advice about the notes of a sync."""

from __future__ import annotations

from holdfast.domain.pages import sync_messages as messages
from holdfast.surfaces.cli.advising.templates import advice_among, advised_among

_RESOLVE = "'holdfast resolve {candidate} {id}' settles it"
_TRUST = "'holdfast trust' shows and accepts it"

NOTES: dict[str, str] = {
    messages.FROM_GIT: _TRUST,
    messages.STATUS_FROM_GIT: _TRUST,
    messages.FILE_BY_AGENT: _TRUST,
    messages.SESSION_FROM_GIT: "'holdfast trust' shows it and takes it in, 'holdfast trust"
    " --ignore-sessions' leaves such files alone",
    messages.BY_AGENT: "'holdfast review' shows it",
    messages.CONTRADICTS: _RESOLVE,
    messages.WAITS: "'holdfast approve {id}' accepts it, and 'holdfast trust' everything that came"
    " with git",
    messages.BOTH_CHANGED: _RESOLVE,
    messages.DEPRECATED: "'holdfast undo' after the sync accepts it again",
    messages.REMOVED_BY_AGENT: "'holdfast sync --accept-removals' accepts the removal",
    messages.STATUS_BY_AGENT: "'holdfast sync --accept-removals' accepts the status",
    messages.TASK_WORDS_BY_AGENT: "'holdfast task edit' proposes other words",
    messages.TASK_STATUS_BY_AGENT: "'holdfast task done' or 'holdfast task reopen' changes it",
    messages.PRIVATE: "'holdfast remember --tag private' stores it",
    messages.LEFT: "'holdfast sync' reads them",
    messages.TOO_MANY_REMOVALS: "'holdfast sync --accept-removals' accepts the removals",
    messages.FORGOTTEN_TEXT: "'holdfast remember' stores it again",
    messages.MAY_BE_FORGOTTEN: "'holdfast remember' stores it again; 'holdfast doctor --repair'"
    " goes on without the list",
}
"""Advice by note; a note may have parts, which its advice can name."""


def advice_on(note: str) -> str:
    """Return what a person can do about the note of an entry; empty if unknown."""
    return advice_among(NOTES, note)


def with_advice(note: str) -> str:
    """Return the note of an entry with the advice for it, if there is any."""
    return advised_among(NOTES, note)
