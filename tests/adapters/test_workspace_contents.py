"""Content by hash: pieces, packs, damage, garbage collection."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from holdfast.adapters.workspaces.chunking import LARGEST, SMALLEST, pieces
from holdfast.adapters.workspaces.contents import PackedContents
from holdfast.domain.workspace_errors import ContentDamagedError, FolderUnusableError
from tests.requirements import requirement

LARGE = Random(1).randbytes(5_000_000)  # noqa: S311 - the same bytes in every run


def added(contents: PackedContents, *each: bytes) -> list[str]:
    with contents.using(), contents.adding() as writer:
        names = [writer.add([one]) for one in each]
        writer.finish()
    return names


def read(contents: PackedContents, name: str) -> bytes:
    with contents.using():
        return b"".join(contents.read(name))


def test_pieces_do_not_depend_on_how_content_is_read() -> None:
    whole = list(pieces([LARGE]))
    in_parts = list(pieces(LARGE[at : at + 70_001] for at in range(0, len(LARGE), 70_001)))

    assert b"".join(whole) == LARGE
    assert whole == in_parts
    assert all(SMALLEST <= len(one) <= LARGEST for one in whole[:-1])
    assert list(pieces([])) == []
    assert [len(one) for one in pieces([bytes(3 * LARGEST)])] == [LARGEST] * 3


@requirement("workspace.small-change-stored-small")
@pytest.mark.parametrize("at", [0, 2_500_000, len(LARGE)])
def test_an_insertion_changes_few_pieces(at: int) -> None:
    before = set(pieces([LARGE]))
    after = list(pieces([LARGE[:at] + b"inserted" + LARGE[at:]]))

    assert sum(len(one) for one in after if one not in before) <= 2 * LARGEST


@pytest.mark.parametrize("content", [b"", b"x", b"text " * 50_000, LARGE[:LARGEST], LARGE])
def test_content_reads_back_by_its_hash(tmp_path: Path, content: bytes) -> None:
    contents = PackedContents(tmp_path / "packs")

    (name,) = added(contents, content)

    assert name == sha256(content).hexdigest()
    assert read(contents, name) == content
    assert read(PackedContents(tmp_path / "packs"), name) == content
    with contents.using():
        assert contents.check([name], lambda *_: None) == ()


def test_known_content_is_not_added_again(tmp_path: Path) -> None:
    contents = PackedContents(tmp_path / "packs")
    added(contents, LARGE, b"small")

    with contents.using(), contents.adding() as writer:
        assert writer.has(writer.add([LARGE]))
        writer.add([b"small"])
        assert writer.finish() == 0


def test_what_is_not_finished_is_dropped(tmp_path: Path) -> None:
    contents = PackedContents(tmp_path / "packs")

    with contents.using(), contents.adding() as writer:
        name = writer.add([b"dropped"])

    assert not contents.has(name)
    assert [one.name for one in (tmp_path / "packs").iterdir()] == ["lock"]


@requirement("workspace.damage-is-reported")
@pytest.mark.parametrize("content", [LARGE, b"text " * 50_000])
def test_every_changed_byte_of_content_is_noticed(tmp_path: Path, content: bytes) -> None:
    contents = PackedContents(tmp_path / "packs")
    (name,) = added(contents, content)
    (pack,) = (tmp_path / "packs").glob("*.pack")
    whole = pack.read_bytes()

    for at in [*range(8, len(whole), len(whole) // 40), len(whole) - 1]:
        pack.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with contents.using():
            assert contents.check([name], lambda *_: None) == (name,)
    for length in (0, 8, len(whole) // 2, len(whole) - 1):
        pack.write_bytes(whole[:length])
        with contents.using(), pytest.raises(ContentDamagedError, match="Nothing was written"):
            list(contents.read(name))


def test_a_pack_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    contents = PackedContents(tmp_path / "packs")
    (name,) = added(contents, b"x")
    (pack,) = (tmp_path / "packs").glob("*.pack")
    pack.rename(tmp_path / "elsewhere")
    pack.symlink_to(tmp_path / "elsewhere")

    with contents.using(), pytest.raises(ContentDamagedError):
        list(contents.read(name))


@requirement("workspace.cited-is-kept")
def test_a_collection_keeps_what_is_in_use_and_removes_the_rest(tmp_path: Path) -> None:
    contents = PackedContents(tmp_path / "packs")
    large, used = added(contents, LARGE, b"used")
    (waste,) = added(contents, b"waste")
    (tmp_path / "packs" / "killed.unfinished").write_bytes(b"half")

    rehearsed = contents.collect(lambda: [used], dry_run=True)
    assert read(contents, waste) == b"waste"
    done = contents.collect(lambda: [used])

    assert rehearsed == done
    assert done.freed > len(LARGE) * 0.9
    assert read(contents, used) == b"used"
    assert not contents.has(large)
    assert not contents.has(waste)
    assert not list((tmp_path / "packs").glob("*.unfinished"))
    assert contents.collect(lambda: [used]).pieces == 0


def test_a_pack_that_is_mostly_in_use_stays(tmp_path: Path) -> None:
    contents = PackedContents(tmp_path / "packs")
    large, _ = added(contents, LARGE, b"waste")

    assert contents.collect(lambda: [large]).pieces == 0
    assert read(contents, large) == LARGE


def test_content_in_two_packs_is_kept_once(tmp_path: Path) -> None:
    one, two = PackedContents(tmp_path / "packs"), PackedContents(tmp_path / "packs")
    with one.using(), two.using(), one.adding() as first, two.adding() as second:
        name = first.add([b"both", b"one"])
        second.add([b"bothone"])
        second.add([b"other"])
        first.finish()
        second.finish()

    one.collect(lambda: [name])

    assert read(one, name) == b"bothone"
    assert len(list((tmp_path / "packs").glob("*.pack"))) == 1


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "packs").write_text("a file", encoding="utf-8")

    with (
        pytest.raises(FolderUnusableError, match="packs cannot be used"),
        PackedContents(tmp_path / "packs").using(),
    ):
        pass
    assert os.listdir(tmp_path) == ["packs"]  # noqa: PTH208 - names only


@requirement("workspace.damage-is-healed")
@pytest.mark.parametrize("content", [LARGE, b"text " * 50_000, b"x"])
def test_damaged_content_is_written_again_once_it_was_noticed(
    tmp_path: Path, content: bytes
) -> None:
    contents = PackedContents(tmp_path / "packs")
    (name,) = added(contents, content)
    added(contents, b"other")
    for at in (8, 9):
        for pack in (tmp_path / "packs").glob("*.pack"):
            broken = bytearray(pack.read_bytes())
            broken[at] ^= 1
            pack.write_bytes(broken)
        with contents.using():
            assert contents.check([name], lambda *_: None) == (name,)

        with contents.using(), contents.adding() as writer:
            assert not writer.has(name)
            assert writer.add([content]) == name
            assert writer.has(name)
            assert writer.finish() > 0

        assert read(contents, name) == content
        assert read(PackedContents(tmp_path / "packs"), name) == content
        with contents.using(), contents.adding() as writer:
            assert writer.has(writer.add([content]))
            assert writer.finish() == 0
    contents.collect(lambda: [name])
    assert read(contents, name) == content
    contents.collect(list)
    assert not (tmp_path / "packs" / "damaged").read_text(encoding="ascii")


def test_the_list_of_damage_is_only_a_hint(tmp_path: Path) -> None:
    contents = PackedContents(tmp_path / "packs")
    (name,) = added(contents, b"fine")
    (pack,) = (tmp_path / "packs").glob("*.pack")
    marks = tmp_path / "packs" / "damaged"
    marks.write_text(f"{pack.name} {name}\ncut o", encoding="ascii")

    assert read(contents, name) == b"fine"
    assert added(contents, b"fine") == [name]
    assert read(contents, name) == b"fine"

    marks.unlink(missing_ok=True)
    marks.mkdir()
    pack.write_bytes(pack.read_bytes().replace(b"fine", b"FINE"))
    with pytest.raises(ContentDamagedError):
        read(contents, name)


def test_a_pack_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    contents = PackedContents(tmp_path / "packs")
    added(contents, b"fine")
    (tmp_path / "packs" / "odd.pack").mkdir()

    with pytest.raises(FolderUnusableError), contents.using():
        contents.has("00" * 32)
