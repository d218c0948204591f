"""Finding spans again in their own file, the file as it was being known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.anchors.alignment import FileComparison
from holdfast.domain.anchors.file_lines import Budget, Fit, Text, weight
from holdfast.domain.anchors.line_alignment import GONE, align
from holdfast.domain.anchors.locating import (
    SEVERAL,
    SPACES_ONLY,
    Lines,
    by_symbol,
    locate,
    read_then,
    stays_around,
)
from holdfast.domain.anchors.shown_changes import difference
from holdfast.domain.memory.anchor import FoundLines, Sighting, Verdict
from holdfast.domain.memory.evidence import Span
from holdfast.domain.values import replace
from tests.requirements import requirement
from tests.unit.places import FILE, PATH, at, function, line_of

ROTATE = (line_of(FILE, "def rotate"), line_of(FILE, "def rotate") + 3)


def seen(span: Span, then: list[str], now: list[str], path: str = PATH) -> Sighting | None:
    return locate(span, path, FileComparison(then, now))


def places(sighting: Sighting | None) -> list[tuple[int, int]]:
    assert sighting is not None
    return [(place.first, place.last) for place in sighting.places]


def verdict(sighting: Sighting | None) -> Verdict | None:
    return None if sighting is None else sighting.verdict


@requirement("verdict.fresh")
def test_lines_that_stay_are_fresh_whatever_happens_elsewhere() -> None:
    span = at(FILE, *ROTATE)
    now = [*FILE, *function("new_one", "store.new_things()")]
    now[4] = "    ledger = store.find('journal')"

    sighting = seen(span, FILE, now)

    assert verdict(sighting) is Verdict.FRESH
    assert places(sighting) == [ROTATE]


@requirement("verdict.moved")
def test_lines_that_shift_have_moved() -> None:
    span = at(FILE, *ROTATE)

    sighting = seen(span, FILE, ["# A new first line of the file.", *FILE])

    assert verdict(sighting) is Verdict.MOVED
    assert places(sighting) == [(ROTATE[0] + 1, ROTATE[1] + 1)]


@requirement("verdict.moved")
def test_lines_above_which_others_went_have_moved() -> None:
    span = at(FILE, *ROTATE)

    sighting = seen(span, FILE, FILE[:3] + FILE[6:])

    assert verdict(sighting) is Verdict.MOVED
    assert places(sighting) == [(ROTATE[0] - 3, ROTATE[1] - 3)]


@requirement("verdict.moved")
def test_the_same_lines_in_a_renamed_file_have_moved_even_to_the_same_numbers() -> None:
    sighting = seen(at(FILE, *ROTATE), FILE, [*FILE, "# more"], path="src/other.py")

    assert sighting == Sighting(
        verdict=Verdict.MOVED,
        places=(FoundLines(path="src/other.py", first=ROTATE[0], last=ROTATE[1]),),
    )


@requirement("verdict.moved")
def test_a_function_that_changes_its_place_in_the_file_has_moved() -> None:
    rotate = FILE[ROTATE[0] - 1 : ROTATE[1] + 2]
    rest = FILE[: ROTATE[0] - 1] + FILE[ROTATE[1] + 2 :]

    sighting = seen(at(FILE, *ROTATE), FILE, [*rest[:3], *rotate, *rest[3:]])

    assert verdict(sighting) is Verdict.MOVED
    assert places(sighting) == [(4, 7)]


@requirement("verdict.no-secret-shown")
@pytest.mark.parametrize("more", ["", "  # live"])
def test_a_difference_shows_no_secret(more: str) -> None:
    key = "API_KEY=sk_" + "live_4eC39HqLyjWDarjtT1zdp7dcQx"
    then = [*FILE[:3], f"{key}9", *FILE[3:]]
    now = [*FILE[:3], f"{key}8{more}", *FILE[3:]]

    sighting = seen(at(then, 4, 4), then, now)

    assert verdict(sighting) is Verdict.DRIFTED
    assert sighting is not None
    assert sighting.change
    assert "4eC39" not in "".join(sighting.change)


@requirement("verdict.drifted")
def test_lines_that_changed_have_drifted_and_the_difference_is_shown() -> None:
    now = [line.replace("token.rotate_now()", "token.rotate_later()") for line in FILE]

    sighting = seen(at(FILE, *ROTATE), FILE, now)

    assert verdict(sighting) is Verdict.DRIFTED
    assert places(sighting) == [ROTATE]
    assert sighting is not None
    assert "-        token.rotate_now()" in sighting.change
    assert "+        token.rotate_later()" in sighting.change


@requirement("verdict.drift-shows-both-sides")
@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        (
            "    token = rotate()",
            "\ttoken = rotate()",
            ("-····token = rotate()", "+→token = rotate()"),
        ),
        ("token = rotate()", "token = rotate() \t", ("-token = rotate()", "+token = rotate()·→")),
        ("token = rotate()", "token  =\u00a0rotate()", ("-token = rotate()", "+token··=⍽rotate()")),
    ],
)
def test_a_diff_of_white_space_shows_the_blanks(old: str, new: str, shown: tuple[str, str]) -> None:
    lines = ["first_line_of_the_file = 1", old, "last_line_of_the_file = 3"]
    now = [lines[0], new, lines[2]]

    sighting = seen(at(lines, 2, 2), lines, now)

    assert sighting is not None
    assert sighting.how == SPACES_ONLY
    assert sighting.change[-2:] == shown


@requirement("verdict.drifted")
def test_a_change_of_white_space_alone_is_called_so() -> None:
    now = ["if True:", *(f"    {line}" if line else "" for line in FILE)]

    sighting = seen(at(FILE, *ROTATE), FILE, now)

    assert verdict(sighting) is Verdict.DRIFTED
    assert sighting is not None
    assert sighting.how == SPACES_ONLY
    assert "-    for token in tokens:" not in sighting.change
    assert any(line.startswith("+····") for line in sighting.change)
    assert places(sighting) == [(ROTATE[0] + 1, ROTATE[1] + 1)]


@requirement("verdict.drifted")
def test_one_line_that_was_rewritten_is_found_between_its_neighbours() -> None:
    line = line_of(FILE, "unlock")
    now = list(FILE)
    now[line - 1] = "    store.unlock_the_ledger(force=True)"

    assert places(seen(at(FILE, line, line), FILE, now)) == [(line, line)]


@requirement("verdict.orphaned")
def test_lines_that_were_removed_are_gone() -> None:
    now = FILE[: ROTATE[0] - 1] + FILE[ROTATE[1] + 2 :]

    assert seen(at(FILE, *ROTATE), FILE, now) is None


@requirement("verdict.orphaned")
def test_something_else_in_the_same_place_is_not_what_became_of_the_lines() -> None:
    now = list(FILE)
    now[ROTATE[0] - 1 : ROTATE[1]] = ["GREETING = 'hello'", "ANSWER = 42"]

    assert seen(at(FILE, *ROTATE), FILE, now) is None


@requirement("verdict.never-invented")
def test_an_equal_line_that_takes_the_place_of_another_is_not_fresh() -> None:
    first = function("first_one", "store.do_the_first_thing()")
    second = function("other_one", "store.do_another_thing()")
    then = [*first, *second, *function("last_one", "store.finish_all_of_it()")]
    line = 3
    assert then[line - 1] == then[line + 4] == "    return None"

    assert seen(at(then, line, line), then, then[5:]) is None


@requirement("verdict.never-invented")
def test_the_other_copy_of_a_block_that_went_is_not_where_it_moved() -> None:
    copy = function("copied", "store.copy_everything()", "store.copy_it_again()")
    then = [*copy, *FILE, *copy]

    assert seen(at(then, 1, 4), then, then[6:]) is None


@requirement("verdict.never-invented")
def test_a_copy_next_to_the_original_leaves_both_places() -> None:
    block = FILE[ROTATE[0] - 1 : ROTATE[1] + 2]
    now = [*FILE[: ROTATE[0] - 1], *block, *FILE[ROTATE[0] - 1 :]]

    sighting = seen(at(FILE, *ROTATE), FILE, now)

    assert verdict(sighting) is Verdict.DRIFTED
    assert sorted(places(sighting)) == [ROTATE, (ROTATE[0] + 6, ROTATE[1] + 6)]
    assert sighting is not None
    assert sighting.how == SEVERAL


@requirement("verdict.never-invented")
def test_a_copy_far_from_the_original_does_not_confuse_what_is_held_from_both_sides() -> None:
    line = line_of(FILE, "for token")
    above = ["    for token in store.tokens:", *(f"CONSTANT = {number}" for number in range(20))]

    sighting = seen(at(FILE, line, line), FILE, [*above, *FILE])

    assert verdict(sighting) is Verdict.MOVED
    assert places(sighting) == [(line + 21, line + 21)]


@requirement("verdict.never-invented")
def test_a_new_copy_whose_original_was_edited_around_is_not_taken_for_it() -> None:
    then = ["# a b c", "first = 1", "}", "second = 2", "# d e f"]
    now = ["# a b c", "}", "first = 1", "}", "# d e f"]

    sighting = seen(at(then, 3, 3), then, now)

    assert verdict(sighting) is Verdict.DRIFTED


@requirement("verdict.never-invented")
def test_a_little_text_whose_surroundings_changed_is_named_but_not_claimed() -> None:
    then = ["alpha beta gamma delta", "x = 1", "epsilon zeta eta theta"]
    now = ["another first line of all", "x = 1", "another last line of all"]

    sighting = seen(at(then, 2, 2), then, now)

    assert verdict(sighting) is Verdict.DRIFTED
    assert places(sighting) == [(2, 2)]


@requirement("verdict.never-invented")
def test_a_telling_line_is_too_little_where_nothing_around_it_is_left() -> None:
    then = ["alpha beta gamma delta", "timeout = 30", "epsilon zeta eta theta"]
    now = ["timeout = 30", "another last line of all"]

    assert verdict(seen(at(then, 2, 2), then, now)) is Verdict.DRIFTED


@requirement("verdict.never-invented")
def test_a_block_that_came_in_where_lines_could_be_its_end_is_not_guessed() -> None:
    """The first brace may be the new function's or the one that was read."""
    then = ["{", "}", "", "function two() {", "  pay_the_second_invoice();", "}"]
    new = ["", "function one() {", "  pay_the_very_first_invoice();", "}"]

    sighting = seen(at(then, 2, 6), then, [*then[:2], *new, *then[2:]])

    assert verdict(sighting) is Verdict.DRIFTED


