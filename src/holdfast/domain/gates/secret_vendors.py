"""The rules of gitleaks and detect-secrets, read as data.

The files in ``rules`` hold one rule per line: its name, its keywords, the minimum entropy and the
pattern. There are two kinds: a format that is recognisable by itself, and a value that is a secret
only after the vendor's name. ``rules/README.md`` names the origin and the licences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from holdfast.domain.gates.likeness import entropy, is_named_thing, is_stand_in
from holdfast.domain.gates.triggers import Index, index_of, triggered
from holdfast.domain.values import dataclass

_FOLDER = f"{__file__.rpartition('/')[0]}/rules"
_FILES = ("gitleaks.tsv", "detect-secrets.tsv")
_BETWEEN = (
    r"[ \t\w.-]{0,20}(?:(?<=key)|(?<=token)|(?<=secret)|(?<=\bpat))[\s'\"`:=]{1,4}(?:is[ \t])?"
    r"|[ \t\w.-]{0,20}[\s'\"`]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,|[ \t]is[ \t])[`'\"\s=]{0,5}"
)
_REST_OF_TOKEN = re.compile(r"[\w-]{0,400}", re.ASCII)
_NAMES_OF_DIGESTS = ("sha", "hash", "digest", "commit", "etag", "checksum", "md5", "revision")


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorRule:
    """One rule of a maintained rule set."""

    name: str
    keywords: tuple[str, ...]
    least_entropy: float
    pattern: str
    is_named: bool

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Find the positions of such secrets in the text."""
        for match in _compiled(self.pattern).finditer(text):
            start, end = match.span(match.lastindex or 0)
            if self._is_real(text, match.start(), start, end):
                yield start, end

    def _is_real(self, text: str, since: int, start: int, end: int) -> bool:
        value = text[start:end]
        if is_stand_in(value) or is_named_thing(value) or entropy(value) < self.least_entropy:
            return False
        before = text[since:start].lower()
        return not (self.is_named and any(name in before for name in _NAMES_OF_DIGESTS))


def vendor_spans(text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    """Find the secrets that match a rule of a maintained rule set."""
    rules = _rules()
    for number in triggered(_index(), lowered):
        rule = rules[number]
        for start, end in rule.spans(text):
            rest = _REST_OF_TOKEN.match(text, end)
            yield rule.name, start, rest.end() if rest else end


@cache
def _index() -> Index:
    return index_of(rule.keywords for rule in _rules())


@cache
def _rules() -> tuple[VendorRule, ...]:
    lines = []
    for name in _FILES:
        with open(f"{_FOLDER}/{name}", encoding="utf-8") as file:  # noqa: PTH123 - pathlib costs 7 ms
            lines += file.read().splitlines()
    return tuple(_read(line.split("\t")) for line in lines)


def _read(fields: list[str]) -> VendorRule:
    name, keywords, least_entropy, *pattern = fields
    is_named = pattern[0].startswith("=")
    if is_named:
        names, value = pattern
        whole = rf"(?i:{names[1:]}(?:{_BETWEEN}))((?i:{value}))(?![\w-])"
    else:
        whole = rf"(?<![A-Za-z0-9]){pattern[0]}"
    return VendorRule(
        name=name,
        keywords=tuple(keywords.split(",")),
        least_entropy=float(least_entropy),
        pattern=whole,
        is_named=is_named,
    )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)
