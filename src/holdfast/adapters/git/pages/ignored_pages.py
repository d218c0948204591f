"""Tells which pages git ignores: they are written, but no commit ever contains them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.repository import ask_git_bytes, find_repository
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.memory.entry import PAGES
from holdfast.domain.review.curation import HealthFinding, Severity

if TYPE_CHECKING:
    from pathlib import Path

_FOLDER = ".holdfast/memory"
_MATCHED = ("check-ignore", "--verbose", "-z", "--stdin")
_FIELDS = 4
_NONE = (1, b"")


def ignored_pages(folder: Path) -> HealthFinding | None:
    """Return that git ignores pages of the repository around a folder, and what to do.

    None means that it ignores none, or cannot tell. A page that git tracks is not ignored, whatever
    the patterns say.
    """
    try:
        status, answer = _matches(folder)
    except OutsideUnavailableError:
        return None
    fields = [os.fsdecode(one) for one in answer.split(b"\0")[:-1]]
    rows = [fields[at : at + _FIELDS] for at in range(0, len(fields), _FIELDS)]
    found = [row for row in rows if not row[2].startswith("!")]
    if status != 0 or not found:
        return None
    source, line, pattern, path = found[0]
    is_one = len(found) == 1
    which, them = (path, "it") if is_one else (f"{len(found)} pages in {_FOLDER}", "them")
    each = f"run 'git add -f {path}'" if is_one else "add each with 'git add -f'"
    return HealthFinding(
        check="pages",
        severity=Severity.NOTE,
        message=f"git ignores {which}, because of '{pattern}' in line {line} of {source}, so no"
        f" commit contains {them}.",
        advice=f"To share {them}, remove that line, or {each}.",
    )


def _matches(folder: Path) -> tuple[int, bytes]:
    """Return what git says about the pages that are there: a pattern for each that one matches."""
    repository = find_repository(folder)
    if repository is None:
        return _NONE
    paths = [f"{_FOLDER}/{name}.md" for name, _ in PAGES.values()]
    given = b"".join(f"{path}\0".encode() for path in paths if (repository.root / path).exists())
    if not given:
        return _NONE
    status, answer, _ = ask_git_bytes(repository, *_MATCHED, given=given)
    return status, answer
