"""Writing into pages that people wrote: what is not meant stays byte for byte."""

from __future__ import annotations

import random

import pytest

from holdfast.adapters.files.editing import readable
from holdfast.adapters.files.entries import ReadEntry, read_piece
from holdfast.adapters.files.page_text import PieceKind, cut, joined, lines_of
from holdfast.adapters.files.page_writing import with_puts
from holdfast.domain.choices import Kind, Status
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import PageEntry
from holdfast.domain.values import replace
from holdfast.ports.pages.files import Put
from tests.adapters.hand_written import HandWritten
from tests.requirements import requirement

PAGE = ".holdfast/memory/decisions.md"
PAGES_TO_EDIT = 1_000

BY_HAND = (
    "# Decisions\n\n---\n# by hand\ntype: decision   # inline\nid: DEC-001\n"
    "status: 'accepted'  # so\ntags:\n  - ui  # why\n  # between\n  - tui\n"
    "version: 1.10\nsha: 0123456\n"
    "note: |\n  line one\n  line two\nyes_no: no\n---\n\nUse it.\n\n---\n\nMore.\n"
)


def put_into(page: str, entry: PageEntry, *, line: int) -> str:
    """Return the page after a wish that must fit."""
    known = next(one for one in readable(page, PAGE) if one.piece.line == line)
    at = (PAGE, line) if known.entry.uid is None else None
    made = with_puts(page.encode(), PAGE, [Put(entry=entry, over=known.entry.digest, at=at)])
    assert made.content is not None
    assert len(made.taken) == 1
    return made.content.decode()


def the_entry(page: str) -> PageEntry:
    return readable(page, PAGE)[0].entry


@requirement("files.only-what-changes-is-written")
def test_one_changed_key_changes_one_line() -> None:
    wanted = replace(the_entry(BY_HAND), status=Status.SUPERSEDED)

    made = put_into(BY_HAND, wanted, line=3)

    assert made == BY_HAND.replace("'accepted'", "'superseded'")


@requirement("files.only-what-changes-is-written")
def test_a_uid_is_one_line_more() -> None:
    made = put_into(BY_HAND, replace(the_entry(BY_HAND), uid=MemoryId("m_1")), line=3)

    assert made == BY_HAND.replace("id: DEC-001\n", "id: DEC-001\nuid: m_1\n")


@requirement("files.key-and-expiry")
def test_a_key_is_one_line_that_comes_and_goes() -> None:
    page = BY_HAND.replace("version: 1.10\n", "version: 1.10\nkey: door\n")

    assert put_into(page, replace(the_entry(page), key=""), line=3) == BY_HAND
    made = put_into(BY_HAND, replace(the_entry(BY_HAND), key="door"), line=3)
    assert made == BY_HAND.replace("  - tui\n", "  - tui\nkey: door\n")


@requirement("files.only-what-changes-is-written")
def test_a_list_of_lines_keeps_its_comments() -> None:
    wanted = replace(the_entry(BY_HAND), tags=("tui", "new one"))

    made = put_into(BY_HAND, wanted, line=3)

    assert made == BY_HAND.replace("  - ui  # why\n", "").replace("- tui\n", "- tui\n  - new one\n")


@requirement("files.only-what-changes-is-written")
def test_a_changed_body_leaves_the_frontmatter_and_the_blank_lines_around_it() -> None:
    wanted = replace(the_entry(BY_HAND), body="Do not use it.\nEver.")

    made = put_into(BY_HAND, wanted, line=3)

    assert made == BY_HAND.replace("Use it.\n\n---\n\nMore.", "Do not use it.\nEver.")


@pytest.mark.parametrize(
    ("head", "tags", "made"),
    [
        ("tags: [a]  # x\n", ("a", "b"), "tags: [a, b]  # x\n"),
        ("tags: [a, b]\n", ("b",), "tags: [b]\n"),
        ("tags: a, b\n", ("b", "a: c"), 'tags: [b, "a: c"]\n'),
        ("tags:\n", ("a",), "tags: [a]\n"),
        ("tags:  # none\n", ("a",), "tags: [a]  # none\n"),
        ("tags: [a, b]\n", (), "tags: []\n"),
        ("tags:\n- a\n- b\n", ("b", "c", "a"), "tags: [b, c, a]\n"),
        ("tags:\n- a\n", ("c",), "tags: [c]\n"),
        ("tags: []\n", ("[x]", "#y", "", "é"), 'tags: ["[x]", "#y", "", "é"]\n'),
    ],
)
def test_every_way_of_writing_a_list_can_be_changed(
    head: str, tags: tuple[str, ...], made: str
) -> None:
    page = f"---\ntype: fact\n{head}last: x\n---\nText.\n"

    changed = put_into(page, replace(the_entry(page), tags=tags), line=1)

    assert changed == f"---\ntype: fact\n{made}last: x\n---\nText.\n"


def test_tags_in_another_order_are_the_same_tags() -> None:
    page = "---\ntype: fact\ntags: [b, a]\n---\nText.\n"

    assert put_into(page, replace(the_entry(page), tags=("a", "b")), line=1) == page


def test_what_a_wish_does_not_know_is_left_as_it_is() -> None:
    page = "---\nid: A-1\nuid: m_1\ntype: fact\nsource: by hand\nupdated: 2026-01-01\n---\nText.\n"
    wish = PageEntry(body="Other.", kind=Kind.FACT, uid=MemoryId("m_1"))

    assert put_into(page, wish, line=1) == page.replace("Text.", "Other.")