def test_a_block_that_came_in_behind_a_function_leaves_it_fresh() -> None:
    then = [
        "function one() {",
        "  pay_the_very_first_invoice();",
        "}",
        "",
        "const last = 'of all';",
    ]
    new = ["", "function two() {", "  pay_the_second_invoice();", "}"]

    assert verdict(seen(at(then, 1, 3), then, [*then[:3], *new, *then[3:]])) is Verdict.FRESH


def test_a_block_that_went_behind_a_function_leaves_it_fresh() -> None:
    then = ["function one() {", "  pay_the_very_first_invoice();", "}", "", "function two() {"]
    then += ["  pay_the_second_invoice();", "}", "", "const last = 'of all';"]

    assert verdict(seen(at(then, 1, 3), then, then[:3] + then[7:])) is Verdict.FRESH


@requirement("verdict.never-invented")
def test_a_block_that_went_and_could_have_been_part_of_the_lines_is_not_guessed() -> None:
    then = ["head of the file here", "}", "", "function one() {", "  pay_the_very_first_invoice();"]
    then += ["}", "", "function two() {", "  pay_the_second_invoice();", "}"]

    sighting = seen(at(then, 6, 10), then, then[:2] + then[6:])

    assert verdict(sighting) is Verdict.DRIFTED


@requirement("verdict.never-invented")
def test_lines_that_were_parted_after_a_copy_was_made_are_not_taken_for_the_copy() -> None:
    head = ["package main", "", "import ("]
    then = [*head, "errors", "fmt", ")", "", "func settle(invoice int) error {"]
    now = ["package main", "", ")", "", *then]

    sighting = seen(at(then, 1, 3), then, now)

    assert verdict(sighting) is Verdict.DRIFTED
    assert (1, 3) in places(sighting)


