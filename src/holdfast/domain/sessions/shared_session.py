"""The file of another person's session, which came with git: everything that it says."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields
from holdfast.domain.ids import SessionId
from holdfast.domain.memory.anchor import BranchPoint, is_whole
from holdfast.domain.sessions.session import Session
from holdfast.domain.sessions.session_file import BadSessionFileError, read_session_file
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.sessions.session_file import FileNote, SessionFile

_SESSION = re.compile(r"i_[0-9a-z]{26}")
_MOST_TURNS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTurn:
    """One turn as the file has it."""

    number: int
    at: datetime
    asked: str
    summary: str
    commands: tuple[str, ...]
    paths: tuple[str, ...]
    branch: str | None
    before: str | None
    point: BranchPoint | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedSession:
    """A session, its turns and its notes."""

    session: Session
    turns: tuple[SharedTurn, ...]
    notes: tuple[FileNote, ...]


def read_shared_session(text: str) -> SharedSession:
    """Read the file of a session that this store does not have.

    Raises:
        BadSessionFileError: It is no JSON, or a value is not as it must be.
    """
    plain = read_session_file(text)
    try:
        return _read(Fields(json.loads(text), noun="file"), plain)
    except BadFieldError as error:
        raise BadSessionFileError(1, str(error)) from None


def _read(fields: Fields, plain: SessionFile) -> SharedSession:
    if _SESSION.fullmatch(plain.session) is None:
        raise BadFieldError(field="session", problem="is no id of a session.")
    items = fields.items("turns")
    if len(items) > _MOST_TURNS:
        problem = f"are {len(items):,}; the limit is {_MOST_TURNS:,}."
        raise BadFieldError(field="turns", problem=problem)
    return SharedSession(
        session=Session(
            id=SessionId(plain.session),
            tool=fields.text("tool"),
            user=fields.text("user"),
            repo=None,
            branch=fields.maybe_text("branch"),
            started_at=fields.moment("started"),
            finished_at=fields.maybe_moment("ended"),
        ),
        turns=tuple(map(_turn, items)),
        notes=tuple(one for one in plain.notes if one.id and not one.kind.is_of_project),
    )


def _turn(shape: object) -> SharedTurn:
    fields = Fields(shape, noun="turn")
    branch, commit = fields.maybe_text("branch"), fields.maybe_text("commit")
    before = fields.maybe_text("from")
    if branch is not None and (".." in branch or not branch.isprintable()):
        raise BadFieldError(field="branch of a turn", problem="is no name of a branch.")
    for name in (commit, before):
        if name is not None and not is_whole(name):
            raise BadFieldError(field="commit of a turn", problem="is no whole name of a commit.")
    point = None
    if commit is not None:
        point = BranchPoint(branch=branch, head=commit, is_aside=branch is not None)
    return SharedTurn(
        number=fields.whole("turn"),
        at=fields.moment("at"),
        asked=fields.maybe_text("asked") or "",
        summary=fields.maybe_text("summary") or "",
        commands=fields.words("commands"),
        paths=fields.words("paths"),
        branch=branch,
        before=before,
        point=point,
    )
