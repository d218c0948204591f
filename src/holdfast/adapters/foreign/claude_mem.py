"""claude-mem: observations extracted from sessions, in a database opened read-only."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.foreign.reading import listed, said
from holdfast.adapters.sql.queries import load_file
from holdfast.domain.choices import Kind, Origin
from holdfast.domain.exchange.foreign import (
    Foreign,
    FoundNotes,
    LeftNote,
    cut_note,
    kind_of,
    tags_of,
    together,
    told_about,
)
from holdfast.domain.moments import moment_of
from holdfast.domain.refusals import UnreadableSourceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.foreign.reading import ImportSource

_KNOWN = frozenset({"title", "narrative", "text", "facts", "subtitle"})
_MOST_ROWS = 20_000
# Completed work is already in the history of the code.
_DONE = frozenset({"change", "feature", "refactor", "docs", "test", "session-request"})


class ClaudeMem:
    """Reads ``~/.claude-mem/claude-mem.db``."""

    def __init__(
        self, import_source: ImportSource, paths: Sequence[Path], *, is_everywhere: bool = False
    ) -> None:
        self._whence = import_source
        self._paths = paths
        self._is_everywhere = is_everywhere

    def read(self) -> FoundNotes:
        """Return the observations of this project, or of all projects."""
        files = self._paths or [self._whence.person / ".claude-mem" / "claude-mem.db"]
        if not any(path.is_file() for path in files):
            raise self._whence.nothing_in(files)
        return together(self._database(path) for path in files)

    def _database(self, path: Path) -> FoundNotes:
        queries = load_file(str(Path(__file__).parent / "sql" / "claude_mem.sql"))
        found = list[FoundNotes]()
        try:
            address = f"{path.absolute().as_uri()}?mode=ro"
            with closing(sqlite3.connect(address, uri=True)) as database:
                database.row_factory = sqlite3.Row
                tables = {row["name"] for row in database.execute(queries["tables"])}
                if "observations" not in tables:
                    raise UnreadableSourceError(
                        self._whence.shown(path), "it has no table of observations."
                    )
                for row in database.execute(queries["observations"]).fetchmany(_MOST_ROWS):
                    found.append(self._observation(path, dict(row)))
                if "session_summaries" in tables:
                    for row in database.execute(queries["summaries"]).fetchmany(_MOST_ROWS):
                        found.append(self._summary(path, dict(row)))
        except sqlite3.Error as error:
            raise UnreadableSourceError(
                self._whence.shown(path), f"it is no database of claude-mem ({error})."
            ) from error
        return together(found)

    def _observation(self, path: Path, row: dict[str, object]) -> FoundNotes:
        if not _KNOWN & set(row):
            raise UnreadableSourceError(
                self._whence.shown(path),
                "its observations have none of the columns we know"
                f" ({', '.join(sorted(_KNOWN))}); it is of another version.",
            )
        title, sort = said(row, "title", "subtitle"), said(row, "type")
        body = said(row, "narrative", "text") or "; ".join(listed(row.get("facts")))
        place = f"{self._whence.shown(path)}#observations/{row.get('id')}"
        claim = told_about(title, body) if body else title
        if why := self._why_not(row, claim, sort):
            return FoundNotes(left=(LeftNote(text=claim or sort, place=place, why=why),))
        concepts = listed(row.get("concepts"))
        kind = Kind.GOTCHA if "gotcha" in concepts else kind_of(sort)
        return self._note(path, row, claim=claim, kind=kind, place=place, tags=[sort, *concepts])

    def _summary(self, path: Path, row: dict[str, object]) -> FoundNotes:
        learned = said(row, "learned")
        place = f"{self._whence.shown(path)}#session_summaries/{row.get('id')}"
        if not learned or self._why_not(row, learned, ""):
            return FoundNotes()
        return self._note(
            path, row, claim=learned, kind=Kind.INSIGHT, place=place, tags=["learned"]
        )

    def _why_not(self, row: dict[str, object], claim: str, sort: str) -> str:
        project = said(row, "project")
        if project and not self._is_everywhere and project != self._whence.root.name:
            return f"about another project ({project}); --all takes it"
        if not claim:
            return "nothing is written in it"
        return "says what was done, not what is so" if sort in _DONE else ""

    def _note(
        self,
        path: Path,
        row: dict[str, object],
        *,
        claim: str,
        kind: Kind,
        place: str,
        tags: list[str],
    ) -> FoundNotes:
        note = Foreign(
            claim=cut_note(claim),
            kind=kind,
            source=self._whence.source(path),
            place=place,
            origin=Origin.AGENT,
            tags=tags_of("claude-mem", *tags),
            created_at=moment_of(row.get("created_at_epoch") or row.get("created_at")),
        )
        return FoundNotes(notes=(note,))
