"""Reads the store for hooks without the engine, because tools call hooks at every step."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.sql.queries import load_file
from holdfast.adapters.sqlite.badge import opened_to_read
from holdfast.ports.sessions.tool_sessions import StoreChange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from holdfast.adapters.sqlite.database.cipher import KeyOf
    from holdfast.domain.sessions.alerting import Caution
    from holdfast.domain.sessions.tool_action import ToolAction

_SQL = f"{__file__.rpartition('/')[0]}/sql/watching.sql"
_WAIT_MILLISECONDS = 200


class SqliteWatch:
    """Reads a store without opening the engine; an unreadable store counts as missing."""

    def __init__(self, path: str, *, key_of: KeyOf | None = None) -> None:
        self._path = path
        self._key_of = key_of
        self._queries = load_file(_SQL)

    def pulse(self, since: int) -> StoreChange | None:
        """Return the newest event and whether memories changed; None if no store can be read."""
        rows = self._rows("pulse", (since,))
        return StoreChange(int(str(rows[0][0])), bool(rows[0][1])) if rows else None

    def cautions(self, doing: ToolAction, *, repo: str | None, workspace: str) -> Sequence[Caution]:
        """Return accepted memories of a place that may concern the action about to run."""
        rows = self._rows(
            "cautions",
            {
                "now": int(time.time() * 1000),
                "workspace": workspace,
                "repo": repo,
                "words": _any_of(dict.fromkeys(words_of(doing))),
                "paths": json.dumps(doing.paths, ensure_ascii=False),
            },
        )
        found = [caution_of(*map(str, row)) for row in rows]
        return [one for one in found if one.may_speak_of(doing)]

    def _rows(
        self, name: str, values: tuple[int, ...] | dict[str, str | int | None]
    ) -> list[tuple[object, ...]]:
        if not os.access(self._path, os.R_OK):
            return []
        try:
            connection = opened_to_read(self._path, self._key_of)
            try:
                connection.set_busy_timeout(_WAIT_MILLISECONDS)
                return connection.execute(self._queries[name], values).fetchall()
            finally:
                connection.close()
        except (apsw.Error, UnicodeError):
            return []


def words_of(doing: ToolAction) -> Iterator[str]:
    """Return the words of which a claim must contain one to name these files or commands."""
    for path in doing.paths:
        for part in path.split("/"):
            stem, _, ending = part.rpartition(".")
            # A glob contains only the extension or only the stem.
            yield from (part, stem, ending)
    if doing.commands:
        from holdfast.domain.sessions.command_options import program_names

        for words in doing.commands:
            yield from program_names(words[0])


def _any_of(words: Iterable[str]) -> str:
    """Return an index query for any of the words, quoted against query syntax."""
    quoted = " OR ".join('"' + word.replace('"', '""') + '"' for word in words if word)
    return f"value : ({quoted})"


def caution_of(memory: str, kind: str, claim: str, origin: str, *stored: str) -> Caution:
    """Return the caution of a row: the memory, its evidence, and when it wants to warn."""
    from holdfast.domain.sessions.alerting import Caution, is_enforced, when_of

    metadata, first, added = stored
    facts = json.loads(metadata)
    evidence = [
        *json.loads(first),
        *(one for part in json.loads(added) for one in json.loads(part)),
    ]
    return Caution(
        memory=memory,
        kind=kind,
        claim=claim,
        anchors=tuple(
            str(item["ref"]).rpartition(":")[0] for item in evidence if item.get("type") == "span"
        ),
        when_path=when_of(facts, "path"),
        when_command=when_of(facts, "command"),
        is_enforced=is_enforced(facts, origin=origin),
        checks=tuple(map(str, facts.get("holdfast.checks", ()))),
    )