@requirement("verdict.never-invented")
def test_lines_whose_end_may_be_one_of_several_copies_are_not_guessed() -> None:
    region = ["[region]", "packet = 1", "client = on", "---"]
    then = ["[path_of_the_first_one]", "meter_of_the_first_one = none", *region, *region]
    then += ["[socket]", "worker_of_the_last_one = off"]
    now = [*then[:6], *region, *then[6:]]

    assert verdict(seen(at(then, 1, 10), then, now)) is Verdict.DRIFTED


@requirement("verdict.moved")
def test_lines_that_say_nothing_are_followed_when_both_sides_hold_them() -> None:
    block = ["open_the_first_of_all_ledgers {", "{", "}", "close_the_first_of_all_ledgers }"]
    then = [*block, *FILE]

    sighting = seen(at(then, 2, 3), then, [*FILE, *block])

    assert verdict(sighting) is Verdict.MOVED
    assert places(sighting) == [(len(FILE) + 2, len(FILE) + 3)]


def test_a_line_that_stands_everywhere_is_looked_at_no_further() -> None:
    then = [""] * 300

    sighting = seen(at(then, 7, 7), then, [*then, ""])

    assert verdict(sighting) is Verdict.UNVERIFIABLE
    assert sighting is not None
    assert sighting.how.startswith("too common")
    assert sighting.places == ()


