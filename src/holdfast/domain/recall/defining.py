"""Questions that ask what something is, and claims that say it.

Many memories mention a thing, and one says what it is. The patterns were fitted on ten small
stores of a definition among mentions, and are English only.
"""

from __future__ import annotations

import re
from functools import lru_cache

_ASKS = re.compile(
    r"\s*(?:so\s+)?(?:(?:what|who)(?:['’]s|\s+(?:is|are|was|were))\s+(?:an?\s+|the\s+|our\s+)?"
    r"(?P<being>[^?]{1,60}?)"
    r"|what\s+(?:does|do)\s+(?:an?\s+|the\s+|our\s+)?(?P<meaning>[^?]{1,60}?)\s+mean"
    r"|(?:define|explain)\s+(?:an?\s+|the\s+|our\s+)?(?P<told>[^?]{1,60}?))\s*[?.!]*\s*",
    re.IGNORECASE,
)
_MOST_WORDS = 4
_SAID = re.compile(
    r"\s+(?:is|are|was|were|means?|stands\s+for|refers\s+to)\s+(?:(?:just|simply|now)\s+)?"
    r"(?P<what>an?\b|the\b|our\b|one\b|any\b|(?-i:[A-Z]))"
    r"|\s*(?::|\s[—–-])\s+(?:an?\b|the\b|our\b|one\b|(?-i:[A-Z]\w*\s+[A-Z]))",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"\s*(?:an?|the|our)\s+", re.IGNORECASE)


@lru_cache(maxsize=64)
def asked_thing(question: str) -> str:
    """Return the thing of which a question asks what it is, in small letters; else empty."""
    found = _ASKS.fullmatch(question)
    if found is None:
        return ""
    thing = " ".join(next(filter(None, found.groups()), "").casefold().split())
    return thing if 0 < len(thing.split()) <= _MOST_WORDS else ""


def defines(claim: str, thing: str) -> bool:
    """Return whether a claim says what a thing is, rather than something about it."""
    article = _ARTICLE.match(claim)
    start = 0 if article is None else article.end()
    end = start + len(thing)
    return claim[start:end].casefold() == thing and _SAID.match(claim, end) is not None
