"""The similarity that the memory service reports."""

from __future__ import annotations

import pytest

from holdfast.domain.service.similarity import similarity_of
from tests.requirements import requirement


@requirement("service.one-scale")
@pytest.mark.parametrize("unrelated", [0.0, 0.05, 0.3, 0.76])
def test_unrelated_texts_have_0_and_equal_ones_1(unrelated: float) -> None:
    assert similarity_of(unrelated, unrelated=unrelated) == pytest.approx(0.0)
    assert similarity_of(1.0, unrelated=unrelated) == pytest.approx(1.0)
    assert similarity_of(1.0001, unrelated=unrelated) == 1.0


@requirement("service.one-scale")
@pytest.mark.parametrize("unrelated", [0.0, 0.05, 0.3, 0.76])
def test_a_larger_cosine_is_never_less_similar(unrelated: float) -> None:
    found = [similarity_of(one / 100, unrelated=unrelated) for one in range(-100, 101)]
    assert found == sorted(found)
    assert found[0] >= -1.0
