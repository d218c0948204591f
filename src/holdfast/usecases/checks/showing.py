"""Where a report shows an outcome that has no place of its own, such as a missing symbol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.checks.check import read_check
from holdfast.domain.checks.kinds import DependencyCheck
from holdfast.domain.checks.manifests import is_manifest
from holdfast.domain.errors import BadFieldError

if TYPE_CHECKING:
    from collections.abc import Sequence


def shown_at(text: str, files: Sequence[str]) -> str:
    """Return the file of a repository that a check is about; empty if there is no file at all.

    It is the first file that the check reads, those of upper folders first. A check of packages,
    and one that names no paths or no file here, is shown at a manifest if there is one.
    """
    try:
        check = read_check(text)
    except BadFieldError:
        return _manifest(files)
    chosen = check.paths.among(files) or check.paths.literal
    if isinstance(check, DependencyCheck) or not check.paths.names_places or not chosen:
        return _manifest(chosen or files)
    return _first(chosen)


def _manifest(paths: Sequence[str]) -> str:
    return _first(list(filter(is_manifest, paths)) or paths)


def _first(paths: Sequence[str]) -> str:
    return min(paths, key=lambda path: (path.count("/"), path), default="")
