from __future__ import annotations

from datetime import UTC, datetime

import pytest

from holdfast.domain.memory.anchor import (
    BranchPoint,
    Checked,
    CommitFate,
    CommitName,
    CommitPosition,
    Revision,
    Rewrite,
    RewriteHow,
    Sighting,
    Verdict,
    commit_words,
    is_id,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_a_standpoint_is_on_the_main_line_unless_it_is_said_otherwise() -> None:
    point = BranchPoint(branch="main", head="a" * 40)

    assert (point.is_aside, point.is_shared) == (False, False)


def test_equal_standpoints_are_one_in_a_set() -> None:
    points = {BranchPoint(branch="main", head="a" * 40) for _ in range(2)}

    assert len(points) == 1


def test_values_do_not_change() -> None:
    rewrite = Rewrite(repo="repo_x", old="a", new="b", how=RewriteHow.HOOK, at=NOW)

    with pytest.raises(AttributeError):
        rewrite.new = "c"  # type: ignore[misc] # ty: ignore[invalid-assignment] - that is the test


def test_the_surest_way_to_know_a_rewrite_comes_first() -> None:
    assert list(RewriteHow) == [
        RewriteHow.HOOK,
        RewriteHow.PATCH,
        RewriteHow.TREE,
        RewriteHow.SQUASH,
    ]


def test_a_fate_may_have_nothing_more_to_say() -> None:
    fate = CommitFate(whereabouts=CommitPosition.REACHABLE)

    assert (fate.now, fate.how, fate.words) == (None, None, "")


def test_a_commit_may_be_named_with_its_patch_or_without() -> None:
    assert CommitName(id="a").patch is None
    assert Revision(id="a", at=NOW).at == NOW


@pytest.mark.parametrize(
    ("name", "whole", "words"),
    [
        ("HEAD~2", "e4" * 20, "HEAD~2 (e4e4e4e)"),
        ("e4e4e4e", "e4" * 20, "e4e4e4e"),
        ("E4E4E4E", "e4" * 20, "E4E4E4E"),
        ("HEAD~2", None, "HEAD~2"),
    ],
)
def test_a_commit_has_its_short_id_beside_a_name_that_holds_none_of_it(
    name: str, whole: str | None, words: str
) -> None:
    checked = Checked(reference=name, commit=whole, sighting=Sighting(verdict=Verdict.FRESH))

    assert commit_words(name, whole) == checked.words == words


@pytest.mark.parametrize(
    ("name", "is_one"), [("abc1", True), ("e4" * 20, True), ("HEAD", False), ("abc", False)]
)
def test_an_id_is_told_from_a_name_that_can_move(name: str, *, is_one: bool) -> None:
    assert is_id(name) == is_one