@requirement("verdict.work-is-bounded")
def test_a_search_that_has_spent_its_budget_claims_nothing() -> None:
    span = at(FILE, *ROTATE)
    whole = Budget(1)
    compared = FileComparison(FILE, ["# new", *FILE])

    assert verdict(locate(span, PATH, compared, budget=Budget(1_000, whole=whole))) is (
        Verdict.UNVERIFIABLE
    )
    assert whole.is_spent
    assert verdict(locate(span, PATH, compared, budget=Budget(1_000))) is Verdict.MOVED


def test_a_text_that_stands_once_is_kept_though_the_lines_next_to_it_changed() -> None:
    """The first line says little, and what stood above it is another line now."""
    then = [
        "old_name = 1",
        "    )",
        "def telling_name(argument):",
        "    return compute_it(argument)",
    ]
    now = ["completely_other = 2", *then[1:]]

    assert verdict(seen(at(then, 2, 4), then, now)) is Verdict.FRESH
    assert verdict(seen(at(then, 2, 4), then, ["first", *now])) is Verdict.MOVED


@pytest.mark.parametrize("above", [["    )", "other = 2"], ["other = 2", "    )", "", "more = 3"]])
def test_an_edge_that_may_be_another_line_is_claimed_by_nobody(above: list[str]) -> None:
    then = [
        "old_name = 1",
        "    )",
        "def telling_name(argument):",
        "    return compute_it(argument)",
    ]
    now = [*above, *then[1:]]

    assert verdict(seen(at(then, 2, 4), then, now)) is Verdict.DRIFTED


def test_copies_that_are_all_kept_in_order_prove_each_other() -> None:
    twin = ["    )", "    return the_same_computation(argument)"]
    then = [
        "first_function = 1",
        *twin,
        "in_the_middle_of_the_whole_file = 2",
        *twin,
        "end_of_the_file = 3",
    ]
    now = ["another_first = 1", *then[1:]]

    assert verdict(seen(at(then, 2, 3), then, now)) is Verdict.FRESH
    assert verdict(seen(at(then, 2, 3), then, [*now, *twin])) is Verdict.DRIFTED


def test_a_short_line_needs_a_file_that_mostly_stayed() -> None:
    then = ["first_setting = 1", "SPAM=1", "last_setting = 1"]

    assert verdict(seen(at(then, 2, 2), then, ["first_setting = 1", "SPAM=1", "x"])) is (
        Verdict.FRESH
    )
    assert verdict(seen(at(then, 2, 2), then, ["first = 2", "SPAM=1", "x"])) is Verdict.DRIFTED


