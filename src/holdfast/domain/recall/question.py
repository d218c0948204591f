"""Questions, and the search terms in their text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.text.words import stem
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.choices import Kind, Scope
    from holdfast.domain.ids import AgentId


# Chosen by hand.
DEFAULT_BUDGET = 2_000
MOST_TOKENS = 1_000_000
DEFAULT_LIMIT = 20
MOST_ITEMS = 200
MOST_TERMS = 64
READ_AT_MOST = 8_192
_LONGEST_TERM = 64
_WORD = re.compile(r"[^\W_](?:[\w'.:/#@-]*[^\W_])?")
_REFERENCE = re.compile(r"[0-9_-]")
_MOST_REFERENCES = 8
_PIECE = re.compile(r"[^\W_]+")
_INNER_CAPITAL = re.compile(r"[A-Z](?:(?<=[A-Za-z0-9][A-Z])|[a-z]*[0-9])")
_HAN = r"[\u3005\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]"
_HIRAGANA = r"[\u3041-\u309f]"
_KATAKANA = r"[\u30a0-\u30ff]"
_UNSPACED = re.compile(f"{_HAN}|{_HIRAGANA}|{_KATAKANA}")
_RUN = re.compile(f"{_HAN}+|{_HIRAGANA}+|{_KATAKANA}+|(?:(?!{_UNSPACED.pattern})[^\\W_])+")
_PARTICLE = re.compile(f"{_HIRAGANA}+")
# Chinese and Japanese words that ask or connect; a run is cut at them.
_FILLER = re.compile(
    "什么时候|为什么|怎么样|什么|怎么|哪里|哪个|多久|多少|我们|[的了吗呢吧啊是在和与何誰]"
)
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
MEMORY = "memory"
TASKS = "tasks"
SESSIONS = "sessions"
INCLUDABLE = (MEMORY, "code", "history", TASKS, SESSIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its budget: how many tokens the answer may take, and what it may contain.

    Kinds, scopes and tags restrict the answer; an empty tuple does not restrict it. ``as_of`` asks
    for the knowledge at a commit; ``all_branches`` includes knowledge of other branches.
    ``verbose`` asks for whole ids and for the reasons of each item, which cost tokens. ``agent``
    is the agent that asks: its own notes and its recent results are part of the answer.
    ``namespaces`` restricts its own notes. ``deep`` says whether the best hits are read again with
    the question; None leaves it to the settings.
    """

    text: str
    budget: int = DEFAULT_BUDGET
    include: tuple[str, ...] = ("memory",)
    limit: int = DEFAULT_LIMIT
    kinds: tuple[Kind, ...] = ()
    scopes: tuple[Scope, ...] = ()
    tags: tuple[str, ...] = ()
    as_of: str | None = None
    all_branches: bool = False
    verbose: bool = False
    deep: bool | None = None
    agent: AgentId | None = None
    namespaces: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a budget or limit out of range, and unknown parts."""
        if not 1 <= self.budget <= MOST_TOKENS:
            raise BadFieldError(
                field="budget", problem=f"must be between 1 and {MOST_TOKENS:,} tokens."
            )
        if not 1 <= self.limit <= MOST_ITEMS:
            raise BadFieldError(field="limit", problem=f"must be between 1 and {MOST_ITEMS} items.")
        for part in self.include:
            if part not in INCLUDABLE:
                raise BadFieldError(
                    field="include", problem=f"names '{part}'; it takes: {', '.join(INCLUDABLE)}."
                )


def inner_words(text: str) -> list[str]:
    """Return the words inside runs of letters: of camelCase names, and of unspaced scripts."""
    return camel_parts(text) if text.isascii() else [*camel_parts(text), *unspaced_parts(text)]


def unspaced_parts(text: str) -> list[str]:
    """Return what is inside each run of letters that has Chinese or Japanese ones.

    These scripts put no space between words, so each pair of neighbouring letters of one script
    counts as a word. A letter that stands alone counts too, and so do Latin words in between.
    """
    parts: list[str] = []
    if not _UNSPACED.search(text):
        return parts
    for piece in _PIECE.findall(text):
        if _UNSPACED.search(piece):
            for run in _RUN.findall(piece):
                parts += _pairs(run) if _UNSPACED.match(run) else [run]
    return parts


def _pairs(run: str) -> list[str]:
    return [
        part[at : at + 2]
        for part in _FILLER.split(run)
        if part
        for at in range(max(len(part) - 1, 1))
    ]


def is_particle(word: str) -> bool:
    """Tell whether a word has only hiragana: particles and endings, which carry no subject."""
    return _PARTICLE.fullmatch(word) is not None


def camel_parts(text: str) -> list[str]:
    """Return the words inside camelCase identifiers; plain words give none."""
    parts: list[str] = []
    if not _INNER_CAPITAL.search(text):
        return parts
    for piece in _PIECE.findall(text):
        # A word without inner capitals has no parts.
        if piece[1:].islower() and piece.isalpha():
            continue
        if piece.isascii() and not piece.islower() and not piece.isupper():
            found = _CAMEL.findall(piece)
            if len(found) > 1:
                parts.extend(found)
    return parts


def terms_of(text: str) -> tuple[str, ...]:
    """Return the distinct search terms in order: identifiers whole and in parts.

    At most 64 terms from the first 8 KiB are returned.
    """
    head = text[:READ_AT_MOST]
    terms: dict[str, None] = {}
    for word in _WORD.findall(head):
        for term in _terms_in(word):
            if len(terms) >= MOST_TERMS:
                return tuple(terms)
            terms.setdefault(term.casefold()[:_LONGEST_TERM])
    return tuple(terms)


def _terms_in(word: str) -> Iterable[str]:
    # A word of letters and digits has no other pieces, and one without capitals no parts.
    pieces = () if word.isalnum() else _PIECE.findall(word)
    if not word.isascii() and (pairs := unspaced_parts(word)):
        return pairs
    parts = () if word.islower() else camel_parts(word)
    return (word, *pieces, *parts) if pieces or parts else (word,)


def references_in(text: str) -> tuple[str, ...]:
    """Return the words that may be an id or a label, as written: with a digit, ``-`` or ``_``."""
    found = _WORD.findall(text[:READ_AT_MOST])
    words = dict.fromkeys(word.removesuffix("'s") for word in found)
    return tuple([word for word in words if _REFERENCE.search(word)][:_MOST_REFERENCES])


def matched_terms(terms: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Return the terms that a text contains, compared by stem."""
    stems = {stem(piece) for piece in _PIECE.findall(text.casefold())}
    stems |= {stem(part.casefold()) for part in inner_words(text)}
    return tuple(
        term for term in terms if all(stem(piece) in stems for piece in _PIECE.findall(term))
    )


