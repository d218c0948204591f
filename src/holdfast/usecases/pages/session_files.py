"""Bring the files of sessions and of the repository's state in line with the store.

The store is written first, and then the file, so a killed process leaves a file that the next sync
completes. An edit of a person is taken in; one of an agent is proposed; one that came with git
waits until a person trusts it. If both sides changed a note, both texts are kept.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.errors import InvalidError
from holdfast.domain.ids import SessionId
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.pages.syncing import EntryOutcome, SyncStep
from holdfast.domain.sessions.cache import CacheNote, ProjectState, with_note
from holdfast.domain.sessions.session_file import (
    PROJECT_FILE,
    SESSIONS_FOLDER,
    BadSessionFileError,
    SessionFile,
    own_lines,
    project_file_text,
    read_session_file,
    session_file_name,
    session_file_text,
)
from holdfast.domain.tasks.finding import TaskFilter
from holdfast.domain.tasks.task import TaskKind, TaskStatus
from holdfast.domain.values import dataclass, replace
from holdfast.ports.pages.session_files import FileBase
from holdfast.usecases.pages.sync.masking import masked_flaw, masked_task
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import screened
from holdfast.usecases.sessions.caching import cache_of, note_name
from holdfast.usecases.tasks.ports import plan_line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.domain.sessions.cache import CachedTurn
    from holdfast.domain.sessions.plan_line import PlanLine
    from holdfast.domain.sessions.session_file import FileNote
    from holdfast.ports.anchors.clone import Clone
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.clock import Clock
    from holdfast.ports.pages.session_files import SessionFiles
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.pages.sync import Sync

MOST_FILES = 200
"""The sessions whose files are kept up to date; older files stay as they are."""
_MOST_TASKS = 1_000
_DERIVED = "milestones, graph and checkpoints are written from tasks; edit the tasks instead."
_UNKNOWN = "It names no session of this repository; nothing was taken in."
_TAKEN = "what was edited is taken in"
_AT_WORK = frozenset({Origin.HUMAN, Origin.AGENT})
_ALL_OPEN = frozenset({TaskStatus.OPEN, TaskStatus.STARTED, TaskStatus.BLOCKED})


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePorts:
    """The ports that the files need."""

    store: Store
    clock: Clock
    surroundings: Surroundings
    files: SessionFiles
    clone: Clone | None = None

    @property
    def head(self) -> str | None:
        """The commit that is checked out."""
        point = self.surroundings.branch_point()
        return None if point is None else point.head


def write_session_file(session_id: SessionId, *, ports: FilePorts) -> str | None:
    """Write the file of a session after the store; return its path, or None if it was left.

    A file that somebody edited since is left for a sync, which takes the edits in first.
    """
    with ports.store.reading() as tx:
        name, text = _session_text(session_id, tx=tx, at=ports.clock.now())
    return _write_unless_edited(ports.files.path(f"{SESSIONS_FOLDER}/{name}"), text, ports)


def write_project_file(*, ports: FilePorts) -> str | None:
    """Write the file of the repository's state, unless somebody edited it; return its path."""
    repo = ports.surroundings.place().repo
    if repo is None:
        return None
    with ports.store.reading() as tx:
        text = _project_text(repo, tx=tx)
    return _write_unless_edited(ports.files.path(PROJECT_FILE), text, ports)


def _write_unless_edited(path: str, text: str, ports: FilePorts) -> str | None:
    found, base = ports.files.text(path), ports.files.base(path)
    if found is not None and found != text and (base is None or found != base.text):
        return None
    if found != text and not ports.files.write(path, text, over=found):
        return None
    if base is None or base.text != text:
        ports.files.set_base(path, FileBase(text=text, at=ports.head))
    return path


def sync_session_files(
    wish: Sync, *, ports: FilePorts
) -> tuple[tuple[EntryOutcome, ...], tuple[Flaw, ...]]:
    """Bring all files in line; return what happened to each, and what cannot be read."""
    place = ports.surroundings.place()
    if place.repo is None:
        return (), ()
    texts, found = ports.files.read()
    flaws = [masked_flaw(flaw) for flaw in found]
    with ports.store.reading() as tx:
        wanted = _wanted(place.repo, ports=ports, tx=tx)
    outcomes: list[EntryOutcome] = []
    for path in dict.fromkeys((*wanted, *texts)):
        if any(flaw.path == path for flaw in flaws):
            continue
        try:
            outcomes.append(_synced(path, texts.get(path), wanted.get(path), wish, ports))
        except BadSessionFileError as error:
            flaw = Flaw(path=path, line=error.line, problem=str(error))
            flaws.append(masked_flaw(flaw))
        except InvalidError as error:
            outcomes.append(masked_task(_outcome(path, SyncStep.REFUSED, str(error))))
    return tuple(outcomes), tuple(flaws)


