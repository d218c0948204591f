"""Every page of a derived database is checked, and only what was damaged is reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from holdfast.adapters.code.index.checked_pages import PAGE_BYTES
from holdfast.adapters.code.index.database import connect, problem_of
from tests.requirements import requirement

if TYPE_CHECKING:
    from pathlib import Path

LENGTHS = [length for length in range(PAGE_BYTES - 36, PAGE_BYTES - 26) for _ in range(20)]
"""SQLite puts most of such a value on a page of its own, and reads that page only in part."""


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    path = tmp_path / "derived.db"
    connection = connect(str(path))
    connection.execute("CREATE TABLE word (text TEXT)").fetchall()
    connection.executemany("INSERT INTO word VALUES (?)", [("x" * length,) for length in LENGTHS])
    connection.close()
    return path


def lengths_in(path: Path) -> list[int]:
    connection = connect(str(path))
    try:
        return [len(text) for (text,) in connection.execute("SELECT text FROM word")]
    finally:
        connection.close(force=True)


@requirement("store.derived-damage-noticed")
def test_long_values_that_end_anywhere_on_a_page_are_no_damage(filled: Path) -> None:
    assert problem_of(filled) is None
    assert lengths_in(filled) == LENGTHS


@requirement("store.derived-damage-noticed")
def test_damage_is_noticed_where_a_long_value_ends(filled: Path) -> None:
    content = filled.read_bytes()
    pages = range(0, len(content), PAGE_BYTES)
    last = max(at for at in pages if content[at + 4 : at + 8] == b"xxxx")
    filled.write_bytes(content[: last + 5] + b"y" + content[last + 6 :])

    with pytest.raises(apsw.CorruptError, match=f"the page at byte {last} is not the one"):
        lengths_in(filled)
