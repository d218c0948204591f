"""Splits a paragraph into passages: each sentence with those that it depends on."""

from __future__ import annotations

import re

from holdfast.adapters.foreign.markup import masked

_SENTENCES = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bvs\.)\s+(?=[^\sa-z])"
    r"|(?<=[。！？])\s*(?=\S)"
)
_LEANS = re.compile(
    r"[\"'*_`(]*(?:(?:and|but|so|also|then|otherwise|instead|however|therefore|thus|hence|again"
    r"|likewise|similarly|because|or|in (?:this|that|these|those|such) cases?|for (?:this"
    r"|that) reason"
    r"|if (?:so|not|it|they|this|that)|doing (?:so|this|that|it))\b,?|(?:this|that|these"
    r"|those|it|its"
    r"|they|them|their|such|same|both|neither|either|he|she)\b"
    r"|(?:dies|diese[rsnm]?|das|er|sie|es|sonst|deshalb|daher)\b"
    r"|(?:ceci|cela|c'est|ce|cette|ces|ils?|elles?|sinon)\b"
    r"|(?:esto|esta|este|eso|ello|ellos|isto|isso|esta|questo|questa|ciò|altrimenti)\b"
    r"|这|這|それ|これ|이것)",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"\b(?:do|does|doing|did|skip|use|change|touch|remove|edit|disable|break|ignore|bypass"
    r"|forget|keep"
    r"|follow|call|run|move|delete|rely on|rename|replace)\s+(?:this|that|it|them|these"
    r"|those|so)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"[^:.!?]{1,48}:\s")
_FEW_WORDS = 4
_LONGEST_PARENT = 200
_ENDS = (".", "!", "?", "。", "！", "？")


def leans_on_another(sentence: str) -> bool:
    """Return whether a sentence is only understood with the one before it."""
    if _LEANS.match(sentence):
        return True
    # A label says what "them" refers to.
    return _POINTS.search(sentence) is not None and _LABEL.match(sentence) is None


def under(parent: str, claim: str) -> str:
    """Return the claim of a nested bullet together with its parent bullet.

    A parent that is a sentence stays one; a parent that is only a name becomes a label.
    """
    whole = parent if len(parent) <= _LONGEST_PARENT else _sentences(parent)[0]
    subject = whole.rstrip(" :：")
    if not subject or subject.casefold() in claim.casefold():
        return claim
    if subject.endswith(_ENDS):
        return f"{subject} {claim}"
    # A label has no verb; a claim that refers back needs a whole sentence.
    is_label = len(subject.split()) < _FEW_WORDS or not leans_on_another(claim)
    return (
        f"{subject}: {claim}" if is_label or parent.endswith((":", "：")) else f"{subject}. {claim}"
    )


def passages(text: str, *, before: str = "") -> list[list[str]]:
    """Return the sentences of a paragraph in passages that are understood without context.

    If the first sentence depends on the text before the paragraph, the last sentence of that text
    begins the passage.
    """
    found: list[list[str]] = []
    for sentence in _sentences(text):
        is_fragment = sentence.isascii() and len(sentence.split()) < _FEW_WORDS
        if found and (is_fragment or leans_on_another(sentence) or _is_call(found[-1])):
            found[-1].append(sentence)
        else:
            found.append([sentence])
    earlier = _sentences(before)
    if found and earlier and leans_on_another(found[0][0]):
        found[0].insert(0, earlier[-1])
    return found


def last_sentence(text: str) -> str:
    """Return the last sentence of a text; '' if it has none."""
    return "".join(_sentences(text)[-1:])


def _sentences(text: str) -> list[str]:
    """Split a text into sentences; a full stop inside a code span ends none."""
    found, done = list[str](), 0
    for gap in _SENTENCES.finditer(masked(text)):
        found.append(text[done : gap.start()].strip())
        done = gap.end()
    return [one for one in (*found, text[done:].strip()) if one]


def _is_call(passage: list[str]) -> bool:
    """Return whether a passage is only a call such as `Important!`, which belongs to the next."""
    return len(passage) == 1 and passage[0].endswith("!") and len(passage[0].split()) < _FEW_WORDS
