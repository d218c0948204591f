"""The names of code in a claim, by which an old claim is compared with the checkout."""

from __future__ import annotations

import re

_MOST = 3
_BARE = re.compile(r"(?<![\w/.@:-])(?:\.{0,2}\w+(?:[./]\w+)*(?:\(\))?)(?![\w/@:-])")
_CODE = re.compile(r"_|\(\)$|[a-z][A-Z]|^\.")
_WORD = re.compile(r"\w+")
_FEWEST = 3


def code_names(claim: str) -> tuple[str, ...]:
    """Return the last words of names in a claim that only code has: ``_compat``, ``run()``.

    A word that could be prose is none of them, and neither is a file with its ending, an option or
    an address.
    """
    found = [one for one in _BARE.findall(claim.replace("`", " ")) if _CODE.search(one)]
    names = [_WORD.findall(one)[-1] for one in found]
    return tuple(dict.fromkeys(one for one in names if len(one) >= _FEWEST))[:_MOST]
