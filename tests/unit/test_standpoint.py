from __future__ import annotations

from datetime import UTC, datetime

import pytest

from holdfast.domain.standpoint import (
    CommitName,
    Fate,
    Revision,
    Rewrite,
    RewriteHow,
    Standpoint,
    Whereabouts,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_a_standpoint_is_on_the_main_line_unless_it_is_said_otherwise() -> None:
    point = Standpoint(branch="main", head="a" * 40)

    assert (point.is_aside, point.is_shared) == (False, False)


def test_equal_standpoints_are_one_in_a_set() -> None:
    points = {Standpoint(branch="main", head="a" * 40) for _ in range(2)}

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
    fate = Fate(whereabouts=Whereabouts.REACHABLE)

    assert (fate.now, fate.how, fate.words) == (None, None, "")


def test_a_commit_may_be_named_with_its_patch_or_without() -> None:
    assert CommitName(id="a").patch is None
    assert Revision(id="a", at=NOW).at == NOW
