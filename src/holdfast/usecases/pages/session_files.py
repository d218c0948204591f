"""Bring the files of sessions and of the repository's state in line with the store.

The store is written first, and then the file, so a killed process leaves a file that the next sync
completes. An edit of a person is taken in; one of an agent is proposed, or waits; one that came
with git waits until a person trusts it. If both sides changed a note, both texts are kept. A file
that git checked out as Holdfast once wrote it is no edit, however old it is. A missing file that
git brings with another commit is not written: git would refuse to check that commit out.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.errors import ConflictError, InvalidError
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.pages.syncing import EntryOutcome, SyncStep
from holdfast.domain.refusals import PageUnwritableError
from holdfast.domain.sessions.noting import notes_digest
from holdfast.domain.sessions.session_file import (
    PROJECT_FILE,
    SESSIONS_FOLDER,
    BadSessionFileError,
    SessionFile,
    own_lines,
    read_session_file,
)
from holdfast.domain.values import replace
from holdfast.ports.pages.session_files import FileBase
from holdfast.usecases.pages.foreign_sessions import take_foreign
from holdfast.usecases.pages.session_edits import FileEdit, take_project, take_session
from holdfast.usecases.pages.session_texts import (
    StoredFile,
    stored_files,
    stored_project,
    stored_session,
)
from holdfast.usecases.pages.sync.masking import masked_flaw, masked_task
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.ids import SessionId
    from holdfast.ports.pages.session_files import SessionFiles
    from holdfast.usecases.pages.session_texts import FilePorts
    from holdfast.usecases.pages.sync import Sync

_UNKNOWN = "It names no session of this repository; nothing was taken in."
_TAKEN = "what was edited is taken in"
_PROPOSED = "an agent edited it; what people wrote is unchanged until a person accepts it"
_AT_WORK = frozenset({Origin.HUMAN, Origin.AGENT})
_BYTE_ORDER_MARK = "\ufeff"


def write_session_file(session_id: SessionId, *, ports: FilePorts) -> str | None:
    """Write the file of a session after the store; return its path, or None if it was left.

    A file that somebody edited since is left for a sync, which takes the edits in first.
    """
    with ports.store.reading() as tx:
        name, stored = stored_session(session_id, tx=tx, at=ports.clock.now())
    return _write_unless_edited(ports.files.path(f"{SESSIONS_FOLDER}/{name}"), stored, ports)


def write_project_file(*, ports: FilePorts) -> str | None:
    """Write the file of the repository's state, unless somebody edited it; return its path."""
    repo = ports.surroundings.place().repo
    if repo is None:
        return None
    with ports.store.reading() as tx:
        stored = stored_project(repo, tx=tx)
    return _write_unless_edited(ports.files.path(PROJECT_FILE), stored, ports)


def _write_unless_edited(path: str, stored: StoredFile, ports: FilePorts) -> str | None:
    found, text, sides = ports.files.text(path), stored.text, _FilesOf(ports=ports, missing=(path,))
    base = sides.base(path, stored)
    if text is None:
        return None
    # The file of a new session is in no commit, and git need not be asked for it.
    is_known = base is not None or not path.startswith(ports.files.path(SESSIONS_FOLDER))
    if found is None and is_known and path in sides.elsewhere:
        return None
    is_own = found in (None, text) or (base is not None and plain(found or "") == base.text)
    if not is_own and not sides.is_as_written(path, found or "", stored):
        return None
    if found != text and not ports.files.write(path, text, over=found):
        return None
    if base is None or base.text != text:
        _agree(path, text, ports)
    return path


def sync_session_files(
    wish: Sync, *, ports: FilePorts, shown: tuple[Flaw, ...] = ()
) -> tuple[tuple[EntryOutcome, ...], tuple[Flaw, ...]]:
    """Bring all files in line; return what happened to each, and what cannot be read or written.

    No file is written in the places of ``shown``, where git would show it.
    """
    place = ports.surroundings.place()
    if place.repo is None:
        return (), ()
    texts, found = ports.files.read()
    flaws = [masked_flaw(flaw) for flaw in found]
    with ports.store.reading() as tx:
        stored = stored_files(place.repo, ports=ports, tx=tx)
    outcomes: list[EntryOutcome] = []
    missing = tuple(path for path in stored if path not in texts)
    sides = _FilesOf(ports=ports, missing=missing)
    for path in dict.fromkeys((*stored, *texts)):
        left = (*shown, *flaws)
        if any(path == flaw.path or path.startswith(f"{flaw.path}/") for flaw in left):
            continue
        try:
            known = stored.get(path, StoredFile(text=None))
            outcomes.append(_synced(path, texts.get(path), known, wish, sides))
        except BadSessionFileError as error:
            flaw = Flaw(path=path, line=error.line, problem=str(error))
            flaws.append(masked_flaw(flaw))
        except PageUnwritableError as error:
            # The other files of sessions cannot be written either.
            folder = ports.files.path(SESSIONS_FOLDER)
            where = folder if path.startswith(f"{folder}/") else path
            flaws.append(Flaw(path=where, line=1, problem=str(error)))
        except InvalidError as error:
            outcomes.append(masked_task(_outcome(path, SyncStep.REFUSED, str(error))))
    return tuple(outcomes), tuple(flaws)


