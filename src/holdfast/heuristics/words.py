"""The word lists for comparing claims: stems with synonyms, opposites and words without a topic.

The lists were fitted with the rules of ``conflict.judging``.
"""

from __future__ import annotations

import re
from functools import lru_cache

from holdfast.domain.text.words import STOP_WORDS
from holdfast.domain.text.words import stem as plain_stem

# Without the "ion" and "y" of recall's stems: a migration and to migrate are two topics here. With
# those endings, three conflicts of ``python -m benchmarks.conflicts`` are missed.
_ENDINGS = ("ings", "ing", "ied", "ies", "ed", "es", "s", "e")
_DOUBLED = frozenset("bdgkmnprt")
_NAMELIKE = re.compile(r"[A-Z0-9_#~/.@*]|-")
_SYNONYMS = (
    "async asynchronous",
    "sync synchronous synchronously",
    "email mail e-mail",
    "doc documentation document",
    "config configuration configure",
    "database db",
    "repo repository",
    "auth authentication authenticate",
    "env environment",
    "production prod",
    "development dev",
    "library lib",
    "js javascript",
    "ts typescript",
    "postgres postgresql",
    "kubernetes k8s",
    "length long",
    "max maximum",
    "min minimum",
    "owner own maintain",
    "specification spec",
    "delete erase purge",
    "allow permit",
    "keep kept",
    "send sent",
    "hold held",
    "build built",
    "write written wrote",
    "choose chosen chose",
    "run ran",
    "indent indentation",
    "standup stand-up",
    "frontend front-end",
    "backend back-end",
)
# Beside the stop words: they say how much, how often or how long, but not of what.
_VAGUE = """
    across already always around currently down enough least less longer mode never now really
    simply still today
"""
# No stop word here: "before" tells two moments apart.
_TELLING = frozenset({"before"})
_SAYING_LITTLE = """
    use run live keep store go put set make get happen work manage handle touch target project
    codebase code size number amount count length limit max rate default version require need allow
    option optional fine ok mandatory enable disable forbid forbidden disallow prohibit ban banned
    avoid prefer stop say take ttl lifetime decide choose pick adopt switch move settle standardize
    standardise upgrade bump publish serve forget remember ensure sure come everybody everyone
    somebody anybody permitted acceptable accept sit reside off replace drop remove migrate
    deprecate instead rather host locate support contain include hold
"""
_OPPOSING = """
    singular/plural automatic/manual automatically/manually sync/async hard/soft public/private
    open/closed internal/external first/last before/after start/end start/stop add/remove tab/space
    left/right static/dynamic lazy/eager lazily/eagerly mutable/immutable strict/loose
    strict/lenient blocking/non-blocking local/remote global/local true/false yes/no
    stateful/stateless ascending/descending cheap/expensive safe/unsafe trusted/untrusted
    monolith/microservice monorepo/polyrepo optimistic/pessimistic inclusive/exclusive
    increase/decrease full/partial full/incremental read-only/writable single-tenant/multi-tenant
    fast/slow stable/unstable encrypted/unencrypted visible/hidden sequential/parallel
    serial/parallel sequentially/parallel case-sensitive/case-insensitive inheritance/composition
    light/dark immediately/later big/small dense/sparse cold/hot push/pull client-side/server-side
    implicit/explicit relative/absolute
"""
_CHOICES = (
    "camelCase snake_case PascalCase kebab-case UPPER_CASE lowercase uppercase",
    "hourly daily nightly weekly monthly quarterly yearly annually",
    "English German French Spanish Italian Japanese Chinese Portuguese Polish Dutch",
    "debug info warn warning error critical",
    "GET POST PUT PATCH",
)


def _stripped(word: str) -> str:
    """Return a word without its ending, in lower case; other tokens stay whole."""
    low = word.casefold().removesuffix("'s").removesuffix("'")
    if not low.replace("-", "").replace("_", "").isalpha() or low.endswith("ss"):
        return low
    if not low.endswith(_ENDINGS):
        return low
    cut = plain_stem(low, _ENDINGS)
    ending = low[len(cut) :]
    return f"{cut}y" if ending in {"ied", "ies"} else _undoubled(cut, ending)


def _undoubled(cut: str, ending: str) -> str:
    if ending in {"ing", "ed", "ings"} and cut[-1] == cut[-2] and cut[-1] in _DOUBLED:
        return cut[:-1]
    return cut


_SAME = {
    form: _stripped(line.split()[0])
    for line in _SYNONYMS
    for word in line.split()
    for form in (word, _stripped(word))
}


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return the common stem of a word, its other forms and its synonyms."""
    if word.startswith("-"):
        return word  # -v and -V are two flags
    low = word.casefold()
    if low in _SAME:
        return _SAME[low]
    stripped = _stripped(low)
    return _SAME.get(stripped, stripped)


_ACRONYMS = frozenset({"US", "IT"})
"""Words in capitals that are stop words in small letters."""
_GLUE = (STOP_WORDS - _TELLING).union(_VAGUE.split())
_LITTLE = frozenset(stem(word) for word in _SAYING_LITTLE.split())
_OPPOSITES = frozenset(frozenset(map(stem, pair.split("/"))) for pair in _OPPOSING.split())
_GROUPS = tuple(frozenset(map(stem, line.split())) for line in _CHOICES)


@lru_cache(maxsize=8192)
def says_nothing(word: str) -> bool:
    """Tell whether a word is a stop word here: it names no topic."""
    if word in _ACRONYMS:
        return False
    return word.casefold() in _GLUE or stem(word) in _LITTLE


@lru_cache(maxsize=16_384)
def telling_stem(word: str) -> str:
    """Return the stem of a word that names a topic; empty if the word says nothing."""
    return "" if says_nothing(word) else stem(word)


def are_opposite(one: str, other: str) -> bool:
    """Tell whether two stems exclude each other: opposites, or two choices of one list."""
    if frozenset({one, other}) in _OPPOSITES:
        return True
    return one != other and any(one in group and other in group for group in _GROUPS)


def is_choice(word: str) -> bool:
    """Tell whether a stem belongs to a list of choices, of which only one can hold."""
    return any(word in group for group in _GROUPS)


def looks_like_a_name(word: str, *, is_first: bool) -> bool:
    """Tell whether a word is spelled like a name: an inner capital, a symbol or a digit."""
    return bool(_NAMELIKE.search(word[1:] if is_first and word[:1].isalpha() else word))
