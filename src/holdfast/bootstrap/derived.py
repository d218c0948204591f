"""The files beside the store that can be made anew: which of them are damaged, and what to do."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.code.database import problem_of, remove_database
from holdfast.adapters.git.book import BOOK_FILE, is_damaged
from holdfast.adapters.machine.health_log import HEALTH_FILE, unreadable_lines
from holdfast.adapters.machine.settings import data_folder
from holdfast.adapters.machine.trust import TRUST_FILE, is_unreadable
from holdfast.adapters.tokens.table import is_torn
from holdfast.domain.health import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_CHECK = "caches"
_MADE_ANEW = "It is made anew when it is next used, or now: 'holdfast doctor --repair'."


def check_derived(home: Path | None = None) -> list[Finding]:
    """Check every file beside the store that can be made anew; change nothing."""
    folder = home or data_folder()
    found = [
        *(_warning(path, problem, _MADE_ANEW) for path, problem in _damaged(folder)),
        *_kept(folder),
    ]
    fine = Finding(
        check=_CHECK, severity=Severity.OK, message="The files beside the store are whole."
    )
    return found or [fine]


def remove_damaged(home: Path | None = None) -> list[str]:
    """Remove the damaged files that can be made anew; return what was done."""
    actions = []
    for path, _ in _damaged(home or data_folder()):
        with suppress(OSError):
            remove_database(path)
            actions.append(f"Removed the damaged {path}; it is made anew when it is next used.")
    return actions


def _damaged(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted((folder / "cache" / "code").glob("*.db")):
        if (problem := problem_of(path)) is not None:
            yield path, problem
    for path in sorted((folder / "cache").glob("*.tokens")):
        if is_torn(path):
            yield path, "its checksum does not fit"


def _kept(folder: Path) -> Iterator[Finding]:
    """Check what is not derived, but is worked around where it is damaged."""
    if is_damaged(folder / BOOK_FILE):
        advice = "Its copy is used, and the next change writes it anew."
        yield _warning(folder / BOOK_FILE, "its checksum does not fit", advice)
    if is_unreadable(folder / TRUST_FILE):
        advice = "No clone is trusted until 'holdfast trust' is said again there."
        yield _warning(folder / TRUST_FILE, "it cannot be read", advice)
    if lines := unreadable_lines(folder / HEALTH_FILE):
        advice = "They are left out of the trend; nothing else depends on them."
        yield _warning(folder / HEALTH_FILE, f"{lines:,} lines cannot be read", advice)


def _warning(path: Path, problem: str, advice: str) -> Finding:
    message = f"{path} is damaged: {problem}."
    return Finding(check=_CHECK, severity=Severity.WARNING, message=message, advice=advice)