def notice_ignored(*, files: SessionFiles) -> None:
    """Let the session files of others that were ignored wait again."""
    for path in files.read()[0]:
        base = files.base(path)
        if base is not None and base.is_ignored:
            files.set_base(path, replace(base, is_ignored=False, text=""))


def plain(text: str) -> str:
    """Return a text without what editors and git add: a byte order mark, and other line ends."""
    return text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n")


class _FilesOf:
    """The files of a checkout beside their committed texts, which git is asked for once."""

    def __init__(self, *, ports: FilePorts, missing: tuple[str, ...]) -> None:
        self.ports, self.missing = ports, missing

    @cached_property
    def committed(self) -> Mapping[str, str]:
        """The texts of the files in the last commit."""
        return self.ports.files.committed()

    @cached_property
    def elsewhere(self) -> frozenset[str]:
        """The missing files that are in commits which are not part of this checkout."""
        clone = self.ports.clone
        if clone is None or not self.missing:
            return frozenset()
        own = clone.not_checked_out(self.missing, everywhere=False)
        project = {self.ports.files.path(PROJECT_FILE)}
        sessions = frozenset(self.missing) - own - project
        return own | (clone.not_checked_out(sessions) if sessions else frozenset())

    def base(self, path: str, stored: StoredFile) -> FileBase | None:
        """Return the state in which file and store agreed; it has no text of another store.

        The state is kept beside the clone, so it stays when the store is lost or an older one is
        put back. Notes that this store never had were not removed in it.
        """
        base = self.ports.files.base(path)
        if base is None or stored.text is None or not base.text:
            return base
        notes = read_session_file(base.text).notes
        is_known = not notes or notes_digest(notes) in stored.versions
        return base if is_known else replace(base, text="")

    def is_as_written(self, path: str, text: str, stored: StoredFile) -> bool:
        """Return whether a file is as its commit has it, and its notes are ones from before.

        Such a file was checked out, and nobody edited it here.
        """
        if plain(self.committed.get(path, "")) != plain(text):
            return False
        return _is_known(plain(text), stored)

    def nearest_base(self, path: str, edited: SessionFile, stored: StoredFile) -> SessionFile:
        """Return the earlier version that an edit is based on: the one that differs least.

        In an older checkout that is the committed one, although a later one was agreed on.
        """
        base = self.base(path, stored)
        found = [] if base is None else [read_session_file(base.text or "{}")]
        old = plain(self.committed.get(path, ""))
        if old and _is_known(old, stored):
            found.append(read_session_file(old))
        notes = frozenset(edited.notes)
        return min(found, key=lambda one: len(notes ^ frozenset(one.notes)), default=SessionFile())


def _is_known(text: str, stored: StoredFile) -> bool:
    """Return whether Holdfast once wrote these notes, and the words of turns are as stored."""
    if stored.text is None:
        return False
    try:
        found = read_session_file(text)
    except BadSessionFileError:
        return False
    turns = read_session_file(stored.text).turns
    is_same = all(turns.get(number, said) == said for number, said in found.turns.items())
    return is_same and notes_digest(found.notes) in stored.versions


def _synced(
    path: str, text: str | None, stored: StoredFile, wish: Sync, sides: _FilesOf
) -> EntryOutcome:
    """Bring one file in line."""
    ports = sides.ports
    base, quiet = sides.base(path, stored), _outcome(path, SyncStep.BEHIND)
    if text is None:
        is_away = path in sides.elsewhere
        return quiet if is_away else _written(path, text, stored.text, wish, ports)
    if base is not None and base.is_ignored:
        return replace(quiet, step=SyncStep.ELSEWHERE)
    said = plain(text)
    if said == stored.text or (base is not None and said == base.text):
        return _written(path, text, stored.text, wish, ports)
    edited = read_session_file(said)
    if sides.is_as_written(path, text, stored):
        return quiet
    return _edited(path, text, edited, stored, wish, sides)


