"""The index of a repository's commits: each is read once and found by its text and files.

Finds the commits that answer a question by their words, files and lines.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.code.history.commit_search import search
from holdfast.adapters.code.history.meaning import COMPARED, with_meaning
from holdfast.adapters.code.index.database import WAIT_SECONDS, reading, set_busy_timeout, writing
from holdfast.adapters.code.index.derived import Derived, nobody_watches
from holdfast.adapters.code.parsing.parsed import inner_words
from holdfast.adapters.code.queries import SQL
from holdfast.domain.code.commits import CommitsRead
from holdfast.domain.gates.hidden import make_visible
from holdfast.domain.gates.secrets import find_secrets, redact
from holdfast.domain.recall.bundle import Passage

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from datetime import datetime
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

    def search(
        self, question: str, *, limit: int, at: str | None = None
    ) -> Sequence[Passage] | None:
        """Return the best matching commits, best first; None if no commits were indexed yet.

        Commits that were added or rewritten since the last refresh are read first; if there are
        very many, each call reads a part. While another process reads, the call waits only briefly.
        """
        head = self._chronicle.head()
        among = None
        if at is not None:
            among = json.dumps(list(self._chronicle.leading_to(at, most=MOST_COMMITS)))

        def ask(connection: apsw.Connection) -> Sequence[Passage] | None:
            known = _standing(connection, _HEAD)
            is_empty = connection.execute(SQL["count_told"]).get == 0
            if known is None and is_empty and not self._database.was_filled():
                return None
            if known != head:
                due = _Due(head=head, since=None, most=MOST_ON_THE_WAY)
                with self._database.turn(within_seconds=PATIENCE_SECONDS) as is_alone:
                    if is_alone:
                        self._refreshed(connection, due=due, progress=nobody_watches)
            with reading(connection):
                return search(connection, question, limit=wanted, among=among)

        wanted = limit if self._model is None or limit <= 0 else max(limit, COMPARED)
        found = self._database.asked(ask)
        if not found or self._model is None:
            return found
        return with_meaning(found, question, self._model())[:limit]

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def _refreshed(
        self, connection: apsw.Connection, *, due: _Due, progress: Progress
    ) -> CommitsRead:
        # No commit is from before 1970: git counts their seconds from there.
        start = None if due.since is None else str(max(0, int(due.since.timestamp())))
        is_new = start is not None and start != _standing(connection, _FROM)
        if start is not None and is_new:
            _note(connection, {_FROM: start})
        left = None if is_new else _standing(connection, _HEAD)
        came = self._moved(connection, left, due.head)
        new = self._read(connection, came[: due.most], progress)
        if new == len(came):
            _note(connection, {_HEAD: due.head})
            self._database.note_filled()
        self._drop(connection)
        return CommitsRead(total=int(connection.execute(SQL["count_told"]).get), new=new)

    def _moved(self, connection: apsw.Connection, old: str | None, new: str) -> Sequence[str]:
        """Hide commits that HEAD does not reach, show those it does, and return the unknown ones.

        Oldest first: an interrupted run continues there, because all commits before are known.
        """
        moved = None if old is None else self._chronicle.between(old, new)
        if moved is None:
            start = int(_standing(connection, _FROM) or 0)
            came = self._chronicle.leading_to(new, most=MOST_COMMITS, since=start)
        else:
            came = moved[1][:MOST_COMMITS]
        known = _known(connection, came)
        with writing(connection):
            if moved is None:
                connection.execute(SQL["leave_all"])
            else:
                connection.execute(SQL["leave"], (json.dumps(list(moved[0])),))
            connection.execute(SQL["come_back"], (json.dumps(sorted(known)),))
        return [name for name in reversed(came) if name not in known]

    def _read(self, connection: apsw.Connection, due: Sequence[str], progress: Progress) -> int:
        progress(0, len(due))
        for first in range(0, len(due), _AT_ONCE):
            stories = self._chronicle.stories(due[first : first + _AT_ONCE])
            with writing(connection):
                _add(connection, stories)
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


def _add(connection: apsw.Connection, stories: Iterable[CommitRecord]) -> None:
    number = int(connection.execute(SQL["last_told"]).get)
    for story in stories:
        subject, body = _cleaned(story.subject), _cleaned(story.body)
        row = (number + 1, story.id, int(story.at.timestamp()), subject, body)
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
