"""Options of commands as values: ``-x``, ``--level=2``, ``--format json``."""

from __future__ import annotations

import re

_OPTION = re.compile(r"-{1,2}[^\W\d_]")
_DIGITS = "0123456789"


def are_two_options(ours: str, theirs: str) -> bool:
    """Tell whether one of two values is an option that the other one does not contain.

    A command takes several options, so ``-x`` does not exclude ``-v``. One option has one value, so
    ``-O2`` excludes ``-O3``.
    """
    mine, yours = _names(ours), _names(theirs)
    return bool(mine or yours) and mine.isdisjoint(yours)


def _names(phrase: str) -> frozenset[str]:
    """Return the names of the options in a phrase, without their values."""
    found = (word for word in phrase.split() if _OPTION.match(word))
    return frozenset(word.partition("=")[0].rstrip(_DIGITS) for word in found)