CONSTANTS = [
    *("# c", "def one(x):", "    if x:", "        return True", "    return False", "", ""),
    *("def two(y):", "    if y:", "        return True", "    return False", "", ""),
    *("LIMIT = 10", "OTHER = 20"),
]


@requirement("verdict.small-files")
@pytest.mark.parametrize(
    ("row", "text"),
    [(4, "        return None"), (1, "# d"), (15, "OTHER = 21"), (11, "    return 0")],
)
def test_a_short_line_that_did_not_move_is_fresh_whatever_changed_elsewhere(
    row: int, text: str
) -> None:
    now = [*CONSTANTS[: row - 1], text, *CONSTANTS[row:]]

    assert verdict(seen(at(CONSTANTS, 14, 14), CONSTANTS, now)) is Verdict.FRESH


@requirement("verdict.never-invented")
def test_a_short_line_that_was_copied_or_moved_is_in_doubt() -> None:
    edited = [*CONSTANTS[:3], "        return None", *CONSTANTS[4:]]

    for now in ([*edited, "LIMIT = 10"], ["import os", *edited]):
        assert verdict(seen(at(CONSTANTS, 14, 14), CONSTANTS, now)) is Verdict.DRIFTED


@requirement("verdict.small-files")
def test_a_short_line_stays_itself_where_its_file_only_got_more_lines() -> None:
    then = [f"{name} = {number}" for number, name in enumerate("abcdefg")]

    assert verdict(seen(at(["TTL = 9"], 1, 1), ["TTL = 9"], ["TTL = 9", "MAX = 10"])) is (
        Verdict.FRESH
    )
    assert verdict(seen(at(then, 3, 3), then, [*then, "h = 8"])) is Verdict.FRESH
    assert places(seen(at(then, 3, 3), then, ["# settings", *then])) == [(4, 4)]


@requirement("verdict.never-invented")
@pytest.mark.parametrize(
    "now",
    [
        ["x = 1", "TTL = 9", "TTL = 9"],
        ["TTL = 9", "y = 2"],
        ["another = 1", "TTL = 9"],
    ],
)
def test_a_short_line_is_in_doubt_where_it_was_copied_or_others_are_gone(now: list[str]) -> None:
    then = ["x = 1", "TTL = 9"]

    assert verdict(seen(at(then, 2, 2), then, now)) is Verdict.DRIFTED


def test_most_of_a_file_must_stay_for_it_to_be_the_same_file() -> None:
    header = ["# The terms of this project apply.", "# Read them."]
    span = at([*header, "body_of_the_file = 1"], 1, 2)

    def stays(now: list[str]) -> bool:
        return stays_around(span, FileComparison([*header, "body_of_the_file = 1"], now))

    assert stays([*header, "body_of_the_file = 1"])
    assert not stays([*header, "another_body = 1"])
    assert not stays_around(at(header, 1, 2), FileComparison(header, header))


def test_the_end_of_a_file_holds_its_last_lines() -> None:
    last = (len(FILE) - 2, len(FILE))

    assert verdict(seen(at(FILE, *last), FILE, ["# first", *FILE])) is Verdict.MOVED


THREE = ["the line above them all", "alpha = beta(gamma)", "the line below them all"]
LIKE_IT = "alpha = beta(gamma, delta)"
ELSE = "something else altogether"


@pytest.mark.parametrize(
    ("now", "where"),
    [
        ([THREE[0], LIKE_IT, THREE[2]], (2, 2)),
        ([THREE[0], LIKE_IT, ELSE], (2, 3)),
        ([ELSE, LIKE_IT, THREE[2]], (1, 2)),
        ([LIKE_IT], (1, 1)),
        ([THREE[0], LIKE_IT, *[ELSE] * 20], (2, 2)),
        ([*[ELSE] * 20, LIKE_IT, THREE[2]], (21, 21)),
    ],
)
def test_a_line_that_changed_is_found_by_what_is_left_around_it(
    now: list[str], where: tuple[int, int]
) -> None:
    assert places(seen(at(THREE, 2, 2), THREE, now)) == [where]


