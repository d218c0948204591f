"""OpenCode: a database of sessions, messages and parts, opened read-only."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.sql.queries import load_file
from holdfast.adapters.transcripts.drafting import TranscriptDraft, part, text_of
from holdfast.adapters.transcripts.json_lines import no_one
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.refusals import UnreadableSourceError
from holdfast.domain.sessions.transcript import Speaker

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from holdfast.adapters.transcripts.json_lines import Line
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.sessions.transcripts import Tell

_SPEAKERS = {"user": Speaker.USER, "assistant": Speaker.ASSISTANT}
_QUERIES = str(Path(__file__).parent / "sql" / "opencode.sql")
_OTHER = "its tables are not those of the versions we know ({problem})."


class OpencodeTranscripts:
    """Reads ``~/.local/share/opencode/opencode.db``."""

    tool = "opencode"

    def read(self, path: str) -> Transcript:
        """Return the newest conversation of a database."""
        newest = None
        for newest in self._sessions(path, tell=no_one):
            pass
        if newest is None:
            raise UnreadableSourceError(path, "it holds no session of OpenCode.")
        return newest

    def conversations(self, path: str, *, tell: Tell) -> Iterable[Transcript]:
        """Return every conversation of a database; those of subagents are left out."""
        return self._sessions(path, tell=tell)

    def _sessions(self, path: str, *, tell: Tell) -> Iterator[Transcript]:
        queries = load_file(_QUERIES)
        with _database(path) as database:
            for session in sorted(database.execute(queries["sessions"]), key=_age):
                held = dict(session)
                if held.get("parent_id"):
                    continue
                named = {"session": session["id"]}
                roles = {
                    row["id"]: text_of(_held(row, path, tell), "role")
                    for row in database.execute(queries["messages"], named)
                }
                draft = TranscriptDraft()
                for row in database.execute(queries["parts"], named):
                    _say(row, _held(row, path, tell), roles, draft)
                folder = text_of(held, "directory") or text_of(
                    _json(held.get("data")) or {}, "directory"
                )
                yield draft.finished(
                    tool=self.tool, session=str(session["id"]), source=path, folder=folder
                )


def is_opencode(path: str) -> bool:
    """Return whether a database has the tables of OpenCode."""
    try:
        with _database(path) as database:
            found = {row["name"] for row in database.execute(load_file(_QUERIES)["tables"])}
    except UnreadableSourceError:
        return False
    return found >= {"session", "message", "part"}


def _age(session: sqlite3.Row) -> tuple[float, str]:
    """Return the sort key of sessions by time; their ids are in reverse order."""
    held = dict(session)
    created = held.get("time_created", held.get("created_at"))
    return float(created) if isinstance(created, int | float) else 0.0, str(session["id"])


@contextmanager
def _database(path: str) -> Generator[sqlite3.Connection, None, None]:
    if not Path(path).is_file():
        raise UnreadableSourceError(path, "there is no such file.")
    try:
        address = f"{Path(path).absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as database:
            database.row_factory = sqlite3.Row
            yield database
    except (sqlite3.Error, IndexError) as error:
        raise UnreadableSourceError(path, _OTHER.format(problem=error)) from error


def _held(row: sqlite3.Row, path: str, tell: Tell) -> Line:
    value = _json(row["data"])
    if value is None:
        problem = f"The data of {row['id']} is not a JSON object."
        tell(Flaw(path=path, line=0, problem=problem))
    return value or {}


def _json(text: object) -> Line | None:
    try:
        value = json.loads(str(text))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _say(row: sqlite3.Row, held: Line, roles: dict[str, str], draft: TranscriptDraft) -> None:
    speaker = _SPEAKERS.get(roles.get(row["message_id"], ""))
    at = draft.moment(dict(row).get("time_created"))
    match held.get("type"):
        case "text" if speaker is not None and not held.get("synthetic"):
            draft.say(speaker, held.get("text"), at=at, name=row["id"])
        case "tool":
            state = part(held, "state")
            draft.call(held.get("tool"), state.get("input"), at=at, name=row["id"], call=row["id"])
            failed = state.get("status") == "error"
            draft.answer(row["id"], state.get("output") or state.get("error"), has_failed=failed)
        case _:
            pass
