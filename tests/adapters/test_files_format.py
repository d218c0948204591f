"""What a page says: where entries begin, what their frontmatter may hold, and what is a flaw."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.adapters.files.entries import ReadEntry, read_pieces, written_body
from holdfast.adapters.files.frontmatter import Field, FrontmatterTrouble, read_block
from holdfast.adapters.files.page_text import PieceKind, cut, joined
from holdfast.adapters.files.pages import read_pages
from holdfast.domain.choices import Kind, Status
from holdfast.domain.memory.entry import Flaw, PageEntry
from tests.requirements import requirement

PAGE = ".holdfast/memory/decisions.md"


def entries(text: str, path: str = PAGE) -> list[PageEntry]:
    return [placed.entry for placed in read_pages({path: text.encode()}).entries]


def flaws(text: str | bytes, path: str = PAGE) -> list[Flaw]:
    content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return list(read_pages({path: content}).flaws)


def only(text: str) -> PageEntry:
    (entry,) = entries(text)
    return entry


def a_page(head: str, body: str = "It holds.\n") -> str:
    return f"---\n{head}---\n{body}"


@requirement("files.every-fact-is-read")
def test_every_key_of_an_entry_is_read() -> None:
    head = (
        "id: DEC-001\nuid: m_3f8k2q\ntype: decision\nstatus: deprecated\ntags: [ui, tui]\n"
        "key: door\nexpires: 2026-12-24\n"
        "source: run-2026-01-27-3\nevidence: [src/app.py:10-30@9f3c2ab]\nupdated: 2026-01-27\n"
        "was: [DEC-009]\n"
    )

    entry = only(a_page(head, "\nDecision: one.\nRationale: two.\n\n"))

    assert (entry.label, entry.uid, entry.kind) == ("DEC-001", "m_3f8k2q", Kind.DECISION)
    assert (entry.status, entry.tags) == (Status.DEPRECATED, ("ui", "tui"))
    assert (entry.key, entry.expires) == ("door", "2026-12-24T00:00:00Z")
    assert entry.evidence == ("src/app.py:10-30@9f3c2ab",)
    assert (entry.source, entry.updated) == ("run-2026-01-27-3", "2026-01-27")
    assert (entry.was, entry.body) == (("DEC-009",), "Decision: one.\nRationale: two.")


def test_several_entries_share_a_page_and_each_says_its_line() -> None:
    text = "# Decisions\n\n---\nid: A-1\n---\nOne.\n\n---\nid: A-2\n---\nTwo.\n"

    placed = read_pages({PAGE: text.encode()}).entries

    assert [(one.entry.label, one.line, one.entry.body) for one in placed] == [
        ("A-1", 3, "One."),
        ("A-2", 8, "Two."),
    ]


@pytest.mark.parametrize(
    "body",
    [
        "Above.\n\n---\n\nBelow.",
        "Above.\n\n---\nA sentence: not a key of ours.\n---\nBelow.",
        "Above.\n---\nrecipe: soup\n---\nBelow.",
        "```\n---\nid: X\n---\n```",
        "~~~~ markdown\n---\ntype: fact\n---\nInside.\n~~~~",
        "> ---\n> id: X\n> ---",
        "   ---",
    ],
)
@requirement("files.ruled-line-is-no-entry")
def test_a_ruled_line_or_one_in_a_code_block_does_not_end_an_entry(body: str) -> None:
    assert only(a_page("type: fact\n", body + "\n")).body == body


def test_a_code_block_that_never_ends_hides_nothing() -> None:
    text = a_page("type: fact\n", "```\nopen\n\n") + a_page("type: rule\n")

    assert [entry.kind for entry in entries(text)] == [Kind.FACT, Kind.RULE]


def test_an_entry_without_a_type_is_of_the_kind_its_page_promises() -> None:
    head = a_page("id: G-1\n")

    assert [entry.kind for entry in entries(head, ".holdfast/memory/gotchas.md")] == [Kind.GOTCHA]
    assert [entry.kind for entry in entries(head, ".holdfast/memory/rules/R-1.md")] == [Kind.RULE]
    assert flaws(head, ".holdfast/memory/notes.md")[0].line == 1


@requirement("files.values-stay-texts")
def test_numbers_dates_and_words_like_no_stay_as_they_are_written() -> None:
    entry = only(a_page("type: fact\ntags: [0123456, 1.10, no, 2026-13-45, ~]\nsource: 1e3\n"))

    assert entry.tags == ("0123456", "1.10", "no", "2026-13-45", "~")
    assert entry.source == "1e3"


def test_lists_may_be_written_in_every_way() -> None:
    block = "type: fact\ntags:\n  - one\n  # between\n  - 'two'\nevidence: src/a.py:1\nwas: A, B\n"

    entry = only(a_page(block))

    assert (entry.tags, entry.evidence, entry.was) == (("one", "two"), ("src/a.py:1",), ("A", "B"))


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("type: fact\nall: &a [x]\nagain: *a\n", 3),
        ("type: fact\nsome: !!str x\n", 3),
        ("type: fact\ndeep: [[[[x]]]]\n", 3),
        ("type: fact\nstatus: accepted\nstatus: rejected\n", 4),
        ("type: fact\nmap: {a: 1, a: 2}\n", 3),
        ("type: fact\ntags: [open\n", 3),
        ("type: fact\n\tbad: tab\n", 3),
        ('type: fact\nname: "\\ud800"\n', 3),
        ('type: fact\nname: "\\0"\n', 3),
        ("type: fact\n? [a]\n: b\n", 3),
        ("type: nothing\n", 2),
        ("id: A-1\nstatus: perhaps\n", 3),
        ("id: has space\n", 2),
        ("type: fact\nuid: 7\n", 3),
        ("type: fact\ntags: {a: b}\n", 3),
        ("type: fact\nsource: [a]\n", 3),
    ],
)
@requirement("files.strict-frontmatter")
def test_what_is_not_allowed_in_frontmatter_is_refused_with_its_line(head: str, line: int) -> None:
    (flaw,) = flaws(a_page(head))

    assert (flaw.path, flaw.line) == (PAGE, line)
    assert flaw.problem


@requirement("files.strict-frontmatter")
def test_bombs_and_towers_are_refused_and_not_built() -> None:
    bomb = "type: fact\na: &a [x, x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20)
    )
    tower = "type: fact\ntower: " + "[" * 8_000 + "\n"

    assert len(flaws(a_page(bomb))) == len(flaws(a_page(tower))) == 1


@requirement("files.strict-frontmatter")
def test_a_block_of_more_than_sixteen_kibibytes_is_refused() -> None:
    large = "type: fact\n" + "".join(f"key{number}: {'x' * 100}\n" for number in range(200))

    (flaw,) = flaws(a_page(large))

    assert flaw.line > 1


@pytest.mark.parametrize(
    "text",
    [
        "type: fact\nname: x\n...\nmore: y\n",
        "# only a comment\n",
        "- a\n- b\n",
        "",
        "%YAML 1.2\n",
        "a: 'open\n",
        'a: "\\U99999999"\n',
        "a: \x07\n",
    ],
)
def test_odd_blocks_are_trouble_and_never_an_error(text: str) -> None:
    found = read_block(text)

    assert isinstance(found, FrontmatterTrouble) or not found


@given(st.text(alphabet="ab:,[]{}'\"#&*!|>-?%@`\\ \n\t0\r~.=<\u0085\u2028é", max_size=80))
def test_no_block_of_text_makes_the_reading_fail(text: str) -> None:
    found = read_block(text)

    assert isinstance(found, (dict, FrontmatterTrouble))


@given(st.binary(max_size=200))
def test_no_page_of_bytes_makes_the_reading_fail(content: bytes) -> None:
    text = (b"---\ntype: fact\n" + content).decode("utf-8", "surrogateescape")

    assert joined(cut(text)) == text
    read_pages({PAGE: text.encode("utf-8", "surrogateescape")})


@given(
    st.lists(
        st.tuples(
            st.from_regex(r"[a-z]{1,6}", fullmatch=True),
            st.from_regex(
                r"[A-Za-z0-9_./][A-Za-z0-9_./@+:-]{0,8}( [a-z0-9.:/]{1,4})?", fullmatch=True
            ),
        ),
        max_size=4,
        unique_by=lambda pair: pair[0],
    )
)
def test_what_is_read_without_yaml_reads_the_same_with_it(pairs: list[tuple[str, str]]) -> None:
    plain = "".join(f"{key}: {value}\nmore{key}: [{value}, {value}]\n" for key, value in pairs)

    quick, slow = read_block(plain), read_block(plain + "# a comment\n")

    assert _said(quick) == _said(slow)


def _said(found: Mapping[str, Field] | FrontmatterTrouble) -> object:
    if isinstance(found, FrontmatterTrouble) or not found:
        return None
    return {
        key: (
            field.line,
            field.after_colon,
            field.texts,
            None if field.scalar is None else field.scalar,
            field.items,
        )
        for key, field in found.items()
    }


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (a_page("type: fact\n", "one\nt\u202ewo\n").encode(), 5),
        (a_page("type: fact\n", "one\nt\U000e0041wo\n").encode(), 5),
        (a_page("type: fact\n", "o\0ne\n").encode(), 4),
        (a_page("type: fact\n").encode() + b"two\xff\n", 5),
        (a_page("type: fact\n").encode() + b"two\xed\xa0\x80\n", 5),
        (b"# Title \xff\n\n" + a_page("type: fact\n").encode(), 1),
        (a_page("type: fact\n", "").encode(), 1),
        (a_page("type: fact\n", "x" * 65_537).encode(), 1),
        (b"---\ntype: fact\nIt was never closed.\n", 3),
        (b"---\ntype: fact\nid: A-1\n", 3),
        (a_page("type: fact\n", "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n").encode(), 4),
        (a_page("type: fact\n", "One.\n<<<<<<< a\n=======\nb\n>>>>>>> b\nTwo.\n").encode(), 5),
    ],
)
@requirement("files.flaws-name-file-and-line")
def test_what_cannot_be_read_is_a_flaw_with_its_line(content: bytes, line: int) -> None:
    (flaw, *_) = flaws(content)

    assert (flaw.path, flaw.line) == (PAGE, line)


@requirement("files.flaws-name-file-and-line")
def test_an_entry_that_says_kind_for_type_is_a_flaw_and_not_text_of_the_entry_before() -> None:
    text = a_page("type: rule\n", "Never rebase main.\n") + a_page("kind: rule\n", "Use pnpm.\n")

    assert [entry.body for entry in entries(text)] == ["Never rebase main."]
    (flaw,) = flaws(text)
    assert flaw.line == 6
    assert flaw.advice.startswith("Write 'type' in place of 'kind'")


def test_a_key_kind_of_ones_own_stays_beside_the_type() -> None:
    assert only(a_page("type: rule\nkind: of blue\n")).kind is Kind.RULE


@requirement("files.flaws-name-file-and-line")
def test_a_flaw_in_one_entry_leaves_the_others_readable() -> None:
    broken = "---\ntype: fact\nnot closed\n\n"
    text = a_page("id: A-1\n", "One.\n\n") + broken + a_page("id: A-2\n", "Two.\n")

    assert [entry.label for entry in entries(text)] == ["A-1", "A-2"]
    assert [flaw.line for flaw in flaws(text)] == [8]


@requirement("files.flaws-name-file-and-line")
def test_a_uid_that_is_there_twice_is_a_flaw_on_the_second() -> None:
    text = a_page("uid: m_1\n", "One.\n\n") + a_page("uid: m_1\n", "Two.\n")

    assert [entry.body for entry in entries(text)] == ["One."]
    (flaw,) = flaws(text)
    assert flaw.line == 6
    assert f"{PAGE}:1" in flaw.problem


def test_what_a_merge_left_is_no_entry_and_the_entries_around_it_are() -> None:
    conflict = (
        "<<<<<<< ours\n---\nid: A-2\n---\nOurs.\n=======\n---\nid: A-2\n---\nTheirs.\n"
        ">>>>>>> theirs\n"
    )
    text = a_page("id: A-1\n", "One.\n\n") + conflict + a_page("id: A-3\n", "Three.\n")

    assert [entry.body for entry in entries(text)] == ["One.", "Three."]
    assert [flaw.line for flaw in flaws(text)] == [6]
    assert [piece.kind for piece in cut(text)][1] is PieceKind.CONFLICT


@requirement("files.half-a-conflict-is-never-read")
def test_an_entry_that_a_conflict_stands_in_is_not_read_at_all() -> None:
    before = a_page("id: A-1\n", "One.\n\n")
    inside = a_page("id: A-2\n", "Start.\n<<<<<<< a\nours\n=======\ntheirs\n>>>>>>> b\nEnd.\n\n")
    heads = "---\n<<<<<<< a\nid: A-3\n=======\nid: A-4\n>>>>>>> b\ntype: fact\n---\nText.\n"

    assert [entry.label for entry in entries(before + inside)] == ["A-1"]
    assert [entry.label for entry in entries(before + before.replace("1", "5") + heads)] == ["A-1"]


@given(
    st.lists(
        st.sampled_from(
            [
                "---",
                "\\---",
                "type: fact",
                "```",
                "~~~",
                "text",
                "",
                "=======",
                "<<<<<<< x",
                ">>>>>>> y",
                "\\```",
                "   ```",
                "id: A",
            ]
        ),
        min_size=1,
    )
)
@requirement("files.any-body-reads-back")
def test_any_body_is_written_so_that_it_reads_back(lines: list[str]) -> None:
    body = "\n".join(["Begin.", *lines, "End."])
    page = a_page("type: fact\n", f"{written_body(body)}\n\n") + a_page("type: rule\n", "Next.\n")

    read = [one.entry for _, one in read_pieces(page, PAGE) if isinstance(one, ReadEntry)]

    assert [entry.body for entry in read] == [body, "Next."]


def test_line_ends_marks_and_a_missing_last_line_end_do_not_change_what_is_said() -> None:
    plain = a_page("type: fact\ntags: [a]\n", "One.\nTwo.\n")

    other = only("\ufeff" + plain.rstrip("\n").replace("\n", "\r\n"))

    assert other == only(plain)


@requirement("files.key-and-expiry")
def test_an_expiry_that_is_no_date_is_a_flaw_with_its_line() -> None:
    (flaw,) = flaws(a_page("id: DEC-001\nexpires: soon\n"))

    assert (flaw.line, flaw.problem) == (3, "'soon' is no date.")
    assert "2026-12-24" in flaw.advice


@requirement("files.mistaken-keys-are-told")
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("kye: foo", "key"),
        ("tag: private", "tags"),
        ("Tags: [private]", "tags"),
        ("ttl: 5d", "expires"),
        ("evidnce: [src/app.py:1]", "evidence"),
        ("checks: [x]", "check"),
        ("statsu: rejected", "status"),
    ],
)
def test_a_key_that_stands_for_another_is_told_with_its_line(written: str, meant: str) -> None:
    (flaw,) = flaws(a_page(f"type: decision\n{written}\n"))

    assert flaw.line == 3
    assert flaw.problem.endswith(f"is no key of an entry; did you mean '{meant}'?")
    assert entries(a_page(f"type: decision\n{written}\n")) == []


@requirement("files.mistaken-keys-are-told")
@pytest.mark.parametrize(
    "own",
    [
        "aliases: [x]",
        "cssclasses: wide",
        "date: 2026-01-02",
        "tabs: 4",
        "sources: [a]",
        "author: a",
    ],
)
def test_a_key_of_ones_own_is_left_alone(own: str) -> None:
    assert only(a_page(f"type: decision\n{own}\n")).kind is Kind.DECISION


@requirement("files.mistaken-keys-are-told")
def test_a_key_beside_the_one_it_resembles_is_ones_own() -> None:
    assert only(a_page("type: decision\ntags: [a]\ntag: b\n")).tags == ("a",)
