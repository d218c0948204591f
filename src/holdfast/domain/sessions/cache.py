"""The short cache of a session: its turns in short form, and what is still open.

The long cache of a repository: goals, open questions and links to artefacts.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin, least_trusted
from holdfast.domain.errors import BadFieldError
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.domain.ids import SessionId
    from holdfast.domain.memory.anchor import BranchPoint

LONGEST_SUMMARY = 2_000
"""How many characters of a question, a summary or a note are kept."""
LONGEST_COMMAND = 300
USUAL_TOKENS = 800
FEWEST_TOKENS, MOST_TOKENS = 100, 100_000
"""The budget of a preamble, and its limits."""
MOST_COMMANDS = 50
MOST_PATHS = 100
MOST_NOTES = 500
"""How many notes a session or a repository may have."""


class NoteKind(StrEnum):
    """What a note of a session or a repository is about."""

    NOTE = "note"
    SUBTASK = "subtask"
    APPROVAL = "approval"
    GOAL = "goal"
    QUESTION = "question"
    ARTEFACT = "artefact"

    @property
    def is_of_project(self) -> bool:
        """Whether it belongs to the repository, and not to one session."""
        return self in {NoteKind.GOAL, NoteKind.QUESTION, NoteKind.ARTEFACT}


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheNote:
    """A note of a session or of a repository.

    ``branch`` and ``point`` are where it was written; it counts only where that work is, unless
    it is a goal or a question of the repository, which counts everywhere. ``is_proposed`` means
    that no person wrote or accepted it. ``changes`` is the note that a proposal would change, and
    ``closes`` whether it would close that note. ``is_left`` means that somebody set it aside: it
    counts only where its commit is.
    """

    id: str
    kind: NoteKind
    text: str
    at: datetime
    by: str = ""
    origin: Origin = Origin.TOOL
    is_open: bool = True
    is_proposed: bool = False
    changes: str = ""
    closes: bool = False
    branch: str | None = None
    point: BranchPoint | None = None
    is_left: bool = False

    @property
    def is_persons(self) -> bool:
        """Whether a person wrote or accepted it, so that others only propose to change it."""
        is_accepted = self.kind.is_of_project and not self.is_proposed
        return self.origin is Origin.HUMAN or is_accepted

    @property
    def author(self) -> str:
        """Who wrote it, if it was no person; else empty."""
        return author_of(self.origin, self.by)


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedTurn:
    """One turn in short form.

    ``before`` is the commit that was checked out when it began, and ``point`` the branch and the
    commit when it ended: together they name the diff. ``key`` is the same in every copy, so that
    a turn is recorded and shown once. ``hidden`` is the number of the rewind that hides it, and 0
    if none does. ``was`` are commits that it was tied to before its session was rebased.
    ``is_left`` means that somebody set it aside: it counts only where its commit is.
    """

    session_id: SessionId
    number: int
    at: datetime
    asked: str = ""
    summary: str = ""
    commands: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    tool: str = ""
    by: str = ""
    origin: Origin = Origin.TOOL
    repo: str | None = None
    branch: str | None = None
    before: str | None = None
    point: BranchPoint | None = None
    key: str = ""
    hidden: int = 0
    was: tuple[str, ...] = ()
    is_left: bool = False

    @property
    def recorder(self) -> str:
        """Who recorded it, if it was neither a person nor a hook of its tool; else empty."""
        return "" if self._is_by_hook else author_of(self.origin, self.by)

    @property
    def is_attempt(self) -> bool:
        """Tell whether only a hook saw its commands and files, before the tool was allowed them."""
        return self._is_by_hook and not self.summary

    @property
    def _is_by_hook(self) -> bool:
        return self.origin is Origin.TOOL and self.by in {"", self.tool}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewind:
    """A rewind: the turns after ``to`` up to ``until`` are hidden until it is undone."""

    number: int
    to: int
    until: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsaidTurn:
    """The tombstone of what was said and removed, so that no hook and no import brings it back.

    ``mark`` is a short hash of the words: it recognises them, and many other words have it too.
    """

    number: int
    key: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCache:
    """What a session keeps beside its turns.

    ``last`` is the number of its newest turn, hidden or not. ``forked_from`` names the session and
    the turn that it was forked from. ``versions`` are digests of the notes as they were.
    ``is_foreign`` means that the session is of another store, and came as a file with git.
    ``unsaid`` are the tombstones of what was said; ``said_last`` is the largest number that a
    removed turn had, so that no other turn gets it.
    """

    session_id: SessionId
    at: datetime
    repo: str | None = None
    branch: str | None = None
    last: int = 0
    notes: tuple[CacheNote, ...] = ()
    rewinds: tuple[Rewind, ...] = ()
    forked_from: tuple[str, int] | None = None
    versions: tuple[str, ...] = ()
    is_foreign: bool = False
    unsaid: tuple[UnsaidTurn, ...] = ()
    said_last: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectState:
    """What a repository keeps beside its tasks: goals, open questions, links to artefacts.

    ``versions`` are digests of the notes as they were.
    """

    repo: str
    at: datetime
    notes: tuple[CacheNote, ...] = ()
    versions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnQuestion:
    """Which turns are asked for: the newest ones of a branch, or of all others."""

    repo: str
    branch: str | None = None
    elsewhere: bool = False
    limit: int = 50


def with_note(notes: tuple[CacheNote, ...], note: CacheNote) -> tuple[CacheNote, ...]:
    """Return the notes with one added or replaced.

    Raises:
        BadFieldError: There are too many.
    """
    if any(one.id == note.id for one in notes):
        return tuple(note if one.id == note.id else one for one in notes)
    if len(notes) >= MOST_NOTES:
        problem = f"are {MOST_NOTES} already; close and remove some of them first."
        raise BadFieldError(field="notes", problem=problem)
    return (*notes, note)


def rewound(cache: SessionCache, *, to: int, at: datetime) -> tuple[SessionCache, Rewind]:
    """Return the session with one more rewind, and the rewind.

    Raises:
        BadFieldError: The session has no such turn.
    """
    if not 0 <= to <= cache.last:
        has = f"turns 1 to {cache.last}" if cache.last else "no turns"
        raise BadFieldError(field="turn", problem=f"is {to}; the session has {has}.")
    number = 1 + max((one.number for one in cache.rewinds), default=0)
    made = Rewind(number=number, to=to, until=cache.last, at=at)
    return replace(cache, rewinds=(*cache.rewinds, made), at=at), made


def author_of(origin: Origin, name: str) -> str:
    """Return the author of a text as people read it, such as ``agent Codex``; empty for a person.

    A program that only says what it is has no name of its own.
    """
    if origin is Origin.HUMAN:
        return ""
    plain = name.removeprefix("an ").removeprefix("a ").strip()
    if origin is Origin.REPO:
        return f"{plain}, from git" if plain else "somebody, from git"
    is_named = plain and "=" not in plain and plain.lower() != origin.value
    return f"{origin.value} {plain}" if is_named else origin.value


def short(text: str, most: int = LONGEST_SUMMARY) -> str:
    """Return a text in one line, cut to a number of characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 1].rstrip()}…"


