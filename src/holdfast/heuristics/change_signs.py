"""Tell cheaply whether a text may speak of a change, before the rules are loaded and searched."""

from __future__ import annotations

from functools import lru_cache

SIGNS_OF_CHANGE = (
    *("abandon", "after all", "against", "amend", "any more", "anymore", "are out", "as of "),
    *("back on", "back to", "been out", "bump", "chang", "correct", "cut ", "different", "ditch"),
    *("drop", "earlier ", "extend", "forget", "former ", "forward", "from here on", "from now on"),
    *("gave up", "give up", "giving up", "gone", "henceforth", "history", "increas", "instead"),
    *("is out", "lower", "migrat", "minds", "mov", "new ", "no longer", "now out", "obsolete"),
    *("off the", "old ", "original ", "overrul", "previous ", "rais", "reduc", "repeal", "replac"),
    *("retir", "revers", "revis", "revok", "rid of", "scrap", "shorten", "since th", "so far"),
    *("starting ", "stop", "supersed", "switch", "today", "update", "used to", "was out"),
    "were out",
)
"""Every sign of ``change_words`` contains one of these; most questions need no more than them."""
_KNOWN_TEXTS = 4_096


@lru_cache(maxsize=_KNOWN_TEXTS)
def has_sign(text: str) -> bool:
    """Tell whether a text contains a sign of change."""
    low = text.casefold()
    # A generator inside "any" takes twice as long.
    for sign in SIGNS_OF_CHANGE:
        if sign in low:
            return True
    return False
