"""Finding spans again by what was noted of them, the file they were in being unknown."""

from __future__ import annotations

import pytest

from holdfast.domain.anchors import marking
from holdfast.domain.anchors.alignment import FileComparison
from holdfast.domain.anchors.locating import AROUND, SEVERAL, SPACES_ONLY, locate
from holdfast.domain.anchors.marking import Marked, is_sure, locate_by_marks
from holdfast.domain.memory.anchor import HOLDING, MOST_MARKED, Sighting, Verdict, anchored
from holdfast.domain.memory.evidence import Span
from holdfast.domain.values import replace
from tests.requirements import requirement
from tests.unit.places import FILE, PATH, at, function, line_of

ROTATE = (line_of(FILE, "def rotate"), line_of(FILE, "def rotate") + 3)


def seen(span: Span, now: list[str], path: str = PATH) -> Sighting | None:
    return locate_by_marks(span, path, Marked(now))


def places(sighting: Sighting | None) -> list[tuple[int, int]]:
    assert sighting is not None
    return [(place.first, place.last) for place in sighting.places]


def verdict(sighting: Sighting | None) -> Verdict | None:
    return None if sighting is None else sighting.verdict


def unanchored(span: Span) -> Span:
    return replace(span, anchor=None)


@requirement("verdict.fresh")
def test_lines_with_everything_around_them_are_fresh_or_have_moved() -> None:
    span = at(FILE, *ROTATE)

    assert verdict(seen(span, [*FILE, "# more"])) is Verdict.FRESH
    moved = seen(span, ["# more", *FILE])
    assert verdict(moved) is Verdict.MOVED
    assert places(moved) == [(ROTATE[0] + 1, ROTATE[1] + 1)]


@requirement("verdict.fresh")
def test_a_text_that_says_much_stays_fresh_when_a_line_near_it_changes() -> None:
    now = list(FILE)
    now[ROTATE[0] - 2] = "# a comment where nothing was"

    assert verdict(seen(at(FILE, ROTATE[0] + 1, ROTATE[1] + 4), now)) is Verdict.FRESH


@requirement("verdict.never-invented")
def test_a_text_whose_nearest_lines_changed_is_named_but_not_claimed() -> None:
    now = list(FILE)
    now[ROTATE[1]] = "    store.and_something_new()"

    sighting = seen(at(FILE, *ROTATE), ["# more", *now])

    assert verdict(sighting) is Verdict.DRIFTED
    assert sighting is not None
    assert sighting.how == AROUND


@requirement("verdict.never-invented")
def test_of_two_equal_places_none_is_taken() -> None:
    block = function("copied", "store.copy_everything()")
    span = at(["first line", *block, *FILE], 2, 4)

    sighting = seen(span, ["first line", *block, *block, *FILE])

    assert verdict(sighting) is Verdict.DRIFTED
    assert sighting is not None
    assert sighting.how == SEVERAL
    assert len(sighting.places) == 2


@requirement("verdict.never-invented")
def test_an_equal_line_elsewhere_does_not_keep_one_from_being_fresh() -> None:
    line = line_of(FILE, "return None")

    assert verdict(seen(at(FILE, line, line), [*FILE, "# more"])) is Verdict.FRESH
    assert verdict(seen(at(FILE, line, line), ["# more", *FILE])) is Verdict.DRIFTED


def test_a_line_that_says_nothing_is_not_claimed_even_with_all_around_it() -> None:
    lines = ["{", "}", "{", "}", "{", "}", "{"]

    assert verdict(seen(at(lines, 4, 4), lines)) is Verdict.DRIFTED


@requirement("verdict.drifted")
def test_other_white_space_is_called_so() -> None:
    now = [f"  {line}" if line else "" for line in FILE]

    sighting = seen(at(FILE, *ROTATE), now)

    assert verdict(sighting) is Verdict.DRIFTED
    assert sighting is not None
    assert sighting.how == SPACES_ONLY


@requirement("verdict.drifted")
def test_white_space_that_takes_lines_of_its_own_is_called_so_too() -> None:
    now = [*FILE[: ROTATE[0]], "", *FILE[ROTATE[0] :]]

    sighting = seen(at(FILE, *ROTATE), now)

    assert verdict(sighting) is Verdict.DRIFTED
    assert sighting is not None
    assert (sighting.how, sighting.change) == (SPACES_ONLY, ())


@requirement("verdict.drifted")
def test_a_changed_line_is_shown_without_what_it_said() -> None:
    now = [line.replace("rotate_now", "rotate_later") for line in FILE]

    sighting = seen(at(FILE, *ROTATE), now)

    assert verdict(sighting) is Verdict.DRIFTED
    assert places(sighting) == [ROTATE]
    assert sighting is not None
    assert sighting.change[0].startswith("- (1 of 4 lines are gone")
    assert "+        token.rotate_later()" in sighting.change


@requirement("verdict.drifted")
def test_a_line_is_found_between_the_two_that_were_next_to_it() -> None:
    line = line_of(FILE, "ledger = store")
    now = list(FILE)
    now[line - 1] = "    other_words_altogether()"

    assert places(seen(at(FILE, line, line), now)) == [(line, line)]


@requirement("verdict.never-invented")
def test_a_gap_between_lines_that_stand_elsewhere_too_is_not_where_it_was() -> None:
    line = line_of(FILE, "unlock")
    now = list(FILE)
    now[line - 1] = "    other_words_altogether()"

    assert seen(at(FILE, line, line), now) is None


