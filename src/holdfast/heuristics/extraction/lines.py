"""Find the line ends that end a sentence although no full stop stands there.

In a chat each line is a message, with or without a full stop. In prose that an editor wrapped, a
line end says nothing. The width and the word lists were chosen by hand.
"""

from __future__ import annotations

import re
from itertools import pairwise

_NARROWEST_WRAPPED = 60
_GOES_ON = re.compile(
    r"(?:[,:;(\[{/&+\N{EN DASH}\N{EM DASH}-]"
    r"|\b(?:a|an|the|and|or|but|of|to|for|at|by|with|from|into|as|than|which|(?<!it )is|are|was"
    r"|were|be|if|when|because|our|my|your|their|its|we|will|can|must|should|may|use|using))$",
    re.IGNORECASE,
)
"""The end of a line whose sentence is not complete."""
_CONTINUES = re.compile(
    r"(?:because|since|unless|until|if|when|while|which|that|who|whose|where|to|for|with|without|in"
    r"|on|at|of|by|from|into|as|or|than|instead|rather|is|are|was|were)\b|[),.;:]"
)
"""The beginning of a line that belongs to the sentence before it; a capital begins a new one."""


def line_ends(text: str, first: int, last: int) -> list[int]:
    """Return where lines of a paragraph end a sentence."""
    lines = text[first:last].splitlines(keepends=True)
    bare = [line.strip() for line in lines]
    if len(lines) < 2 or _is_wrapped(bare):  # noqa: PLR2004 - one line has no line end inside
        return []
    is_chat = bare[0][:1].islower()
    ends, at = [], first
    for line, (this, following) in zip(lines, pairwise(bare), strict=False):
        at += len(line)
        begins = not following[:1].islower() or (is_chat and not _CONTINUES.match(following))
        if begins and not _GOES_ON.search(this):
            ends.append(at)
    return ends


def _is_wrapped(lines: list[str]) -> bool:
    """Tell whether an editor broke the lines: none of them had room for the next word."""
    width = max(map(len, lines))
    return width >= _NARROWEST_WRAPPED and all(
        len(this) + 1 + len(following.partition(" ")[0]) > width
        for this, following in pairwise(lines)
    )
