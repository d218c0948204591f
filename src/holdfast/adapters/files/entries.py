"""Parses an entry of a page, or returns why it cannot be parsed."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.adapters.files.frontmatter import Field, FrontmatterTrouble, read_block
from holdfast.adapters.files.page_text import PagePiece, PieceKind, cut, lines_of
from holdfast.domain.checks.check import read_checks
from holdfast.domain.choices import Kind, Status
from holdfast.domain.errors import BadFieldError
from holdfast.domain.gates.hidden import make_visible, storable_problem
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import PAGES, Flaw, PageEntry
from holdfast.domain.moments import moment_of
from holdfast.domain.pages.mistaken_keys import meant_key
from holdfast.domain.pages.page_entry import expiry_words
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

KEYS = (
    "id",
    "uid",
    "type",
    "status",
    "tags",
    "key",
    "expires",
    "check",
    "source",
    "evidence",
    "updated",
    "was",
)
"""The keys of an entry that Holdfast reads and writes, in the order of new entries."""

LARGEST_ENTRY = 64 * 1024
_MOST_BYTES = 4
"""The most bytes that a character takes in UTF-8."""
CONFLICT = "A merge left its conflict markers here."
_UID = re.compile(r"m_[0-9a-z_]{1,64}")
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)*")
_ESCAPED = re.compile(r"^( {0,3})\\(\\*(?:---[ \t]*$|```|~~~|<{7}|={7}|>{7}))", re.MULTILINE)
_ESCAPABLE = re.compile(r"^( {0,3})(\\*(?:---[ \t]*$|```|~~~|<{7}|={7}|>{7}))", re.MULTILINE)
_BLOCK_ADVICE = (
    "Write each key once, with a text or a list: no anchors, tags or deep nesting, at most 16 KiB."
)
_KINDS = {kind.value: kind for kind in PAGES}
_STATUSES = {status.value: status for status in Status}
_KINDS_OF_PAGES = {page: kind for kind, (page, _) in PAGES.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadEntry:
    """An entry, the piece it was parsed from, and the fields of its frontmatter."""

    entry: PageEntry
    piece: PagePiece
    fields: Mapping[str, Field]


@lru_cache(maxsize=64)
def kind_of_page(path: str) -> Kind | None:
    """Return the kind that a page's name implies: ``decisions.md``, or a file in that folder."""
    parts = path.removesuffix(".md").split("/")
    kinds = (_KINDS_OF_PAGES.get(part) for part in reversed(parts[-2:]))
    return next((kind for kind in kinds if kind is not None), None)


def read_piece(piece: PagePiece, path: str, *, is_plain: bool = False) -> ReadEntry | Flaw | None:
    """Return the entry of a piece, its flaw, or None for plain prose.

    ``is_plain`` says that the whole page was already checked for unreadable characters.
    """
    if flaw := _too_large(piece, path) or (None if is_plain else _unreadable(piece, path)):
        return flaw
    if piece.kind is PieceKind.PROSE:
        return None
    if piece.kind is PieceKind.CONFLICT:
        return Flaw(
            path=path,
            line=piece.odd_line,
            problem=CONFLICT,
            advice="Keep one side, or join the two, and remove the lines of the markers.",
        )
    if piece.kind is PieceKind.BROKEN:
        return Flaw(
            path=path,
            line=piece.odd_line,
            problem="The frontmatter of this entry is not closed, or holds a line that is no key.",
            advice="End it with a line that is --- and nothing else.",
        )
    return _read_entry(piece, path)


def _read_entry(piece: PagePiece, path: str) -> ReadEntry | Flaw:
    fields = read_block(piece.inner)
    if isinstance(fields, FrontmatterTrouble):
        line = piece.line + 1 + fields.line
        return Flaw(path=path, line=line, problem=fields.problem, advice=_BLOCK_ADVICE)
    try:
        entry = _said(piece, fields, path)
    except _FieldError as error:
        at = fields[error.key].line + 1 if error.key in fields else 0
        line = piece.line + at
        return Flaw(path=path, line=line, problem=str(error), advice=error.advice)
    return ReadEntry(entry=entry, piece=piece, fields=fields)


