"""Decide whether the lines that a claim cites bear every word of it.

A list of forbidden topics is never complete, so this check works the other way round: a claim may
be accepted without a person only if each of its words is a word of the cited code, or one of the
few words below that describe what code does. Comments and texts in the code do not count, because
an agent can write into them what it likes.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from holdfast.domain.text.words import STOP_WORDS, stem

if TYPE_CHECKING:
    from collections.abc import Iterable

_MODAL = frozenset({
    "can", "cannot", "could", "may", "might", "must", "ought", "shall", "should", "will", "would",
    "need", "needs", "let", "ok", "please", "i", "me", "my", "mine", "we", "us", "our", "ours",
    "you", "your", "yours", "he", "she", "him", "her", "his", "hers", "who", "whom", "whose",
})  # fmt: skip
"""Words of permission, duty and people, although they are stop words."""
_DESCRIBING = (
    "access append argument array attribute begin boolean byte call character class clear close"
    " compare compute constant contain convert copy count create day decode default dict"
    " dictionary discard divide double drop duplicate element empty encode end entry equal error"
    " evaluate exception exist expect extra false field file first float format function"
    " generator grow happen hold hour immutable inclusive increment index infinite inherit"
    " instance integer item iterate iterator keep kept keyword large last late length less line"
    " list lock loop lower lowercase match method millisecond minus minute missing modify module"
    " multiply mutable mutate name negative nested new next nil none nothing null number object"
    " old once one open order otherwise overflow overwrite parameter parse position positive"
    " previous property quietly raise read reference relative remain repeat reset result return"
    " reverse round second seconds sequence set shadow short shrink silently size small sort"
    " start still stop store string subtract three throw time timeout treat trigger true truncate"
    " tuple twice two type unchanged unsorted uppercase value variable wait whole wrap write"
    " written wrong yield zero"
)
"""Words that describe what code does and are about nothing else; chosen by hand."""
_NUMBERS = {
    "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
    "eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20", "thirty": "30",
    "forty": "40", "fifty": "50", "sixty": "60", "hundred": "100", "thousand": "1000",
}  # fmt: skip
_TEXTS = re.compile(
    r"\"{3}.*?(?:\"{3}|\Z)|'{3}.*?(?:'{3}|\Z)|/\*.*?(?:\*/|\Z)|<!--.*?(?:-->|\Z)"
    r"|\"(?:\\.|[^\"\\\n])*\"?|(?<!\w)'(?:\\.|[^'\\\n])*'?|`[^`]*`?"
    r"|(?:\#|//|--|;;|%%).*?$|^[ \t]*(?:\*|REM\b|rem\b|%|;).*?$",
    re.DOTALL | re.MULTILINE,
)
_PROSE = re.compile(
    r"^(?=[^()=\[\]{}<>:_+*/|&@$\n]*+$)(?>.*?[^\W\d_] )[^ \n]*+ .*+"
    r"|(?<![^\W\d_])[^\W\d_]{2,}+[,.]?+(?: ++[^\W\d_]++[,.]?+){4,}+",
    re.MULTILINE,
)
"""A line of three words without a sign of code, or five words in a row: a sentence, and no code."""
_NAME = re.compile(r"[^\W\d]\w*|\d+(?:\.\d+)?")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def unanchored(claim: str, cited: Iterable[str]) -> tuple[str, ...]:
    """Return the words of a claim that the cited lines do not bear; empty if they bear all.

    At least one word must be a name of the code itself, so a claim in general words is not borne
    by lines that it merely cites.
    """
    names = set(_NAME.findall(_code("\n".join(cited))))
    known = {_form(part) for name in names for part in (name, *_PART.findall(name))}
    words = _NAME.findall(claim.replace("’", "'").replace("'s ", " "))
    content = [word for word in words if word.lower() not in STOP_WORDS - _MODAL]
    lacking = [word for word in content if not _is_borne(word, names, known)]
    is_named = any(_form(word) in known and not _is_describing(word) for word in content)
    return tuple(dict.fromkeys(lacking)) or (() if is_named else (claim,))


def _code(lines: str) -> str:
    """Return cited lines without comments, texts and sentences."""
    return _PROSE.sub(" ", _TEXTS.sub(" ", lines))


def _is_borne(word: str, names: set[str], known: set[str]) -> bool:
    if word.lower() in _MODAL:
        return False
    if len(_PART.findall(word)) > 1 and not word.isupper():
        return word in names
    return _is_describing(word) or _form(word) in known


def _is_describing(word: str) -> bool:
    return _form(word) in _describing()


@cache
def _describing() -> frozenset[str]:
    return frozenset(map(_form, _DESCRIBING.split()))


def _form(word: str) -> str:
    form = _NUMBERS.get(word.lower(), word.lower())
    while (shorter := stem(form)) != form:
        form = shorter
    return form