def test_new_entries_come_last_and_everything_before_stays() -> None:
    entries = [
        PageEntry(body="One.\n\n---\nid: no\n---\nentry", kind=Kind.FACT, uid=MemoryId("m_1")),
        PageEntry(body="```\nTwo.", kind=Kind.FACT, uid=MemoryId("m_2"), tags=("a b", "c: d")),
        PageEntry(
            body="Three.", kind=Kind.FACT, uid=MemoryId("m_3"), label="FAC-003", was=("FAC-1",)
        ),
    ]

    made = with_puts(BY_HAND.rstrip("\n").encode(), PAGE, [Put(entry=one) for one in entries])

    assert made.content is not None
    text = made.content.decode()
    assert text.startswith(BY_HAND.rstrip("\n"))
    assert [one.entry for one in readable(text, PAGE)][1:] == entries


def test_an_entry_is_not_written_where_an_open_code_block_would_swallow_it() -> None:
    page = "---\nuid: m_1\ntype: fact\n---\nOne.\n```\nnever closed\n"
    swallowed = Put(entry=PageEntry(body="```\nx\n```", kind=Kind.FACT, uid=MemoryId("m_2")))
    sound = Put(entry=PageEntry(body="Sound.", kind=Kind.FACT, uid=MemoryId("m_3")))

    made = with_puts(page.encode(), PAGE, [swallowed, sound])

    assert made.taken == (sound,)
    assert [one.entry.uid for one in readable((made.content or b"").decode(), PAGE)] == [
        "m_1",
        "m_3",
    ]


def test_lines_of_other_systems_stay_what_they_are() -> None:
    page = BY_HAND.replace("\n", "\r\n")
    wanted = replace(the_entry(page), body="A.\nB.", uid=MemoryId("m_1"), was=("OLD",))

    made = put_into(page, wanted, line=3)

    assert made.count("\n") == made.count("\r\n")
    assert "A.\r\nB." in made


def _changed(chance: random.Random, entry: PageEntry) -> tuple[PageEntry, frozenset[str]]:
    """Return an entry changed by chance, and the keys that changed."""
    changes: dict[str, PageEntry] = {
        "status": replace(entry, status=chance.choice(list(Status))),
        "tags": replace(entry, tags=(*entry.tags[1:], "added", "odd: one")),
        "evidence": replace(entry, evidence=(*entry.evidence, "src/a.py:1-2@abc")),
        "id": replace(entry, label="NEW-777"),
        "uid": replace(entry, uid=entry.uid or MemoryId("m_new")),
        "was": replace(entry, was=(*entry.was, "OLD-1")),
        "body": replace(entry, body=f"{entry.body}\n\nAnd more.\n---\nid: x\n---\n"),
    }
    keys = frozenset(chance.sample(sorted(changes), k=chance.randint(1, 3)))
    for key in sorted(keys):
        field = {"id": "label"}.get(key, key)
        entry = replace(entry, **{field: getattr(changes[key], field)})
    return entry, keys


def _foreign_lines(read: ReadEntry, keys: frozenset[str]) -> list[str]:
    """Return the lines of an entry's frontmatter that belong to none of the keys."""
    lines, kept, key = lines_of(read.piece.inner), [], ""
    starts = {field.line: field.key for field in read.fields.values()}
    for number, line in enumerate(lines):
        key = starts.get(number, key)
        if key not in keys or line.lstrip().startswith("#"):
            kept.append(line)
    return kept


def _is_within(lines: list[str], others: list[str]) -> bool:
    """Tell whether the lines stand in the others, in their order."""
    rest = iter(others)
    return all(line in rest for line in lines)


@requirement("files.hand-written-pages-survive")
def test_a_thousand_hand_written_pages_keep_every_byte_that_is_not_meant() -> None:
    edits = 0
    for number in range(PAGES_TO_EDIT):
        hand = HandWritten(number)
        page = hand.content().decode()
        chance = random.Random(number)  # noqa: S311 - which entry is edited does not matter
        pieces = cut(page)
        assert joined(pieces) == page
        read = readable(page, PAGE)
        assert len(read) == hand.entries == sum(one.kind is PieceKind.ENTRY for one in pieces)
        known = chance.choice(read)
        wanted, keys = _changed(chance, known.entry)

        made = put_into(page, wanted, line=known.piece.line)

        start = page.index(known.piece.text) if page.count(known.piece.text) == 1 else None
        if start is not None:
            after = page[start + len(known.piece.text) :]
            assert made.startswith(page[:start])
            assert made.endswith(after)
            inside = made[start : len(made) - len(after)]
            again = read_piece(cut(inside)[0], PAGE)
            assert isinstance(again, ReadEntry)
            assert again.entry == replace(wanted, body=wanted.body.strip("\n"))
            assert _is_within(_foreign_lines(known, keys), lines_of(again.piece.inner))
            assert "body" in keys or again.piece.body == known.piece.body
            edits += 1
    assert edits > PAGES_TO_EDIT * 0.9


@requirement("files.hand-written-pages-survive")
def test_a_byte_order_mark_before_the_first_entry_stays_one() -> None:
    text = "\ufeff---\ntype: decision\n---\nUse one queue.\n"
    [read] = readable(text, "decisions.md")
    wanted = replace(read.entry, uid=MemoryId("m_1"))
    put = Put(entry=wanted, over=read.entry.digest, at=("decisions.md", 1))

    written = with_puts(text.encode(), "decisions.md", [put])

    assert written.content == "\ufeff---\nuid: m_1\ntype: decision\n---\nUse one queue.\n".encode()