class _FieldError(Exception):
    """A field has an invalid value."""

    def __init__(self, *, key: str, problem: str, advice: str = "") -> None:
        super().__init__(problem)
        self.key = key
        self.advice = advice


def _said(piece: PagePiece, fields: Mapping[str, Field], path: str) -> PageEntry:
    body = body_of(piece.body)
    if not body:
        raise _FieldError(
            key="",
            problem="This entry says nothing.",
            advice="Write its text below the second ---.",
        )
    _refuse_mistaken(fields)
    return PageEntry(
        body=body,
        kind=_kind(fields, path),
        uid=_uid(fields),
        label=_label(fields),
        status=_status(fields),
        tags=_texts(fields, "tags") if "tags" in fields else (),
        key=_text(fields, "key") if "key" in fields else "",
        expires=_expires(fields) if "expires" in fields else "",
        checks=_checks(fields) if "check" in fields else (),
        source=_text(fields, "source") if "source" in fields else "",
        evidence=_texts(fields, "evidence", is_list=True) if "evidence" in fields else (),
        updated=_text(fields, "updated") if "updated" in fields else "",
        was=_texts(fields, "was") if "was" in fields else (),
    )


def _refuse_mistaken(fields: Mapping[str, Field]) -> None:
    """Refuse a key that stands for one of an entry; a key of the person's own is left alone."""
    for key in fields:
        meant = None if key in KEYS else meant_key(key)
        if meant is not None and meant not in fields:
            raise _FieldError(
                key=key,
                problem=f"'{key}' is no key of an entry; did you mean '{meant}'?",
                advice=f"Write '{meant}' in place of '{key}', or rename a key of your own.",
            )


def _text(fields: Mapping[str, Field], key: str) -> str:
    field = fields.get(key)
    if field is None:
        return ""
    if field.scalar is None:
        raise _FieldError(key=key, problem=f"The key '{key}' must hold one text.")
    return field.scalar.text.strip()


def _texts(fields: Mapping[str, Field], key: str, *, is_list: bool = False) -> tuple[str, ...]:
    """Return a list of texts; a single text is split at its commas, or kept whole for a list."""
    field = fields[key]
    if is_list and field.scalar is not None:
        return (field.scalar.text,) if field.scalar.text else ()
    if field.texts is None:
        raise _FieldError(
            key=key,
            problem=f"The key '{key}' must hold a list of texts.",
            advice="Write [one, two].",
        )
    return field.texts


def _kind(fields: Mapping[str, Field], path: str) -> Kind:
    word = _text(fields, "type")
    promised = kind_of_page(path)
    if not word and promised is not None:
        return promised
    kind = _KINDS.get(word)
    if kind is None:
        raise _FieldError(
            key="type",
            problem=f"'{word[:60]}' is no type of entry.",
            advice=f"Use one of: {', '.join(_KINDS)}.",
        )
    return kind


def _status(fields: Mapping[str, Field]) -> Status:
    word = _text(fields, "status")
    status = _STATUSES.get(word) if word else Status.ACCEPTED
    if status is None:
        raise _FieldError(
            key="status",
            problem=f"'{word[:60]}' is no status.",
            advice=f"Use one of: {', '.join(_STATUSES)}.",
        )
    return status


def _expires(fields: Mapping[str, Field]) -> str:
    word = _text(fields, "expires")
    if not word:
        return ""
    # The first and the last day that a date can name may have no equivalent in UTC.
    with suppress(OverflowError):
        if (moment := moment_of(word)) is not None:
            return expiry_words(moment)
    raise _FieldError(
        key="expires",
        problem=f"'{word[:60]}' is no date.",
        advice="Write a date such as 2026-12-24 or 2026-12-24T18:00:00Z, or remove the line.",
    )


def _checks(fields: Mapping[str, Field]) -> tuple[str, ...]:
    try:
        return read_checks(_texts(fields, "check", is_list=True))
    except BadFieldError as error:
        advice = "Correct the line, or remove it; the forms are in the how-to about checks."
        raise _FieldError(key="check", problem=str(error), advice=advice) from None


