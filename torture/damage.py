"""Damaged pages: no wrong row is ever returned as a correct one, and the rest is rescued."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import apsw

import holdfast
from holdfast.adapters.machine.folders import STORE_FILE
from holdfast.domain.errors import HoldfastError
from holdfast.domain.review.curation import HealthFinding
from torture.crew import in_child
from torture.judge import is_bad, read
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.samples import Sample, small_sample
from torture.task import Task

OPERATIONS = 150
PAGE = 4096
HEADER = 100
_DERIVED = frozenset({"memory_parts", "memory_cites", "memory_band", "common_term"})
Rows = dict[str, list[tuple[object, ...]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What a reader sees of a store: its rows, its facts, and its reported health."""

    rows: Rows | None
    facts: frozenset[str] | None
    reported: bool
    said: str


def run(task: Task) -> Report:
    """Flip bits one at a time, zero pages, corrupt the header; then repair."""
    flips = task.number(short=30, full=400)
    folder = task.folder("damage")
    sample = small_sample(folder, seed=task.seed, operations=OPERATIONS)
    sound = (sample.home / STORE_FILE).read_bytes()
    chance = random.Random(task.seed)
    original = in_child(lambda: look(sample.home))
    if original.reported or original.rows is None:
        return Report(tool="damage", done="", tally=faulty(f"before any damage: {original.said}"))
    cases = [_flipped(sound, chance) for _ in range(flips)]
    cases += [_zeroed(len(sound), chance) for _ in range(8 if task.full else 2)]
    cases += [_spoiled_header(chance) for _ in range(8 if task.full else 2)]
    tally, changed = Tally(), 0
    for what, spoil in cases:
        sight = in_child(partial(_after, folder / "hurt", sample, spoil))
        differs = sight.rows != original.rows or sight.facts != original.facts
        changed += differs
        tally += Tally(faults=1)
        if differs and not sight.reported:
            tally += faulty(f"{what}: what is read has changed and nobody says so")
    tally += _repaired(folder, sample, sound)
    done = f"{flips} bit flips, zeroed pages, headers: {changed} changed what is read"
    return Report(tool="damage", done=done, tally=tally)


def look(home: Path) -> Sight:
    """Read all rows directly from the file, all facts through the store, and its health."""
    reported, said, facts = False, "", None
    try:
        with holdfast.open(home=home, folder=home.parent) as memory:
            findings = _asked_for_health(lambda: memory.app.upkeep.check(lambda _done, _all: None))
            reported = any(is_bad(finding) for finding in findings)
            said = "; ".join(finding.message for finding in findings if is_bad(finding))
            contents = read(memory.app.store, random.Random(1))
            facts = frozenset(contents.facts) | frozenset(contents.wrong + contents.torn)
    except HoldfastError as error:
        # A store that refuses to open returns nothing wrong; a corrupted version number looks
        # newer.
        reported, said = True, f"{type(error).__name__}: {error}"
    return Sight(rows=rows_of(home / STORE_FILE), facts=facts, reported=reported, said=said)


def rows_of(database: Path) -> Rows | None:
    """Return every canonical row in the file; None if it cannot be read."""
    try:
        connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
    except apsw.Error:
        return None
    try:
        return _rows(connection)
    except (apsw.Error, UnicodeDecodeError):
        return None
    finally:
        connection.close(force=True)


def _rows(connection: apsw.Connection) -> Rows:
    tables = [
        str(name)
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
            " AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'memory_fts%'"
        )
    ]
    return {
        table: list(connection.execute(f'SELECT * FROM "{table}" NOT INDEXED'))  # noqa: S608 - our own tables
        for table in tables
        if table not in _DERIVED
    }


def _asked_for_health(check: Callable[[], object]) -> list[HealthFinding]:
    if planted(Plant.BLIND_CHECK):
        return []
    found = check()
    assert isinstance(found, list | tuple)
    return list(found)


Spoil = Callable[[bytearray], None]


def _flipped(sound: bytes, chance: random.Random) -> tuple[str, Spoil]:
    place, bit = chance.randrange(len(sound)), chance.randrange(8)

    def spoil(content: bytearray) -> None:
        content[place] ^= 1 << bit

    return f"bit {bit} of byte {place}", spoil


def _zeroed(length: int, chance: random.Random) -> tuple[str, Spoil]:
    page = chance.randrange(1, length // PAGE)

    def spoil(content: bytearray) -> None:
        content[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)

    return f"page {page + 1} zeroed", spoil


def _spoiled_header(chance: random.Random) -> tuple[str, Spoil]:
    place = chance.randrange(HEADER - 8)
    garbage = chance.randbytes(8)

    def spoil(content: bytearray) -> None:
        content[place : place + 8] = garbage

    return f"header spoiled at {place}", spoil


def _after(home: Path, sample: Sample, spoil: Spoil) -> Sight:
    _hurt(home, sample, spoil)
    return look(home)


def _hurt(home: Path, sample: Sample, spoil: Spoil) -> None:
    sample.copy_to(home)
    content = bytearray((home / STORE_FILE).read_bytes())
    spoil(content)
    (home / STORE_FILE).write_bytes(content)


def _repaired(folder: Path, sample: Sample, sound: bytes) -> Tally:
    """Corrupt rows, repair, and check: the damaged file is kept and the rest is back."""
    home = folder / "repair"
    place = sound.find(b"anchor", len(sound) // 2)

    def spoil(content: bytearray) -> None:
        content[place : place + 6] = b"ANCHOR"

    def mend() -> Tally:
        _hurt(home, sample, spoil)
        before = look(home)
        with holdfast.open(home=home, folder=folder) as memory:
            repair = memory.app.upkeep.repair(lambda _done, _all: None)
        after = look(home)
        tally = Tally(faults=1)
        if not before.reported:
            tally += faulty("a changed word was not reported")
        if repair.kept_damaged_file is None or not Path(repair.kept_damaged_file).exists():
            tally += faulty("the damaged file was not kept")
        if after.reported or not after.facts:
            tally += faulty(f"after the repair: {after.said}")
        return tally + _rescued(sample, after)

    return in_child(mend)


def _rescued(sample: Sample, after: Sight) -> Tally:
    """Count what the repair lost: one changed row may cost that row and its dependent rows."""
    before = in_child(lambda: look(sample.home))
    lost = (before.facts or frozenset()) - (after.facts or frozenset())
    if len(lost) > 6:
        return faulty(f"the repair lost {len(lost)} facts for one changed row")
    return Tally()
