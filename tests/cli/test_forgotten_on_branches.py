"""A text that was forgotten while a branch has it: its page, and the memory on main."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.cli.scenes import Scenes
from tests.requirements import requirement

CLAIM = "The canary gateway listens on port 9443."
EDITED = "The canary gateway listens on port 9555."
DECISIONS = ".holdfast/memory/decisions.md"


def made(program: Program) -> Clone:
    """A clone whose branch b1 has an edit of its own, committed."""
    program("init", "--files", "--no-model").well()
    clone = Clone(program)
    clone.decide(CLAIM)
    clone.commit("Decide")
    clone.git("switch", "-qc", "b1")
    clone.edit("9443", "9555")
    assert clone.sync() == [("DEC-001", "taken in")]
    clone.commit("Edit")
    return clone


@pytest.fixture
def ada(scenes: Scenes) -> Clone:
    return scenes.of(made)


def forget_edit(clone: Clone) -> None:
    listed = clone.program("list", "--json", "--branch", "b1").well().json["memories"]
    (name,) = (one["id"] for one in listed if one["claim"] == EDITED)
    assert clone.program("forget", name, "--yes").code == 7


@requirement("files.forgotten-stays-forgotten")
@pytest.mark.parametrize("where", ["b1", "main"])
def test_a_forgotten_text_that_a_checkout_brings_back_leaves_the_page(
    ada: Clone, where: str
) -> None:
    ada.git("switch", "-q", where)
    forget_edit(ada)
    ada.git("checkout", "-qf", "main")
    assert ada.sync() == []
    ada.git("checkout", "-q", "b1")
    assert EDITED in ada.page().read_text()

    checked = ada.program("sync", "--check")
    doctor = ada.program("doctor")
    assert ada.sync() == [("DEC-001", "written")]

    assert checked.code == 1
    assert "DEC-001" in checked.out
    assert f"{DECISIONS}:3" in checked.out
    assert "forgotten" in checked.out + checked.err
    assert f"DEC-001 in {DECISIONS}:3 still has a forgotten text." in doctor.out
    for said in (checked, doctor):
        assert "9555" not in said.out + said.err
    assert CLAIM in ada.page().read_text()
    assert "9555" not in ada.page().read_text()
    assert ada.sync() == []
    assert "forgotten text" not in ada.program("doctor").out


@requirement("files.forgotten-stays-forgotten")
def test_a_forgotten_text_that_a_merge_brings_leaves_the_page(ada: Clone) -> None:
    ada.git("switch", "-q", "main")
    forget_edit(ada)
    ada.git("merge", "-q", "--no-ff", "--no-edit", "b1")

    assert ada.sync() == [("DEC-001", "written")]
    assert ada.recalled("canary gateway port") == [CLAIM]
    assert CLAIM in ada.page().read_text()


@requirement("files.forgotten-stays-forgotten")
def test_a_person_who_types_a_forgotten_text_keeps_the_page_and_is_told(ada: Clone) -> None:
    ada.git("switch", "-q", "main")
    assert ada.sync() == []
    forget_edit(ada)
    ada.edit("9443", "9555")

    told = ada.program("sync")

    assert told.code == 4
    assert "was forgotten here" in told.out + told.err
    assert EDITED not in told.out + told.err
    assert EDITED in ada.page().read_text()
    assert ada.recalled("canary gateway port") == [CLAIM]


@requirement("files.forgotten-stays-forgotten")
def test_a_page_of_a_detached_commit_is_named_and_not_written(ada: Clone) -> None:
    forget_edit(ada)
    ada.git("checkout", "-qf", "--detach", "b1")

    assert ada.sync(code=4) == [("DEC-001", "forgotten")]
    assert EDITED in ada.page().read_text()


@requirement("files.forgotten-stays-forgotten")
def test_a_forgotten_memory_is_named_without_its_text(ada: Clone) -> None:
    ada.git("switch", "-qc", "b2", "main")
    memory = ada.decide("The zyxophone relay is off.")
    ada.commit("Decide more")
    ada.program("forget", memory, "--yes")
    ada.git("checkout", "-q", "-f", "b2")

    for words in (("sync", "--check"), ("sync", "--json"), ("sync",), ("doctor",)):
        said = ada.program(*words)
        assert "DEC-002" in said.out
        assert "forgotten" in said.out
        assert "zyxophone" not in said.out + said.err


@requirement("files.forgotten-stays-forgotten")
def test_a_text_of_two_memories_stays_where_only_the_other_was_forgotten(ada: Clone) -> None:
    ada.git("switch", "-q", "main")
    same = ada.program("remember", "--because", "I say", "--kind", "rule", CLAIM).well().id
    ada.program("forget", same, "--yes")
    ada.edit("type: decision\n", "type: decision\ntags: [gateway]\n")

    assert ada.sync() == [("DEC-001", "taken in")]
    assert ada.recalled("canary gateway port") == [CLAIM]


@requirement("forget.restores-what-was-before")
@pytest.mark.parametrize("is_synced", [False, True])
def test_forgetting_the_edit_of_a_branch_leaves_the_memory_of_main(
    ada: Clone, *, is_synced: bool
) -> None:
    forget_edit(ada)
    assert CLAIM in ada.page().read_text()
    if is_synced:
        assert ada.sync() == []
    ada.commit("Forget")
    ada.git("switch", "-q", "main")
    ada.git("merge", "-q", "--no-ff", "--no-edit", "b1")

    assert ada.sync() == []
    assert ada.recalled("canary gateway port") == [CLAIM]


@requirement("forget.restores-what-was-before")
def test_forgetting_an_edit_on_main_leaves_the_memory_that_it_replaced(
    ada: Clone, tmp_path: Path
) -> None:
    ada.git("switch", "-q", "main")
    ada.git("merge", "-q", "--ff-only", "b1")
    ada.sync()
    there = ada.worktree(tmp_path / "there", "b1")
    there.sync()

    forget_edit(ada)

    for clone in (ada, there):
        clone.sync()
        text = clone.page().read_text()
        claims = [one["claim"] for one in clone.program("list", "--json").well().json["memories"]]
        assert "9555" not in text
        assert (CLAIM in text) == (CLAIM in claims)
        clone.commit("Forget")
        assert clone.sync() == []
