"""Memories forgotten after their text was written everywhere, for seconds."""

from __future__ import annotations

import pytest

from tests.requirements import requirement
from tests.torture.test_short import check


@requirement("forget.reaches-what-was-written")
@requirement("forget.names-what-remains")
@pytest.mark.timeout(300)  # real syncs of real repositories, on a busy machine too
def test_a_forgotten_text_is_gone_or_named_wherever_it_was_written() -> None:
    check("forgotten")
