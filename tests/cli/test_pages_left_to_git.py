"""Memory pages beside git: a stash, a commit from before the pages, and a committed removal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.clones import MEMORY, Clone
from tests.cli.program import Program
from tests.requirements import requirement

CANDIDATES = MEMORY / "candidates.md"


@pytest.fixture
def ada(tmp_path: Path) -> Clone:
    folder = tmp_path / "app"
    folder.mkdir()
    made = Clone(Program(home=tmp_path / "home", folder=folder, extra={"USER": "ada"}))
    made.git("init", "-q", "-b", "main")
    made.commit("First")
    made.program("init", "--files", "--no-model").well()
    made.commit("Keep pages")
    return made


@requirement("files.never-in-gits-way")
@pytest.mark.parametrize("is_added", [True, False])
def test_a_page_in_the_stash_is_left_to_the_stash(ada: Clone, *, is_added: bool) -> None:
    ada.decide("Carts are kept for 30 days.")
    if is_added:
        ada.git("add", "-A")
    ada.git("stash", "push", "-q", "--include-untracked")

    assert ada.sync() == []
    assert not ada.page().exists()
    ada.git("stash", "pop", "-q")
    assert ada.sync() == []
    assert "Carts are kept for 30 days." in ada.page().read_text(encoding="utf-8")


@requirement("files.never-in-gits-way")
def test_a_page_that_the_stash_lacks_is_written_again(ada: Clone) -> None:
    ada.decide("Carts are kept for 30 days.")
    (ada.folder / "code.py").write_text("n = 1\n", encoding="utf-8")
    ada.git("stash", "push", "-q", "--include-untracked", "--", "code.py")
    ada.page().unlink()

    assert ada.sync() == [("DEC-001", "restored")]
    ada.git("stash", "pop", "-q")


@requirement("files.never-in-gits-way")
def test_a_commit_from_before_the_pages_gets_no_page_of_candidates(ada: Clone) -> None:
    ada.decide("Carts are kept for 30 days.")
    ada.commit("Decide")
    ada.git("checkout", "-q", "HEAD~2")
    (ada.folder / CANDIDATES).unlink()

    ada.program("sync").well()
    assert ada.git("status", "--porcelain") == ""
    ada.git("checkout", "-q", "main")
    ada.program("sync").well()
    assert (ada.folder / CANDIDATES).exists()
