"""One unit of work on a server: its connection, its time, and the events it adds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import psycopg

from holdfast.adapters.postgres.asking import SQL
from holdfast.adapters.postgres.database.failures import is_not_text, not_text
from holdfast.adapters.sqlite.database.terms import tokenizer
from holdfast.adapters.sqlite.database.work import Work

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.rows import Row, Value

    Values = tuple[Value, ...] | Mapping[str, Value] | None
    Step = Callable[["PostgresWork", Values], list[Row]]

_AT_ONCE = 1_000


class PostgresWork(Work):
    """The state that all ports of one transaction share.

    The connection of the base class is an empty database in memory: it splits texts into the same
    words as the keyword index of the embedded store. ``steps`` are the queries of the embedded
    store that need several statements here, by name.
    """

    def __init__(
        self,
        server: psycopg.Connection,
        *,
        path: str,
        at: int | None = None,
        steps: Mapping[str, Step],
    ) -> None:
        super().__init__(tokenizer(), path=path, at=at)
        self.server = server
        self._steps = steps

    def rows(self, name: str, values: Values = None) -> list[Row]:
        """Run a query by name and return its rows."""
        step = self._steps.get(name)
        return self.asked(name, values) if step is None else step(self, values)

    def run(self, name: str, *values: Value) -> None:
        """Run a statement by name, and do not wait for it: its failure shows at the next query."""
        step = self._steps.get(name)
        if step is None:
            self._sent(name, values)
        else:
            step(self, values)

    def run_many(self, name: str, rows: Sequence[tuple[Value, ...]]) -> None:
        """Run a statement by name once for each of the rows, without waiting in between."""
        for row in rows:
            self.run(name, *row)

    def asked(self, name: str, values: Values = None) -> list[Row]:
        """Run one statement by name and return its rows."""
        cursor = self._sent(name, values)
        try:
            return cursor.fetchall()
        except psycopg.ProgrammingError as error:
            # The driver itself says that a statement has no rows; only the server has a code.
            if error.sqlstate is not None:
                raise
            return []
        except psycopg.DataError as error:
            if not is_not_text(error):
                raise
            raise not_text(error) from error

    def _sent(self, name: str, values: Values) -> psycopg.Cursor[Row]:
        try:
            if isinstance(values, Mapping):
                return self.server.execute(SQL[name], values)
            return psycopg.RawCursor(self.server).execute(SQL[name], values or ())
        except UnicodeError as error:
            raise not_text(error) from error
        except psycopg.DataError as error:
            if not is_not_text(error):
                raise
            raise not_text(error) from error

    def scan(self, name: str) -> Iterator[Row]:
        """Return the rows of a query one by one; the server holds the rest."""
        with psycopg.RawServerCursor(self.server, name) as cursor:
            cursor.itersize = _AT_ONCE
            yield from cursor.execute(SQL[name])

    def check_words(self) -> None:
        """Do nothing: the server keeps the keyword index in step with the memories."""
