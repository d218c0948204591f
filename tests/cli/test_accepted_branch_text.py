"""Text that a person accepted on a branch: a merge of that branch asks nobody about it again."""

from __future__ import annotations

import pytest

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.cli.scenes import Scenes
from tests.requirements import requirement

OLD, NEW = "We deploy on Tuesdays.", "We deploy on Mondays."


def made(program: Program) -> Clone:
    """A person with an accepted decision, in the pages of a commit."""
    program("init", "--files", "--no-model").well()
    clone = Clone(program)
    clone.decide(OLD, "--key", "deploys")
    clone.decide("We test first.")
    clone.commit()
    assert clone.sync() == []
    return clone


@pytest.fixture
def ada(scenes: Scenes) -> Clone:
    return scenes.of(made)


def on_a_branch(clone: Clone, how: str) -> None:
    """Change a decision on a branch, and let a sync accept it there."""
    clone.git("switch", "-q", "-c", "feature")
    if how == "edit":
        clone.edit(OLD, NEW)
        assert clone.sync() == [("DEC-001", "taken in")]
    else:
        clone.decide(NEW, "--key", "deploys")
    clone.commit()
    clone.sync()
    clone.git("switch", "-q", "main")
    assert clone.sync() == []


@requirement("files.own-commits-are-ones-own")
@pytest.mark.parametrize("how", ["edit", "remember"])
@pytest.mark.parametrize(
    "way", ["merge --squash feature", "merge --no-ff --no-commit feature", "cherry-pick -n feature"]
)
def test_a_merge_of_text_that_was_accepted_on_the_branch_asks_nobody(
    ada: Clone, way: str, how: str
) -> None:
    on_a_branch(ada, how)
    ada.git(*way.split())

    ada.sync(code=0)
    ada.git("commit", "-q", "-m", "Both")

    ada.sync(code=0)
    assert ada.sync() == []
    assert ada.recalled("deploy") == [NEW]
    assert ada.program("review", "--json").well().json["waiting"] == []


@requirement("files.own-commits-are-ones-own")
@pytest.mark.parametrize(
    "way",
    ["merge -q feature", "reset -q --hard feature", "rebase -q feature", "fetch -q . feature"],
)
def test_text_that_a_branch_brought_stays_when_the_branch_is_removed(ada: Clone, way: str) -> None:
    on_a_branch(ada, "edit")
    ada.git(*way.split())
    if way.startswith("fetch"):
        ada.git("merge", "-q", "--ff-only", "FETCH_HEAD")
    assert ada.sync() == []
    ada.git("branch", "-q", "-D", "feature")

    ada.sync(code=0)

    assert NEW in ada.page().read_text(encoding="utf-8")
    assert ada.git("status", "--short") == ""
    assert ada.recalled("deploy") == [NEW]


@requirement("files.own-commits-are-ones-own")
def test_text_of_a_removed_worktree_stays_where_it_was_merged(ada: Clone) -> None:
    tree = ada.program.folder.with_name("tree")
    ada.git("worktree", "add", "-q", "-b", "feature", str(tree))
    page = tree / ada.page().relative_to(ada.program.folder)
    page.write_text(page.read_text(encoding="utf-8").replace(OLD, NEW), encoding="utf-8")
    ada.program("sync", "-C", str(tree)).well()
    ada.git("-C", str(tree), "commit", "-q", "-a", "-m", "Move")
    ada.git("merge", "-q", "feature")
    ada.sync(code=0)
    ada.git("worktree", "remove", "--force", str(tree))
    ada.git("branch", "-q", "-D", "feature")

    ada.sync(code=0)

    assert NEW in ada.page().read_text(encoding="utf-8")
    assert ada.recalled("deploy") == [NEW]
