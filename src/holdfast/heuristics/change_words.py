"""Find the language of change in a statement, and what it says is given up or changed.

Such language alone amends nothing: ``heuristics.amending`` asks whether an earlier text says the
thing that is changed. The lists were made by hand.
"""

from __future__ import annotations

import re
from functools import lru_cache

from holdfast.domain.values import dataclass
from holdfast.heuristics.change_signs import has_sign
from holdfast.heuristics.conflict.spelling import Signed, signed
from holdfast.heuristics.same_start import word_set
from holdfast.heuristics.words import says_nothing, stem

_NOUN = (
    r"(?:rules?|polic(?:y|ies)|decisions?|conventions?|standards?|limits?|defaults?|agreements?"
    r"|guidelines?|requirements?|processes|process|procedures?|settings?|plans?|practices?)"
)
_OLD = r"(?:the|our|that) (?:old|earlier|previous|former|original)"
_OURS = r"(?:the|our|that)"
_MIND = r"chang(?:e|ed|ing) (?:our|my) minds?"
_END = r"(?=[,:;(]|\.(?!\d)|\s+(?:because|since|so|after|before|when|while|but|and|then|we)\b|$)"
_OBJECT = rf"(?P<object>[^\n]{{1,120}}?){_END}"
_RENEWED = r"(?:new|amended|revised|updated|changed|different)"
_RULING = r"(?:supersed(?:es|ed|ing)|overrul(?:es|ed|ing)|amend(?:s|ed|ing))"
_GIVING_UP = (
    rf"(?:{_RULING}|repeal(?:s|ed|ing)?|revok(?:es|ed|ing)|retir(?:es|ed|ing)|scrap(?:ped|ping)?"
    r"|dropp(?:ed|ing)|(?:we|let's|let us) drop|ditch(?:es|ed|ing)?|abandon(?:s|ed|ing)?"
    r"|replac(?:es|ed|ing)|forget|g[ai]ve up(?: on)?|giving up(?: on)?|got rid of|went back on"
    rf"|going back on|decided against|stop(?:ped|ping)?(?= \w+ing\b)|instead of {_OLD}"
    rf"|{_MIND} (?:about|on))"
)
_GONE = (
    r"(?:(?:is|are|was|were|has been|have been) (?:now )?(?:retired|scrapped|abandoned|gone"
    r"|out(?=[.,;!]|$)|off the table|amended|superseded|overruled|reversed|revoked|obsolete"
    r"|history)|(?:was|were|has been|have been|got) (?:now )?(?:dropped|replaced))"
)
_RAISING = r"(?:rais|lower|bump|reduc|increas|extend|shorten)(?:e|ed|ing|s|es)?"
_MOVING = r"(?:switch|mov|chang|migrat)(?:e|ed|ing|s|es)?"
_INDEFINITE = word_set("a an any every each all empty such")
_PERSONS = word_set("i you he she we they it")
# What each pattern calls its object is what changes.
_OF_A_RULE: tuple[Signed, ...] = (
    signed(
        "amend|correct|revision",
        rf"\b(?:amendments?|corrections?|revisions?) (?:to|of) {_OBJECT}",
    ),
    signed(
        "update|change|revis|revers",
        r"\b(?:(?:updates?|changes?) (?:to|of|in)|updated|changed|revis(?:es|ed|ing)"
        rf"|revers(?:es|ed|ing)) (?P<object>[^\n,:;.]{{0,60}}?\b{_NOUN}(?: on [^\n,:;.]{{1,60}})?)",
    ),
    signed(
        "new |amended|revised|updated|changed|different",
        rf"\b{_RENEWED} {_NOUN} (?:for|of|on|about) {_OBJECT}",
    ),
)
_OF_A_THING: tuple[Signed, ...] = (
    signed(
        "amend|supersed|overrul|repeal|revok|retir|scrap|drop|ditch|abandon|replac|forget|give up"
        "|gave up|giving up|rid of|back on|against|stop|instead of|minds",
        rf"\b{_GIVING_UP}\s+{_OBJECT}",
    ),
    signed(
        "dropped|retired|scrapped|abandoned|gone|is out|are out|was out|were out|been out|now out"
        "|off the|amended|superseded|replaced"
        "|overruled|reversed|revoked|obsolete|history",
        rf"^(?P<object>[^\n,;]{{1,80}}?)\s+{_GONE}\b",
    ),
)
# The whole statement is what no longer holds.
_WHOLLY: tuple[Signed, ...] = (
    signed("no longer", r"(?P<object>^.{0,120}?\bno longer\b[^\n,;]{1,120})"),
    signed(
        "any more|anymore", r"(?P<object>^[^\n,;]{0,120}(?:\bnot|n't)\b[^\n,;]{1,120}\bany ?more\b)"
    ),
    signed("used to", r"(?P<object>^[^\n,;]{1,80}\bused to\b[^\n,;]{1,120})"),
)
# One pattern for each kind of sign, because a long alternation takes long to search.
_AT_ONCE: tuple[Signed, ...] = (
    signed(
        "from now on|forward|from here on|today|as of |henceforth|starting |so far|after all"
        "|instead|since th|back to",
        r"\b(?:from now on|going forward|from here on|from today|as of (?:today|this)|henceforth"
        r"|starting (?:today|with|next|this)|so far|after all|instead|since th(?:is|e last) \w+"
        r"|back to)\b",
    ),
    signed(
        "new |revis|updated|chang|different|correct|amend|supersed|overrul|revers",
        rf"\b(?:amendments?|{_RULING}|revers(?:es|ed|ing)|{_RENEWED} {_NOUN}|correction|{_MIND}"
        rf"|revis(?:es|ed|ing) {_OURS} {_NOUN})\b",
    ),
    signed(
        "rais|lower|bump|cut |reduc|increas|extend|shorten",
        rf"\b(?:cut|{_RAISING}) (?:(?:the|our|it)\b|.{{1,60}}\bto)\b",
    ),
    signed("switch|mov|chang|migrat", rf"\b{_MOVING} .{{1,60}}\b(?:to|from)\b"),
)
_BY_RULE = signed(
    "amend|supersed|overrul|new |revis|updated|chang|different|correction|revers",
    rf"\b(?:amendments?|{_RULING}|{_RENEWED} {_NOUN}|correction|{_MIND}"
    rf"|(?:revis|revers|chang|updat)(?:es|ed|ing) {_OURS} {_NOUN})\b",
)
_HENCEFORTH = signed(
    "from now on|going forward|from here on|henceforth|old |earlier |previous |former |original ",
    r"\b(?:from now on|going forward|from here on|henceforth"
    rf"|(?:dropp|replac|retir|abandon)(?:ed|es|ing|s) {_OLD})\b",
)
_A_RULE = re.compile(rf"\b{_NOUN}\b", re.IGNORECASE)
EVERY_KIND = (*_OF_A_RULE, *_OF_A_THING, *_WHOLLY, *_AT_ONCE, _BY_RULE, _HENCEFORTH)
_NOT_SO = re.compile(
    r"\?\s*$|^(?:(?:after|when|because|before) (?:we|they|it)|who|how|which|when do)\b"
    r"|\b(?:if|unless|should we|shall we|could we|what if|maybe|perhaps|propos\w+|suggest\w*"
    r"|might|would|nothing (?:chang|mov)\w*|unchanged|yesterday|last night|this morning"
    r"|(?:not|never|cannot|\w+n't)(?: \w+)?"
    r" (?:chang|amend|supersed|drop|replac|revis|mov|stop|forget)\w*)\b",
    re.IGNORECASE,
)
_GENERIC = frozenset(
    map(
        stem,
        word_set("""
            rule policy decision convention standard limit default agreement guideline requirement
            process procedure setting plan practice behaviour behavior approach way thing idea old
            earlier previous former original current existing prefix happen apply hold true longer
            more any anymore support new first last one ones settled agreed decided made time
        """),
    )
)
_CHANGING = frozenset(
    map(
        stem,
        word_set("""
            amend amendment supersede overrule revise revision reverse drop replace retire change
            update correction stay unchanged forward go keep full final recap confirm exactly plus
        """),
    )
)
_PREPOSITIONS = word_set(
    "of for in on to at with from under over by about that which who while when where"
)
_WORD = re.compile(r"[^\W_]+(?:[._'][^\W_]+)*")
_KNOWN_TEXTS = 4_096


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """What a statement changes: the content stems of it, its head, and the words.

    ``is_whole`` tells that every stem must be known of the earlier text, not only the head.
    """

    stems: frozenset[str]
    head: str
    phrase: str
    is_whole: bool = False
    is_rule: bool = False


