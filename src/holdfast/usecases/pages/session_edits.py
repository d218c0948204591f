"""Take in what somebody edited in the file of a session or of a repository's state."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.errors import ConflictError
from holdfast.domain.ids import SessionId
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.sessions.cache import CacheNote, ProjectState, with_note
from holdfast.domain.sessions.noting import NoteChange, with_change, with_notes
from holdfast.domain.sessions.session_file import BadSessionFileError, read_session_file
from holdfast.domain.text.outside import words_outside
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.pages.session_texts import project_text, stored_session
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import screened
from holdfast.usecases.sessions.caching import note_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.sessions.cache import CachedTurn
    from holdfast.domain.sessions.session_file import FileNote, SessionFile
    from holdfast.usecases.pages.session_texts import FilePorts

_NAME = re.compile("n_[0-9a-z]{8}")
_FROM_TASKS = "milestones, graph and checkpoints are written from tasks; edit the tasks instead."
_OF_TASKS = frozenset({"milestones", "graph", "checkpoints"})
_MOST_NAMED = 5
_LONGEST_NAME = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEdit:
    """What a file says, what it said before, and who changed it."""

    file: SessionFile
    base: SessionFile
    voice: Origin
    by: str
    is_brought: bool = False
    """Whether it came with git, and a person trusts it."""

    @property
    def is_person(self) -> bool:
        """Whether a person made or accepted the edit."""
        return self.voice is Origin.HUMAN

    def notes(
        self, stored: tuple[CacheNote, ...], *, ports: FilePorts, at: datetime
    ) -> tuple[CacheNote, ...]:
        """Return the stored notes with the edits of the file."""
        kept = stored
        for note in self.file.notes:
            kept = self._with(note, kept, ports=ports, at=at)
        gone = {one.id for one in self.base.notes} - {one.id for one in self.file.notes}
        left = tuple(one for one in kept if not (self.is_person and one.id in gone))
        return self._from_git(left, stored) if self.is_brought else left

    def _from_git(
        self, notes: tuple[CacheNote, ...], stored: tuple[CacheNote, ...]
    ) -> tuple[CacheNote, ...]:
        """Return notes with their origin, so that they can go when the trust is taken back."""
        said = {(one.id, one.text, one.is_open) for one in stored}
        authors = {one.id: one.by for one in self.file.notes}
        return tuple(
            one
            if (one.id, one.text, one.is_open) in said
            else replace(one, origin=Origin.REPO, by=screened(authors.get(one.id, ""), what="name"))
            for one in notes
        )

    def _with(
        self, note: FileNote, kept: tuple[CacheNote, ...], *, ports: FilePorts, at: datetime
    ) -> tuple[CacheNote, ...]:
        """Return the notes with what the file says about one of them."""
        text = screened(note.text, what="note").strip()
        known = next((one for one in kept if one.id == note.id), None)
        before = self.base.note(note.id) if note.id else None
        if not text or (before is not None and before == note):
            return kept
        if known is None and before is not None:
            return kept
        is_rival = (
            known is not None
            and before is not None
            and before.text not in (known.text, text)
            and known.text != text
        )
        made = self._made(note, text, ports=ports, at=at)
        if known is None and _NAME.fullmatch(note.id):
            # A note of another clone keeps its name, so that the file is the same in both.
            return with_note(kept, replace(made, id=note.id))
        if known is None or is_rival:
            return with_note(kept, made)
        change = NoteChange(
            made=made,
            text=text,
            is_open=note.is_open,
            accepts=not note.is_proposed,
            kind=note.kind,
        )
        return with_change(kept, known, change)[0]

    def _made(self, note: FileNote, text: str, *, ports: FilePorts, at: datetime) -> CacheNote:
        return CacheNote(
            id=note_name(ports.clock.entropy()),
            kind=note.kind,
            text=text,
            at=at,
            by=self.by,
            origin=self.voice,
            is_open=note.is_open,
            is_proposed=note.kind.is_of_project and not self.is_person,
            branch=ports.surroundings.place().branch,
            point=ports.surroundings.branch_point(),
        )


@repeatable
def take_session(edit: FileEdit, *, ports: FilePorts) -> str | None:
    """Take the edits of a session's file in; return its new text, or None if it is not here.

    Raises:
        ConflictError: An agent edited the words of a turn that it did not record.
        BadSessionFileError: The edit is in a part that stays as it was recorded.
    """
    now, repo = ports.clock.now(), ports.surroundings.place().repo
    with ports.store.writing(now) as tx:
        name = SessionId(edit.file.session)
        cache = tx.sessions.caches.get(name)
        if cache is None or cache.repo != repo or cache.is_foreign:
            return None
        _refuse_recorded(edit, stored_session(name, tx=tx, at=now)[1].text or "{}")
        turns = {turn.number: turn for turn in tx.sessions.caches.turns(name)}
        for turn in _edited_turns(edit, turns):
            tx.sessions.caches.put_turn(turn)
        notes = edit.notes(cache.notes, ports=ports, at=now)
        tx.sessions.caches.put(with_notes(cache, notes, at=now))
        return stored_session(name, tx=tx, at=now)[1].text


def _edited_turns(edit: FileEdit, turns: Mapping[int, CachedTurn]) -> list[CachedTurn]:
    """Return the turns whose question or summary was edited; nothing else of a turn can be."""
    changed: list[CachedTurn] = []
    for number, (asked, summary) in edit.file.turns.items():
        turn = turns.get(number)
        if turn is None or (asked, summary) in (
            (turn.asked, turn.summary),
            edit.base.turns.get(number),
        ):
            continue
        if not edit.is_person and turn.origin is not Origin.AGENT:
            raise ConflictError(messages.TURN_BY_AGENT)
        words = screened(asked, what="question"), screened(summary, what="summary")
        origin = Origin.REPO if edit.is_brought else edit.voice
        fresh = replace(turn, asked=words[0], summary=words[1], origin=origin, by=edit.by)
        changed.append(fresh)
    return changed


def _refuse_recorded(edit: FileEdit, ours: str) -> None:
    """Refuse an edit of what Holdfast records: it would be lost with the next change.

    Raises:
        BadSessionFileError: There is one; its parts are named.
    """
    now = read_session_file(ours)
    names = edit.file.edited(edit.base, now) if edit.base.recorded else []
    known = {*edit.base.recorded, *now.recorded, *(f"turn {one}" for one in edit.file.turns)}
    problems = [_FROM_TASKS] if _OF_TASKS.intersection(names) else []
    if added := [name for name in names if name not in known]:
        problems.append(f"{_told(added)} {messages.NO_FIELD}")
    if kept := [name for name in names if name in known and name not in _OF_TASKS]:
        problems.append(f"{_told(kept)} {messages.RECORDED}")
    if problems:
        raise BadSessionFileError(1, " ".join(problems))


def _told(names: Sequence[str]) -> str:
    return ", ".join(words_outside(name, most=_LONGEST_NAME) for name in names[:_MOST_NAMED])


@repeatable
def take_project(edit: FileEdit, *, ports: FilePorts) -> str:
    """Take the edits of the repository's state in; return the new text of its file.

    Raises:
        BadSessionFileError: The edit is in a part that is written from tasks.
    """
    now, repo = ports.clock.now(), ports.surroundings.place().repo or ""
    with ports.store.writing(now) as tx:
        _refuse_recorded(edit, project_text(repo, tx=tx))
        state = tx.sessions.caches.projects.get(repo) or ProjectState(repo=repo, at=now)
        notes = edit.notes(state.notes, ports=ports, at=now)
        tx.sessions.caches.projects.put(with_notes(state, notes, at=now))
        return project_text(repo, tx=tx)
