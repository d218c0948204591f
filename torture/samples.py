"""Stores to start with: a small one, and the same in the first schema version."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import apsw

import holdfast
from holdfast.adapters.machine.folders import STORE_FILE
from holdfast.adapters.sql.queries import load_scripts
from holdfast.adapters.sqlite.queries import MIGRATIONS
from holdfast.domain.sessions.session import Interaction
from torture.crew import in_child
from torture.journal import Journal, history
from torture.writer import Writer

OPERATIONS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A closed store, and the journal of its writes."""

    home: Path
    journal: Path

    @property
    def acks(self) -> int:
        """The number of acknowledged writes; copies do not count them again."""
        return len(history(self.journal).acknowledged)

    def copy_to(self, home: Path, journal: Path | None = None) -> None:
        """Replace a folder's content by a copy."""
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(self.home, home)
        if journal is not None:
            shutil.copy(self.journal, journal)


class EarlyWriter(Writer):
    """Writes only what the first schema can hold: no decisions, and no short forms of turns."""

    def supersede(self) -> None:
        """Do nothing: a claim in place of another one is a decision, which undo takes back."""

    def keep_turn(self, turn: Interaction) -> None:
        """Record a turn of a session."""
        app = self.memory.app
        with app.store.writing(app.clock.now()) as tx:
            tx.sessions.add_turn(turn)


def small_sample(
    folder: Path, *, seed: int, operations: int = OPERATIONS, by: type[Writer] = Writer
) -> Sample:
    """Create a store with some operations."""
    sample = Sample(home=folder / "sample", journal=folder / "sample.journal")

    def fill() -> None:
        memory = holdfast.open(home=sample.home, folder=folder)
        writer = by(memory, Journal(sample.journal), name="s", seed=seed)
        writer.run(operations)
        writer.memory.close()

    in_child(fill)
    return sample


def old_sample(folder: Path, *, seed: int) -> Sample:
    """Create a store of the first schema with the same content as a current store."""
    today = small_sample(folder, seed=seed, by=EarlyWriter)
    old = Sample(home=folder / "old", journal=today.journal)
    old.home.mkdir()
    in_child(lambda: _copy_rows(today.home / STORE_FILE, old.home / STORE_FILE))
    return old


def _copy_rows(today: Path, old: Path) -> None:
    connection = apsw.Connection(str(old))
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(load_scripts(MIGRATIONS)[0])
    connection.execute("ATTACH ? AS today", (str(today),))
    with connection:
        for (table,) in connection.execute(
            "SELECT name FROM main.sqlite_schema WHERE type = 'table'"
            " AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'memory_fts%'"
        ).fetchall():
            connection.execute(f'INSERT INTO main."{table}" SELECT * FROM today."{table}"')  # noqa: S608 - names from our own schema
        connection.execute("INSERT INTO main.memory_fts (memory_fts) VALUES ('rebuild')")
        connection.execute(
            "UPDATE main.sqlite_sequence SET seq = (SELECT seq FROM"
            " today.sqlite_sequence t WHERE t.name = sqlite_sequence.name)"
        )
    connection.close()
