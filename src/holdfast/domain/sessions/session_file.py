"""The files of sessions and of a repository's state: JSON that people read, edit and merge."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, cast

from holdfast.domain.choices import Origin
from holdfast.domain.errors import BadFieldError, InvalidError
from holdfast.domain.fields import Fields, time_text
from holdfast.domain.sessions.cache import LONGEST_SUMMARY, NoteKind
from holdfast.domain.values import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.sessions.cache import CachedTurn, CacheNote
    from holdfast.domain.sessions.plan_line import PlanLine
    from holdfast.domain.sessions.session import Session

    Json = dict[str, object]

PROJECT_FILE = "project_state.json"
SESSIONS_FOLDER = "sessions"
_SECTIONS = {
    "subtasks": NoteKind.SUBTASK,
    "approvals": NoteKind.APPROVAL,
    "notes": NoteKind.NOTE,
    "goals": NoteKind.GOAL,
    "questions": NoteKind.QUESTION,
    "artefacts": NoteKind.ARTEFACT,
}
_WORDS = frozenset({"asked", "summary"})
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_SLUG = 60
_HASH_LETTERS = 6
_MOST_TURNS = 100_000


class BadSessionFileError(InvalidError, code="bad-session-file"):
    """A file of a session, or of a repository's state, cannot be read."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem, line=line, problem=problem)
        self.line = line


@dataclass(frozen=True, slots=True, kw_only=True)
class FileNote:
    """A note as a file has it; without an id it is new."""

    id: str
    kind: NoteKind
    text: str
    is_open: bool = True
    is_proposed: bool = False
    changes: str = ""
    closes: bool = False
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFile:
    """What a file says: its session, notes, and what was asked and done in each turn.

    ``recorded`` is the rest by the names of its parts. Holdfast writes it from tasks, or as it
    happened; it is not edited here.
    """

    session: str = ""
    notes: tuple[FileNote, ...] = ()
    turns: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    recorded: Mapping[str, str] = field(default_factory=dict)

    def note(self, name: str) -> FileNote | None:
        """Return the note with an id."""
        return next((one for one in self.notes if one.id == name), None)

    def edited(self, base: SessionFile, ours: SessionFile) -> list[str]:
        """Return the recorded parts that are neither as they were before nor as they are now."""
        names = dict.fromkeys((*self.recorded, *base.recorded))
        return [
            name
            for name in names
            if self.recorded.get(name) not in (base.recorded.get(name), ours.recorded.get(name))
        ]


def session_file_name(session: Session) -> str:
    """Return a name that is safe in every file system, and unique.

    A branch whose name had to be changed is followed by a hash of it.
    """
    branch = "detached" if session.branch is None else session.branch
    plain = _UNSAFE.sub("-", branch).strip("-.")[:_LONGEST_SLUG].rstrip("-.")
    if plain != branch:
        sum_ = hashlib.sha256(branch.encode("utf-8", "surrogatepass")).hexdigest()
        plain = f"{plain}-{sum_[:_HASH_LETTERS]}" if plain else sum_[:_HASH_LETTERS]
    return f"{session.started_at:%Y%m%dT%H%M%SZ}_{plain}_{session.id[-_HASH_LETTERS:]}.json"


def session_file_text(
    session: Session,
    turns: Sequence[CachedTurn],
    notes: Iterable[CacheNote],
    forked_from: tuple[str, int] | None = None,
) -> str:
    """Return the text of a session's file."""
    shape: Json = {
        "session": session.id,
        "tool": session.tool,
        "user": session.user,
        "branch": session.branch,
        "started": time_text(session.started_at),
        "ended": time_text(session.finished_at),
        "forked_from": None if forked_from is None else f"{forked_from[0]}#{forked_from[1]}",
        "turns": [_turn(turn) for turn in turns],
    }
    kept = list(notes)
    for section in ("subtasks", "approvals", "notes"):
        shape[section] = _listed(kept, _SECTIONS[section])
    return file_text(shape)


