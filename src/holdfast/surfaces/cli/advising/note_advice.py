"""The command line's advice about the notes of an answer."""

from __future__ import annotations

from holdfast.domain.recall.rendering import NOTHING_ANSWERS
from holdfast.domain.review.suspicion import NO_ADVICE
from holdfast.domain.text.languages import LATIN_ONLY
from holdfast.surfaces.cli.advising.templates import advice_among, advised_among
from holdfast.usecases.anchors.checking import HIDDEN_BRANCHES
from holdfast.usecases.recall.passages import (
    NO_COMMITS_READ,
    UNEMBEDDED_CODE,
    UNREAD_CODE,
    UNREAD_COMMITS,
)
from holdfast.usecases.recall.recalled_memories import (
    NO_MEANING,
    NONE_ACCEPTED,
    NOT_CAUGHT_UP,
    NOT_FILLED,
    WORDS_ONLY,
)
from holdfast.usecases.recall.said_passages import NOT_EMBEDDED

_OTHER_SCRIPTS = "'holdfast model list' shows models of many languages, which are on the network"
NOTES: dict[str, str] = {
    NOTHING_ANSWERS: "'holdfast list' shows the memories",
    NONE_ACCEPTED: "'holdfast review' shows what waits",
    WORDS_ONLY: "'holdfast model install' installs one",
    NO_MEANING.format(problem=LATIN_ONLY): _OTHER_SCRIPTS,
    NOT_FILLED.format(problem=LATIN_ONLY): _OTHER_SCRIPTS,
    NO_MEANING: "'holdfast doctor' checks the model",
    NOT_CAUGHT_UP: "'holdfast model catch-up' embeds them now",
    NOT_EMBEDDED: "'holdfast model catch-up' embeds them now",
    NOT_FILLED: "'holdfast doctor' checks the model",
    NO_ADVICE: "'holdfast config set conflicts.judge off' ends this note",
    NO_COMMITS_READ: "'holdfast import git' indexes them",
    UNREAD_CODE: "'holdfast index' indexes the rest",
    UNREAD_COMMITS: "each question indexes more; 'holdfast import git' indexes all at once",
    UNEMBEDDED_CODE: "'holdfast index' embeds them now",
    HIDDEN_BRANCHES: (
        "'holdfast recall --all-branches' finds them; 'holdfast remember' keeps one here too"
    ),
}
"""Advice by note of an answer; a note may have parts, which its advice can name."""


def advice_on(note: str) -> str:
    """Return what a person can do about a note of an answer; empty if unknown."""
    return advice_among(NOTES, note)


def with_advice(note: str) -> str:
    """Return a note with the advice for it, if there is any."""
    return advised_among(NOTES, note)