def pieces_of(text: str) -> list[str]:
    """Return the runs of letters and digits, in order."""
    return _PIECE.findall(text)


def piece_at(text: str, start: int) -> str:
    """Return the run of letters and digits that starts at a place; empty if there is none."""
    found = _PIECE.match(text, start)
    return found[0] if found else ""


_CODE_LINE = re.compile(
    r"^\s*(?:def |class |async def |import |from \w[\w.]* import |return\b|@\w|#include|func |fn "
    r"|pub |const |let |var |public |private |package |SELECT |if .*:$|for .*:$|\})"
)
_CALL = re.compile(r"\w\(")
# Chosen by hand.
_CODE_SHARE = 0.4
_DEFINES = re.compile(
    r"\s*(?:(?:@[\w.]+(?:\(.*\))?\s*\n\s*)*(?:async )?def \w+\s*\(|class \w+\s*[(:{]"
    r"|(?:pub )?fn \w+\s*[(<]|func [\w(]|(?:async )?function\s*\w*\s*\()"
)


def looks_like_code(text: str) -> bool:
    """Tell whether a text is code: it starts with a definition, or enough lines are statements."""
    if _DEFINES.match(text):
        return True
    lines = [line for line in text.splitlines() if line.strip()][:40]
    if not lines:
        return False
    return sum([_is_statement(line) for line in lines]) / len(lines) >= _CODE_SHARE


def _is_statement(line: str) -> bool:
    """Tell whether a line starts or ends like code."""
    if line.endswith((";", "{")) or (line.endswith(")") and _CALL.search(line)):
        return True
    return _CODE_LINE.match(line) is not None
