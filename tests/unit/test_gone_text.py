"""When a text says a forgotten claim."""

from __future__ import annotations

import pytest

from holdfast.domain.ids import MemoryId
from holdfast.domain.review.traces import GoneText
from tests.requirements import requirement

GONE = GoneText(memory=MemoryId("m_1"), claim="The vault opens at dawn with two keys.")


@requirement("forget.leaves-no-bytes")
@pytest.mark.parametrize(
    "text",
    [
        "The vault opens at **dawn** with two keys.",
        "**The vault** opens at _dawn_ with `two` ~~keys~~.",
        "He said: the *vault opens* at dawn, with two keys!",
        "__THE VAULT__ OPENS AT DAWN WITH TWO KEYS",
    ],
)
def test_emphasis_case_articles_and_punctuation_do_not_matter(text: str) -> None:
    assert GONE.is_said_in(text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The area is 2*3 metres wide.", "The area is 23 metres wide."),
        ("Call load_page for pages.", "Call loadpage for pages."),
        (GONE.claim, "The vault opens at dusk with two keys."),
    ],
)
def test_marks_inside_words_belong_to_them(claim: str, text: str) -> None:
    assert not GoneText(memory=MemoryId("m_1"), claim=claim).is_said_in(text)
    assert GoneText(memory=MemoryId("m_1"), claim=claim).is_said_in(f"*{claim}*")
