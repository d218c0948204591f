from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.choices import Kind, Origin, Scope, choose, least_trusted
from holdfast.domain.errors import UnknownChoiceError
from tests.requirements import requirement


@pytest.mark.parametrize("kind", Kind)
def test_a_choice_is_found_by_its_word(kind: Kind) -> None:
    assert choose(Kind, kind.value, what="kind") is kind


@requirement("input.refused-with-advice")
def test_an_unknown_word_is_refused_with_the_words_that_exist() -> None:
    with pytest.raises(UnknownChoiceError) as refusal:
        choose(Scope, "planet", what="scope")

    assert str(refusal.value) == "'planet' is not a scope; choose one of: repo, workspace, global."


@requirement("trust.never-rises")
@given(origins=st.lists(st.sampled_from(Origin), min_size=1), more=st.sampled_from(Origin))
def test_one_more_ancestor_never_makes_a_claim_more_trusted(
    origins: list[Origin], more: Origin
) -> None:
    order = list(Origin)

    before, after = least_trusted(origins), least_trusted([*origins, more])

    assert order.index(after) >= order.index(before)


def test_the_least_trusted_of_a_person_and_the_web_is_the_web() -> None:
    assert least_trusted([Origin.HUMAN, Origin.WEB, Origin.TOOL]) is Origin.WEB