def test_a_span_that_is_the_whole_file_is_found_when_it_grows() -> None:
    then = ["alpha = beta(gamma)", "delta = epsilon(zeta)"]

    assert places(seen(at(then, 1, 2), then, ["alpha = beta()", then[1]])) == [(1, 2)]


def test_a_long_insertion_is_not_part_of_what_became_of_the_lines() -> None:
    then = ["top of the file", "alpha = beta(gamma)", "delta = epsilon(zeta)", "end of the file"]
    new = [f"inserted line number {number}" for number in range(40)]

    sighting = seen(at(then, 2, 3), then, [then[0], *new, then[1], "delta = 1", *new, then[3]])

    assert verdict(sighting) is Verdict.DRIFTED
    assert places(sighting) == [(42, 42)]


def test_blank_lines_that_changed_are_not_alike_to_anything() -> None:
    then = ["the line above them all", "", "the line below them all"]

    assert seen(at(then, 2, 2), then, [then[0], "something", then[2]]) is None


def test_a_long_difference_is_cut() -> None:
    lines = difference([f"a{n}" for n in range(60)], [f"b{n}" for n in range(60)])

    assert len(lines) == 40
    assert lines[-1] == "… 82 more lines"


@requirement("verdict.drift-shows-both-sides")
@pytest.mark.parametrize("before", [0, 150, 9_000])
def test_of_a_long_line_the_part_around_the_change_is_shown(before: int) -> None:
    start, end = "a" * before, "b" * 20_000

    *_, old, new = difference(["{", f"{start}OLD{end}"], ["{", f"{start}NEW{end}"])

    assert ("OLD" in old, "NEW" in new) == (True, True)
    assert (old[0], new[0]) == ("-", "+")
    assert max(len(old), len(new)) < 210


def test_a_long_line_that_stays_is_cut_too() -> None:
    lines = difference(["c" * 900, "old"], ["c" * 900, "new"])

    assert [len(line) for line in lines[1:]] == [202, 4, 4]


@requirement("verdict.no-secret-shown")
def test_a_secret_is_masked_before_its_line_is_cut() -> None:
    key = "API_KEY=sk_" + "live_4eC39HqLyjWDarjtT1zdp7dcQx"
    for before in range(100, 200, 5):
        lines = [f"{'x ' * 200}{sign}{'y ' * (before // 2)}{key} {'z ' * 300}" for sign in "+-"]

        assert "4eC39" not in "".join(difference(lines[:1], lines[1:]))


def test_the_text_of_a_span_is_read_only_from_the_file_it_was_in() -> None:
    span = at(FILE, *ROTATE)

    assert read_then(span, FILE) == FILE[ROTATE[0] - 1 : ROTATE[1]]
    assert read_then(span, FILE[1:]) is None
    assert read_then(span, []) is None
    assert read_then(span, None) is None


def test_a_span_of_which_only_the_name_is_left_is_where_that_name_is() -> None:
    span = at(FILE, *ROTATE)
    anchor = span.anchor
    assert anchor is not None
    named = replace(span, anchor=replace(anchor, symbol="rotate_tokens"))

    sighting = by_symbol(named, PATH, Lines(at=4, count=3))

    assert verdict(sighting) is Verdict.DRIFTED
    assert places(sighting) == [(5, 7)]
    assert "rotate_tokens" in sighting.how
    assert by_symbol(replace(span, anchor=None), PATH, Lines(at=0, count=1)).places


def test_runs_that_end_in_the_middle_of_a_file_are_no_place_for_a_hunk() -> None:
    """So many lines are the same that nobody looks further; nothing is known to differ."""
    then = [f"statement number {number}" for number in range(700)]
    now = ["a new first line", *then, "a new last line"]

    assert verdict(seen(at(then, 350, 352), then, now)) is Verdict.MOVED


def test_a_fit_is_better_only_if_it_is_nowhere_worse() -> None:
    assert Fit(before=3, after=3).beats(Fit(before=3, after=2))
    assert not Fit(before=3, after=3).beats(Fit(before=3, after=3))
    assert not Fit(before=9, after=1).beats(Fit(before=0, after=2))


