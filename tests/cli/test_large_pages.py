"""A page that grew too large to be read."""

from __future__ import annotations

import pytest

from holdfast.adapters.files.disk import LARGEST_PAGE
from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.requirements import requirement


@pytest.fixture
def clone(program: Program) -> Clone:
    program("init", "--files", "--no-model").well()
    made = Clone(program)
    made.commit("Keep pages")
    return made


@requirement("files.large-pages")
def test_new_entries_go_beside_a_page_that_is_too_large(clone: Clone) -> None:
    clone.page("decisions.md").write_text("x" * (LARGEST_PAGE + 1), encoding="utf-8")
    clone.program("remember", "--kind", "decision", "--because", "I", "We deploy daily.").well()

    first = clone.program("sync")
    again = clone.program("sync")

    assert "saved during the sync" not in first.out + first.err
    assert "larger than 2048 KiB; part it into several pages" in first.out + first.err
    assert "Put the file itself there" not in first.out + first.err
    assert "waiting" not in again.out
    (page,) = clone.page("decisions").glob("*.md")
    assert "We deploy daily." in page.read_text(encoding="utf-8")


@requirement("files.large-pages")
def test_a_text_whose_page_cannot_be_read_says_so(clone: Clone) -> None:
    name = clone.decide("We deploy on Tuesdays.")
    text = clone.page().read_text(encoding="utf-8")
    clone.page().write_text(text + "x" * LARGEST_PAGE, encoding="utf-8")
    clone.program("edit", name, "--claim", "We deploy on Fridays.").well()

    said = clone.program("sync")

    assert "saved during the sync" not in said.out + said.err
