"""Choose the sentences of a commit that hold after it, and are understood without it.

A commit tells what it changes. A sentence is worth a candidate if it gives a reason or says what
always holds, if it names what it is about, and if it does not only report the change. The lists
were made by hand, from the histories of several public projects; when in doubt, a sentence is left
out, because each candidate costs a person time.
"""

from __future__ import annotations

import re

REASONS = re.compile(
    r"\b(?:because\b|since\b|so that\b|to avoid\b|otherwise\b|turned out\b)", re.IGNORECASE
)
# "will never happen", "was never published" and "can always be tried" are observations; "never use"
# is a rule.
STANDS = re.compile(
    r"\b(?:decid|agreed|must\b|because\b|since\b|so that\b|to avoid\b|turned out|otherwise\b|rule\b"
    r"|(?<!will )(?<!would )(?<!may )(?<!might )(?<!have )(?<!has )(?<!had )(?<!was )(?<!were )"
    r"(?<!is )(?<!are )(?<!be )(?<!can )(?<!could )(?<!=)(?:never|always)\b(?! used))",
    re.IGNORECASE,
)
_OPENING = r"(?:(?:note that|note:|note|also|so|but|and|now|then|in addition)[ ,]+)*"
# A pronoun at the start refers to a sentence that nobody sees later.
_POINTS_BACK = re.compile(
    _OPENING
    + r"(?:(?:since|because|as|if|when|while|although) )?(?:it|this|that|these|those|they|he"
    r"|she|neither|both|either|here|there|as such|e\.g|i\.e"
    r"|the (?:former|latter|other|same|above|following))\b",
    re.IGNORECASE,
)
_POINTS_ELSEWHERE = re.compile(
    r"[:,]+\s*$|(?<!\w)\([a-z]\)|\b(?:above|below|the following|as follows|the former|the latter"
    r"|th(?:is|at|ese|ose) (?:change|commit|patch|pr|pull request|fix|branch|issue|release)s?)\b",
    re.IGNORECASE,
)
# The verbs of subjects: such a sentence says what the commit did.
_REPORTS = re.compile(
    _OPENING + r"(?:(?:i|we)(?:'ve| have)? )?(?:(?:now|also|just) )?(?:add|adapt|adjust|allow|bump"
    r"|chang|clarif|clean|convert|correct|creat|deprecat|document|drop|enabl|expand|extend|fix|handl"
    r"|implement|improv|introduc|mak|made|mention|migrat|mov|port|reduc|refactor|remov|renam|replac"
    r"|restor|revert|rewrit|rewrot|simplif|support|switch|test|tri|try|tweak|unify|unifi|updat"
    r"|upgrad|work around)(?:e|es|ed|d|s|ing|y|ies|ied|ned|ns|ped|ps|ting)?\b",
    re.IGNORECASE,
)
_PASSES = re.compile(
    r"\b(?:for now|for the moment|at the moment|temporar(?:y|ily)|(?:I|I'm|I've|I'd)\b|TODO|FIXME)"
)
_OF_TALKS = frozenset({"summary", "closing", "agreed", "restated"})
"""Rules about what two people say to each other; a commit has one author."""
_UNSIGNED = "answer"
"""The rule that finds statements without a sign of a decision; in a commit they need a reason."""


def is_lasting(quote: str, *, rule: str) -> bool:
    """Tell whether a sentence of a commit may hold after it, and is understood without it."""
    if rule in _OF_TALKS or not STANDS.search(quote):
        return False
    if rule == _UNSIGNED and not REASONS.search(quote):
        return False
    return not any(
        found
        for found in (
            _POINTS_BACK.match(quote),
            _POINTS_ELSEWHERE.search(quote),
            _REPORTS.match(quote),
            _PASSES.search(quote),
        )
    )