def test_what_a_line_tells_has_an_end() -> None:
    assert weight("}") == 0
    assert weight("return None") == 10
    assert weight("x" * 1_000) == 40


def test_lines_are_found_wherever_they_stand() -> None:
    assert Text(["a", "b", "a", "a", "b"]).occurrences(["a", "b"]) == [0, 3]
    assert Text(["a", "b"]).occurrences(["c"]) == []


def test_lines_are_matched_in_the_order_of_both_files() -> None:
    assert align(["a", "b", "c"], ["x", "a", "c", "y"]) == [1, GONE, 2]
    assert align([], ["a"]) == []
    assert align(["a"], []) == [GONE]
    assert align(["a", "a", "b", "b"], ["b", "b", "a", "a"]).count(GONE) == 2
    assert align(["x", "1", "2", "3", "y"], ["x", "3", "1", "2", "y"]) == [0, 2, 3, GONE, 4]


def test_two_files_with_nothing_to_hold_on_to_are_not_compared_for_ever() -> None:
    then, now = ["a", "b"] * 200, ["b", "c", "a"] * 200

    assert align(["first", *then, "z"], ["first", *now, "z"])[0] == 0


@given(
    then=st.lists(st.sampled_from("abcdef"), max_size=12),
    now=st.lists(st.sampled_from("abcdef"), max_size=12),
)
def test_what_is_matched_reads_the_same_and_keeps_its_order(
    then: list[str], now: list[str]
) -> None:
    kept = [(old, new) for old, new in enumerate(align(then, now)) if new != GONE]

    assert all(then[old] == now[new] for old, new in kept)
    assert [new for _, new in kept] == sorted({new for _, new in kept})


WORDS = st.lists(st.sampled_from(["}", "", "return None", "pass", "x = 1", "end of it all"]))


@requirement("verdict.never-invented")
@given(then=WORDS.filter(bool), now=WORDS, data=st.data())
def test_no_other_text_is_ever_called_the_same(
    then: list[str], now: list[str], data: st.DataObject
) -> None:
    first = data.draw(st.integers(1, len(then)))
    last = data.draw(st.integers(first, len(then)))

    sighting = seen(at(then, first, last), then, now)

    if sighting is not None and not sighting.verdict.is_doubtful:
        start, end = places(sighting)[0]
        assert now[start - 1 : end] == then[first - 1 : last]
    for start, end in places(sighting) if sighting is not None else ():
        assert 1 <= start <= end


@requirement("verdict.moved")
@given(data=st.data(), size=st.integers(1, 14))
def test_lines_that_are_all_different_are_found_wherever_they_go(
    data: st.DataObject, size: int
) -> None:
    then = [f"statement number {number} of this file, which says enough" for number in range(size)]
    first = data.draw(st.integers(1, size))
    last = data.draw(st.integers(first, size))
    above = data.draw(st.integers(0, 5))
    new = [f"a line that was not there before, {number}" for number in range(above)]

    sighting = seen(at(then, first, last), then, [*new, *then])

    assert places(sighting) == [(first + above, last + above)]
    assert verdict(sighting) is (Verdict.MOVED if above else Verdict.FRESH)


@requirement("verdict.moved")
def test_a_blank_line_between_kept_lines_needs_no_proof() -> None:
    then = ["*.pyc", "", "*~", "._*", "", "# C extensions of ours", "built_library.so"]
    now = ["docs", "", *then]

    sighting = seen(at(then, 4, 7), then, now)

    assert (verdict(sighting), places(sighting)) == (Verdict.MOVED, [(6, 9)])


@requirement("verdict.never-invented")
def test_a_blank_line_at_the_edge_may_be_another_one_that_came_in() -> None:
    then = ["*.pyc", "", "# what the editors leave behind", "built_library.so"]
    now = ["*.pyc", "venv", "", "nohup", *then[1:]]

    sighting = seen(at(then, 2, 4), then, now)

    assert (verdict(sighting), places(sighting)) == (Verdict.DRIFTED, [(5, 7)])