def project_file_text(
    notes: Iterable[CacheNote],
    milestones: Iterable[PlanLine],
    graph: Mapping[str, Sequence[str]],
) -> str:
    """Return the text of a repository's state: its notes, and what its tasks say."""
    kept, marks = list(notes), list(milestones)
    shape: Json = {"goals": _listed(kept, NoteKind.GOAL)}
    shape["milestones"] = [
        {"task": one.id, "title": one.title, "status": one.status} | _author(one.author)
        for one in marks
    ]
    shape["graph"] = {name: list(graph[name]) for name in sorted(graph)}
    shape["checkpoints"] = [
        {
            "task": one.id,
            "title": one.title,
            "commit": one.commit,
            "at": time_text(one.finished_at),
        }
        for one in sorted(marks, key=lambda task: (str(task.finished_at), task.id))
        if one.is_done
    ]
    shape["artefacts"] = _listed(kept, NoteKind.ARTEFACT)
    shape["questions"] = _listed(kept, NoteKind.QUESTION)
    return file_text(shape)


def file_text(shape: Json) -> str:
    """Return JSON in a stable form, with one line for each value."""
    return json.dumps(shape, ensure_ascii=False, indent=2) + "\n"


def _turn(turn: CachedTurn) -> Json:
    point: BranchPoint | None = turn.point
    return {
        "turn": turn.number,
        "at": time_text(turn.at),
        **_author(turn.recorder),
        "asked": turn.asked,
        "summary": turn.summary,
        "commands": list(turn.commands),
        "paths": list(turn.paths),
        "branch": turn.branch,
        "from": turn.before,
        "commit": None if point is None else point.head,
    }


def _file_author(note: CacheNote) -> str:
    """Return who wrote a note; one that a person trusted stays as it came, for all clones."""
    is_trusted = note.origin is Origin.REPO and not note.is_proposed
    return note.by if is_trusted else note.author


def _author(name: str) -> Json:
    """Return who wrote something, if it was no person; a person's words have no mark."""
    return {"by": name} if name else {}


def _listed(notes: Iterable[CacheNote], kind: NoteKind) -> list[Json]:
    found: list[Json] = []
    for note in notes:
        if note.kind is kind:
            shape: Json = {"id": note.id, "text": note.text, "open": note.is_open}
            found.append({**shape, **_proposal(note), **_author(_file_author(note))})
    return found


def _proposal(note: CacheNote | FileNote) -> Json:
    """Return the fields of a proposal; none for any other note."""
    if not note.is_proposed:
        return {}
    shape: Json = {"proposed": True}
    shape |= {"changes": note.changes} if note.changes else {}
    return shape | ({"closes": True} if note.closes else {})


def read_session_file(text: str) -> SessionFile:
    """Read a file that a person may have edited.

    Raises:
        BadSessionFileError: It is no JSON, or a value is not as it must be; the line is named.
    """
    if re.search(r"^(?:<{7}|>{7}) ", text, re.MULTILINE):
        line = 1 + text[: text.find("<<<<<<< ")].count("\n")
        raise BadSessionFileError(line, "A merge left its conflict markers here; choose one side.")
    try:
        shape = json.loads(text)
    except json.JSONDecodeError as error:
        problem = f"It is no JSON: {error.msg} in line {error.lineno}, column {error.colno}."
        raise BadSessionFileError(error.lineno, problem) from None
    except (ValueError, RecursionError):
        raise BadSessionFileError(1, "It is no JSON that can be read.") from None
    try:
        return _read(Fields(shape, noun="file"))
    except BadFieldError as error:
        raise BadSessionFileError(1, str(error)) from None


def _read(fields: Fields) -> SessionFile:
    notes = [
        _note(one, kind)
        for section, kind in _SECTIONS.items()
        for one in (fields.items(section) if fields.raw(section) is not None else ())
    ]
    names = [one.id for one in notes if one.id]
    if len(names) != len(set(names)):
        raise BadFieldError(field="id of a note", problem="is there twice; remove one.")
    turns = fields.items("turns") if fields.raw("turns") is not None else ()
    return SessionFile(
        session=fields.maybe_text("session") or "",
        notes=tuple(notes),
        turns=dict(map(_read_turn, turns)),
        recorded=_recorded(fields.shape, turns),
    )


