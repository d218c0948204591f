"""The index of a repository's commits: each is read once and found by its text and files.

Finds the commits that answer a question by their words, files and lines.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.code.history.commit_search import search
from holdfast.adapters.code.history.meaning import COMPARED, with_meaning
from holdfast.adapters.code.index.database import WAIT_SECONDS, reading, set_busy_timeout, writing
from holdfast.adapters.code.index.derived import Derived, nobody_watches
from holdfast.adapters.code.parsing.parsed import inner_words
from holdfast.adapters.code.queries import SQL
from holdfast.domain.code.commits import CommitsFound, CommitsRead
from holdfast.domain.gates.hidden import make_visible
from holdfast.domain.gates.secrets import find_secrets, redact
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from pathlib import Path

    import apsw

    from holdfast.domain.code.commits import CommitRecord
    from holdfast.ports.anchors.surroundings import CommitReader
    from holdfast.ports.recall.models import Embedder
    from holdfast.ports.store.upkeep import Progress


VERSION = 2
MOST_COMMITS = 100_000
MOST_ON_THE_WAY = 2_000
PATIENCE_SECONDS = 2.0
_AT_ONCE = 500
_HEAD, _FROM = "head", "from"


class _Due(NamedTuple):
    """The target commit of a refresh, the start moment, and how many commits it may read."""

    head: str
    since: datetime | None
    most: int


class CommitIndex:
    """Finds commits in the history of one working tree. The index can be rebuilt at any time.

    ``find`` returns the path of the database; it is called on first use. ``model`` returns an
    embedding model on this machine, which compares the best commits with the question.
    """

    def __init__(
        self,
        commit_reader: CommitReader,
        find: Callable[[], Path],
        model: Callable[[], Embedder | None] | None = None,
    ) -> None:
        self._chronicle = commit_reader
        self._model = model
        self._database = Derived(find, script=SQL["create_commits"], version=VERSION)

    def refresh(self, progress: Progress, *, since: datetime | None = None) -> CommitsRead:
        """Read the commits since the last refresh; return how many are indexed, and how many new.

        Commits before ``since`` are not read; without it, the last given ``since`` applies.

        Raises:
            NoHistoryError: There is no repository.
            NothingCommittedError: Nothing was committed yet.
            OutsideUnavailableError: Git is not installed, or cannot read an object.
        """
        head = self._chronicle.head()
        due = _Due(head=head, since=since, most=MOST_COMMITS)

        def bring_up(connection: apsw.Connection) -> CommitsRead:
            set_busy_timeout(connection, WAIT_SECONDS)
            with self._database.turn():
                return self._refreshed(connection, due=due, progress=progress)

        return self._database.asked(bring_up)

    def search(self, question: str, *, limit: int, at: str | None = None) -> CommitsFound | None:
        """Return the best matching commits, best first; None if no commits were indexed yet.

        Commits that were added or rewritten since the last refresh are read first; if there are
        very many, each call reads the newest of them and counts the rest. While another process
        reads, the call waits only briefly.
        """
        head = self._chronicle.head()

        def ask(connection: apsw.Connection) -> CommitsFound | None:
            is_empty = connection.execute(SQL["count_told"]).get == 0
            known = _standing(connection, _HEAD)
            if known is None and is_empty and not self._database.was_filled():
                return None
            if at is None:
                leading = self._leading_to_head(connection, head)
            else:
                leading = self._leading_to_past(connection, at)
            with reading(connection):
                return _found(connection, question, limit=wanted, leading=leading)

        wanted = limit if self._model is None or limit <= 0 else max(limit, COMPARED)
        found = self._database.asked(ask)
        if found is None or not found.passages or self._model is None:
            return found
        ordered = with_meaning(found.passages, question, self._model())
        return replace(found, passages=tuple(ordered[:limit]))

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def _leading_to_head(self, connection: apsw.Connection, head: str) -> Sequence[str] | None:
        """Read the newest unread commits; return those that lead to HEAD.

        None if all of them are read: then they are the commits that are marked as here.
        """
        if _standing(connection, _HEAD) != head:
            due = _Due(head=head, since=None, most=MOST_ON_THE_WAY)
            with self._database.turn(within_seconds=PATIENCE_SECONDS) as is_alone:
                if is_alone:
                    self._refreshed(connection, due=due, progress=nobody_watches)
        is_whole = _standing(connection, _HEAD) == head
        return None if is_whole else self._leading_to(connection, head)

    def _leading_to_past(self, connection: apsw.Connection, at: str) -> Sequence[str]:
        """Read the newest unread commits that lead to a commit; return all that lead to it."""
        leading = self._leading_to(connection, at)
        known = _known(connection, leading)
        unread = [name for name in leading if name not in known][:MOST_ON_THE_WAY]
        if unread:
            with self._database.turn(within_seconds=PATIENCE_SECONDS) as is_alone:
                if is_alone:
                    self._read(connection, unread, nobody_watches, is_here=False)
        return leading

    def _leading_to(self, connection: apsw.Connection, head: str) -> Sequence[str]:
        start = self._start(connection)
        return self._chronicle.leading_to(head, most=MOST_COMMITS, since=start)

    def _start(self, connection: apsw.Connection) -> int:
        """Return the second from which commits are read; it outlives the database."""
        found = _standing(connection, _FROM) or self._database.kept(_FROM) or ""
        return int(found) if found.isdecimal() else 0

    def _refreshed(
        self, connection: apsw.Connection, *, due: _Due, progress: Progress
    ) -> CommitsRead:
        if due.since is not None:
            # No commit is from before 1970: git counts their seconds from there.
            start = str(max(0, int(due.since.timestamp())))
            _note(connection, {_FROM: start})
            self._database.keep(_FROM, start)
        # The commits between two others are not limited to those since a moment.
        start_at = self._start(connection)
        is_limited = due.since is not None or start_at > 0
        left = None if is_limited else _standing(connection, _HEAD)
        came = self._moved(connection, left, due.head)
        new = self._read(connection, came[: due.most], progress)
        if new == len(came):
            _note(connection, {_HEAD: due.head})
            self._database.note_filled()
        self._drop(connection)
        total = int(connection.execute(SQL["count_told"]).get)
        since = datetime.fromtimestamp(start_at, tz=UTC) if start_at else None
        return CommitsRead(total=total, new=new, since=since)

    def _moved(self, connection: apsw.Connection, old: str | None, new: str) -> Sequence[str]:
        """Hide commits that HEAD does not reach, show those it does, and return the unknown ones.

        Newest first: they answer most questions. The note which HEAD was read is removed, until
        all of them are read.
        """
        moved = None if old is None else self._chronicle.between(old, new)
        if moved is None:
            came = self._leading_to(connection, new)
        else:
            came = moved[1][:MOST_COMMITS]
        known = _known(connection, came)
        with writing(connection):
            connection.execute(SQL["forget_standing"], (_HEAD,))
            if moved is None:
                connection.execute(SQL["leave_all"])
            else:
                connection.execute(SQL["leave"], (json.dumps(list(moved[0])),))
            connection.execute(SQL["come_back"], (json.dumps(sorted(known)),))
        return [name for name in came if name not in known]

    def _read(
        self,
        connection: apsw.Connection,
        due: Sequence[str],
        progress: Progress,
        *,
        is_here: bool = True,
    ) -> int:
        progress(0, len(due))
        for first in range(0, len(due), _AT_ONCE):
            stories = self._chronicle.stories(due[first : first + _AT_ONCE])
            with writing(connection):
                _add(connection, stories, is_here=is_here)
            progress(min(first + _AT_ONCE, len(due)), len(due))
        return len(due)

    def _drop(self, connection: apsw.Connection) -> None:
        """Delete the commits that no branch reaches any more."""
        elsewhere = [name for (name,) in connection.execute(SQL["told_elsewhere"])]
        gone = self._chronicle.in_no_branch(elsewhere) if elsewhere else ()
        if gone:
            with writing(connection):
                for name in gone:
                    connection.execute(SQL["drop_told"], (name, name, name))


def _found(
    connection: apsw.Connection, question: str, *, limit: int, leading: Sequence[str] | None
) -> CommitsFound:
    """Search the commits that lead to one, of which some may not be read yet."""
    among, unread = None, 0
    commits = int(connection.execute(SQL["count_told"]).get)
    if leading is not None:
        among, commits = json.dumps(list(leading)), len(_known(connection, leading))
        unread = len(leading) - commits
    found = search(connection, question, limit=limit, among=among)
    return CommitsFound(passages=tuple(found), commits=commits, unread=unread)


def _add(connection: apsw.Connection, stories: Iterable[CommitRecord], *, is_here: bool) -> None:
    number = int(connection.execute(SQL["last_told"]).get)
    for story in stories:
        subject, body = _cleaned(story.subject), _cleaned(story.body)
        row = (number + 1, story.id, int(story.at.timestamp()), subject, body, is_here)
        if connection.execute(SQL["add_told"], row).get is None:
            continue
        number += 1
        paths = " ".join(one.path for one in story.touched)
        words = f"{paths} {paths.replace('/', ' ').replace('.', ' ')} {inner_words(paths)}"
        names = inner_words(f"{subject} {body}")
        connection.execute(SQL["add_told_words"], (number, subject, body, words, names))
        connection.executemany(
            SQL["add_touched"],
            (
                (number, place, one.path, one.path.rpartition("/")[2], _written(one.lines))
                for place, one in enumerate(story.touched)
            ),
        )


def _cleaned(text: str) -> str:
    """Return a message fit for the index: without secrets and invisible characters."""
    visible = make_visible(text).text
    return redact(visible, find_secrets(visible))


def _written(lines: Iterable[tuple[int, int]]) -> str:
    return " ".join(f"{first}-{last}" for first, last in lines)


def _known(connection: apsw.Connection, names: Collection[str]) -> set[str]:
    rows = connection.execute(SQL["told_already"], (json.dumps(list(names)),))
    return {name for (name,) in rows}


def _standing(connection: apsw.Connection, name: str) -> str | None:
    found: str | None = connection.execute(SQL["standing"], (name,)).get
    return found


def _note(connection: apsw.Connection, values: dict[str, str]) -> None:
    with writing(connection):
        connection.executemany(SQL["note_standing"], values.items())
