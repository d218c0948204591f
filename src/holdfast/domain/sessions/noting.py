"""Change a note: a person decides, and an agent only proposes to change what a person wrote.

Recognise the notes of a file as ones that Holdfast wrote before.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, TypeVar

from holdfast.domain.choices import Origin, least_trusted
from holdfast.domain.sessions.cache import with_note
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.domain.sessions.cache import CacheNote, NoteKind, ProjectState, SessionCache
    from holdfast.domain.sessions.session_file import FileNote

    Notes = tuple[CacheNote, ...]

MOST_VERSIONS = 200
"""How many earlier states of notes are recognised in files."""
_LETTERS = 16
_Kept = TypeVar("_Kept", "SessionCache", "ProjectState")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteChange:
    """Another state of a known note.

    ``made`` is a new note of the same moment and author; it becomes the proposal if one is needed.
    ``accepts`` means that a proposed note is no longer proposed, which only a person can do.
    ``kind`` is another kind, None for the same.
    """

    made: CacheNote
    text: str
    is_open: bool
    accepts: bool = True
    kind: NoteKind | None = None


def with_change(notes: Notes, known: CacheNote, change: NoteChange) -> tuple[Notes, CacheNote]:
    """Return the notes after a change, and the note that was changed or proposed.

    What a person wrote or accepted, an agent only proposes to change. A person accepts such a
    proposal by its id: then the note gets the proposed text and state, and stays the person's.

    Raises:
        BadFieldError: There are too many notes.
    """
    made, is_person = change.made, change.made.origin is Origin.HUMAN
    if not is_person and known.is_persons:
        return _proposed(notes, known, change)
    if is_person and known.is_proposed and known.changes and change.accepts and change.is_open:
        return _accepted(notes, known, change.text)
    author = (known.origin, known.by)
    if change.text != known.text:
        origin = made.origin if is_person else least_trusted([known.origin, made.origin])
        author = (origin, made.by)
    fresh = replace(
        known,
        kind=change.kind or known.kind,
        text=change.text,
        is_open=change.is_open,
        is_proposed=known.is_proposed and not (is_person and change.accepts),
        origin=author[0],
        by=author[1],
    )
    return with_note(notes, fresh), fresh


def _proposed(notes: Notes, known: CacheNote, change: NoteChange) -> tuple[Notes, CacheNote]:
    """Return the notes with a proposal; the same proposal is kept once."""
    if (change.text, change.is_open) == (known.text, known.is_open):
        return notes, known
    fresh = replace(
        change.made,
        kind=known.kind,
        text=change.text,
        is_open=True,
        is_proposed=True,
        changes=known.id,
        closes=not change.is_open,
    )
    same = (fresh.text, fresh.closes, fresh.changes)
    for one in notes:
        if one.is_proposed and one.is_open and (one.text, one.closes, one.changes) == same:
            return notes, one
    return with_note(notes, fresh), fresh


def _accepted(notes: Notes, proposal: CacheNote, text: str) -> tuple[Notes, CacheNote]:
    """Return the notes with a proposal carried out; if its note is gone, it becomes a note."""
    rest = tuple(one for one in notes if one.id != proposal.id)
    known = next((one for one in rest if one.id == proposal.changes), None)
    if known is None:
        fresh = replace(proposal, text=text, is_proposed=False, changes="", closes=False)
        return with_note(notes, fresh), fresh
    fresh = replace(known, text=text, is_open=not proposal.closes)
    return with_note(rest, fresh), fresh


def notes_digest(notes: Iterable[CacheNote | FileNote]) -> str:
    """Return a digest of what notes say, whatever their order."""
    said = sorted(
        [one.id, one.kind.value, one.text, one.is_open, one.is_proposed, one.changes, one.closes]
        for one in notes
    )
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:_LETTERS]


def with_notes(kept: _Kept, notes: Notes, *, at: datetime) -> _Kept:
    """Return what a session or a repository keeps with other notes; the earlier ones stay known."""
    seen = dict.fromkeys((*kept.versions, notes_digest(kept.notes), notes_digest(notes)))
    return replace(kept, notes=notes, at=at, versions=tuple(seen)[-MOST_VERSIONS:])


def known_versions(kept: SessionCache | ProjectState) -> frozenset[str]:
    """Return the digests of all notes that files of a session or a repository ever had."""
    return frozenset((*kept.versions, notes_digest(kept.notes), notes_digest(())))
