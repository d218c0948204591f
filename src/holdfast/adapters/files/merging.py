"""Three-way merge of two versions of a page, entry by entry.

An entry is identified by its uid, wherever it is and whatever its label is. A change of one side is
taken, additions of both sides are kept, and only an entry that both sides changed is a conflict.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.adapters.files.editing import edited
from holdfast.adapters.files.entries import KEYS, ReadEntry, read_piece
from holdfast.adapters.files.page_text import PieceKind, cut, line_end_of, lines_of, merge_lines
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.adapters.files.page_text import PagePiece
    from holdfast.domain.choices import Status
    from holdfast.domain.memory.entry import PageEntry
    from holdfast.ports.anchors.clone import Stages

_OWN_KEY = re.compile(rf"(?:{'|'.join(KEYS)})[ \t]*:")


def combined(base: str | None, ours: str | None, theirs: str | None, path: str) -> str | None:
    """Return the merged entry if no key was changed by both sides in different ways.

    None if only a person can merge the two.
    """
    before, mine, other = (_read(text, path) for text in (base, ours, theirs))
    if before is None or mine is None or other is None:
        return None
    wanted = _joined(before.entry, mine.entry, other.entry)
    if wanted is None:
        return None
    # A side's other lines are kept by writing into the text of that side.
    if _beside(other) in {_beside(mine), _beside(before)}:
        return edited(mine, wanted, path)
    return edited(other, wanted, path) if _beside(mine) == _beside(before) else None


def _beside(read: ReadEntry) -> str:
    """Return the lines of the frontmatter that belong to none of Holdfast's keys."""
    kept, is_own = [], False
    for line in lines_of(read.piece.inner):
        is_own = bool(_OWN_KEY.match(line)) or (is_own and line.startswith((" ", "-", "\t")))
        if not is_own:
            kept.append(line.rstrip())
    return "\n".join(kept)


def _read(text: str | None, path: str) -> ReadEntry | None:
    if text is None:
        return None
    pieces = cut(text)
    if len(pieces) != 1 or pieces[0].kind is not PieceKind.ENTRY:
        return None
    read = read_piece(pieces[0], path)
    return read if isinstance(read, ReadEntry) else None


def _joined(base: PageEntry, ours: PageEntry, theirs: PageEntry) -> PageEntry | None:
    """Return the merged entry; None if both sides changed one value differently."""
    body, status = _one(base.body, ours.body, theirs.body), _status(base, ours, theirs)
    key = _one(base.key, ours.key, theirs.key)
    expires = _one(base.expires, ours.expires, theirs.expires)
    checks = _one("\n".join(base.checks), "\n".join(ours.checks), "\n".join(theirs.checks))
    if body is None or key is None or expires is None or checks is None:
        return None
    if status is None or ours.kind is not theirs.kind:
        return None
    # Two clones gave one entry a uid at the same time: the earlier uid is kept.
    first = min(ours, theirs, key=lambda entry: entry.uid or "~")
    label = _one(base.label or "", ours.label or "", theirs.label or "")
    was = [*ours.was, *theirs.was, *(one.label for one in (ours, theirs) if one.label)]
    kept = label or first.label
    return replace(
        ours,
        body=body,
        status=status,
        uid=first.uid,
        label=kept,
        tags=_list(base.tags, ours.tags, theirs.tags),
        key=key,
        expires=expires,
        checks=tuple(checks.splitlines()),
        source=_one(base.source, ours.source, theirs.source) or ours.source,
        evidence=_list(base.evidence, ours.evidence, theirs.evidence),
        updated=max(ours.updated, theirs.updated),
        was=tuple(name for name in dict.fromkeys(was) if name != kept),
    )


def _one(base: str, ours: str, theirs: str) -> str | None:
    if theirs in (ours, base):
        return ours
    return theirs if ours == base else None


def _status(base: PageEntry, ours: PageEntry, theirs: PageEntry) -> Status | None:
    if theirs.status in {ours.status, base.status}:
        return ours.status
    return theirs.status if ours.status is base.status else None


def _list(base: tuple[str, ...], ours: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[str, ...]:
    """Return our list without the items that they removed, and with those that they added."""
    kept = [one for one in ours if one in theirs or one not in base]
    return (*kept, *(one for one in theirs if one not in base and one not in ours))


_UID_LINE = re.compile(r"^uid[ \t]*:[ \t]*['\"]?(m_[0-9a-z_]+)", re.MULTILINE)
_LABEL_LINE = re.compile(r"^id[ \t]*:[ \t]*['\"]?([\w.-]+)", re.MULTILINE)
_NUMBERED = re.compile(r"([A-Za-z]+-)([0-9]+)")
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
    made = _relabelled(merging.text(), path)
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


def _relabelled(text: str, path: str) -> str:
    """Renumber the later of two entries with one label; its ``was`` key keeps the old label."""
    pieces = cut(text)
    read = [read_piece(piece, path) for piece in pieces]
    entries = [one for one in read if isinstance(one, ReadEntry) and one.entry.label]
    labels = [one.entry.label or "" for one in entries]
    if len(set(labels)) == len(labels):
        return text
    taken, fresh = set(labels), {}
    for one in sorted(entries, key=lambda one: one.entry.uid or ""):
        label = one.entry.label or ""
        if label in taken:
            taken.discard(label)
            continue
        free = _next_free(label, labels)
        wanted = replace(one.entry, label=free, was=(*one.entry.was, label))
        made = edited(one, wanted, path) if one.entry.uid and free else None
        if free and made is not None:
            labels.append(free)
            fresh[one.piece] = made
    return "".join(fresh.get(piece, piece.text) for piece in pieces)


def _next_free(label: str, labels: Sequence[str]) -> str | None:
    """Return the label with the next number after the highest of its prefix."""
    match = _NUMBERED.fullmatch(label)
    if match is None:
        return None
    found = [_NUMBERED.fullmatch(one) for one in labels]
    highest = max(int(one[2]) for one in found if one and one[1] == match[1])
    return f"{match[1]}{highest + 1:0{len(match[2])}d}"


_MARKER = re.compile(r"(?:<{7}|\|{7}|>{7})(?: |$)|={7}$")


def healed(content: bytes, stages: Stages | None, path: str) -> bytes | None:
    """Return the page as Holdfast's merge produces it; None if it must stay unchanged.

    It stays unchanged if it has no conflict, if git no longer has the three versions, or if a
    person has begun to resolve it.
    """
    text = content.decode("utf-8", "surrogateescape")
    if stages is None or not has_conflict(text) or not _is_untouched(text, stages):
        return None
    return merge_pages(stages.base, stages.ours, stages.theirs, path=path).content


def has_conflict(text: str) -> bool:
    """Return whether a page has conflict markers."""
    return any(piece.kind is PieceKind.CONFLICT for piece in cut(text))


def _is_untouched(text: str, stages: Stages) -> bool:
    """Return whether a conflicted page is still as git left it.

    Then every line is from one of the sides, and every line that only one side has is in it. A
    person who resolved anything has removed lines or written others.
    """
    here = _counted(line for line in _bare_lines(text) if not _MARKER.match(line))
    base, ours, theirs = (
        _counted(_bare_lines(side.decode("utf-8", "surrogateescape")))
        for side in (stages.base, stages.ours, stages.theirs)
    )
    return not (here - (base + ours + theirs)) and not (((ours | theirs) - base) - here)


def _bare_lines(text: str) -> list[str]:
    return [line.rstrip("\r\n") for line in lines_of(text)]


def _counted(lines: Iterable[str]) -> Counter[str]:
    return Counter(line for line in lines if line.strip())
