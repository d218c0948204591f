"""The word index is compared with the texts from time to time."""

from __future__ import annotations

from pathlib import Path

import apsw

from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.adapters.sqlite.units.word_check import EVERY
from holdfast.domain.memory.selection import Selection
from tests.contract.steps import keep, numbered
from tests.requirements import requirement


@requirement("store.words-rechecked")
def test_a_flipped_bit_of_the_word_index_is_found_by_later_writes(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(0, claim="The quokka gateway listens."))
    damage_word(path, b"quokka", b"quokkc")
    assert not is_found(store, "quokka")
    assert is_found(store, "quokkc")

    keep(store, numbered(1, claim="A second note."))
    assert not is_found(store, "quokka")
    keep(store, *[numbered(n, claim=f"Note number {n}.") for n in range(2, EVERY + 1)])

    assert is_found(store, "quokka")
    assert not is_found(store, "quokkc")
    store.close()


@requirement("store.words-merged")
def test_single_writes_leave_the_word_index_in_few_parts(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    parts: list[int] = []
    for number in range(_WRITES):
        keep(store, numbered(number, claim=f"Note number {number}."))
        parts.append(parts_of_the_index(path))

    assert max(parts) <= _FEW_PARTS
    assert all(is_found(store, str(number)) for number in range(_WRITES))
    store.close()


_WRITES, _FEW_PARTS = 40, 6  # SQLite alone leaves up to 15 parts


def parts_of_the_index(path: Path) -> int:
    connection = apsw.Connection(str(path))
    ((parts,),) = connection.execute("SELECT count(DISTINCT segid) FROM memory_fts_idx")
    connection.close()
    return int(str(parts))


def damage_word(path: Path, word: bytes, other: bytes) -> None:
    """Change one bit of a word inside the index, which SQLite does not notice."""
    connection = apsw.Connection(str(path))
    found = connection.execute("SELECT id, block FROM memory_fts_data").fetchall()
    blocks = {name: block for name, block in found if isinstance(block, bytes) and word in block}
    ((place, block),) = blocks.items()
    changed = (block.replace(word, other), place)
    connection.execute("UPDATE memory_fts_data SET block = ? WHERE id = ?", changed)
    connection.close()


def is_found(store: SqliteStore, word: str) -> bool:
    with store.reading() as tx:
        return bool(tx.finding.words.search([word], Selection(), limit=3))
