"""Small JSON files: deep nesting, checksums, and copies."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.adapters.disk.json_files import (
    is_lost,
    parsed,
    read_json,
    read_kept,
    read_sealed,
    write_kept,
    write_sealed,
)
from tests.requirements import requirement

DEEP = "[" * 100_000


@requirement("store.derived-damage-noticed")
def test_a_text_that_is_nested_too_deeply_is_no_json(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text(DEEP)
    with pytest.raises(ValueError, match="deeply"):
        parsed(DEEP)
    with pytest.raises(ValueError, match="deeply"):
        read_json(path)


@requirement("store.derived-damage-noticed")
def test_every_flipped_bit_of_a_sealed_file_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "sealed.json"
    write_sealed(path, b'{"lines": [14, 18]}')
    assert read_sealed(path) == {"lines": [14, 18]}
    whole = path.read_bytes()
    for place in range(len(whole)):
        for bit in range(8):
            damaged = bytearray(whole)
            damaged[place] ^= 1 << bit
            path.write_bytes(damaged)
            with pytest.raises(ValueError, match="checksum"):
                read_sealed(path)


@requirement("store.derived-damage-noticed")
def test_a_kept_file_is_read_from_its_copy(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    with pytest.raises(FileNotFoundError):
        read_kept(path)
    assert not is_lost(path)
    write_kept(path, b'["/a"]')
    for damage in (lambda: path.write_text("garbage"), path.unlink):
        damage()
        assert read_kept(path) == ["/a"]
        assert not is_lost(path)
    path.write_text("garbage")
    path.with_name("kept.json.copy").write_text(DEEP)
    assert is_lost(path)
    path.with_name("kept.json.copy").unlink()
    assert is_lost(path)


def test_a_file_of_an_earlier_release_has_no_checksum(tmp_path: Path) -> None:
    path = tmp_path / "older.json"
    path.write_text('["/a"]')
    assert read_kept(path) == ["/a"]
