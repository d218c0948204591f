"""Markdown read as blocks with their lines."""

from __future__ import annotations

import pytest

from holdfast.adapters.foreign.markdown import MarkdownBlock, blocks, frontmatter
from holdfast.adapters.foreign.markup import plain
from tests.requirements import requirement


def told(text: str) -> list[tuple[str, str, int, int, tuple[str, ...]]]:
    return [(one.sort, one.text, one.first, one.last, one.trail) for one in blocks(text)]


def test_headings_bullets_and_paragraphs_have_their_lines() -> None:
    text = (
        "# Rules\n\nFirst line\nsecond line.\n\n## Tests\n\n- Run them\n  all of them.\n"
        "* Another\n1. Numbered\n"
    )

    assert told(text) == [
        ("heading", "Rules", 1, 1, ()),
        ("paragraph", "First line second line.", 3, 4, ("Rules",)),
        ("heading", "Tests", 6, 6, ("Rules",)),
        ("bullet", "Run them all of them.", 8, 9, ("Rules", "Tests")),
        ("bullet", "Another", 10, 10, ("Rules", "Tests")),
        ("bullet", "Numbered", 11, 11, ("Rules", "Tests")),
    ]


def test_a_bullet_that_announces_others_stands_above_them() -> None:
    text = "- Before a commit:\n  - run the tests\n  - format\n- Other\n\nProse.\n"

    assert [block.trail for block in blocks(text)] == [
        (),
        ("Before a commit",),
        ("Before a commit",),
        (),
        (),
    ]


def test_an_underlined_line_is_a_heading() -> None:
    assert told("Title\n=====\n\nPart\n---\n\ntwo\nlines\n---\n") == [
        ("heading", "Title", 1, 1, ()),
        ("heading", "Part", 4, 4, ("Title",)),
        ("paragraph", "two lines", 7, 8, ("Title", "Part")),
    ]


def test_code_and_tables_are_blocks_comments_and_our_own_are_passed_over() -> None:
    text = (
        "a\n```sh\n# no heading\n~~~\n- no bullet\n```\n<!-- one\nline -->\n<!-- whole -->\n"
        "| table | row |\n<!-- holdfast:begin 0123 -->\n- ours\n<!-- holdfast:end -->\n> quoted\n"
        "> more\n"
    )

    assert told(text) == [
        ("paragraph", "a", 1, 1, ()),
        ("code", "```sh\n# no heading\n~~~\n- no bullet\n```", 2, 6, ()),
        ("table", "| table | row |", 10, 10, ()),
        ("paragraph", "quoted more", 14, 15, ()),
    ]


def test_the_named_facts_at_the_start_are_read_in_their_plain_form() -> None:
    text = (
        "---\ntitle: \"A: b\"\ntags: [x, 'y z']\nmore:\n  - one\n  - two\nmetadata:\n"
        "  type: user\nempty:\nnot yaml\n---\nBody\n"
    )

    facts, lines = frontmatter(text)

    assert facts == {
        "title": "A: b",
        "tags": ["x", "y z"],
        "more": ["one", "two"],
        "metadata": "",
        "metadata.type": "user",
        "empty": "",
    }
    assert lines == 11
    assert list(blocks(text)) == [MarkdownBlock(sort="paragraph", text="Body", first=12, last=12)]


def test_a_start_that_never_ends_is_no_start() -> None:
    assert frontmatter("---\ntitle: x\n") == ({}, 0)
    assert frontmatter("") == ({}, 0)


def test_emphasis_and_boxes_are_taken_off() -> None:
    assert plain("[ ] **Always** run  `make`.") == "Always run `make`."


@requirement("import.code-stays-as-written")
@pytest.mark.parametrize(
    "text",
    [
        "Begin with `from __future__ import annotations`.",
        "Begin with from __future__ import annotations.",
        "Call `super().__init__()` first.", "Call super().__init__() first.",
        "Prefer __slots__ over dicts.", "Export names through __all__ in __init__.py.",
        "Read type(x).__name__, not `x.__class__.__name__`.",
        "Use __dirname, not __filename__.", "Log __FILE__ and __LINE__.",
        "Override _missing_ in enumerations.", "Call _load and _store_ in turn.",
        "Run `make  **x** __y__` there.", "Write ``a ` __b__`` so.",
        "Never sort src/**/*.py or **/vendor/**.", "Pass *args and **kwargs, never **options.",
        "Compute 2**3 and 4**5.", "Fill every [ ] box.",
    ],
)  # fmt: skip
def test_code_and_identifiers_stay_as_they_are_written(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("__Never__ push to **main**.", "Never push to main."),
        ("__never__ push, __Do not__ rebase.", "never push, Do not rebase."),
        ("_Always_ sign; _all of them_.", "Always sign; all of them."),
        ("***Very*** important.", "Very important."),
        ("**绝对**不要直接修改。", "绝对不要直接修改。"),
        ("**Use `make **x**` only.**", "Use `make **x**` only."),
        ("Run `make\ntest`  now.", "Run `make test` now."),
    ],
)
def test_emphasis_goes_where_markdown_would_show_it(text: str, words: str) -> None:
    assert plain(text) == words


def test_the_sign_at_the_end_of_a_heading_is_part_of_its_name() -> None:
    assert [one.text for one in blocks("# Rules for C#\n\n## Tests ##\n")] == [
        "Rules for C#",
        "Tests",
    ]


def test_a_page_made_to_be_slow_is_read_all_the_same() -> None:
    items, lines = "- x\n" * 50_000, "**x \n" * 50_000
    text = f"---\nlist:\n{items}---\n{lines}\n- {'**x ' * 50_000}\n"

    paragraph, bullet = blocks(text)

    assert len(plain(paragraph.text)) <= len(paragraph.text) < 20_100
    assert (paragraph.first, paragraph.last) == (50_004, 100_003)
    assert len(bullet.text) == 20_000
