"""A short run of the matrix of git operations, and tests of its model and its judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.torture.test_short import check
from torture.git import LEAST_FOUND, deal, matrix, share_found, tallied
from torture.git_cell import Cell
from torture.git_editing import some_edits
from torture.git_lines import (
    Change,
    Delete,
    Insert,
    Line,
    Page,
    Patch,
    Put,
    Rename,
    applied,
    carried,
    reverted,
)
from torture.git_operations import OPERATIONS
from torture.git_site import DisagreementError, Site, made
from torture.git_truth import KeptProposal, Place, Said, State, around, judged, truth_of
from torture.git_writing import author

TEXTS = [
    "def a():",
    "    return None",
    "",
    "def b():",
    "    return None",
    "",
    "def c():",
    "    pass",
]


def page(*texts: str, start: int = 1) -> Page:
    return Page(tuple(Line(start + number, 1, text) for number, text in enumerate(texts)))


def kept(first: int, last: int, *, path: str = "a.py") -> KeptProposal:
    whole = page(*TEXTS)
    place = Place(path=path, first=first, last=last)
    return KeptProposal(
        place=place,
        lines=whole.lines[first - 1 : last],
        around=around(whole, place),
        claim="",
        branch="main",
        memory="m",
        span="s",
    )


def moved(path: str, first: int, last: int) -> Said:
    return Said(verdict="moved", places=(Place(path=path, first=first, last=last),))


@requirement("anchor.never-wrong")
@requirement("anchor.found-again")
@requirement("anchor.no-operation-loses")
def test_no_git_operation_makes_a_verdict_wrong_or_loses_a_memory() -> None:
    check("git")


def test_there_are_more_than_thirty_operations() -> None:
    assert len(OPERATIONS) >= 30


def test_every_file_on_disk_is_what_the_model_says(tmp_path: Path) -> None:
    site = made(tmp_path / "work", author("5"), lambda _site, _number: None)

    site.agree()
    (site.root / "src" / "signed.py").write_bytes(b"another\n")

    with pytest.raises(DisagreementError, match="src/signed.py"):
        site.agree()


@pytest.mark.parametrize("name", ["rebase", "merge", "revert", "folders moved", "line ends"])
def test_git_does_to_the_files_what_the_model_does_to_the_lines(tmp_path: Path, name: str) -> None:
    site = made(tmp_path / "work", author("7"), lambda _site, _number: None)
    before = site.head()

    OPERATIONS[name](site)

    site.agree()
    assert site.head() != before


def test_the_same_seed_makes_the_same_repository(tmp_path: Path) -> None:
    def head(name: str) -> str:
        return made(tmp_path / name, author("3"), lambda _site, _number: None).head()

    assert head("one") == head("two")


def test_what_is_reverted_is_as_it_was_lines_and_identities() -> None:
    somebody = author("1")
    before = somebody.project()
    patch: Patch = (
        *some_edits(somebody, before, number=30),
        Rename("src/signed.py", "src/other.py"),
        Put("new.txt", page("new", start=9_000)),
    )

    after = applied(patch, before)

    assert after != before
    assert applied(reverted(patch, before), after) == before


def test_changes_of_different_sides_give_the_same_in_either_order() -> None:
    somebody = author("2")
    tree = somebody.project()
    one, other = some_edits(somebody, tree, side=0), some_edits(somebody, tree, side=1)

    assert applied((*one, *other), tree) == applied((*other, *one), tree)


def test_lines_that_moved_are_intact_elsewhere() -> None:
    tree = applied([Insert(page("# new", start=90).lines, None, "a.py")], {"a.py": page(*TEXTS)})

    truth = truth_of(kept(4, 5), tree)

    assert (truth.state, truth.places) == (State.INTACT, (Place(path="a.py", first=5, last=6),))


def test_lines_that_were_carried_to_another_file_are_intact_there() -> None:
    tree = {"a.py": page(*TEXTS), "b.py": page("x", start=50)}

    after = applied(carried(tree["a.py"].lines[3:5], 50), tree)

    assert truth_of(kept(4, 5), after).places == (Place(path="b.py", first=2, last=3),)


def test_an_edited_line_is_changed_and_half_of_it_still_exists() -> None:
    tree = applied([Change({5: "    return 1"})], {"a.py": page(*TEXTS)})

    truth = truth_of(kept(4, 5), tree)

    assert (truth.state, truth.left, truth.still_exists) == (State.CHANGED, 1, True)


def test_what_is_torn_apart_has_several_places() -> None:
    tree = {"a.py": page(*TEXTS), "b.py": page("x", start=50)}

    after = applied(carried(tree["a.py"].lines[3:8], 50), tree)

    assert truth_of(kept(1, 8), after).places == (
        Place(path="a.py", first=1, last=3),
        Place(path="b.py", first=2, last=6),
    )


def test_deleted_lines_are_gone_though_their_text_stands_elsewhere() -> None:
    tree = applied([Delete(frozenset({2}))], {"a.py": page(*TEXTS)})

    assert truth_of(kept(2, 2), tree).state is State.GONE


@requirement("torture.planted-bugs-caught")
def test_the_judge_catches_a_fresh_that_is_another_line_of_the_same_text() -> None:
    """Three lines were inserted above: line 5 has the same text, but was line 2 before."""
    new = page("# 1", "# 2", "# 3", start=90).lines
    tree = applied([Insert(new, None, "a.py")], {"a.py": page(*TEXTS)})

    judgement = judged(kept(5, 5), Said(verdict="fresh"), tree)

    assert "other lines around it" in judgement.wrong
    assert not judgement.is_found


@requirement("torture.planted-bugs-caught")
def test_the_judge_catches_the_first_of_two_equal_places() -> None:
    tree = {"a.py": page("x", start=70), "b.py": page(*TEXTS)}

    assert judged(kept(5, 5), moved("b.py", 2, 2), tree).wrong
    assert not judged(kept(5, 5), moved("b.py", 5, 5), tree).wrong


def test_the_judge_catches_a_fresh_where_another_text_stands() -> None:
    tree = applied([Change({1: "def z():"})], {"a.py": page(*TEXTS)})

    assert judged(kept(1, 2), Said(verdict="fresh"), tree).wrong == "another text stands there"
    assert judged(kept(1, 2), moved("b.py", 1, 2), tree).wrong == "there is no b.py"
    assert judged(kept(4, 5), moved("a.py", 4, 5), tree).wrong == "it is where it was"


def test_what_nobody_can_tell_apart_is_excused_and_counted() -> None:
    """The whole file was rewritten with the same text."""
    judgement = judged(kept(4, 5), Said(verdict="fresh"), {"a.py": page(*TEXTS, start=500)})

    assert judgement.is_excused
    assert not judgement.wrong


def test_a_copy_that_stands_exactly_as_the_original_stood_is_excused() -> None:
    """A diff shows the copy as what stayed, and the original lines as added elsewhere."""
    whole = page(*TEXTS)
    copy = page(*TEXTS, start=500)
    new = page("#", start=90).lines
    beside = {"a.py": Page((*new, *copy.lines)), "b.py": Page((*new, *whole.lines[3:5]))}
    within = {"a.py": Page((*new, *copy.lines, *whole.lines[3:5]))}

    assert judged(kept(4, 5), moved("a.py", 5, 6), beside).is_excused
    assert judged(kept(4, 5), moved("a.py", 5, 6), within).is_excused
    assert judged(kept(4, 5), moved("a.py", 2, 3), within).wrong


def test_two_equal_functions_that_change_places_are_told_apart_by_what_is_around_them() -> None:
    """The bytes of the file stay the same, so whoever read the first function sees it there."""
    texts = ["1", "2", "3", "def a():", "4", "5", "6", "def a():", "7", "8", "9"]
    lines = page(*texts).lines
    place = Place(path="a.py", first=4, last=4)
    read = KeptProposal(
        place=place,
        lines=lines[3:4],
        around=around(Page(lines), place),
        claim="",
        branch="main",
        memory="m",
        span="s",
    )
    top = page("#", start=90).lines
    swapped = {"a.py": Page((*top, *lines[:3], lines[7], *lines[4:7], lines[3], *lines[8:]))}
    copied = {"a.py": Page((*top, *lines, *page("def a():", start=95).lines))}

    assert judged(read, moved("a.py", 5, 5), swapped).is_excused
    assert judged(read, moved("a.py", 13, 13), copied).wrong


def test_drifted_is_found_when_the_true_place_is_among_those_named() -> None:
    tree = applied([Change({5: "    return 1"})], {"a.py": page(*TEXTS)})
    here, there = Place(path="a.py", first=4, last=5), Place(path="a.py", first=1, last=2)

    assert judged(kept(4, 5), Said(verdict="drifted", places=(there, here)), tree).is_found
    assert not judged(kept(4, 5), Said(verdict="drifted", places=(there,)), tree).is_found
    assert not judged(kept(4, 5), Said(verdict="orphaned"), tree).is_found


def test_a_whole_file_named_for_one_line_does_not_count_as_found() -> None:
    long = page(*TEXTS, *(f"line {number}" for number in range(40)))
    place = Place(path="a.py", first=1, last=len(long.lines))
    tree = applied([Change({2: "    return 1"})], {"a.py": long})

    assert not judged(kept(1, 2), Said(verdict="drifted", places=(place,)), tree).is_found


def test_the_table_fails_for_a_wrong_verdict_a_lost_memory_and_too_few_found() -> None:
    good, bad = Cell(operation="merge", seed=1), Cell(operation="rebase", seed=2)
    good.numbers.update(spans=10, exist=10, found=10)
    bad.numbers.update(spans=10, exist=10, found=9)

    assert not tallied([good]).wrong
    assert share_found([good, bad]) < LEAST_FOUND
    assert tallied([good, bad]).wrong == 1
    bad.wrong.append("WRONG fresh: there")
    bad.lost.append("LOST m_1")
    assert (tallied([bad]).bad, tallied([bad]).lost) == (2, 1)
    assert "  seed 2, rebase: WRONG fresh: there" in matrix([good, bad])


def test_a_site_is_not_found_in_agreement_while_a_file_is_missing(tmp_path: Path) -> None:
    site = Site(work=tmp_path, root=tmp_path, author=author("1"), looking=tmp_path)
    site.tree = {"a.py": page(*TEXTS)}

    with pytest.raises(DisagreementError):
        site.agree()


def test_a_multiple_of_the_operations_runs_each_equally_often_on_other_repositories() -> None:
    once = deal(len(OPERATIONS), first_seed=7)
    thrice = deal(3 * len(OPERATIONS), first_seed=7)

    assert sorted(name for names in once.values() for name in names) == sorted(OPERATIONS)
    assert all(sorted(names) == sorted(OPERATIONS) for names in thrice.values())
    assert set(once) == {7, 8}
    assert set(thrice) == {7, 8, 9}