def _wanted(repo: str, *, ports: FilePorts, tx: Transaction) -> dict[str, str]:
    """Return the text that each file should have."""
    files, now = ports.files, ports.clock.now()
    found: dict[str, str] = {}
    text = _project_text(repo, tx=tx)
    if text != _project_text("", tx=tx) or files.text(files.path(PROJECT_FILE)) is not None:
        found[files.path(PROJECT_FILE)] = text
    for cache in tx.sessions.caches.latest(repo, limit=MOST_FILES):
        name, text = _session_text(cache.session_id, tx=tx, at=now)
        found[files.path(f"{SESSIONS_FOLDER}/{name}")] = text
    return found


def _session_text(session_id: SessionId, *, tx: Transaction, at: datetime) -> tuple[str, str]:
    session = tx.sessions.get(session_id)
    cache = cache_of(session, tx=tx, at=at)
    shown = [turn for turn in tx.sessions.caches.turns(session_id) if not turn.hidden]
    text = session_file_text(session, shown, cache.notes, cache.forked_from)
    return session_file_name(session), text


def _project_text(repo: str, *, tx: Transaction) -> str:
    state = tx.sessions.caches.projects.get(repo) if repo else None
    milestones: list[PlanLine] = []
    graph: dict[str, list[str]] = {}
    if repo:
        marks = TaskFilter(repo=repo, kinds=frozenset({TaskKind.MILESTONE}))
        milestones = list(map(plan_line, tx.diary.tasks.find(marks, limit=_MOST_TASKS)))
        due = tx.diary.tasks.find(TaskFilter(repo=repo, statuses=_ALL_OPEN), limit=_MOST_TASKS)
        edges = tx.diary.tasks.graph.dependencies([one.id for one in due])
        graph = {name: sorted(needs) for name, needs in edges.items() if needs}
    return project_file_text(() if state is None else state.notes, milestones, graph)


def _synced(
    path: str, text: str | None, wanted: str | None, wish: Sync, ports: FilePorts
) -> EntryOutcome:
    """Bring one file in line."""
    base = ports.files.base(path)
    if text is None or text == wanted or (base is not None and text == base.text):
        return _written(path, text, wanted, wish, ports)
    edited = read_session_file(text)
    origin = _origin(path, text, base, wish, ports)
    proof = f"{path}:{hashlib.sha256(text.encode()).hexdigest()}"
    said = _outcome(path, SyncStep.TAKEN, _TAKEN)
    if origin not in _AT_WORK and proof not in wish.trusted:
        waits = replace(said, step=SyncStep.WAITING, words=messages.FROM_GIT, proof=proof, line=1)
        return masked_task(replace(waits, fields=shown_words(edited)))
    if not wish.takes_in and proof not in wish.trusted:
        return replace(said, step=SyncStep.LEFT, words=messages.LEFT)
    if wish.dry_run:
        return said
    decides = origin is Origin.HUMAN or proof in wish.trusted
    edit = _Edit(
        file=edited,
        base=_read_base(base),
        voice=Origin.HUMAN if decides else origin,
        by=screened(wish.by, what="name"),
    )
    taken = _take_session(edit, ports=ports) if edited.session else _take_project(edit, ports=ports)
    if taken is None:
        return replace(said, step=SyncStep.REFUSED, words=_UNKNOWN)
    if ports.files.write(path, taken, over=text):
        ports.files.set_base(path, FileBase(text=taken, at=ports.head))
    is_proposed = not decides and not edited.session
    return replace(said, step=SyncStep.PROPOSED if is_proposed else SyncStep.TAKEN)


def _outcome(path: str, step: SyncStep, words: str = "") -> EntryOutcome:
    name = path.rpartition("/")[2]
    what = "the state of the project" if name == PROJECT_FILE else "a session"
    return EntryOutcome(step=step, words=words, path=path, label=name, claim=what)


def _written(
    path: str, text: str | None, wanted: str | None, wish: Sync, ports: FilePorts
) -> EntryOutcome:
    """Write what the store has, if nobody edited the file."""
    done = _outcome(path, SyncStep.AGREED)
    if wanted is None or wish.dry_run:
        return done
    is_new = text != wanted
    if is_new and not ports.files.write(path, wanted, over=text):
        return replace(done, step=SyncStep.LEFT, words="It was saved at the same moment.")
    base = ports.files.base(path)
    if base is None or base.text != wanted:
        ports.files.set_base(path, FileBase(text=wanted, at=ports.head))
    return replace(done, step=SyncStep.WRITTEN) if is_new else done


def _read_base(base: FileBase | None) -> SessionFile:
    return SessionFile() if base is None else read_session_file(base.text)


