from __future__ import annotations

from holdfast.domain.choices import EvidenceType
from holdfast.domain.ids import SpanId
from holdfast.domain.memory.anchor import Checked, FoundLines, Sighting, Verdict
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.recall.rendering import Quote, cut_short, quote_json
from holdfast.usecases.anchors.quoting import MOST_LINES, lines_around, quotes_of
from tests.builders import PlainSurroundings, a_memory, a_reason, a_record
from tests.requirements import requirement

PATH = "src/app.py"
FILE = "".join(f"line {number}\n" for number in range(1, 101))
HERE = PlainSurroundings(files={PATH: FILE})


def cites(reference: str, span: str = "s_1") -> Evidence:
    return a_reason(type=EvidenceType.SPAN, reference=reference, span=SpanId(span))


def quoted(*evidence: Evidence, checked: tuple[Checked, ...] = ()) -> tuple[Quote, ...]:
    record = a_record(a_memory(evidence=evidence))
    return quotes_of(record, checked, surroundings=HERE)


def checked(*places: FoundLines) -> Checked:
    sighting = Sighting(verdict=Verdict.MOVED, places=places)
    return Checked(reference=f"{PATH}:1-2", span=SpanId("s_1"), sighting=sighting)


@requirement("review.cited-lines")
def test_lines_are_quoted_where_they_are_now() -> None:
    moved = checked(FoundLines(path=PATH, first=11, last=12))

    [quote] = quoted(cites(f"{PATH}:1-2"), checked=(moved,))

    assert (quote.reference, quote.lines) == (f"{PATH}:11-12", ("line 11", "line 12"))


def test_lines_that_were_not_checked_are_quoted_where_they_were_read() -> None:
    assert [one.reference for one in quoted(cites(f"{PATH}:7"))] == [f"{PATH}:7"]


def test_what_names_no_lines_or_cannot_be_read_gives_no_quote() -> None:
    nowhere = checked(FoundLines(path="gone.py", first=1, last=2))
    beyond = checked(FoundLines(path=PATH, first=500, last=501))

    assert quoted(a_reason(), cites(PATH)) == ()
    assert quoted(cites("gone.py:1-2"), checked=(nowhere,)) == ()
    assert quoted(cites(f"{PATH}:500-501"), checked=(beyond,)) == ()


def test_long_and_many_quotes_are_cut_and_counted() -> None:
    [long] = quoted(cites(f"{PATH}:1-100"))
    many = quoted(*(cites(f"{PATH}:{number}", f"s_{number}") for number in range(1, 9)))
    short = cut_short(long, 3)

    assert (len(long.lines), long.more, long.reference) == (MOST_LINES, 60, f"{PATH}:1-100")
    assert (short.lines, short.more, short.reference) == (
        ("line 1", "line 2", "line 3"),
        97,
        f"{PATH}:1-100",
    )
    assert len(many) == 4
    assert quote_json(short) == {
        "ref": f"{PATH}:1-100",
        "path": PATH,
        "first": 1,
        "lines": ["line 1", "line 2", "line 3"],
        "more": 97,
    }


@requirement("review.cited-lines")
def test_a_quoted_line_is_cut_after_a_thousand_characters() -> None:
    here = PlainSurroundings(files={"data": f"{'a' * 1_000}\n{'b' * 3_000}\n{'c' * 1_001}\n"})
    record = a_record(a_memory(evidence=(cites("data:1-2"),)))

    [quote] = quotes_of(record, (), surroundings=here)
    around = lines_around(quote, margin=1, surroundings=here)

    assert quote.lines == ("a" * 1_000, f"{'b' * 1_000}… (2,000 more characters)")
    assert around.after == (f"{'c' * 1_000}… (1 more character)",)


def test_a_quote_is_shown_with_the_lines_around_it() -> None:
    [quote] = quoted(cites(f"{PATH}:3-4"))
    [first] = quoted(cites(f"{PATH}:1"))
    [last] = quoted(cites(f"{PATH}:100"))

    around = lines_around(quote, margin=2, surroundings=HERE)
    above = lines_around(first, margin=2, surroundings=HERE)
    below = lines_around(last, margin=2, surroundings=HERE)

    assert (around.first, around.before, around.after) == (
        1,
        ("line 1", "line 2"),
        ("line 5", "line 6"),
    )
    assert (above.first, above.before, above.after) == (1, (), ("line 2", "line 3"))
    assert (below.first, below.before, below.after) == (98, ("line 98", "line 99"), ())


def test_a_quote_that_was_cut_has_no_lines_after_it_and_one_of_a_lost_file_none() -> None:
    [long] = quoted(cites(f"{PATH}:5-100"))
    lost = Quote(path="gone.py", first=2, lines=("x",))

    assert lines_around(long, margin=2, surroundings=HERE).before == ("line 3", "line 4")
    assert lines_around(long, margin=2, surroundings=HERE).after == ()
    assert lines_around(lost, margin=2, surroundings=HERE).before == ()