def _edited(
    path: str, text: str, edited: SessionFile, stored: StoredFile, wish: Sync, sides: _FilesOf
) -> EntryOutcome:
    """Decide about a file that somebody edited, or that git brought."""
    ports = sides.ports
    base = sides.base(path, stored)
    proof = proof_of(path, text)
    said = _outcome(path, SyncStep.TAKEN, _TAKEN)
    origin, is_trusted = _origin(path, text, base, wish, sides), proof in wish.trusted
    if proof in wish.ignored and edited.session and not wish.dry_run:
        _agree(path, text, ports, is_ignored=True)
        return replace(said, step=SyncStep.ELSEWHERE, words="")
    is_agents = base is not None and base.agents == proof
    if not is_trusted and (origin not in _AT_WORK or is_agents):
        is_foreign = not is_agents and bool(edited.session) and stored.text is None
        words = messages.SESSION_FROM_GIT if is_foreign else messages.FROM_GIT
        return _waiting(said, messages.FILE_BY_AGENT if is_agents else words, proof, edited)
    if not wish.takes_in and not is_trusted:
        return replace(said, step=SyncStep.LEFT, words=messages.LEFT)
    if wish.dry_run:
        return said
    decides = origin is Origin.HUMAN or is_trusted
    edit = FileEdit(
        file=edited,
        base=sides.nearest_base(path, edited, stored),
        voice=Origin.HUMAN if decides else origin,
        by=screened(wish.by, what="name") if decides else "",
        is_brought=is_trusted and origin is Origin.REPO,
    )
    try:
        return _carried_out(path, text, edit, said, is_trusted=is_trusted, ports=ports)
    except ConflictError:
        # Not taken in as a person's own by the next sync: the words are an agent's.
        kept = base or FileBase(text="")
        ports.files.set_base(path, replace(kept, agents=proof))
        return _waiting(said, messages.FILE_BY_AGENT, proof, edited)


def _carried_out(
    path: str,
    text: str,
    edit: FileEdit,
    said: EntryOutcome,
    *,
    is_trusted: bool,
    ports: FilePorts,
) -> EntryOutcome:
    """Take an edit in, and write the file as the store has it now."""
    edited = edit.file
    taken = take_session(edit, ports=ports) if edited.session else take_project(edit, ports=ports)
    if taken is None:
        if not (is_trusted and take_foreign(plain(text), ports=ports)):
            return replace(said, step=SyncStep.REFUSED, words=_UNKNOWN)
        _agree(path, plain(text), ports)
        return said
    if ports.files.write(path, taken, over=text):
        _agree(path, taken, ports)
    proposed = [one for one in read_session_file(taken).notes if one.is_proposed]
    is_proposed = any(edited.note(one.id) is None for one in proposed)
    return replace(said, step=SyncStep.PROPOSED, words=_PROPOSED) if is_proposed else said


def _agree(path: str, text: str, ports: FilePorts, *, is_ignored: bool = False) -> None:
    branch = ports.surroundings.place().branch or ""
    base = FileBase(text=text, at=ports.head, branch=branch, is_ignored=is_ignored)
    ports.files.set_base(path, base)


def proof_of(path: str, text: str) -> str:
    """Return the proof of exactly one text of one file, for a person to accept."""
    return f"{path}:{hashlib.sha256(text.encode()).hexdigest()}"


def _outcome(path: str, step: SyncStep, words: str = "") -> EntryOutcome:
    name = path.rpartition("/")[2]
    what = "the state of the project" if name == PROJECT_FILE else "a session"
    return EntryOutcome(step=step, words=words, path=path, label=name, claim=what)


def _waiting(said: EntryOutcome, words: str, proof: str, edited: SessionFile) -> EntryOutcome:
    waits = replace(said, step=SyncStep.WAITING, words=words, proof=proof, line=1)
    return masked_task(replace(waits, fields=shown_words(edited)))


def _written(
    path: str, text: str | None, wanted: str | None, wish: Sync, ports: FilePorts
) -> EntryOutcome:
    """Write what the store has, if nobody edited the file."""
    done = _outcome(path, SyncStep.AGREED)
    if wanted is None or wish.dry_run:
        return done
    is_new = text is None or plain(text) != wanted
    if is_new and not ports.files.write(path, wanted, over=text):
        return replace(done, step=SyncStep.LEFT, words="It was saved at the same moment.")
    base = ports.files.base(path)
    if base is None or base.text != wanted:
        _agree(path, wanted, ports)
    return replace(done, step=SyncStep.WRITTEN) if is_new else done


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


def _origin(path: str, text: str, base: FileBase | None, wish: Sync, sides: _FilesOf) -> Origin:
    """Return who wrote the edits of a file: what git brought keeps its origin, whoever syncs."""
    clone = sides.ports.clone
    if clone is None:
        return wish.voice
    if clone.is_joining():
        return Origin.REPO
    if sides.committed.get(path) == text or clone.unedited([path]):
        at = None if base is None else base.at
        if at is None or not clone.is_made_here(at):
            return Origin.REPO
    fresh = own_lines(text) - (frozenset() if base is None else own_lines(base.text))
    since = () if base is None or base.at is None else (base.at,)
    return Origin.REPO if fresh and clone.brought(fresh, since=since).lines else wish.voice
