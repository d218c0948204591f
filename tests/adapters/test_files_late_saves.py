"""Saves that land while a page is written: joined, brought back, or set aside and named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.adapters.files import disk, late_saves, replacing
from holdfast.adapters.files.clone_state import Bases
from holdfast.adapters.files.late_saves import Rescue
from holdfast.adapters.files.line_merging import lines_lost, merge_lines
from holdfast.adapters.files.pages import MEMORY
from holdfast.domain.ids import MemoryId
from holdfast.ports.pages.files import Base
from tests.adapters.test_files_writing import ENTRY, OTHER, PAGE, Clone, save, saving_between
from tests.requirements import requirement

BY_HAND = "\n---\ntype: decision\n---\n{}\n"


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path / "clone")


def displaced(clone: Clone, monkeypatch: pytest.MonkeyPatch, late: str) -> None:
    """Write an entry while somebody saves the page with a text of their own."""
    saving_between(monkeypatch, lambda: save(clone.page, late))
    clone.put(OTHER)


@requirement("files.no-save-is-lost")
def test_a_save_after_ours_and_the_one_it_displaced_are_both_kept(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.put(ENTRY)
    before = clone.page.read_text()
    real = disk.exchange

    def exchange(one: str, folder: int, other: str) -> bool:
        monkeypatch.setattr(replacing, "exchange", real)
        clone.page.write_text(before + "First line by hand.\n")
        is_done = real(one, folder, other)
        now = clone.page.read_text()
        clone.page.write_text(now.replace("Use one queue.\n", "Use one queue.\nSecond line.\n"))
        return is_done

    monkeypatch.setattr(replacing, "exchange", exchange)

    clone.put(OTHER)

    text = clone.page.read_text()
    assert "First line by hand." in text
    assert "Second line." in text
    assert "Use two." in text


@requirement("files.no-save-is-lost")
def test_a_save_that_an_older_copy_takes_out_again_comes_back(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.put(ENTRY)
    before = clone.page.read_text()
    displaced(clone, monkeypatch, before + BY_HAND.format("Mine, first."))

    clone.page.write_text(before + BY_HAND.format("Mine, second."))

    assert {"Mine, first.", "Mine, second."} <= set(clone.bodies())


@requirement("files.displaced-saves-are-named")
def test_a_save_that_is_missing_later_is_set_aside_and_named(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.put(ENTRY)
    before = clone.page.read_text()
    displaced(clone, monkeypatch, before + BY_HAND.format("Mine, first."))
    monkeypatch.setattr(late_saves, "_STALE_SECONDS", 0.0)
    clone.page.write_text(before)

    (aside,) = clone.notebook.read().aside

    assert aside.page == "decisions.md"
    assert "Mine, first." in Path(aside.copy).read_text()
    assert clone.notebook.read().aside == (aside,)
    assert list((clone.state / "rescued").iterdir()) == []


@requirement("files.displaced-saves-are-named")
def test_of_two_saves_that_rewrite_one_line_the_older_one_is_set_aside(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.put(ENTRY)
    before = clone.page.read_text()
    displaced(clone, monkeypatch, before.replace("one queue", "no queue"))

    clone.page.write_text(before.replace("one queue", "three queues"))

    assert "Use three queues." in clone.bodies()
    (aside,) = clone.notebook.read().aside
    assert "Use no queue." in Path(aside.copy).read_text()


@requirement("files.displaced-saves-are-named")
def test_a_joined_save_is_let_go_once_the_store_has_it(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.put(ENTRY)
    displaced(clone, monkeypatch, clone.page.read_text() + BY_HAND.format("Mine."))

    clone.notebook.bases()
    clone.notebook.read()
    clone.notebook.set_bases({})

    assert list((clone.state / "rescued").iterdir()) == []


def test_a_joined_save_whose_page_is_gone_is_set_aside(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.put(ENTRY)
    displaced(clone, monkeypatch, clone.page.read_text() + BY_HAND.format("Mine."))
    clone.page.unlink()

    (aside,) = clone.notebook.read().aside

    assert "Mine." in Path(aside.copy).read_text()


def test_a_note_about_a_joined_save_that_cannot_be_read_is_dropped(tmp_path: Path) -> None:
    (tmp_path / "rescued").mkdir()
    (tmp_path / "rescued" / "a.json").write_text("half of")

    assert list(Rescue(tmp_path).rescued()) == []
    assert list((tmp_path / "rescued").iterdir()) == []


@requirement("files.a-kill-leaves-whole-pages")
def test_a_page_that_a_killed_process_moved_aside_gets_its_name_again(clone: Clone) -> None:
    clone.put(ENTRY)
    text = clone.page.read_text()
    name = f".holdfast-aside-{'0' * 16}-decisions.md"
    clone.page.rename(clone.page.with_name(name))

    clone.put(OTHER)

    assert clone.bodies() == ["Use one queue.", "Use two."]
    clone.page.with_name(name).write_text(text.replace("one queue", "no queue"))
    clone.change(OTHER, "Use three.")
    (aside,) = clone.notebook.read().aside
    assert "no queue" in Path(aside.copy).read_text()
    assert [path.name for path in (clone.root / MEMORY).iterdir()] == ["decisions.md"]


@requirement("files.no-save-is-lost")
def test_a_save_while_the_page_is_moved_aside_is_not_written_over(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.put(ENTRY)
    monkeypatch.setattr(replacing, "exchange", lambda *_: False)
    real = os.rename
    saved = clone.page.read_text() + BY_HAND.format("By hand.")

    def rename(one: str, other: str, **folders: int) -> None:
        monkeypatch.setattr(os, "rename", real)
        real(one, other, **folders)
        clone.page.write_text(saved)

    monkeypatch.setattr(os, "rename", rename)

    assert clone.put(OTHER) == [PAGE]

    assert sorted(clone.bodies()) == ["By hand.", "Use one queue.", "Use two."]


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n"]), max_size=6)


@given(base=LINES, first=LINES, at=st.integers(0, 6), other=st.integers(0, 6))
def test_lines_that_two_sides_insert_are_all_in_the_joined_text(
    base: list[str], first: list[str], at: int, other: int
) -> None:
    ours = [*base[:at], "ours\n", *first, *base[at:]]
    theirs = [*base[:other], "theirs\n", *base[other:]]

    joined = merge_lines("".join(base), "".join(ours), "".join(theirs))

    assert "ours\n" in joined
    assert "theirs\n" in joined


@given(base=LINES, ours=LINES, theirs=LINES)
def test_what_one_side_left_alone_is_as_the_other_has_it(
    base: list[str], ours: list[str], theirs: list[str]
) -> None:
    old, mine, yours = ("".join(lines) for lines in (base, ours, theirs))

    assert merge_lines(old, mine, old) == mine
    assert merge_lines(old, old, yours) == yours
    assert merge_lines(old, mine, mine) == mine
    assert not lines_lost(old.encode(), yours.encode(), merge_lines(old, mine, yours).encode())


def test_lines_that_both_replaced_are_as_theirs_has_them() -> None:
    assert merge_lines("a\nb\nc\n", "a\nx\ny\nc", "a\nz\nc\nd\n") == "a\nz\nc\nd\n"
    assert merge_lines("a\nb\nc\nd\n", "x\ny\nd\n", "a\nq\nr\nd\n") == "a\nq\nr\nd\n"


def test_what_our_writes_replaced_reads_back_and_anything_else_is_none(tmp_path: Path) -> None:
    bases = Bases(tmp_path / "bases.json")
    base = Base(digest="d", tip=MemoryId("m_1"), replaced=("a", "b"), written=5)

    bases.keep("main", {MemoryId("m_1"): base})

    assert bases.of("main") == {MemoryId("m_1"): base}
    path = tmp_path / "bases.json"
    path.write_text(path.read_text().replace('[5, "a", "b"]', '"odd"'))
    assert bases.of("main")[MemoryId("m_1")].replaced == ()
