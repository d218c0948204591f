"""The English patterns for prohibitions with reasons, and for repeated corrections.

Every input is one sentence on one line, with straight apostrophes.
"""

from __future__ import annotations

import re

_FLAGS = re.IGNORECASE
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|spring|summer|autumn|fall|winter|20\d\d|q[1-4])"
)
_HURT = (
    r"(?:broke|breaks|killed|kills|lost|loses|doubled|doubles|leaked|leaks|crashed|crashes|failed"
    r"|fails|corrupted|deleted|wiped|duplicated|blocks|blocked|took\s+down|takes\s+down|cost|bit)"
)
_BAN = (
    r"(?:never|do\s+not|don't|avoid|stop\s+(?=\w+ing\b)|no\s+more|leave|let's\s+not"
    r"|(?:(?:we|you)(?:'re|\s+are)\s+|\b)not\s+allowed\s+to|(?:nobody|no\s+one)\s+(?:may|can|must)"
    r"|(?:we|you)\s+(?:never|don't|do\s+not|can't|cannot|can\s+not|must\s+not|mustn't|shouldn't"
    r"|should\s+not|may\s+not|won't))\s+"
    r"(?!know\b|think\b|worry\b|see\b|mind\b|get\b|believe\b|remember\b|understand\b|have\b"
    r"|want\b|need\b|feel\b|care\b|bother\b)\w+"
)
_REASON = (
    r"(?:\b(?:because|since|without|until|till|before|unless|otherwise|or\s+else|so\s+that"
    r"|as\s+(?:we|it|the|they|that)|(?:we|i|they)(?:'ve)?\s+(?:already\s+)?(?:tried|did|had|got|were"
    r"|burned)|tried\s+(?:that|it|this)|last\s+(?:time|week|month|year|sprint|release|quarter)"
    rf"|in\s+(?:the\s+)?{_MONTH}|(?:it|that|this|which)\s+{_HURT}|(?:refused|rejected|vetoed))\b"
    r"|:\s|\s[-\N{EN DASH}\N{EM DASH}]+\s|,\s+\w+\s+(?:is|are|has|have|had|does|do)\b"
    r"|,\s+(?:it|they|we|you|nobody|everybody|everyone|the\s+[\w-]+|our\s+[\w-]+)\s+\w+)"
)
# A prohibition anywhere in a sentence, with its reason or end condition.
BANS = re.compile(
    rf"(?P<before>.{{0,200}}?(?:[,;:]\s+|\b(?:but|and|so|just|then)\s+))?(?:please\s+)?"
    rf"{_BAN}.{{4,200}}?{_REASON}",
    _FLAGS,
)
# Marks a prohibition that is only temporary.
FOR_NOW = re.compile(r"\b(?:yet|for\s+now|right\s+now|for\s+the\s+moment|this\s+time)\b", _FLAGS)
# Marks a correction that states the right way.
CORRECTED = re.compile(
    r"[\"'*_`(]*(?:(?:(?:no|nope|wrong|actually|wait|hm+|ok(?:ay)?|hold\s+on)\b[,.:;!\s-]+){1,3}"
    r"|not\s+[\w-]+[,;:]\s+)(?:please\s+)?(?:use|call|put|take|run|keep|write|store|go\s+with|we\s+(?:use|run|keep|store|have|ship|never"
    r"|always|only|dropped|moved|replaced|removed)|it\s+(?:lives|goes|belongs|must)|the\s+[\w/.-]+(?:\s+\w+)?\s+(?:lives|goes"
    r"|belongs|must))\b.{12,}",
    _FLAGS,
)
# Marks a correction that had to be repeated.
AGAIN = re.compile(
    r"[\"'*_`(]*(?:.{0,30}?\b(?:you\s+keep\s+\w+ing\b.{2,80}?[;,:.\N{EM DASH}-]\s*\S"
    r"|i(?:'ve)?\s+(?:already\s+|just\s+)?told\s+you\b|as\s+i\s+(?:already\s+)?(?:said|told\s+you)\b"
    r"|(?:for\s+the\s+(?:second|third|last|nth)\s+time|how\s+often)\b))",
    _FLAGS,
)
# Marks damage that something caused before.
HURT = re.compile(
    rf"(?:.{{0,80}}?\b)?(?:that|this|it|which)\s+{_HURT}\s+(?:the|our|all|every|us|\w+)\b.{{2,100}}?"
    rf"\b(?:last\s+\w+|in\s+(?:the\s+)?(?:{_MONTH}|prod\w*|staging)|twice|before|again|every\s+time|so)\b",
    _FLAGS,
)
# Marks the sentence after a prohibition that gives the reason.
GIVES_REASON = re.compile(
    r"[\"'*_`(]*(?:(?:we|i|they)(?:'ve)?\s+(?:already\s+)?(?:(?:tried|did|had)\s+(?:that|it"
    r"|this|those)|(?:got|were)\s+(?:burned|bitten|hit))\b|last\s+(?:time|week|month|year|sprint|release|quarter)\b|because\b|otherwise\b"
    rf"|(?:it|that|this|they)\s+{_HURT}\b)",
    _FLAGS,
)