def test_what_is_left_of_lines_is_found_without_their_neighbours() -> None:
    start, end = ROTATE
    now = ["# first", *FILE[start - 1 : start + 2], "    return 'else'"]

    assert places(seen(at(FILE, start, end), now)) == [(2, 4)]


def test_lines_between_neighbours_that_grew_apart_are_not_all_of_it() -> None:
    start, end = ROTATE
    now = [*FILE[:start], *["# much more in between"] * 30, *FILE[start + 1 :]]

    assert places(seen(at(FILE, start, end), now)) == [(start, end + 29)]


def test_the_first_and_the_last_lines_have_only_one_neighbour() -> None:
    now = ["import sys", *FILE[1:]]

    assert seen(at(FILE, 1, 1), now) is None


@requirement("verdict.orphaned")
def test_lines_of_which_nothing_is_left_are_gone() -> None:
    now = FILE[: ROTATE[0] - 1] + FILE[ROTATE[1] + 2 :]

    assert seen(at(FILE, *ROTATE), now) is None


def test_a_very_long_span_is_known_by_its_hash_alone() -> None:
    lines = [f"statement number {number}" for number in range(MOST_MARKED + 2)]
    span = at(lines, 1, MOST_MARKED + 1)

    assert verdict(seen(span, [*lines, "# more"])) is Verdict.FRESH
    assert seen(span, lines[1:]) is None


@requirement("verdict.fresh")
def test_a_span_from_before_anchors_is_known_by_the_hash_of_its_text() -> None:
    span = unanchored(at(FILE, *ROTATE))

    assert verdict(seen(span, [*FILE, "# more"])) is Verdict.FRESH
    assert verdict(seen(span, ["# more", *FILE])) is Verdict.MOVED
    assert seen(span, FILE[:5]) is None


@requirement("verdict.never-invented")
def test_a_span_from_before_anchors_is_not_guessed_at() -> None:
    line = line_of(FILE, "return None")
    brace = ["a", "}", "b"]

    twice = seen(unanchored(at(FILE, line, line)), FILE)
    short = seen(unanchored(at(brace, 2, 2)), brace)
    away = seen(unanchored(at(["x", "return None"], 2, 2)), ["return None"])

    assert verdict(twice) is verdict(short) is verdict(away) is Verdict.DRIFTED
    assert len(places(twice)) == 3
    assert not is_sure(unanchored(at(brace, 2, 2)), Marked(brace), 1)


def test_a_file_that_is_too_much_work_is_not_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marking, "_MOST_HASHED", 100)

    assert seen(unanchored(at(FILE, *ROTATE)), FILE) is None


NOTES = [
    "# Agents",
    "1. Run ruff.",
    "2. Keep commits small.",
    "- Tests need no network.",
    "",
    "The end of all notes.",
]


def noted(lines: list[str], first: int, last: int) -> Span:
    """The span of a file that git does not have: all its lines are marked."""
    return at(lines, first, last, anchor=anchored(lines, first, last, is_kept_by_git=False))


@requirement("verdict.fresh")
@pytest.mark.parametrize("line", [1, 2, 3, 6])
def test_unchanged_lines_of_a_file_that_git_does_not_have_stay_fresh(line: int) -> None:
    now = [*NOTES[:3], "- Tests need no network, except online.", *NOTES[4:]]

    assert verdict(seen(noted(NOTES, line, line), now)) is Verdict.FRESH


@requirement("verdict.moved")
def test_lines_below_a_new_one_in_such_a_file_have_moved() -> None:
    now = [*NOTES[:3], "- Pages are tested.", *NOTES[3:]]

    sighting = seen(noted(NOTES, 4, 4), now)

    assert verdict(sighting) is Verdict.MOVED
    assert places(sighting) == [(5, 5)]


def test_a_changed_line_of_such_a_file_has_drifted_wherever_it_is() -> None:
    short = NOTES[:4]
    first, last = noted(short, 1, 1), noted(short, 4, 4)

    assert places(seen(first, ["# For agents", *short[1:]])) == [(1, 1)]
    assert places(seen(last, [*short[:3], "- Tests need no network, except online."])) == [(4, 4)]
    assert seen(noted(["One."], 1, 1), ["Two."]) is None


@requirement("verdict.never-invented")
def test_a_copy_in_such_a_file_is_not_taken_for_the_original() -> None:
    lines = ["# A", "1. Run ruff on all.", "middle of it", "1. Run ruff on all.", "# Z"]
    span = noted(lines, 2, 2)

    assert verdict(seen(span, ["# A", "1. Run ruff on all.", "# Z"])) is Verdict.DRIFTED
    assert verdict(seen(noted(NOTES, 3, 3), [*NOTES, NOTES[2], "other"])) is not Verdict.MOVED


def test_a_file_of_many_lines_is_marked_around_the_span_only() -> None:
    lines = [f"line {number} of many" for number in range(300)]

    anchor = anchored(lines, 150, 150, is_kept_by_git=False)

    assert len(anchor.before) == len(anchor.after) == 3


@requirement("verdict.never-invented")
def test_all_marks_prove_no_more_than_the_old_file_itself() -> None:
    edits = [
        [*FILE[:5], "    something = new()", *FILE[6:]],
        [*FILE[:9], *FILE[14:]],
        [*FILE[14:], *FILE[:14]],
        [*FILE, *FILE[3:9]],
    ]
    for now in edits:
        for line in range(1, len(FILE) + 1):
            span = noted(FILE, line, line)
            sighting = seen(span, now)
            if sighting is not None and sighting.verdict in HOLDING:
                known = locate(span, PATH, FileComparison(FILE, now))
                context = seen(at(FILE, line, line), now)
                assert sighting in (known, context)
