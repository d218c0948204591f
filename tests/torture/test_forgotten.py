"""Memories are forgotten after their text was written everywhere, for seconds."""

from __future__ import annotations

from tests.requirements import requirement
from tests.torture.test_short import check


@requirement("forget.reaches-what-was-written")
@requirement("forget.names-what-remains")
def test_a_forgotten_text_is_gone_or_named_wherever_it_was_written() -> None:
    check("forgotten")
