"""Check and repair the files beside the store that can be rebuilt."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.code.index.database import problem_of, remove_database
from holdfast.adapters.disk.json_files import is_lost
from holdfast.adapters.files.clone_state import ForgottenTexts
from holdfast.adapters.git.pages.pages import GitVersions
from holdfast.adapters.git.reading.registry import BOOK_FILE, changing_registry, is_damaged
from holdfast.adapters.git.reading.repository import find_repository
from holdfast.adapters.machine.health_log import HEALTH_FILE, unreadable_lines
from holdfast.adapters.machine.settings import data_folder
from holdfast.adapters.machine.trust import PLACES_FILE, TRUST_FILE, is_unreadable
from holdfast.adapters.machine.written_files import WRITTEN_FILE
from holdfast.bootstrap.opening.wiring import settings
from holdfast.bootstrap.plugs.addresses import state_folder_name
from holdfast.bootstrap.plugs.code import LOST_FILES, LOST_PLACES
from holdfast.bootstrap.plugs.spaces import store_name
from holdfast.domain.errors import StoreReadOnlyError
from holdfast.domain.review.curation import HealthFinding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHECK = "caches"
_FORGOTTEN = (
    "New entries of pages wait until then. 'holdfast doctor --repair' begins the list anew;"
    " then look through the next 'holdfast sync --dry-run'."
)
_MADE_ANEW = (
    "'holdfast doctor --repair' removes it. If it stays, remove it by hand. It is made anew when it"
    " is next used."
)


def check_derived(home: Path | None = None, clone: Path | None = None) -> list[HealthFinding]:
    """Check every file beside the store that can be rebuilt; change nothing."""
    folder = home or data_folder()
    found = [
        *_indexes(folder),
        *_kept(folder, Path(state_folder_name("" if home is None else str(home)))),
        *_settings(home),
        *_forgotten(home, clone),
    ]
    fine = HealthFinding(
        check=_CHECK, severity=Severity.OK, message="The files beside the store are intact."
    )
    return found or [fine]


def remove_damaged(home: Path | None = None, clone: Path | None = None) -> list[str]:
    """Remove or rewrite damaged files that can be rebuilt; return what was done."""
    actions = []
    book = (home or data_folder()) / BOOK_FILE
    if is_damaged(book):
        with changing_registry(book):
            pass  # a damaged book is rewritten even if nothing changed
        if not is_damaged(book):
            actions.append(f"Restored {book}.")
    texts = _texts(home, clone)
    with suppress(OSError):
        if texts is not None and texts.accept_loss():
            actions.append("Began the list of texts that were forgotten in this clone anew.")
    for path in _damaged(home or data_folder()):
        remove_database(path)
        if not os.path.lexists(path):
            actions.append(f"Removed the damaged {path}; it is rebuilt when it is used next.")
    return actions


def _indexes(folder: Path) -> Iterator[HealthFinding]:
    """Check the indexes of code; what cannot be checked is no damage."""
    for path in _databases(folder):
        try:
            problem = problem_of(path)
        except StoreReadOnlyError:
            message = f"{path} was not checked: nothing can be written."
            yield HealthFinding(check=_CHECK, severity=Severity.NOTE, message=message)
        else:
            if problem is not None:
                yield _warning(path, problem, _MADE_ANEW)


def _damaged(folder: Path) -> Iterator[Path]:
    for path in _databases(folder):
        with suppress(StoreReadOnlyError):
            if problem_of(path) is not None:
                yield path


def _databases(folder: Path) -> list[Path]:
    return sorted((folder / "cache" / "code").glob("*.db"))


def _kept(folder: Path, state: Path) -> Iterator[HealthFinding]:
    """Check files that cannot be rebuilt; Holdfast still works if they are damaged."""
    if is_damaged(folder / BOOK_FILE):
        advice = "Its copy is used; 'holdfast doctor --repair' restores the file."
        yield _warning(folder / BOOK_FILE, "its checksum is wrong", advice)
    if is_unreadable(state / TRUST_FILE):
        advice = "No clone is trusted until you run 'holdfast trust' there again."
        yield _warning(state / TRUST_FILE, "it cannot be read", advice)
    for name, advice in ((PLACES_FILE, LOST_PLACES), (WRITTEN_FILE, LOST_FILES)):
        if is_lost(state / name):
            yield _warning(state / name, "its checksum is wrong, and that of its copy", advice)
    if lines := unreadable_lines(state / HEALTH_FILE):
        advice = "They are left out of the trend; nothing else depends on them."
        yield _warning(state / HEALTH_FILE, f"{lines:,} lines cannot be read", advice)


def _settings(home: Path | None) -> Iterator[HealthFinding]:
    problem = settings(home).problem()
    if problem is not None:
        yield HealthFinding(check="settings", severity=Severity.WARNING, message=problem)


def _forgotten(home: Path | None, clone: Path | None) -> Iterator[HealthFinding]:
    """Check the list of forgotten texts in the clone around a folder."""
    texts = _texts(home, clone)
    if texts is not None and (problem := texts.problem()) is not None:
        message = f"{problem}: a forgotten text could come back from a page."
        yield HealthFinding(
            check="forgotten", severity=Severity.WARNING, message=message, advice=_FORGOTTEN
        )


def _texts(home: Path | None, clone: Path | None) -> ForgottenTexts | None:
    repository = None if clone is None else find_repository(Path(os.path.realpath(clone)))
    if repository is None:
        return None
    versions = GitVersions(repository)
    return ForgottenTexts(
        versions.state_folder(), store_name(home), elsewhere=versions.other_state_folders
    )


def _warning(path: Path, problem: str, advice: str) -> HealthFinding:
    message = f"{path} is damaged: {problem}."
    return HealthFinding(check=_CHECK, severity=Severity.WARNING, message=message, advice=advice)
