"""What the command line advises about notes: the sentences of answers and of a sync."""

from __future__ import annotations

from holdfast.domain.rendering import NOTHING_ANSWERS
from holdfast.usecases import sync_words
from holdfast.usecases.knowing import NO_MEANING, NOT_CAUGHT_UP, WORDS_ONLY
from holdfast.usecases.passages import NO_COMMITS_READ, UNREAD_CODE
from holdfast.usecases.witnessing import HIDDEN_BRANCHES

_RESOLVE = "'holdfast resolve {candidate} {id}' settles it"
_TRUST = "'holdfast trust' shows and accepts it"

NOTES: dict[str, str] = {
    NOTHING_ANSWERS: "'holdfast list' shows what is remembered",
    WORDS_ONLY: "'holdfast model install' adds meaning",
    NO_MEANING: "'holdfast doctor' says what is wrong with the model",
    NOT_CAUGHT_UP: "'holdfast model catch-up' lets the model read them now",
    NO_COMMITS_READ: "'holdfast import git' reads the commits",
    UNREAD_CODE: "'holdfast index' reads the rest",
    HIDDEN_BRANCHES: "--all-branches shows it",
    sync_words.BY_GIT: _TRUST,
    sync_words.STATUS_WAITS: _TRUST,
    sync_words.BY_AGENT: "'holdfast review' shows it",
    sync_words.RIVAL: _RESOLVE,
    sync_words.BOTH: _RESOLVE,
    sync_words.REMOVED_BY_AGENT: "'holdfast sync --accept-removals' deprecates it",
    sync_words.LEFT: "'holdfast sync' takes it in",
    sync_words.MASS: "'holdfast sync --accept-removals' goes on",
    sync_words.FORGOTTEN_TEXT: "'holdfast remember' keeps it anew",
    sync_words.MAY_BE_FORGOTTEN: "'holdfast remember' keeps it anew; 'holdfast doctor --repair'"
    " goes on without the list",
}
"""Advice by note; a note may have parts, which its advice can name."""
