"""Several stores that sync one clone: spaces, homes, and copies of a home."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.cli.scenes import Scenes
from tests.requirements import requirement

OTHER = ("--space", "other")
CLAIM = "Deploys need two approvals."


def made(program: Program) -> Clone:
    """A clone with one committed decision of the default space, and a second space."""
    program("init", "--files", "--no-model").well()
    made = Clone(program)
    made.commit("Keep pages")
    made.decide(CLAIM)
    made.commit("Decide")
    made.sync()
    program(*OTHER, "init", "--no-model").well()
    return made


@pytest.fixture
def clone(scenes: Scenes) -> Clone:
    return scenes.of(made)


def second_home(clone: Clone, tmp_path: Path) -> Program:
    home = tmp_path / "second"
    made = replace(clone.program, home=home)
    made("init", "--no-model").well()
    return made


@requirement("spaces.edits-kept-by-each")
@pytest.mark.parametrize("is_home", [False, True])
def test_an_edit_that_another_store_took_in_first_is_taken_in_here(
    clone: Clone, tmp_path: Path, *, is_home: bool
) -> None:
    clone.edit("two", "three")
    if is_home:
        second_home(clone, tmp_path)("sync").well()
    else:
        clone.program(*OTHER, "sync").well()

    synced = clone.sync()

    assert synced == [("DEC-001", "taken in")]
    assert "Deploys need three approvals." in clone.page().read_text(encoding="utf-8")
    assert "three" in clone.program("list").well().out


@requirement("spaces.edits-kept-by-each")
def test_a_committed_removal_that_another_store_saw_first_is_a_removal_here(clone: Clone) -> None:
    clone.program(*OTHER, "sync")
    clone.page().write_text("# Decisions\n", encoding="utf-8")
    clone.commit("Remove it")
    clone.program(*OTHER, "sync")

    synced = clone.sync()

    assert synced == [("DEC-001", "deprecated")]
    assert "two" not in clone.page().read_text(encoding="utf-8")


@requirement("files.restored-store-keeps-edits")
def test_an_older_store_that_was_put_back_overwrites_no_edit(clone: Clone, tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    shutil.copytree(clone.program.home, backup)
    clone.edit("two", "three")
    clone.sync()
    shutil.rmtree(clone.program.home)
    shutil.copytree(backup, clone.program.home)

    synced = clone.sync(code=4)

    assert [step for _, step in synced] == ["conflict"]
    assert "three" in clone.page().read_text(encoding="utf-8")


@requirement("spaces.edits-kept-by-each")
def test_the_earlier_shared_record_is_never_read_as_an_agreement(clone: Clone) -> None:
    state = clone.folder / ".git/holdfast"
    (own,) = state.glob("stores/*/bases.json")
    own.rename(state / "bases.json")
    shutil.rmtree(state / "stores")
    clone.edit("two", "three")

    clone.sync(code=4)

    assert "three" in clone.page().read_text(encoding="utf-8")


@requirement("spaces.forgotten-by-each")
def test_a_text_that_another_space_forgot_is_taken_in_here(clone: Clone) -> None:
    text = "Backups run at noon."
    theirs = clone.program(*OTHER, "remember", "--because", "x", text).well().id
    clone.program(*OTHER, "forget", theirs, "--yes").well()
    clone.page("facts.md").write_text(f"---\ntype: fact\n---\n{text}\n", encoding="utf-8")

    blocked = clone.program(*OTHER, "sync").out
    synced = clone.program("sync").well().out

    assert "forgotten" in blocked
    assert "forgotten" not in synced
    assert text in clone.program("list").well().out


@requirement("files.forgotten-stays-forgotten")
@pytest.mark.parametrize("is_damaged", [False, True])
def test_the_earlier_shared_list_of_forgotten_texts_still_applies(
    clone: Clone, *, is_damaged: bool
) -> None:
    name = clone.program("list", "--json").well().json["memories"][0]["id"]
    clone.program("forget", name, "--yes")
    state = clone.folder / ".git/holdfast"
    (own,) = state.glob("stores/*/forgotten.json")
    own.rename(state / "forgotten.json")
    if is_damaged:
        (state / "forgotten.json").write_text("{", encoding="utf-8")
    clone.page().write_text(f"---\ntype: decision\n---\n{CLAIM}\n", encoding="utf-8")

    for space in ((), OTHER):
        assert "forgotten" in clone.program(*space, "sync").out
        assert CLAIM not in clone.program(*space, "list").out
    repaired = clone.program("doctor", "--repair").out

    assert ("list of texts" in repaired) == is_damaged


@requirement("spaces.candidates-stay")
def test_candidates_of_another_space_are_not_written_into_the_tree(clone: Clone) -> None:
    clone.program("remember", "--origin", "agent", "--because", "x", "Owls are birds.").well()
    words = ("remember", "--origin", "agent", "--because", "x", "Bats fly.")
    clone.program(*OTHER, *words).well()

    clone.program(*OTHER, "sync")
    before = clone.page("candidates.md").exists()
    clone.program("sync").well()
    clone.program(*OTHER, "sync")

    text = clone.page("candidates.md").read_text(encoding="utf-8")
    assert not before or "Bats" not in text
    assert "Owls are birds." in text
    assert "Bats fly." not in text


@requirement("callers.origin-never-rises")
@pytest.mark.parametrize(("word", "origin"), [("web", "web"), ("tool", "tool"), ("repo", "repo")])
@pytest.mark.parametrize("speaker", [(), ("--as", "agent")])
def test_page_edits_of_a_program_have_no_higher_origin_than_the_program(
    clone: Clone, word: str, origin: str, speaker: tuple[str, ...]
) -> None:
    clone.page("facts.md").write_text("---\ntype: fact\n---\nOwls are birds.\n", encoding="utf-8")
    clone.program("sync", *speaker, env={"HOLDFAST_ORIGIN": word})

    (found,) = clone.program("list", "--status", "candidate", "--json").well().json["memories"]

    assert found["origin"] == origin


@requirement("callers.origin-never-rises")
def test_a_removal_that_a_web_program_syncs_waits_for_a_person(clone: Clone) -> None:
    clone.page().write_text("# Decisions\n", encoding="utf-8")
    clone.commit("Remove it")

    said = clone.program("sync", env={"HOLDFAST_ORIGIN": "web"}).out

    assert "deprecated" not in said
    assert CLAIM in clone.program("list").well().out


def candidate_into_pages(clone: Clone, text: str, origin: str = "agent") -> str:
    """Let a person of the default space accept a candidate; return its id."""
    words = ("remember", "--kind", "rule", "--origin", origin, "--because", "x", text)
    name = clone.program(*words).well().id
    clone.program("approve", name).well()
    clone.program("sync").well()
    return name


@requirement("spaces.pages-keep-origins")
@pytest.mark.parametrize(
    ("origin", "is_committed"), [("agent", False), ("agent", True), ("repo", False), ("web", True)]
)
def test_a_text_that_an_agent_wrote_for_one_space_is_no_persons_word_in_another(
    clone: Clone, origin: str, *, is_committed: bool
) -> None:
    clone.program(*OTHER, "trust", "--yes")
    candidate_into_pages(clone, "Backups run at zero hours.", origin)
    if is_committed:
        clone.commit("Keep it")

    clone.program(*OTHER, "sync")

    waiting = clone.program(*OTHER, "list", "--status", "candidate", "--json").well().json
    (found,) = waiting["memories"]
    assert found["claim"] == "Backups run at zero hours."
    assert found["origin"] == origin


@requirement("spaces.pages-keep-origins")
def test_a_persons_edit_of_such_a_text_is_that_persons_word_in_both_spaces(clone: Clone) -> None:
    candidate_into_pages(clone, "Backups run at zero hours.")
    clone.program(*OTHER, "sync")
    clone.edit("zero", "four", page="rules.md")

    for space in ((), OTHER):
        clone.program(*space, "sync")
        assert "four hours" in clone.program(*space, "list").well().out


@requirement("spaces.pages-keep-origins")
def test_a_person_may_go_back_to_a_text_that_was_accepted_here(clone: Clone) -> None:
    candidate_into_pages(clone, "Backups run at zero hours.")
    clone.edit("zero", "four", page="rules.md")
    clone.program("sync").well()
    clone.commit("Say four")
    clone.edit("four", "zero", page="rules.md")

    clone.program("sync")

    assert "zero" in clone.program("list").well().out
