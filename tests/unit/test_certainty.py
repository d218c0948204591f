"""How certain a suspicion is, in words."""

from __future__ import annotations

from holdfast.domain.review.suspicion import SAME_KEY
from holdfast.domain.values import replace


def test_only_advice_has_a_score_instead_of_a_share() -> None:
    by_rule = replace(SAME_KEY, confidence=0.9)

    assert by_rule.certainty == "90% sure"
    assert replace(by_rule, is_advice=True).certainty == "score 0.90"