def summarised(turn: CachedTurn) -> str:
    """Return what a turn did in words, also if nobody summarised it.

    A hook is called before the tool acts. Whether a person then denied it, the hook is not told.
    """
    if turn.summary:
        return turn.summary
    ran, changed = ("run", "change") if turn.is_attempt else ("ran", "changed")
    done = [
        f"{ran} {_few(turn.commands)}" if turn.commands else "",
        f"{changed} {_few(turn.paths)}" if turn.paths else "",
    ]
    said = "; ".join(one for one in done if one)
    return f"tried to {said}" if said and turn.is_attempt else said


def completed(known: CachedTurn, more: CachedTurn, *, is_later: bool) -> CachedTurn:
    """Return a known turn with what was handed in again: nothing that it has is lost.

    ``is_later`` means that the checkout of the second one is where the turn ended. If an agent
    completes a turn of a person, the whole turn counts as recorded by the agent.
    """
    origin = least_trusted([known.origin, more.origin])
    commands = tuple(dict.fromkeys((*known.commands, *more.commands)))
    paths = tuple(dict.fromkeys((*known.paths, *more.paths)))
    return replace(
        known,
        asked=known.asked or more.asked,
        summary=known.summary or more.summary,
        commands=commands[-MOST_COMMANDS:],
        paths=paths[-MOST_PATHS:],
        origin=origin,
        by=known.by if origin is known.origin else more.by,
        before=known.before or more.before,
        branch=more.branch if is_later else known.branch,
        point=more.point if is_later else known.point,
    )


def _few(names: tuple[str, ...], most: int = 3) -> str:
    shown = ", ".join(short(name, 60) for name in names[:most])
    rest = len(names) - most
    return f"{shown} and {rest} more" if rest > 0 else shown


def once(turns: Iterable[CachedTurn]) -> list[CachedTurn]:
    """Return turns without second copies of one turn; the first of each counts."""
    found: dict[str, CachedTurn] = {}
    for turn in turns:
        found.setdefault(turn.key or f"{turn.session_id} {turn.number}", turn)
    return list(found.values())
