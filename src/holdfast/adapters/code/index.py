"""The code of a repository, indexed: every answer matches the checkout at this moment."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from holdfast.adapters.code.asking import SQL
from holdfast.adapters.code.database import WAIT_SECONDS, be_patient, reading
from holdfast.adapters.code.derived import Derived, no_watch
from holdfast.adapters.code.files import read_file
from holdfast.adapters.code.refresh import Haste, refresh
from holdfast.adapters.code.rows import VERSION
from holdfast.adapters.code.shaping import lines_of
from holdfast.domain.code import CodeFound

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    import apsw

    from holdfast.adapters.code.files import Checkout
    from holdfast.domain.code import Indexed, Neighbour, SymbolPlace
    from holdfast.ports.upkeep import Progress

    Watch = Callable[[], AbstractContextManager[Progress]]

PATIENCE_SECONDS = 2.0


class GitCodeIndex:
    """Finds code in one working tree. All it holds can be made anew at any time.

    ``find`` gives the working tree when it is first needed. Workers are processes of this
    program, so only a program that may be started again asks for them.

    A search reads for ``patience`` seconds at most, and ``read_on`` is called when files are
    left then; ``watch`` shows a person how far the reading is.
    """

    def __init__(
        self,
        find: Callable[[], Checkout],
        *,
        workers: int = 0,
        patience: float = PATIENCE_SECONDS,
        watch: Watch = no_watch,
        read_on: Callable[[], None] | None = None,
    ) -> None:
        self._find = find
        self._workers = workers
        self._patience = patience
        self._watch = watch
        self._read_on = read_on
        self._checkout: Checkout | None = None
        self._database = Derived(
            lambda: self._here().database, script=SQL["create_code"], version=VERSION
        )

    def refresh(self, progress: Progress, *, anew: bool = False) -> Indexed:
        """Bring the index in line with the checkout; only what changed is read again.

        Raises:
            NoHistoryError: There is no repository.
        """
        with self._database.one_at_a_time:
            if anew:
                self._database.throw_away()
            return self._database.asked(lambda connection: self._refreshed(connection, progress))

    def search(self, question: str, *, limit: int) -> CodeFound:
        """Return the passages that answer best, best first, and how much was searched.

        What changed is read before, files that the question names first, until the patience
        is over or another process reads. Of a file whose new text was not read yet, nothing
        is shown.
        """
        from holdfast.adapters.code.search import search
        from holdfast.adapters.code.urgency import urgency

        def ask(connection: apsw.Connection) -> CodeFound:
            until = monotonic() + self._patience
            here = self._here()
            with (
                self._watch() as progress,
                self._database.turn(within_seconds=self._patience / 4) as is_alone,
            ):
                haste = Haste(until, urgency(question), is_alone)
                indexed, outdated = refresh(
                    here, connection, progress, workers=self._workers, haste=haste
                )

            def read(path: str) -> list[str] | None:
                return None if path in outdated else self._lines(path)

            with reading(connection):
                found = search(connection, question, limit=limit, read=read)
            files = indexed.files - len(outdated)
            return CodeFound(passages=tuple(found), files=files, unread=indexed.unread)

        answer = self._database.asked(ask)
        if answer.unread and self._read_on is not None:
            self._read_on()
        return answer

    def named(self, reference: str, *, limit: int) -> Sequence[SymbolPlace]:
        """Return the symbols of that name, or those that hold ``path:line``, innermost first."""
        from holdfast.adapters.code.neighbours import named

        def ask(connection: apsw.Connection) -> Sequence[SymbolPlace]:
            self._brought_up(connection)
            with reading(connection):
                return named(connection, reference, limit)

        return self._database.asked(ask)

    def around(self, place: SymbolPlace, *, hops: int, limit: int) -> Sequence[Neighbour]:
        """Return who calls a symbol and whom it calls, nearest first, at most so far away.

        The place came from a search or a name a moment ago, which refreshed the index.
        """
        from holdfast.adapters.code.certainty import Certainty
        from holdfast.adapters.code.neighbours import around

        def ask(connection: apsw.Connection) -> Sequence[Neighbour]:
            with reading(connection):
                return around(connection, place, hops, limit, least=Certainty.MAYBE)

        return self._database.asked(ask)

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def _refreshed(self, connection: apsw.Connection, progress: Progress) -> Indexed:
        be_patient(connection, WAIT_SECONDS)
        with self._database.turn():
            return refresh(self._here(), connection, progress, workers=self._workers).indexed

    def _brought_up(self, connection: apsw.Connection) -> None:
        """Bring the index in line for a question; beside another process it stays as it is."""
        with (
            self._watch() as progress,
            self._database.turn(within_seconds=self._patience) as is_alone,
        ):
            if is_alone:
                refresh(self._here(), connection, progress, workers=self._workers)

    def _lines(self, path: str) -> list[str] | None:
        """Return the lines of a file as they are now; None where it is gone."""
        found = read_file(self._here().root, path)
        return None if found is None else lines_of(found.content)

    def _here(self) -> Checkout:
        if self._checkout is None:
            self._checkout = self._find()
        return self._checkout