def shown_words(edited: SessionFile) -> tuple[tuple[str, str], ...]:
    """Return all words of a file that waits, for a person to read."""
    # Each word has a name of its own: two goals under one name would hide one of them.
    kinds = [one.kind.value for one in edited.notes]
    notes = [
        (kind if kinds.count(kind) == 1 else f"{kind} {kinds[: at + 1].count(kind)}", one.text)
        for at, (kind, one) in enumerate(zip(kinds, edited.notes, strict=True))
    ]
    turns = [
        (f"turn {number}", " / ".join(one for one in said if one))
        for number, said in edited.turns.items()
    ]
    return (*notes, *turns)


def _origin(path: str, text: str, base: FileBase | None, wish: Sync, ports: FilePorts) -> Origin:
    """Return who wrote the edits of a file: what git brought keeps its origin, whoever syncs."""
    clone = ports.clone
    if clone is None:
        return wish.voice
    if clone.is_joining():
        return Origin.REPO
    if ports.files.committed(path) == text or clone.unedited([path]):
        at = None if base is None else base.at
        is_own = at is not None and clone.is_made_here(at)
        return wish.voice if is_own else Origin.REPO
    fresh = own_lines(text) - (frozenset() if base is None else own_lines(base.text))
    return Origin.REPO if fresh and clone.brought(fresh) else wish.voice


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edit:
    """What a file says, what it said before, and who changed it."""

    file: SessionFile
    base: SessionFile
    voice: Origin
    by: str

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
            known = next((one for one in kept if one.id == note.id), None)
            fresh = self._note(note, known, ports=ports, at=at)
            kept = kept if fresh is None else with_note(kept, fresh)
        gone = {one.id for one in self.base.notes} - {one.id for one in self.file.notes}
        return tuple(one for one in kept if not (self.is_person and one.id in gone))

    def _note(
        self, note: FileNote, known: CacheNote | None, *, ports: FilePorts, at: datetime
    ) -> CacheNote | None:
        """Return the new state of a note; None if the file does not change it."""
        text = screened(note.text, what="note").strip()
        before = self.base.note(note.id) if note.id else None
        if not text or (before is not None and before == note):
            return None
        if known is None and before is not None:
            return None
        is_rival = (
            known is not None
            and before is not None
            and before.text not in (known.text, text)
            and known.text != text
        )
        if known is None or is_rival:
            return self._made(note, text, ports=ports, at=at)
        if not self.is_person and known.kind.is_of_project and known.text != text:
            return self._made(note, text, ports=ports, at=at)
        is_proposed = known.is_proposed and (not self.is_person or note.is_proposed)
        return replace(known, text=text, is_open=note.is_open, is_proposed=is_proposed)

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
def _take_session(edit: _Edit, *, ports: FilePorts) -> str | None:
    """Take the edits of a session's file in; return its new text, or None if it is not here."""
    now, repo = ports.clock.now(), ports.surroundings.place().repo
    with ports.store.writing(now) as tx:
        name = SessionId(edit.file.session)
        cache = tx.sessions.caches.get(name)
        if cache is None or cache.repo != repo:
            return None
        turns = {turn.number: turn for turn in tx.sessions.caches.turns(name)}
        for turn in _edited_turns(edit, turns):
            tx.sessions.caches.put_turn(turn)
        notes = edit.notes(cache.notes, ports=ports, at=now)
        tx.sessions.caches.put(replace(cache, notes=notes, at=now))
        return _session_text(name, tx=tx, at=now)[1]


def _edited_turns(edit: _Edit, turns: Mapping[int, CachedTurn]) -> list[CachedTurn]:
    """Return the turns whose words were edited; other parts of a turn are not a matter of words."""
    changed: list[CachedTurn] = []
    for number, (asked, summary) in edit.file.turns.items():
        turn = turns.get(number)
        if turn is None or (asked, summary) in (
            (turn.asked, turn.summary),
            edit.base.turns.get(number),
        ):
            continue
        words = screened(asked, what="question"), screened(summary, what="summary")
        changed.append(replace(turn, asked=words[0], summary=words[1], origin=edit.voice))
    return changed


@repeatable
def _take_project(edit: _Edit, *, ports: FilePorts) -> str:
    """Take the edits of the repository's state in; return the new text of its file.

    Raises:
        BadSessionFileError: The edit is in a part that is written from tasks.
    """
    now, repo = ports.clock.now(), ports.surroundings.place().repo or ""
    with ports.store.writing(now) as tx:
        ours = read_session_file(_project_text(repo, tx=tx))
        if edit.file.derived not in (edit.base.derived, ours.derived) and edit.base.derived:
            raise BadSessionFileError(1, _DERIVED)
        state = tx.sessions.caches.projects.get(repo) or ProjectState(repo=repo, at=now)
        notes = edit.notes(state.notes, ports=ports, at=now)
        tx.sessions.caches.projects.put(replace(state, notes=notes, at=now))
        return _project_text(repo, tx=tx)
