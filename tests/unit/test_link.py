from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.choices import LinkKind
from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.link import Link

ONE, OTHER = MemoryId("m_1"), MemoryId("m_2")


@pytest.mark.parametrize("kind", [*LinkKind, "blocks", "part-of-2"])
def test_a_link_takes_the_kinds_we_know_and_those_people_invent(kind: str) -> None:
    assert Link(src=ONE, dst=OTHER, kind=kind).kind == kind


def test_a_link_to_itself_is_refused() -> None:
    with pytest.raises(BadFieldError, match="to itself"):
        Link(src=ONE, dst=ONE, kind="related")


@pytest.mark.parametrize("kind", ["", "Related", "a b", "x" * 41, "1st", "related\n"])
def test_a_kind_that_is_no_word_is_refused(kind: str) -> None:
    with pytest.raises(BadFieldError, match="must be like 'depends-on'"):
        Link(src=ONE, dst=OTHER, kind=kind)


@given(score=st.floats().filter(lambda score: not 0.0 <= score <= 1.0))
def test_a_score_out_of_range_is_refused(score: float) -> None:
    with pytest.raises(BadFieldError, match="between 0 and 1"):
        Link(src=ONE, dst=OTHER, kind="related", score=score)


def test_each_end_knows_the_other() -> None:
    link = Link(src=ONE, dst=OTHER, kind="related")

    assert link.other_end(ONE) == OTHER
    assert link.other_end(OTHER) == ONE
