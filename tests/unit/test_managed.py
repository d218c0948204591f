from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.text.managed import CommentStyle, find_block, managed, room_for, without_block
from tests.requirements import requirement

BLOCK = managed("one\ntwo", comment=CommentStyle.MARKUP, owners=("zed", "codex"))


def test_a_block_has_marks_with_a_hash_and_the_names_it_is_for() -> None:
    assert BLOCK == (
        "<!-- holdfast:begin 21066d108d53 for codex, zed -->\none\ntwo\n<!-- holdfast:end -->"
    )


def test_marks_are_comments_of_the_file_they_stand_in() -> None:
    assert managed("a = 1", comment=CommentStyle.HASH).splitlines()[-1] == "# holdfast:end"
    assert managed("x()", comment=CommentStyle.SLASHES).splitlines()[-1] == "// holdfast:end"


def test_a_block_is_found_with_its_line_and_its_owners() -> None:
    found = find_block(f"# Title\n\n{BLOCK}\n")

    assert found is not None
    assert (found.line, found.body, found.owners) == (3, "one\ntwo", ("codex", "zed"))
    assert found.is_untouched


def test_a_text_without_marks_has_no_block() -> None:
    assert find_block("# Title\nholdfast:begin is only a word here\n") is None


@requirement("adapters.edits-are-kept")
@pytest.mark.parametrize(
    "text",
    [
        BLOCK.replace("two", "two, and mine"),
        BLOCK.replace("<!-- holdfast:end -->", ""),
        f"{BLOCK}\n\n{BLOCK}\n",
        BLOCK.replace(" 21066d108d53", ""),
        BLOCK.replace("21066d108d53", "000000000000"),
    ],
)
def test_an_edit_a_lost_mark_and_a_second_pair_of_marks_count_as_edited(text: str) -> None:
    found = find_block(text)

    assert found is not None
    assert not found.is_untouched


def test_the_line_ends_of_the_file_are_used() -> None:
    text = "# Title\r\n\r\nwords\r\n"

    whole = text + room_for(BLOCK, text)
    found = find_block(whole)

    assert "\n" not in whole.replace("\r\n", "")
    assert found is not None
    assert found.is_untouched


@requirement("adapters.no-trace")
@given(text=st.none() | st.text(alphabet="ab #\n", max_size=12), is_crlf=st.booleans())
def test_a_file_is_as_it_was_when_the_block_is_taken_away(
    text: str | None, *, is_crlf: bool
) -> None:
    before = text.replace("\n", "\r\n") if text is not None and is_crlf else text

    whole = (before or "") + room_for(BLOCK, before)
    found = find_block(whole)

    assert found is not None
    assert without_block(whole, found) == before


def test_words_added_around_the_block_stay() -> None:
    whole = f"before\n\n{BLOCK}\nafter\n"
    found = find_block(whole)

    assert found is not None
    assert without_block(whole, found) == "before\nafter\n"


def test_a_block_that_was_moved_under_a_line_leaves_that_line() -> None:
    whole = f"before\n{BLOCK}\nafter\n"
    found = find_block(whole)

    assert found is not None
    assert without_block(whole, found) == "before\nafter\n"
