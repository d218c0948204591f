"""Write a clause in one spelling, without headings and asides, before the rules compare it.

A sync compares thousands of claims, and most of them match no pattern. Each pattern therefore has
signs: lower-case strings of which every match contains at least one. Searching a text for a sign
takes a tenth of the time of searching it for the pattern.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_WORD = re.compile(r"[^\s,!?()\[\]{}\"“”„`]+")
_ON_WORDS = ("'", "**", ".", ":")
_HEADING = re.compile(
    r"(?:decision|decided|rule|note|fact|gotcha|invariant|assumption|policy|update|convention"
    r"|reminder|plan|agreed)\s*:\s*",
    re.IGNORECASE,
)


class Signed(NamedTuple):
    """A pattern and its signs."""

    signs: tuple[str, ...]
    pattern: re.Pattern[str]

    def may_match(self, low: str) -> bool:
        """Tell whether a text, given in lower case, contains a sign."""
        # A generator inside "any" takes twice as long.
        for sign in self.signs:
            if sign in low:
                return True
        return False


def signed(signs: str, pattern: str) -> Signed:
    """Return a pattern that ignores case; its signs are separated by ``|``."""
    return Signed(tuple(signs.split("|")), re.compile(pattern, re.IGNORECASE | re.DOTALL))


_ASIDE = signed(
    "rationale|reason|why|because|example|context|background|see|so that|due to|since|e.g.",
    r"^(?:rationale|reason|why|because|example|context|background|see)\b"
    r"|(?:,\s*|\s+)(?:because|so that|due to|since|for example|e\.g\.)\b.*$",
)
_TIDY: tuple[tuple[Signed, str], ...] = (
    (signed("ca", r"\bca(?:n't|nnot)\b"), "can not"),
    (signed("won't", r"\bwon't\b"), "will not"),
    (signed("n't", r"n't\b"), " not"),
    (signed(" out", r"\btim(?:e|es|ed|ing) out\b"), "timeout"),
    (signed(",", r"(?<=\d),(?=\d{3}\b)"), ""),
    (signed("number ", r"\b([a-z]{3,}) number (?=\d)"), r"\1 "),
    (signed("%", r"(?<=\d)\s?%"), " %"),
    (
        signed("|".join("0123456789"), r"\b(\d+)(ms|s|sec|min|h|d|kb|mb|gb|tb|kib|mib|gib)\b"),
        r"\1 \2",
    ),
    (
        signed("am|pm|a.m|p.m", r"\b(\d{1,2}(?::\d\d)?)\s?([ap])(?:(m)\b|\.(m)\b\.?)"),
        r"\1 \2\3\4",
    ),
)


def plain_text(part: str) -> str:
    """Return a clause without its heading, its aside and its final punctuation, in one spelling."""
    heading = _HEADING.match(part)
    text = part if heading is None else part[heading.end() :]
    if _ASIDE.may_match(text.casefold()):
        text = _ASIDE.pattern.sub("", text)
    text = text.strip().rstrip(".!;,").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    low = text.casefold()
    for kind, plain in _TIDY:
        if kind.may_match(low):
            text = kind.pattern.sub(plain, text)
    return text


def words_in(text: str) -> tuple[str, ...]:
    """Return the words of a clause without the punctuation around them."""
    found = _WORD.findall(text)
    if any(mark in text for mark in _ON_WORDS):
        found = [word.strip("'").replace("**", "").rstrip(".:'") for word in found]
        found = [word for word in found if word]
    return tuple(found)