def _uid(fields: Mapping[str, Field]) -> MemoryId | None:
    word = _text(fields, "uid")
    if word and not _UID.fullmatch(word):
        advice = "Remove the line; the next sync gives the entry a uid of its own."
        raise _FieldError(key="uid", problem=f"'{word[:60]}' is no uid.", advice=advice)
    return MemoryId(word) if word else None


def _label(fields: Mapping[str, Field]) -> str | None:
    word = _text(fields, "id")
    if word and not _LABEL.fullmatch(word):
        advice = "Use letters, digits, dots and dashes, such as DEC-001."
        raise _FieldError(key="id", problem=f"'{word[:60]}' is no label.", advice=advice)
    return word or None


def _too_large(piece: PagePiece, path: str) -> Flaw | None:
    if not piece.head or len(piece.body) * _MOST_BYTES <= LARGEST_ENTRY:
        return None
    said = parts_of(piece.body)[1].encode("utf-8", "surrogateescape")
    if len(said) <= LARGEST_ENTRY:
        return None
    return Flaw(
        path=path,
        line=piece.line,
        problem=f"This entry is larger than {LARGEST_ENTRY // 1024} KiB.",
        advice="Shorten it to the claim, and cite the rest as evidence.",
    )


def _is_readable(text: str) -> bool:
    return storable_problem(text) is None and not make_visible(text).removed


def _unreadable(piece: PagePiece, path: str) -> Flaw | None:
    """Return why a piece is not readable text, or None."""
    text = piece.text.removeprefix("\ufeff") if piece.line == 1 else piece.text
    if _is_readable(text):
        return None
    for number, line in enumerate(lines_of(text)):
        if problem := _odd_in(line):
            return Flaw(path=path, line=piece.line + number, problem=problem)
    return None


def _odd_in(line: str) -> str | None:
    """Return the first unreadable thing in a line, or None."""
    if any("\udc80" <= character <= "\udcff" for character in line):
        return "This is not UTF-8 text."
    if problem := storable_problem(line):
        return problem
    removed = make_visible(line).removed
    if not removed:
        return None
    names = ", ".join(f"U+{one.code_point:04X} {one.name}" for one in removed[:3])
    return f"This line holds characters that nobody can see: {names}."


def parts_of(body: str) -> tuple[str, str, str]:
    """Return the blank lines before a body's text, the text itself, and the rest."""
    blank = _BLANK_LINES.match(body)
    before = "" if blank is None else blank[0]
    inner = body[len(before) :].rstrip()
    return before, inner, body[len(before) + len(inner) :]


def plain_body(text: str) -> str:
    """Return a text without outer blank lines, with plain newlines as line ends."""
    return parts_of(text)[1].replace("\r\n", "\n").replace("\r", "\n")


def body_of(body: str) -> str:
    """Return the text of an entry's body: without outer blank lines, with plain newlines."""
    plain = plain_body(body)
    return _ESCAPED.sub(r"\1\2", plain) if "\\" in plain else plain


def written_body(body: str) -> str:
    """Return a body for a page; text that would end or split the entry is escaped."""
    if _reads_back(body, body):
        return body
    return _ESCAPABLE.sub(r"\1\\\2", body)


def _reads_back(written: str, meant: str) -> bool:
    """Return whether a written body parses to the same text, and the entry after it too."""
    probe = f"---\ntype: fact\n---\n{written}\n\n---\ntype: fact\n---\nnext\n"
    bodies = [body_of(piece.body) for piece in cut(probe)]
    kinds = {piece.kind for piece in cut(probe)}
    return bodies == [plain_body(meant), "next"] and kinds == {PieceKind.ENTRY}


@lru_cache(maxsize=16)
def read_pieces(text: str, path: str) -> tuple[tuple[PagePiece, ReadEntry | Flaw | None], ...]:
    """Return the parsed pieces of a page, cached: one write parses a page several times."""
    is_plain = text.isascii() and _is_readable(text)
    return tuple([(piece, read_piece(piece, path, is_plain=is_plain)) for piece in cut(text)])
