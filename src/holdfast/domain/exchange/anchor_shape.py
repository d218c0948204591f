"""The JSON of anchors, branch points and rewrites, as stored, shown and exported."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.choices import choose
from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields, time_text
from holdfast.domain.memory.anchor import MOST_MARKED, Anchor, BranchPoint, Rewrite, RewriteHow

if TYPE_CHECKING:
    from collections.abc import Iterable

# These values are passed to git later, so anything but a hexadecimal hash is refused.
_HASH = re.compile(r"[0-9a-f]{4,64}")


def anchor_json(anchor: Anchor | None) -> dict[str, object] | None:
    """Return the JSON of an anchor."""
    if anchor is None:
        return None
    return {
        "loose_hash": anchor.loose_hash,
        "marks": list(anchor.marks),
        "before": list(anchor.before),
        "after": list(anchor.after),
        "all_marked": anchor.is_all_marked,
        "symbol": anchor.symbol,
        "blob": anchor.blob,
        "committed": anchor.is_committed,
        "head": anchor.head,
        "branch": anchor.branch,
        "touched_by": anchor.touched_by,
        "patch": anchor.patch,
    }


def anchor_from_json(shape: object) -> Anchor | None:
    """Read an anchor; spans stored before anchors existed have none.

    Raises:
        BadFieldError: The value is not an anchor, or one of its hashes is not a hash.
    """
    if shape is None:
        return None
    fields = Fields(shape, noun="anchor")
    return Anchor(
        loose_hash=_hash(fields, "loose_hash"),
        marks=_marks(fields, "marks"),
        before=_marks(fields, "before"),
        after=_marks(fields, "after"),
        is_all_marked=bool(fields.maybe_bool("all_marked")),
        symbol=fields.maybe_text("symbol"),
        blob=_maybe_hash(fields, "blob"),
        is_committed=bool(fields.maybe_bool("committed")),
        head=_maybe_hash(fields, "head"),
        branch=fields.maybe_text("branch"),
        touched_by=_maybe_hash(fields, "touched_by"),
        patch=_maybe_hash(fields, "patch"),
    )


def branch_point_json(point: BranchPoint | None) -> dict[str, object] | None:
    """Return the JSON of a branch point."""
    if point is None:
        return None
    return {
        "branch": point.branch,
        "head": point.head,
        "aside": point.is_aside,
        "shared": point.is_shared,
    }


def branch_point_from_json(shape: object) -> BranchPoint | None:
    """Read a branch point; memories stored before branch points existed have none.

    Raises:
        BadFieldError: The value is not a branch point, or its head is not a commit hash.
    """
    if shape is None:
        return None
    fields = Fields(shape, noun="standpoint")
    return BranchPoint(
        branch=fields.maybe_text("branch"),
        head=_hash(fields, "head"),
        is_aside=bool(fields.maybe_bool("aside")),
        is_shared=bool(fields.maybe_bool("shared")),
    )


def rewrite_json(rewrite: Rewrite) -> dict[str, object]:
    """Return the JSON of a rewrite."""
    return {
        "repo": rewrite.repo,
        "old": rewrite.old,
        "new": rewrite.new,
        "how": rewrite.how.value,
        "at": time_text(rewrite.at),
    }


def rewrite_from_json(shape: object) -> Rewrite:
    """Read a rewrite.

    Raises:
        BadFieldError: The value is not a rewrite, or it names something other than commits.
    """
    fields = Fields(shape, noun="rewrite")
    return Rewrite(
        repo=fields.text("repo"),
        old=_hash(fields, "old"),
        new=_hash(fields, "new"),
        how=choose(RewriteHow, fields.text("how"), what="way to know a rewrite"),
        at=fields.moment("at"),
    )


def _marks(fields: Fields, name: str) -> tuple[str, ...]:
    marks = fields.words(name)
    if len(marks) > MOST_MARKED or not _are_hashes(marks):
        problem = f"must be at most {MOST_MARKED:,} hashes in hexadecimal digits."
        raise BadFieldError(field=f"anchor's {name}", problem=problem)
    return marks


def _maybe_hash(fields: Fields, name: str) -> str | None:
    return None if fields.raw(name) is None else _hash(fields, name)


def _hash(fields: Fields, name: str) -> str:
    value = fields.text(name)
    if not _are_hashes([value]):
        raise BadFieldError(field=name, problem=f"'{value[:64]}' must be hexadecimal digits.")
    return value


def _are_hashes(values: Iterable[str]) -> bool:
    return all(map(_HASH.fullmatch, values))
