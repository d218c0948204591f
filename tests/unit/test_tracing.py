"""Finding spans again in other files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdfast.domain.anchors.file_lines import Budget, words
from holdfast.domain.anchors.locating import SEVERAL
from holdfast.domain.anchors.marking import Marked, locate_by_marks
from holdfast.domain.anchors.suspects import FileToSearch, suspects
from holdfast.domain.anchors.tracing import (
    COPY,
    UNKNOWN_PAST,
    decide,
    resembling,
    suspected_by_marks,
)
from holdfast.domain.memory.anchor import Sighting, Verdict
from holdfast.domain.memory.evidence import Span
from tests.requirements import requirement
from tests.unit.places import FILE, at, function, line_of

ROTATE = FIRST, LAST = line_of(FILE, "def rotate"), line_of(FILE, "def rotate") + 3
BLOCK = FILE[ROTATE[0] - 1 : ROTATE[1] + 2]
OTHER = [*function("greet_everybody", "store.say_hello_to_all()"), "# the end of another file"]


def came(path: str = "src/new.py", *, to: Sequence[str] = OTHER) -> FileToSearch:
    """A file that did not hold the block when the span was read, and does now."""
    return FileToSearch(path, [*to, *BLOCK], to)


def traced(
    span: Span,
    candidates: Sequence[FileToSearch],
    then: Sequence[str] = FILE,
    homes: Mapping[str, Sequence[str]] | None = None,
) -> Sighting | None:
    found = suspects(span, then, candidates)
    assert found is not None
    if homes is None:
        homes = {words(line): [one.path] for one in candidates for line in one.now}
    return decide(span, found, homes) if found else None


def verdict(sighting: Sighting | None) -> Verdict | None:
    return None if sighting is None else sighting.verdict


def paths(sighting: Sighting | None) -> list[str]:
    assert sighting is not None
    return [place.path for place in sighting.places]


@requirement("verdict.moved")
def test_a_function_that_went_to_another_file_has_moved_there() -> None:
    sighting = traced(at(FILE, *ROTATE), [came()])

    assert verdict(sighting) is Verdict.MOVED
    assert sighting is not None
    assert sighting.places[0].reference == f"src/new.py:{len(OTHER) + 1}-{len(OTHER) + 4}"


COMMON_END = [
    "def total_of_all_orders(orders, rates):",
    "    value = sum_up_every_order(orders)",
    "    value *= rates.of_the_country_of(orders)",
    "    return value",
]
"""A function whose last line other files have as well."""
EXTRACTED = [*FILE, *COMMON_END, *FILE[:2]]
PLACE = (len(FILE) + 1, len(FILE) + len(COMMON_END))


def extracted(
    now: Sequence[str],
    then: Sequence[str] | None = (),
    *,
    place: tuple[int, int] = PLACE,
    pasts: Sequence[Sequence[str]] = (),
    also: Mapping[str, Sequence[str]] | None = None,
) -> Sighting | None:
    """Trace a span into a file, where every file has the line ``return value``."""
    file = FileToSearch("src/new.py", now, then)
    homes = {words(line): ["src/new.py"] for line in now} | {
        "return value": ["src/new.py", "src/third.py"],
        **(also or {}),
    }
    span = at(EXTRACTED, *place)
    found = suspects(span, EXTRACTED, [file], pasts=pasts)
    return decide(span, found, homes) if found else None


@requirement("verdict.moved")
def test_a_function_that_ends_with_a_common_line_moves_to_a_new_file() -> None:
    sighting = extracted(["# a new file", "", *COMMON_END])

    assert verdict(sighting) is Verdict.MOVED
    assert paths(sighting) == ["src/new.py"]


@requirement("verdict.moved")
def test_it_moves_to_a_file_that_was_there_too() -> None:
    assert verdict(extracted([*OTHER, *COMMON_END], OTHER)) is Verdict.MOVED


@requirement("verdict.never-invented")
def test_a_common_line_at_the_edge_that_was_there_before_is_not_claimed() -> None:
    there = [*OTHER, "    return value"]

    sighting = extracted([*OTHER, *COMMON_END], there)

    assert verdict(sighting) is Verdict.DRIFTED
    assert sighting is not None
    assert sighting.how == COPY


@requirement("verdict.never-invented")
def test_a_blank_line_at_the_edge_of_an_extracted_text_may_be_another_one() -> None:
    now = ["# a new file", "", *COMMON_END]
    with_blank = (PLACE[0] - 1, PLACE[1])

    sighting = extracted(now, place=with_blank)

    assert EXTRACTED[with_blank[0] - 1] == ""
    assert (verdict(sighting), paths(sighting)) == (Verdict.DRIFTED, ["src/new.py"])


@requirement("verdict.never-invented")
def test_an_extracted_text_that_a_file_had_before_is_not_claimed() -> None:
    older = ["# an older copy", *COMMON_END, "# of the same"]
    now = ["# a new file", "", *COMMON_END]

    assert verdict(extracted(now, pasts=[older])) is not Verdict.MOVED
    assert verdict(extracted([*older, "# grown"], older)) is not Verdict.MOVED
    assert verdict(extracted(now, None)) is Verdict.DRIFTED


@requirement("verdict.never-invented")
def test_an_extracted_text_that_another_file_has_too_is_not_claimed() -> None:
    both = {words(line): ["src/new.py", "src/vendored.py"] for line in COMMON_END}

    sighting = extracted(["# a new file", "", *COMMON_END], also=both)

    assert verdict(sighting) is Verdict.DRIFTED


@requirement("verdict.never-invented")
def test_a_single_line_needs_more_than_to_be_the_same() -> None:
    last = PLACE[1]

    assert verdict(extracted(["    return value"], place=(last, last))) is Verdict.DRIFTED
    two = extracted(["# new", *COMMON_END[-2:]], place=(last - 1, last))
    assert verdict(two) is Verdict.DRIFTED


@requirement("verdict.moved")
def test_lines_inside_the_function_move_with_it() -> None:
    line = line_of(FILE, "for token")

    assert verdict(traced(at(FILE, line, line), [came()])) is Verdict.MOVED


@requirement("verdict.never-invented")
def test_a_copy_that_was_always_there_is_not_where_the_lines_went() -> None:
    there = [*OTHER, *BLOCK]
    grown = FileToSearch("src/old.py", ["# a new first line", *there], there)

    assert suspects(at(FILE, *ROTATE), FILE, [grown]) == []


@requirement("verdict.never-invented")
def test_a_copy_whose_past_is_unknown_is_named_but_not_claimed() -> None:
    unknown = FileToSearch("src/new.py", [*OTHER, *BLOCK], None)

    sighting = traced(at(FILE, *ROTATE), [unknown])

    assert verdict(sighting) is Verdict.DRIFTED
    assert sighting is not None
    assert sighting.how == UNKNOWN_PAST


@requirement("verdict.never-invented")
def test_a_whole_file_whose_past_is_unknown_may_be_an_older_copy() -> None:
    assert (
        verdict(traced(at(FILE, *ROTATE), [FileToSearch("src/new.py", FILE, None)]))
        is Verdict.DRIFTED
    )


@requirement("verdict.never-invented")
def test_of_two_files_that_got_the_lines_none_is_taken() -> None:
    sighting = traced(at(FILE, *ROTATE), [came(), came("src/third.py")])

    assert verdict(sighting) is Verdict.DRIFTED
    assert paths(sighting) == ["src/new.py", "src/third.py"]
    assert sighting is not None
    assert sighting.how == SEVERAL


@requirement("verdict.never-invented")
def test_lines_that_many_files_have_prove_nothing() -> None:
    everywhere = {words(line): ["src/new.py", "src/third.py"] for line in [*OTHER, *BLOCK]}

    sighting = traced(at(FILE, *ROTATE), [came()], homes=everywhere)

    assert verdict(sighting) is Verdict.DRIFTED


@requirement("verdict.never-invented")
def test_one_of_two_copies_that_moved_may_be_either() -> None:
    then = [*BLOCK, *FILE]

    sighting = traced(at(then, 1, 4), [came()], then)

    assert verdict(sighting) is not Verdict.MOVED


@requirement("verdict.never-invented")
def test_a_copy_that_fits_the_other_lines_better_is_theirs() -> None:
    before = ["# the line before the first", "# and one more before it"]
    then = [*before, *BLOCK, *FILE]
    first = at(then, 3, 6)

    moved = FileToSearch("src/new.py", [*OTHER, *FILE[ROTATE[0] - 4 : ROTATE[1] + 2]], OTHER)

    assert suspects(first, then, [moved]) == []


@requirement("verdict.never-invented")
def test_lines_that_partly_were_there_before_are_not_claimed() -> None:
    there = [*OTHER, *BLOCK[:4], "# and what follows"]
    now = [*OTHER[:2], *BLOCK, *BLOCK]
    sighting = traced(at(FILE, *ROTATE), [FileToSearch("src/new.py", now, there)])

    assert verdict(sighting) is not Verdict.MOVED


@requirement("verdict.never-invented")
def test_where_nobody_could_look_for_other_files_nothing_is_proved() -> None:
    span = at(FILE, *ROTATE)

    places = suspects(span, FILE, [came()])
    assert places is not None

    assert verdict(decide(span, places, None)) is Verdict.DRIFTED


def test_only_lines_near_a_place_are_asked_about() -> None:
    long = [f"statement number {number}" for number in range(200)]
    (suspect,) = suspects(at(long, 100, 101), long, [FileToSearch("src/new.py", long, ())]) or []

    assert suspect.fit.total > 200
    assert len(suspect.proof) == 62


@requirement("verdict.never-invented")
def test_a_copy_that_came_from_a_third_file_is_not_where_the_lines_went() -> None:
    third = ["# the third file of all", *BLOCK, "# its last line"]
    moved = FileToSearch("src/new.py", [*OTHER, *third[:-1]], OTHER)

    assert suspects(at(FILE, *ROTATE), FILE, [moved])
    assert suspects(at(FILE, *ROTATE), FILE, [moved], pasts=[third]) == []


@requirement("verdict.never-invented")
def test_a_copy_that_may_have_come_from_a_third_file_is_named_but_not_claimed() -> None:
    third = [*FILE[FIRST - 3 : LAST + 3], "# its last line"]
    span = at(FILE, FIRST, LAST)

    (suspect,) = suspects(span, FILE, [came()], pasts=[third]) or []

    homes = {words(line): ["src/new.py"] for line in came().now}
    assert verdict(decide(span, [suspect], homes)) is Verdict.DRIFTED


def test_a_file_without_the_lines_is_passed_over() -> None:
    assert suspects(at(FILE, *ROTATE), FILE, [FileToSearch("src/new.py", OTHER, OTHER)]) == []


@requirement("verdict.moved")
def test_without_the_old_file_all_that_was_noted_must_be_there() -> None:
    span = at(FILE, *ROTATE)

    whole = suspected_by_marks(span, [FileToSearch("src/new.py", FILE, ())])
    part = suspected_by_marks(span, [came()])
    nothing = suspected_by_marks(span, [FileToSearch("src/new.py", OTHER, OTHER)])

    assert verdict(whole) is Verdict.MOVED
    assert verdict(part) is Verdict.DRIFTED
    assert nothing is None


@requirement("verdict.never-invented")
def test_without_the_old_file_a_copy_is_not_claimed_either() -> None:
    span = at(FILE, *ROTATE)
    unknown = FileToSearch("src/new.py", FILE, None)

    always = suspected_by_marks(span, [FileToSearch("src/new.py", ["# new", *FILE], FILE)])
    twice = suspected_by_marks(span, [unknown, FileToSearch("src/third.py", FILE, ())])

    assert always is None
    assert verdict(twice) is Verdict.DRIFTED
    assert paths(twice) == ["src/third.py", "src/new.py"]
    assert verdict(suspected_by_marks(span, [unknown])) is Verdict.DRIFTED


@requirement("verdict.drifted")
def test_lines_that_went_elsewhere_and_changed_are_found_by_what_is_left() -> None:
    edited = [line.replace("rotate_now", "rotate_later") for line in BLOCK]
    there = FileToSearch("src/new.py", [*OTHER, *edited], OTHER)

    sighting = resembling(at(FILE, *ROTATE), FILE, [there], renamed=())

    assert verdict(sighting) is Verdict.DRIFTED
    assert paths(sighting) == ["src/new.py"]
    assert sighting is not None
    assert sighting.change


@requirement("verdict.drifted")
def test_a_renamed_file_is_looked_at_even_if_no_line_is_left() -> None:
    line = line_of(FILE, "ledger = store")
    now = list(FILE)
    now[line - 1] = "    ledger = store.find('journal')"
    renamed = FileToSearch("src/new.py", now, ())

    known = resembling(at(FILE, line, line), FILE, [renamed], renamed={"src/new.py"})
    unknown = resembling(at(FILE, line, line), None, [renamed], renamed={"src/new.py"})

    assert paths(known) == paths(unknown) == ["src/new.py"]
    assert resembling(at(FILE, line, line), None, [renamed], renamed=()) is None


@requirement("verdict.orphaned")
def test_a_file_with_too_little_of_the_lines_holds_nothing_of_them() -> None:
    little = FileToSearch("src/new.py", [*OTHER, "        token.rotate_now()"], OTHER)
    always = FileToSearch("src/old.py", [*BLOCK, "# new"], BLOCK)
    elsewhere = FileToSearch("src/renamed.py", ["nothing of it is left here"], ())
    line = line_of(FILE, "return None")

    span = at(FILE, *ROTATE)
    assert resembling(span, FILE, [little, always], renamed=()) is None
    assert resembling(span, FILE, [elsewhere], renamed={"src/renamed.py"}) is None
    assert resembling(at(FILE, line + 1, line + 1), FILE, [little], renamed=()) is None


@requirement("verdict.work-is-bounded")
def test_a_blank_line_of_a_removed_file_is_too_common_to_be_found() -> None:
    blank = ["", "x = 1"] * 300
    span = at(blank, 1, 1)
    others = [FileToSearch(f"src/{number}.py", blank, ()) for number in range(20)]

    assert suspects(span, blank, others) is None
    assert suspects(span, blank, others[:1], budget=Budget(200_000)) is None
    assert verdict(suspected_by_marks(span, others)) is Verdict.UNVERIFIABLE
    assert verdict(locate_by_marks(span, "src/app.py", Marked([""] * 2_000))) is (
        Verdict.UNVERIFIABLE
    )
