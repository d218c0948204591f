"""Suggest a first claim from files of the repository around a folder."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.reading import read_content, text_lines
from holdfast.adapters.git.reading.repository import ask_git, find_repository
from holdfast.domain.errors import EvidenceUnreadableError
from holdfast.domain.exchange.first_claim import first_claim
from holdfast.domain.exchange.first_files import reading_order
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.exchange.first_claim import FirstClaim

__all__ = ["first_step"]

_TRACKED = ("ls-files", "-z", "--cached")
_UNTRACKED = ("ls-files", "-z", "--others", "--exclude-standard")


def first_step(folder: Path) -> FirstClaim | None:
    """Return a claim from a tracked file; without any, from a file that git does not ignore."""
    here = Path(os.path.realpath(folder))
    repository = find_repository(here)
    if repository is None:
        return None
    order = reading_order(_paths(repository, _TRACKED) or _paths(repository, _UNTRACKED))
    found = first_claim(_files(repository, order), objection=ENGLISH.objector.objection)
    if found is None:
        return None
    return replace(found, path=os.path.relpath(repository.root / found.path, here))


def _paths(repository: Repository, words: Sequence[str]) -> list[str]:
    status, listed, _ = ask_git(repository, *words)
    return listed.split("\0")[:-1] if status == 0 else []


def _files(repository: Repository, paths: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    for path in paths:
        with suppress(EvidenceUnreadableError):
            content = read_content(repository.root, Path(path))
            yield path, text_lines(content, path)
