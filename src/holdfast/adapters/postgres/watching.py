"""Reads the store for hooks, which tools call at every step; a missing server counts as none."""

from __future__ import annotations

import json
import time
from contextlib import closing
from typing import TYPE_CHECKING

import psycopg

from holdfast.adapters.postgres.database.address import read_address
from holdfast.adapters.postgres.recall.keywords import stored_words
from holdfast.adapters.postgres.units.engine import PostgresEngine
from holdfast.adapters.postgres.units.options import PostgresOptions
from holdfast.adapters.sqlite.watching import caution_of, words_of
from holdfast.domain.errors import HoldfastError
from holdfast.ports.sessions.tool_sessions import StoreChange

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.adapters.sqlite.database.rows import Row, Value
    from holdfast.domain.sessions.alerting import Caution
    from holdfast.domain.sessions.tool_action import ToolAction


class PostgresWatch:
    """Opens a connection for one look and closes it again."""

    def __init__(self, address: str, options: PostgresOptions) -> None:
        self._address = address
        self._options = options

    def pulse(self, since: int) -> StoreChange | None:
        """Return the newest event and whether memories changed; None if no store can be read."""
        rows = self._rows("pulse", {"since": since})
        return StoreChange(int(rows[0][0]), bool(rows[0][1])) if rows else None

    def cautions(self, doing: ToolAction, *, repo: str | None, workspace: str) -> Sequence[Caution]:
        """Return accepted memories of a place that may concern the action about to run."""
        values: dict[str, Value] = {
            "now": int(time.time() * 1000),
            "workspace": workspace,
            "repo": repo,
            "paths": json.dumps(doing.paths, ensure_ascii=False),
        }
        found = [
            caution_of(*map(str, row))
            for row in self._rows("cautions", values, words=list(dict.fromkeys(words_of(doing))))
        ]
        return [one for one in found if one.may_speak_of(doing)]

    def _rows(
        self, name: str, values: Mapping[str, Value], *, words: Sequence[str] = ()
    ) -> list[Row]:
        try:
            engine = PostgresEngine(read_address(self._address), self._options)
            with closing(engine), engine.reading() as work:
                phrases = [list(one) for one in stored_words(words, work) if one]
                return work.rows(name, {**values, "words": json.dumps(phrases)})
        except (HoldfastError, psycopg.Error):
            return []
