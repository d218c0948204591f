"""Three-way merge of two versions of a page, entry by entry.

An entry is identified by its uid, wherever it is and whatever its label is. A change of one side is
taken, additions of both sides are kept, and only an entry that both sides changed is a conflict.
"""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.adapters.files.entry_merging import combined
from holdfast.adapters.files.line_merging import merge_lines
from holdfast.adapters.files.page_text import PieceKind, cut, line_end_of
from holdfast.adapters.files.relabelling import relabelled
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.files.page_text import PagePiece


_UID_LINE = re.compile(r"^uid[ \t]*:[ \t]*['\"]?(m_[0-9a-z_]+)", re.MULTILINE)
_LABEL_LINE = re.compile(r"^id[ \t]*:[ \t]*['\"]?([\w.-]+)", re.MULTILINE)
_Key = tuple[str, ...]
_TOP: _Key = ("top",)


class Prefer(StrEnum):
    """How to merge an entry that both sides changed."""

    NEITHER = "neither"
    THEIRS = "theirs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """A merged page, and the conflicts in it that a person must resolve."""

    content: bytes
    conflicts: tuple[str, ...] = ()


def merge_pages(
    base: bytes, ours: bytes, theirs: bytes, *, path: str = "", prefer: Prefer = Prefer.NEITHER
) -> Merged:
    """Merge two versions of a page; conflict markers enclose only the conflicting entry.

    The path gives the kind of an entry that does not name its kind.
    """
    if theirs in (ours, base):
        return Merged(content=ours)
    if ours == base:
        return Merged(content=theirs)
    text = [content.decode("utf-8", "surrogateescape") for content in (base, ours, theirs)]
    merging = _Merging(*text, path=path, prefer=prefer)
    made = relabelled(merging.text(), path)
    return Merged(
        content=made.encode("utf-8", "surrogateescape"), conflicts=tuple(merging.conflicts)
    )


class _Merging:
    """One merge: the pieces of three versions by their keys."""

    def __init__(self, base: str, ours: str, theirs: str, *, path: str, prefer: Prefer) -> None:
        unnamed = _Unnamed(cut(base))
        self._base = _by_key(cut(base), unnamed)
        self._ours = _by_key(cut(ours), unnamed)
        self._theirs = _by_key(cut(theirs), unnamed)
        self._end = line_end_of(ours or theirs)
        self._path = path
        self._prefer = prefer
        self.conflicts: list[str] = []

    def text(self) -> str:
        """Return the merged page."""
        made = ""
        was_ours = True
        for key in self._order():
            text, is_ours = self._chosen(key)
            if not text:
                continue
            made += self._gap(made, is_known=is_ours and was_ours) + text
            was_ours = is_ours
        return made

    def _order(self) -> list[_Key]:
        """Return the order of our pieces, with each of theirs after the piece it follows there."""
        order = list(self._ours)
        before: _Key | None = None
        for key in self._theirs:
            if key not in self._ours:
                at = 0 if before is None else order.index(before) + 1
                while at < len(order) and order[at] not in self._theirs:
                    at += 1
                order.insert(at, key)
            before = key
        return order

    def _chosen(self, key: _Key) -> tuple[str, bool]:
        """Return the text of one piece, and whether it equals ours."""
        base, ours, theirs = self._base.get(key), self._ours.get(key), self._theirs.get(key)
        if _same(ours, theirs) or _same(theirs, base):
            return ours or "", True
        if _same(ours, base):
            return theirs or "", False
        if self._prefer is Prefer.THEIRS:
            return self._theirs_first(base, ours, theirs), theirs is None
        if (both := combined(base, ours, theirs, self._path)) is not None:
            return both, True
        self.conflicts.append(_name(ours or theirs or "", key))
        sides = f"<<<<<<< ours\n{_ended(ours)}=======\n{_ended(theirs)}>>>>>>> theirs\n"
        return sides.replace("\r\n", "\n").replace("\n", self._end), False

    def _theirs_first(self, base: str | None, ours: str | None, theirs: str | None) -> str:
        """Return a piece with the changes of both sides; theirs if they exclude each other."""
        if ours is None or theirs is None:
            return theirs or ours or ""
        if (both := combined(base, ours, theirs, self._path)) is not None:
            return both
        joined = merge_lines(base or "", ours, theirs)
        return joined if _holds(joined, like=theirs) else theirs

    def _gap(self, made: str, *, is_known: bool) -> str:
        """Return the blank lines between two pieces that were not adjacent before."""
        if not made or (is_known and made.endswith("\n")):
            return ""
        if not made.endswith("\n"):
            return self._end * 2
        return "" if made.endswith((self._end * 2, ">>>>>>> theirs" + self._end)) else self._end


def _holds(joined: str, *, like: str) -> bool:
    """Return whether a merged text is still one piece of the same kind and uid."""
    made, meant = cut(joined), cut(like)
    return [_named(piece) for piece in made] == [_named(piece) for piece in meant]


def _named(piece: PagePiece) -> tuple[PieceKind, list[str]]:
    return piece.kind, _UID_LINE.findall(piece.head)


def _by_key(pieces: Sequence[PagePiece], unnamed: _Unnamed) -> dict[_Key, str]:
    """Return the text of each piece by its key; a repeated key gets a suffix."""
    found: dict[_Key, str] = {}
    for piece in pieces:
        key = _key(piece, unnamed)
        while key in found:
            key = (*key, "again")
        found[key] = piece.text
    return found


def _key(piece: PagePiece, unnamed: _Unnamed) -> _Key:
    if piece.kind is PieceKind.PROSE:
        return _TOP
    if piece.kind is PieceKind.ENTRY:
        if known := unnamed.key(piece):
            return known
        if uid := _UID_LINE.search(piece.head):
            return ("uid", uid[1])
    return ("text", _hash(piece.text))


class _Unnamed:
    """The entries of the base that had no uid; either side may have given them one."""

    def __init__(self, pieces: Sequence[PagePiece]) -> None:
        self._uids = frozenset(
            uid[1] for piece in pieces if (uid := _UID_LINE.search(piece.head)) is not None
        )
        without = [
            piece
            for piece in pieces
            if piece.kind is PieceKind.ENTRY and not _UID_LINE.search(piece.head)
        ]
        self._labels = frozenset(
            label[1] for piece in without if (label := _LABEL_LINE.search(piece.head))
        )
        self._bodies = frozenset(_hash(piece.body) for piece in without)

    def key(self, piece: PagePiece) -> _Key | None:
        """Return the key of such an entry; None for any other."""
        uid, label = _UID_LINE.search(piece.head), _LABEL_LINE.search(piece.head)
        if uid and uid[1] in self._uids:
            return None
        if label and label[1] in self._labels:
            return ("label", label[1])
        body = _hash(piece.body)
        return ("body", body) if body in self._bodies else None


def _hash(text: str) -> str:
    plain = text.replace("\r\n", "\n").strip().encode("utf-8", "surrogateescape")
    return hashlib.sha256(plain).hexdigest()


def _same(one: str | None, other: str | None) -> bool:
    if one is None or other is None:
        return one is other
    return one == other or _plain(one) == _plain(other)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").rstrip()


def _ended(text: str | None) -> str:
    return "" if text is None else text.rstrip() + "\n"


def _name(text: str, key: _Key) -> str:
    label = _LABEL_LINE.search(text)
    return label[1] if label else " ".join(key[:2])
