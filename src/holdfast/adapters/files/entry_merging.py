"""Three-way merge of one entry, key by key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.adapters.files.editing import edited
from holdfast.adapters.files.entries import KEYS, ReadEntry, read_piece
from holdfast.adapters.files.page_text import PieceKind, cut, lines_of
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from holdfast.domain.choices import Status
    from holdfast.domain.memory.entry import PageEntry


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