def is_asserted(statement: str) -> bool:
    """Tell whether a statement is no question, guess or proposal, and denies no change."""
    return _NOT_SO.search(statement) is None


@lru_cache(maxsize=2048)
def changed_things(statement: str) -> tuple[Changed, ...]:
    """Return the things that a statement gives up or changes."""
    low = statement.casefold()
    found = (
        _changed(match["object"], kind)
        for kind in (*_OF_A_RULE, *_OF_A_THING, *_WHOLLY)
        if kind.may_match(low)
        for match in kind.pattern.finditer(statement)
    )
    return tuple(one for one in found if one is not None)


@lru_cache(maxsize=_KNOWN_TEXTS)
def may_change(text: str) -> bool:
    """Tell whether a text contains any language of change."""
    return has_sign(text) and any(_has(kind, text) for kind in EVERY_KIND)


def speaks_of_change(statement: str) -> bool:
    """Tell whether a statement has any language of change, even a mere ``instead``."""
    return any(_has(kind, statement) for kind in _AT_ONCE)


def changes_a_rule(statement: str) -> bool:
    """Tell whether a statement says that it changes a rule, whichever it is."""
    return _has(_BY_RULE, statement)


def holds_henceforth(statement: str) -> bool:
    """Tell whether a statement says of a rule that something else was so before."""
    return _has(_HENCEFORTH, statement) and _A_RULE.search(statement) is not None


def _has(kind: Signed, statement: str) -> bool:
    return kind.may_match(statement.casefold()) and kind.pattern.search(statement) is not None


def _changed(phrase: str, kind: Signed) -> Changed | None:
    words = _WORD.findall(phrase)
    lows = [word.casefold() for word in words]
    telling = [stem(word) for word in words if not _is_generic(word)]
    if not telling or lows[0] in _INDEFINITE or lows[-1] in _PERSONS:
        return None
    cut = next((n for n, low in enumerate(lows) if n and low in _PREPOSITIONS), len(words))
    before = [stem(word) for word in words[:cut] if not _is_generic(word)]
    return Changed(
        stems=frozenset(telling),
        head=before[-1] if before else "",
        phrase=phrase.strip(),
        is_whole=kind in _WHOLLY,
        is_rule=kind in _OF_A_RULE,
    )


def says_of_itself(word: str) -> bool:
    """Tell whether a stem belongs to the talk about rules and changes, and not to their content."""
    return word in _GENERIC or word in _CHANGING


def _is_generic(word: str) -> bool:
    return says_nothing(word) or stem(word) in _GENERIC
