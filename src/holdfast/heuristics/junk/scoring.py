"""Score how likely a claim is not worth keeping, with reasons; never a verdict on its truth.

The rules, weights and thresholds were fitted on ``benchmarks/junk_lines.tsv`` with ``python -m
benchmarks.junk``; ``junk_lines_held.tsv`` was written afterwards. The limits of length were chosen
by hand.
"""

from __future__ import annotations

import re
from functools import lru_cache

from holdfast.domain.values import dataclass
from holdfast.heuristics.junk.rules import FIRM, REASONS, JunkRule, Sort, rules

ENOUGH = 0.5
_FEWEST_WORDS = 3
_TOO_SHORT = 0.6
_SOFTENED = 0.35
_LONGEST_JUDGED = 2_000
_LONGEST_SENTENCE = 300
_OVERLAP = 100
# A name in code, a path, a call, a flag or a setting makes a claim specific to a project.
_CONCRETE = re.compile(
    r"`[^`]+`|(?<!\w)\w++\(\)|\b[a-z0-9]+_[a-z0-9_]+\b|\b[A-Z][A-Z0-9]+_[A-Z0-9_]+\b|(?<![\w.-])[\w.-]++/[\w.-]"
    r"|\b\w+\.(?:py|ts|js|go|rs|md|toml|ya?ml|json|sql|sh|c|h|java)\b|(?<!\w)--?[a-z][\w-]+"
    r"|\b[A-Z]?[a-z]+[A-Z]\w+"
)
_REASONED = re.compile(
    r"\b(?:because|since|otherwise|so that|instead of|unless|therefore|hence|rather than|until)\b",
    re.IGNORECASE,
)
_ANYWHERE = frozenset({Sort.INJECTION, Sort.PROMPTING, Sort.STEERING})
# A label that an import puts before a claim must not hide how the claim begins.
_LABEL = re.compile(r"[^:.!?\n]{1,60}: +(?=\S)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_TELLING = re.compile(r"[a-z']+|[<\[]")
_WORD = re.compile(r"\w[\w'-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Junk:
    """The probability that a claim is not worth keeping, from 0 to 1, and the reasons."""

    score: float
    reasons: tuple[str, ...] = ()


@lru_cache(maxsize=256)
def junk(claim: str) -> Junk:
    """Judge a claim by its wording alone.

    Orders to the reader count anywhere in the claim. All other patterns count only near its
    beginning, and less if the claim names something of the project or gives a reason.
    """
    text = claim.strip()[:_LONGEST_JUDGED]
    softened = _SOFTENED if _CONCRETE.search(text) or _REASONED.search(text) else 1.0
    # Junk is short; the beginning of a long text is enough to classify it.
    sentences = [text[:_LONGEST_SENTENCE], *_parts(text)]
    sentences += [one[label.end() :] for one in sentences if (label := _LABEL.match(one))]
    found: dict[Sort, float] = {}
    words = frozenset(_TELLING.findall(text.lower()))
    for rule in rules():
        if rule.needs and rule.needs.isdisjoint(words):
            continue
        weight = rule.weight if rule.sort in FIRM else rule.weight * softened
        if weight > found.get(rule.sort, 0.0) and _shows(rule, sentences):
            found[rule.sort] = weight
    if _is_too_short(text):
        found[Sort.FRAGMENT] = max(found.get(Sort.FRAGMENT, 0.0), _TOO_SHORT)
    doubt = 1.0
    for weight in found.values():
        doubt *= 1.0 - weight
    ordered = sorted(found, key=lambda sort: -found[sort])
    return Junk(score=round(1.0 - doubt, 4), reasons=tuple(REASONS[sort] for sort in ordered))


def objection(claim: str) -> str:
    """Return why a claim is not worth keeping; empty if it is."""
    judged = junk(claim)
    return judged.reasons[0] if judged.score >= ENOUGH else ""


def _shows(rule: JunkRule, sentences: list[str]) -> bool:
    """Match a rule: orders to the reader anywhere, all others in the first sentence."""
    if rule.sort not in _ANYWHERE:
        sentences = sentences[:1]
    look = rule.pattern.search if rule.needs else rule.pattern.match
    return any(look(sentence) for sentence in sentences)


def _parts(text: str) -> list[str]:
    """Return the sentences of a text after its beginning, long ones in pieces."""
    if len(text) <= _LONGEST_SENTENCE and not _SENTENCE_END.search(text):
        return []
    return [
        part[start : start + _LONGEST_SENTENCE]
        for part in _SENTENCE_END.split(text)
        for start in range(0, len(part), _LONGEST_SENTENCE - _OVERLAP)
    ][1:]


def _is_too_short(text: str) -> bool:
    """Tell whether a claim has too few words; scripts without spaces are exempt."""
    words = _WORD.findall(text)
    return text.isascii() and len(words) < _FEWEST_WORDS and not _CONCRETE.search(text)
