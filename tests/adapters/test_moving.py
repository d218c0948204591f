"""When the same text elsewhere is the cited text, and when somebody else wrote it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from holdfast.adapters.git.anchors import moving
from holdfast.adapters.git.anchors.moving import APART, UNTOLD
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.memory.anchor import Verdict
from tests.adapters.test_repository import git
from tests.adapters.test_verifier import (
    APP,
    BLOCK,
    FIRST,
    LAST,
    OTHER,
    a_project,
    committed,
    moved,
    read,
    seen,
    told,
    verifier,
    written,
)
from tests.requirements import requirement
from tests.unit.places import FILE, line_of

OTHER_PATH = "src/other.py"
WITHOUT = [*FILE[: FIRST - 1], *FILE[LAST + 2 :]]
BY = len(OTHER) + 1 - FIRST
AFTER = line_of(FILE, "def open_ledger")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return a_project(tmp_path / "app")


def step(root: Path, files: Mapping[str, Sequence[str]], *, is_committed: bool = True) -> None:
    for name, lines in files.items():
        written(root / f"src/{name}.py", lines)
    if is_committed:
        committed(root)


@requirement("verdict.moved-by-one-step")
@pytest.mark.parametrize("first", ["app", "other"])
@pytest.mark.parametrize("is_committed", [True, False])
def test_lines_removed_here_and_written_there_apart_have_not_moved(
    root: Path, first: str, *, is_committed: bool
) -> None:
    span = read(root)
    steps = {"app": WITHOUT, "other": [*OTHER, *BLOCK]}
    step(root, {first: steps.pop(first)})
    step(root, steps, is_committed=is_committed)

    sighting = seen(root, span)

    assert told(sighting) == (Verdict.DRIFTED, moved(OTHER_PATH, BY)[1])
    assert sighting.how == APART


@requirement("verdict.moved-by-one-step")
def test_a_file_removed_here_and_written_there_apart_has_not_moved(root: Path) -> None:
    span = read(root)
    (root / APP).unlink()
    committed(root)
    step(root, {"second": FILE})

    assert seen(root, span).verdict is Verdict.DRIFTED
    assert seen(root, span, at="HEAD").verdict is Verdict.DRIFTED


@requirement("verdict.moved-by-one-step")
@pytest.mark.parametrize("is_committed", [True, False])
def test_lines_that_moved_twice_are_followed(root: Path, *, is_committed: bool) -> None:
    span = read(root)
    step(root, {"app": WITHOUT, "other": [*OTHER, *BLOCK]})
    step(root, {"other": OTHER, "third": ["import os", *BLOCK]}, is_committed=is_committed)
    git(root, "add", "-A")

    assert told(seen(root, span)) == moved("src/third.py", 2 - FIRST)


@requirement("verdict.moved-by-one-step")
def test_lines_that_a_merge_brought_to_a_renamed_file_have_moved(root: Path) -> None:
    git(root, "checkout", "-q", "-b", "edit")
    new = [*FILE[: FIRST - 1], "# Rotate all tokens of every user at midnight.", *FILE[FIRST - 1 :]]
    step(root, {"app": new})
    span = read(root, f"{APP}:{FIRST}-{FIRST + 2}")
    git(root, "checkout", "-q", "-")
    git(root, "checkout", "-q", "-b", "rename")
    git(root, "mv", APP, "src/renamed.py")
    committed(root)
    git(root, "merge", "-q", "--no-edit", "edit")

    assert told(seen(root, span)) == (Verdict.MOVED, [f"src/renamed.py:{FIRST}-{FIRST + 2}"])


@requirement("verdict.moved-by-one-step")
def test_a_merge_of_two_separate_steps_is_no_move(root: Path) -> None:
    span = read(root)
    git(root, "checkout", "-q", "-b", "work")
    step(root, {"app": WITHOUT})
    step(root, {"other": [*OTHER, *BLOCK]})
    git(root, "checkout", "-q", "-")
    git(root, "merge", "-q", "--no-ff", "--no-edit", "work")

    assert seen(root, span).verdict is Verdict.DRIFTED


@requirement("verdict.moved-by-one-step")
@pytest.mark.parametrize("is_committed", [True, False])
def test_a_block_that_left_its_file_and_came_back_elsewhere_was_written_anew(
    root: Path, *, is_committed: bool
) -> None:
    span = read(root)
    step(root, {"app": WITHOUT})
    step(root, {"app": [*WITHOUT, "", "", *BLOCK]}, is_committed=is_committed)

    sighting = seen(root, span)

    assert (sighting.verdict, sighting.how) == (Verdict.DRIFTED, APART)


@requirement("verdict.moved-by-one-step")
def test_a_block_that_one_step_moved_inside_its_file_has_moved(root: Path) -> None:
    span = read(root)
    step(root, {"app": [*WITHOUT, "", "", *BLOCK]})

    assert told(seen(root, span)) == moved(APP, len(WITHOUT) + 3 - FIRST)


@requirement("verdict.moved-by-one-step")
def test_a_verdict_does_not_depend_on_the_spans_that_are_checked_with_it(root: Path) -> None:
    older = read(root, f"{APP}:{AFTER}-{AFTER + 3}", "s_2")
    step(root, {"app": WITHOUT})
    step(root, {"app": FILE})
    span = read(root)
    top, ledger, rest = WITHOUT[: AFTER - 1], FILE[AFTER - 1 : AFTER + 5], WITHOUT[AFTER + 5 :]
    step(root, {"app": [*top, *rest, *ledger, *BLOCK]})

    both = verifier(root).examine([older, span])

    assert both[older.id].verdict is Verdict.MOVED
    assert both[span.id].verdict is seen(root, span).verdict is Verdict.MOVED


@requirement("verdict.moved-by-one-step")
def test_a_history_that_is_too_long_proves_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    span = read(root)
    step(root, {"app": WITHOUT, "other": [*OTHER, *BLOCK]})
    monkeypatch.setattr(moving, "_MOST_VERSIONS", 1)

    assert (seen(root, span).verdict, seen(root, span).how) == (Verdict.DRIFTED, UNTOLD)


@requirement("verdict.few-processes")
def test_a_move_inside_a_file_is_looked_up_once_for_each_commit(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    span = read(root)
    git(root, "checkout", "-q", "-b", "twice")
    step(root, {"app": WITHOUT})
    step(root, {"app": [*WITHOUT, "", "", *BLOCK]})
    git(root, "checkout", "-q", "-b", "once", "HEAD~2")
    step(root, {"app": [*WITHOUT, "", "", *BLOCK]})

    assert seen(root, span).verdict is Verdict.MOVED
    with monkeypatch.context() as patched:
        patched.setattr(moving, "git_answer", failing)
        assert seen(root, span).verdict is Verdict.MOVED
    git(root, "checkout", "-q", "twice")
    assert seen(root, span).verdict is Verdict.DRIFTED


@requirement("verdict.moved-by-one-step")
def test_a_verdict_without_git_is_not_cached(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    span = read(root)
    step(root, {"app": [*WITHOUT, "", "", *BLOCK]})

    with monkeypatch.context() as patched:
        patched.setattr(moving, "git_answer", failing)
        assert seen(root, span).how == UNTOLD
    assert seen(root, span).verdict is Verdict.MOVED


def failing(*_: object, **__: object) -> bytes:
    raise OutsideUnavailableError(who="git", words="it stopped")