def _recorded(shape: Mapping[str, object], turns: Iterable[object]) -> Mapping[str, str]:
    """Return every part that is no note and no words of a turn."""
    rest = {name: value for name, value in shape.items() if name not in {*_SECTIONS, "turns"}}
    for one in turns:
        turn = cast("Mapping[str, object]", one)
        kept = {name: value for name, value in turn.items() if name not in _WORDS}
        rest[f"turn {turn['turn']}"] = kept
    return {name: json.dumps(value, sort_keys=True) for name, value in rest.items()}


def _note(shape: object, kind: NoteKind) -> FileNote:
    """Read a note; a plain text is a new one."""
    if isinstance(shape, str):
        return FileNote(id="", kind=kind, text=_short_enough(shape))
    fields = Fields(shape, noun="note")
    return FileNote(
        id=fields.maybe_text("id") or "",
        kind=kind,
        text=_short_enough(fields.text("text")),
        is_open=fields.maybe_bool("open") is not False,
        is_proposed=bool(fields.maybe_bool("proposed")),
        changes=fields.maybe_text("changes") or "",
        closes=bool(fields.maybe_bool("closes")),
        by=fields.maybe_text("by") or "",
    )


def _read_turn(shape: object) -> tuple[int, tuple[str, str]]:
    fields = Fields(shape, noun="turn")
    number = fields.whole("turn")
    if not 0 < number <= _MOST_TURNS:
        raise BadFieldError(field="turn", problem=f"is {number}, which no turn has.")
    asked = _short_enough(fields.maybe_text("asked") or "")
    return number, (asked, _short_enough(fields.maybe_text("summary") or ""))


def _short_enough(text: str) -> str:
    if len(text) > LONGEST_SUMMARY:
        problem = f"has {len(text):,} characters; the limit is {LONGEST_SUMMARY:,}."
        raise BadFieldError(field="text", problem=problem)
    return text


def own_lines(text: str) -> frozenset[str]:
    """Return the lines of a file that contain somebody's own words."""
    lines = (line.strip() for line in text.splitlines())
    return frozenset(one for one in lines if one.startswith(('"text"', '"asked"', '"summary"')))


def merged_state(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Merge two versions of a repository's state note by note; None if one is no such file.

    A note that both sides changed in different ways is kept in both forms. What is written from
    tasks is taken from our side; the next sync writes it anew.
    """
    try:
        texts = [content.decode("utf-8") for content in (base, ours, theirs)]
        before, mine, other = (read_session_file(text or "{}") for text in texts)
        shape: Json = json.loads(texts[1])
    except (UnicodeDecodeError, ValueError, InvalidError):
        return None
    if "goals" not in shape or mine.session or other.session:
        return None
    kept: list[FileNote] = []
    for name in dict.fromkeys(one.id for one in (*mine.notes, *other.notes) if one.id):
        kept += _joined(before.note(name), mine.note(name), other.note(name))
    kept += dict.fromkeys(one for one in (*mine.notes, *other.notes) if not one.id)
    for section, kind in _SECTIONS.items():
        if kind.is_of_project:
            shape[section] = [_shape(one) for one in kept if one.kind is kind]
    return file_text(shape).encode()


def _joined(
    base: FileNote | None, ours: FileNote | None, theirs: FileNote | None
) -> list[FileNote]:
    """Return a note after both sides' changes: none if it was removed, two if they differ."""
    if theirs in (ours, base):
        return [] if ours is None else [ours]
    if ours == base:
        return [] if theirs is None else [theirs]
    both = [] if ours is None else [ours]
    rival = replace(theirs, id="") if theirs is not None and both else theirs
    return both if rival is None else [*both, rival]


def _shape(note: FileNote) -> Json:
    shape: Json = {"id": note.id} if note.id else {}
    shape |= {"text": note.text, "open": note.is_open}
    return {**shape, **_proposal(note), **_author(note.by)}
