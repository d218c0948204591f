"""Tell what may be true of several numbered things: what each of them does, did or can do.

The verbs were listed by hand.
"""

from __future__ import annotations

import re

from holdfast.heuristics.same_start import word_set

BEING = frozenset({"is", "are", "was", "were"})
MODAL = frozenset({"can", "may"})
_ACTING = word_set(
    "accepts adds answers arrives begins breaks brings builds closes compiles contains covers"
    " defines departs describes documents drops ends expires exposes fails finishes fixes handles"
    " has had includes introduces leaves lies listens means opens passes provides removes reports"
    " returns runs serves shows starts stops supports works"
)
_DONE = word_set(
    "began broke brought built came fell gave got grew held hung kept left lost made met ran sent"
    " spent threw took went"
)
_REGULARLY_DONE = re.compile(r"[a-z]{2,}ed\Z")
"""Whatever one numbered thing did, another one may have done too."""
_CAPABLE = word_set(
    "supported available allowed permitted compatible tested accepted possible fine ok okay valid"
    " open closed free reachable documented deprecated broken stable installed logged known"
    " affected vulnerable"
)


def is_shared(verb: str, following: str) -> bool:
    """Tell whether a predicate that begins with two words may be true of another thing, too."""
    is_state = verb in BEING and following in _CAPABLE
    return is_state or verb in MODAL or acts(verb, following)


def acts(verb: str, following: str) -> bool:
    """Tell whether a word says what a thing does or did, and not what was done to it."""
    has_done = _REGULARLY_DONE.match(verb) is not None and following != "by"
    return verb in _ACTING or verb in _DONE or has_done
