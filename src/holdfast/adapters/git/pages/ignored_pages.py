"""Tells which pages git ignores: they are written, but no commit ever contains them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.repository import ask_git_bytes
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.memory.entry import PAGES
from holdfast.domain.review.curation import HealthFinding, Severity

if TYPE_CHECKING:
    from holdfast.adapters.git.reading.repository import Repository

_FOLDER = ".holdfast/memory"
_MATCHED = ("check-ignore", "--verbose", "-z", "--stdin")
_FIELDS = 4


def ignored_pages(repository: Repository) -> HealthFinding | None:
    """Return that git ignores pages, by which pattern, and what to do; None if it ignores none.

    A page that git tracks is not ignored, whatever the patterns say.
    """
    paths = [f"{_FOLDER}/{name}.md" for name, _ in PAGES.values()]
    there = [path for path in paths if os.path.lexists(repository.root / path)]
    if not there:
        return None
    given = "".join(f"{path}\0" for path in there).encode()
    try:
        status, answer, _ = ask_git_bytes(repository, *_MATCHED, given=given)
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
