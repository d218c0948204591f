"""Errors about pages, runs, imports and the settings of other programs.

``errors`` holds the families; ``review_errors`` holds the errors of review and conflicts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import (
    BadFieldError,
    ConflictError,
    InvalidError,
    NotFoundError,
    StaleError,
    UnavailableError,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


class BadCursorError(BadFieldError, code="bad-cursor"):
    """A page was asked for with a cursor of another store."""

    def __init__(self) -> None:
        super().__init__(
            field="cursor", problem="was not made by this store. Ask for the first page again."
        )


class WorkUndoneError(UnavailableError, code="work-undone"):
    """The store undid a unit of work because another writer came between; nothing is changed."""

    def __init__(self) -> None:
        super().__init__(
            "Other writers kept changing the same memories, so nothing was written. Try again."
        )


class NotOfferedError(UnavailableError, code="not-offered"):
    """This sort of store does not offer that upkeep; ``why`` says who does it instead."""

    def __init__(self, ability: str, *, backend: str, why: str) -> None:
        super().__init__(
            f"A store of the sort '{backend}' offers no {ability}: {why}",
            ability=ability,
            backend=backend,
            why=why,
        )


class EvidenceTooCommonError(InvalidError, code="evidence-too-common"):
    """The lines are blank, or stand in every file."""

    def __init__(self, reference: str) -> None:
        super().__init__(
            f"The evidence {reference} cannot be used: its lines are blank or stand in every"
            " file, so nobody could find them again. Name the lines around them too.",
            reference=reference,
        )


class NotConsideredError(NotFoundError, code="not-considered"):
    """The answer did not consider that memory."""

    def __init__(self, *, memory_id: str, bundle_id: str, why: str) -> None:
        super().__init__(
            f"{memory_id} was not considered for {bundle_id}: {why}.",
            memory_id=memory_id,
            bundle_id=bundle_id,
            why=why,
        )


class NoOpenRunError(NotFoundError, code="no-open-run"):
    """No run is open here."""


class RunIsOverError(ConflictError, code="run-is-over"):
    """That run is over."""

    def __init__(self, label: str) -> None:
        super().__init__(f"The run {label} is over.", label=label)


class ProposerFailedError(UnavailableError, code="proposer-failed"):
    """What was to read a conversation cannot be asked, or its answer makes no sense."""

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(
            f"The proposer {name} {problem.rstrip('.')}. Check the settings propose.url,"
            " propose.model and propose.key_env, or unset propose.using.",
            name=name,
            problem=problem,
        )


class UnreadableSourceError(InvalidError, code="unreadable-source"):
    """A file of another tool cannot be read."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"{path} cannot be read: {problem} Nothing was taken from it.",
            path=path,
            problem=problem,
        )


class NothingToImportError(NotFoundError, code="nothing-to-import"):
    """There is nothing to import where it was looked for."""

    def __init__(self, *, what: str, looked: str) -> None:
        super().__init__(
            f"There is nothing of '{what}' to import; looked for {looked}.",
            what=what,
            looked=looked,
        )


class SettingsUnreadableError(InvalidError, code="settings-unreadable"):
    """The settings of another program are not as they could be added to."""

    def __init__(self, path: str, line: int, problem: str) -> None:
        super().__init__(
            f"{path}:{line} cannot be added to: {problem}. Nothing was changed; mend that file.",
            path=path,
            line=line,
            problem=problem,
        )


class EditedByHandError(ConflictError, code="edited-by-hand"):
    """Somebody edited what was installed."""

    def __init__(self, path: str, line: int) -> None:
        super().__init__(
            f"{path}:{line}: what holdfast wrote there was edited by hand. Nothing was changed;"
            " move your own words elsewhere.",
            path=path,
            line=line,
        )


class LeadsElsewhereError(ConflictError, code="leads-elsewhere"):
    """A file of the project is a link that leads out of it."""

    def __init__(self, path: str, target: str) -> None:
        super().__init__(
            f"{path} is a link to {target}, outside of the project. Nothing was changed;"
            " put a file in its place.",
            path=path,
            target=target,
        )


class SettingsUnwritableError(UnavailableError, code="settings-unwritable"):
    """The settings of another program cannot be written."""

    def __init__(self, path: str, problem: str | None) -> None:
        super().__init__(
            f"{path} cannot be written: {problem or 'the system does not say why'}."
            " Nothing was changed; check its permissions.",
            path=path,
            problem=problem,
        )


class SettingsChangedError(StaleError, code="settings-changed"):
    """Another program wrote its settings at the same moment."""

    hint = "Nothing was changed; try again."

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} was changed by somebody else just now.", path=path)


class PagesBusyError(UnavailableError, code="pages-busy"):
    """The pages of this repository cannot be written just now."""

    hint: str = "Nothing was changed; try again."

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"The lock {path} cannot be had: {problem}.", path=path, problem=problem)


class PageUnwritableError(UnavailableError, code="page-unwritable"):
    """A page of this repository cannot be written."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"{path} cannot be written: {problem.rstrip('.')}."
            " What it held is still there; check its folder, and sync again.",
            path=path,
            problem=problem,
        )


class NoToolsFoundError(NotFoundError, code="no-tools-found"):
    """No coding tool was named, and none is found here."""

    def __init__(self, known: Iterable[str]) -> None:
        super().__init__(
            "No coding tool was named, and neither a program nor a file of one is found here.",
            known=list(known),
        )


class FolderTakenError(ConflictError, code="folder-taken"):
    """The folder holds files that are not ours."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path} is there already, and holdfast did not write it as it is. Nothing was changed;"
            " name another folder.",
            path=path,
        )


class PagesChangedError(StaleError, code="pages-changed"):
    """The pages changed since they were shown."""

    hint = "Nothing was accepted; look again."


class PagesNeedRepositoryError(InvalidError, code="pages-need-repository"):
    """Pages live in a git repository, and there is none here."""

    hint = "Run this inside a repository, or make one with 'git init'."


class NoPagesError(NotFoundError, code="no-pages"):
    """This repository keeps no pages."""


class BranchChangedError(StaleError, code="branch-changed"):
    """Another branch was checked out while the pages were read."""

    hint = "Nothing was changed. Run it again."


class BadExchangeError(InvalidError, code="bad-exchange"):
    """A line of the import cannot be read; ``refused`` are lines before it, with the reason."""

    line: int
    problem: str
    refused: tuple[str, ...]

    def __init__(self, line: int, problem: str, *, refused: tuple[str, ...] = ()) -> None:
        kept = "The lines before it are kept;"
        if refused:
            kept = f"Lines refused before it: {len(refused):,} ({' '.join(refused[:5])}) The other"
            kept += " lines before it are kept;"
        super().__init__(
            f"Line {line} of the import cannot be used: {problem} {kept}"
            " mend that line and import the same file again, nothing is doubled.",
            line=line,
            problem=problem,
            refused=refused,
        )
