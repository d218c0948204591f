"""The similarity that the memory service reports: one scale for the cosines of every model."""

from __future__ import annotations

NEAR_ENOUGH = 0.7
"""The least similarity of a search that names none."""
# The part of the way from unrelated texts to equal ones that an answer has behind it. It was fitted
# with kelp, whose cosine is 0.5 there (decision 170).
_ANSWERS = 0.47


def similarity_of(cosine: float, *, unrelated: float) -> float:
    """Return a cosine on the scale of the service: never less for a larger cosine.

    Unrelated texts are at 0, an answer to a question reaches 0.7, and equal texts have 1.
    ``unrelated`` is the cosine that the model gives two unrelated texts.
    """
    likeness = (cosine - unrelated) / (1.0 - unrelated)
    if likeness < _ANSWERS:
        return max(-1.0, likeness * NEAR_ENOUGH / _ANSWERS)
    beyond = (likeness - _ANSWERS) / (1.0 - _ANSWERS)
    return min(1.0, NEAR_ENOUGH + beyond * (1.0 - NEAR_ENOUGH))
