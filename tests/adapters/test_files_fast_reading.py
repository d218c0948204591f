"""Frontmatter that is read without a YAML parser says what the parser says, or is left to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import example, given
from hypothesis import strategies as st

from holdfast.adapters.files import frontmatter
from tests.requirements import requirement

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.adapters.files.frontmatter import Field, FrontmatterTrouble

    Fast = Callable[[str], list[Field] | None]
    Strict = Callable[[str], list[Field] | FrontmatterTrouble]

fast: Fast = vars(frontmatter)["_read_plain"]
strict: Strict = vars(frontmatter)["_read_yaml"]

ODD = st.text(alphabet="ab1:#,[]{}&*!|>'\"%@`-_ .\\~?=/", max_size=12)
WORDS = st.text(alphabet="abc 019.:-", max_size=10)
QUOTED = st.one_of(ODD, WORDS).map(lambda text: f'"{text}"')
VALUE = st.one_of(ODD, WORDS, QUOTED)
LISTS = st.lists(VALUE, max_size=3).map(lambda items: f"[{', '.join(items)}]")
ITEMS = st.lists(
    st.tuples(st.sampled_from(["", "  ", "    "]), VALUE).map(lambda pair: f"{pair[0]}- {pair[1]}"),
    max_size=3,
).map(lambda lines: "".join(f"\n{line}" for line in lines))
LINE = st.tuples(st.sampled_from(["id", "uid", "tags", "x-y"]), st.one_of(VALUE, LISTS, ITEMS)).map(
    lambda pair: f"{pair[0]}: {pair[1]}\n"
)


@requirement("files.values-stay-texts")
@given(block=st.lists(LINE, min_size=1, max_size=4, unique_by=lambda line: line[:2]).map("".join))
@example(block='evidence: ["statement: told, by [ops]", "command: ls #1", plain]\n')
@example(block='source: " padded "\nupdated: ""\n')
@example(block='tags: ["a","b"]\r\n')
@example(block='tags: ["a" , "b"]\n')
@example(block="evidence:\n  - src/a.py:1-5\n  - two words\nid: A\n")
@example(block="evidence:\r\n- a\r\n- b\r\n")
@example(block="evidence:\n  - a\n    - b\n")
@example(block="evidence: a\n  - b\n")
@example(block="tags: [a]\n  - b\n")
@example(block='source: ""\n  - b\n')
@example(block="  - b\n")
def test_what_is_read_fast_is_what_the_parser_reads(block: str) -> None:
    read = fast(block)

    if read is not None:
        assert read == strict(block)


def test_a_list_with_one_item_on_each_line_is_read_fast() -> None:
    read = fast("type: fact\nevidence:\n  - src/a.py:1-5\n  - src/b.py\nid: FAC-001\n")

    assert read is not None
    assert read[1].texts == ("src/a.py:1-5", "src/b.py")
    assert not read[1].is_flow


def test_the_frontmatter_that_we_write_is_read_fast() -> None:
    block = 'id: DEC-001\nevidence: ["statement: told by ops, in May"]\nupdated: 2026-11-16\n'

    read = fast(block)

    assert read is not None
    assert read[1].texts == ("statement: told by ops, in May",)
