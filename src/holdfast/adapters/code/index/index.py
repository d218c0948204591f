"""The code index of a repository: every answer matches the checkout at this moment.

Indexes in a server's background thread what a question had no time to read.

Orders the files for a refresh with a deadline: paths that the question mentions come first.

Watches a checkout: polls every second and reports changes.
"""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from holdfast.adapters.code.index.code_rows import VERSION
from holdfast.adapters.code.index.database import WAIT_SECONDS, reading, set_busy_timeout
from holdfast.adapters.code.index.derived import Derived, no_watch
from holdfast.adapters.code.index.files import read_file
from holdfast.adapters.code.index.reading_order import urgency
from holdfast.adapters.code.index.refresh import RefreshDeadline, refresh
from holdfast.adapters.code.parsing.parsed import lines_of
from holdfast.adapters.code.queries import SQL
from holdfast.domain.code.code import CodeFound
from holdfast.domain.errors import HoldfastError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    import apsw

    from holdfast.adapters.code.index.files import WorkingTree
    from holdfast.adapters.code.index.meaning import SymbolVectors
    from holdfast.domain.code.code import Indexed, Neighbour, SymbolPlace
    from holdfast.domain.code.code_ranking import NearSymbol
    from holdfast.ports.store.upkeep import Progress

    Watch = Callable[[], AbstractContextManager[Progress]]


PATIENCE_SECONDS = 2.0
_EMBEDDING_SECONDS = 0.5
_MOST_NEAR = 40


class GitCodeIndex:
    """Finds code in one working tree. The index can be rebuilt at any time.

    ``find`` returns the working tree; it is called on first use. Workers are processes of this
    program, so only a program that can be started again asks for them.

    A search refreshes the index for at most ``patience`` seconds. If files are left unread then, it
    calls ``read_on``. ``watch`` shows the progress to a person. With ``meaning``, a short question
    also finds symbols by their documentation.
    """

    def __init__(
        self,
        find: Callable[[], WorkingTree],
        *,
        workers: int = 0,
        patience: float = PATIENCE_SECONDS,
        watch: Watch = no_watch,
        read_on: Callable[[], None] | None = None,
        meaning: SymbolVectors | None = None,
    ) -> None:
        self._find = find
        self._workers = workers
        self._patience = patience
        self._watch = watch
        self._read_on = read_on
        self._meaning = meaning
        self._is_embedded = False
        self._checkout: WorkingTree | None = None
        self._database = Derived(
            lambda: self._here().database, script=SQL["create_code"], version=VERSION
        )

    def refresh(self, progress: Progress, *, anew: bool = False) -> Indexed:
        """Refresh the index from the checkout; only changed files are read again.

        Raises:
            NoHistoryError: There is no repository.
        """
        with self._database.one_at_a_time:
            if anew:
                self._database.throw_away()
                if self._meaning is not None:
                    self._meaning.throw_away()
            return self._database.asked(lambda connection: self._refreshed(connection, progress))

    def search(self, question: str, *, limit: int) -> CodeFound:
        """Return the best passages, best first, and how much was searched.

        The search first reads changed files, starting with files that the question names, until its
        time is over or another process holds the refresh lock. A file whose new text is not indexed
        yet is not shown.
        """
        from holdfast.adapters.code.search.search import search

        def ask(connection: apsw.Connection) -> CodeFound:
            until = monotonic() + self._patience
            here = self._here()
            with (
                self._watch() as progress,
                self._database.turn(within_seconds=self._patience / 4) as is_alone,
            ):
                haste = RefreshDeadline(until, urgency(question), is_alone)
                indexed, outdated = refresh(
                    here, connection, progress, workers=self._workers, haste=haste
                )

            def read(path: str) -> list[str] | None:
                return None if path in outdated else self._lines(path)

            with reading(connection):
                near, unembedded = self._near(connection, question)
                found = search(connection, question, limit=limit, read=read, near=near)
            files = indexed.files - len(outdated)
            return CodeFound(
                passages=tuple(found), files=files, unread=indexed.unread, unembedded=unembedded
            )

        answer = self._database.asked(ask)
        if answer.unread and self._read_on is not None:
            self._read_on()
        return answer

    def named(self, reference: str, *, limit: int) -> Sequence[SymbolPlace]:
        """Return the symbols with a name, or those that contain ``path:line``, innermost first."""
        from holdfast.adapters.code.search.neighbours import named

        def ask(connection: apsw.Connection) -> Sequence[SymbolPlace]:
            self._brought_up(connection)
            with reading(connection):
                return named(connection, reference, limit)

        return self._database.asked(ask)

    def around(self, place: SymbolPlace, *, hops: int, limit: int) -> Sequence[Neighbour]:
        """Return the callers and callees of a symbol, nearest first, within a number of hops.

        The place comes from a search or a lookup just before, which refreshed the index.
        """
        from holdfast.adapters.code.parsing.certainty import Certainty
        from holdfast.adapters.code.search.neighbours import around

        def ask(connection: apsw.Connection) -> Sequence[Neighbour]:
            with reading(connection):
                return around(connection, place, hops, limit, least=Certainty.MAYBE)

        return self._database.asked(ask)

    def close(self) -> None:
        """Close the databases."""
        self._database.close()
        if self._meaning is not None:
            self._meaning.close()

    def _near(
        self, connection: apsw.Connection, question: str
    ) -> tuple[Mapping[int, NearSymbol], int]:
        """Return the symbols near the question, and how many have no vector yet.

        Some vectors that are missing are made first, for a short time. Without vectors the words
        alone decide.
        """
        if self._meaning is None:
            return {}, 0
        from holdfast.adapters.code.index.meaning import described

        symbols = described(connection)
        try:
            # Damage that is seen only when the vectors are read leaves an empty file: once more.
            for _ in range(2):
                left = self._meaning.embed(symbols, until=monotonic() + _EMBEDDING_SECONDS)
                near = self._meaning.nearest(question, symbols, limit=_MOST_NEAR)
                if near is not None:
                    return near, left
        except HoldfastError:
            pass
        return {}, 0

    def _refreshed(self, connection: apsw.Connection, progress: Progress) -> Indexed:
        set_busy_timeout(connection, WAIT_SECONDS)
        with self._database.turn():
            indexed = refresh(self._here(), connection, progress, workers=self._workers).indexed
        # A watch refreshes every second, mostly without a change.
        if self._meaning is not None and (indexed.read or indexed.removed or not self._is_embedded):
            self._embed_all(self._meaning, connection, progress)
            self._is_embedded = True
        return indexed

    @staticmethod
    def _embed_all(meaning: SymbolVectors, connection: apsw.Connection, progress: Progress) -> None:
        """Embed every symbol that has a text to embed; the index is complete without vectors."""
        from holdfast.adapters.code.index.meaning import described

        with reading(connection):
            symbols = described(connection)
        with suppress(HoldfastError):
            meaning.embed(symbols, progress=progress)
            meaning.prune(symbols)

    def _brought_up(self, connection: apsw.Connection) -> None:
        """Refresh the index for a question; if another process does so, use it as it is."""
        with (
            self._watch() as progress,
            self._database.turn(within_seconds=self._patience) as is_alone,
        ):
            if is_alone:
                refresh(self._here(), connection, progress, workers=self._workers)

    def _lines(self, path: str) -> list[str] | None:
        """Return the current lines of a file; None if it does not exist."""
        found = read_file(self._here().root, path)
        return None if found is None else lines_of(found.content)

    def _here(self) -> WorkingTree:
        if self._checkout is None:
            self._checkout = self._find()
        return self._checkout
