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
    """The cursor was made by another store."""

    def __init__(self, made: str = "was not made by this store") -> None:
        super().__init__(field="cursor", problem=f"{made}. Ask for the first page again.")


class WorkUndoneError(UnavailableError, code="work-undone"):
    """The store rolled the transaction back, because other writers changed the same data."""

    def __init__(self) -> None:
        super().__init__(
            "Other writers kept changing the same memories, so nothing was written. Try again."
        )


class NotOfferedError(UnavailableError, code="not-offered"):
    """This type of store does not support the operation."""

    def __init__(self, ability: str, *, backend: str, why: str) -> None:
        super().__init__(
            f"A store of type '{backend}' does not support '{ability}': {why}",
            ability=ability,
            backend=backend,
            why=why,
        )


NO_JOBS = "its writers take turns, so run the verbs themselves; jobs need a store on Postgres."
"""Why a store in one place has no jobs."""


class EvidenceTooCommonError(InvalidError, code="evidence-too-common"):
    """The cited lines are blank, or occur in most files."""

    def __init__(self, reference: str) -> None:
        super().__init__(
            f"The evidence {reference} cannot be used: its lines are blank or occur in most"
            " files, so they could not be found again. Cite the lines around them too.",
            reference=reference,
        )


class TooManyWaitingError(UnavailableError, code="too-many-waiting"):
    """So many candidates of one source wait for a person that no more are taken."""

    def __init__(self, *, source: str, most: int) -> None:
        super().__init__(
            f"{most:,} or more candidates of {source} wait for a person already; nothing was"
            " written.",
            source=source,
            most=most,
        )


class ProposedTooFastError(UnavailableError, code="proposed-too-fast"):
    """So many candidates of one source came within an hour that no more are taken for now."""

    def __init__(self, *, source: str, most: int, waiting: int) -> None:
        super().__init__(
            f"{most:,} or more candidates of {source} came within the last hour, and {waiting:,}"
            " wait for a person; nothing was written.",
            source=source,
            most=most,
            waiting=waiting,
        )


class NotConsideredError(NotFoundError, code="not-considered"):
    """The memory was not among the hits for that answer."""

    def __init__(self, *, memory_id: str, bundle_id: str, why: str) -> None:
        super().__init__(
            f"{memory_id} was not considered for {bundle_id}: {why}.",
            memory_id=memory_id,
            bundle_id=bundle_id,
            why=why,
        )


class NoOpenRunError(NotFoundError, code="no-open-run"):
    """No run is open in this repository."""


class RunIsOverError(ConflictError, code="run-is-over"):
    """The run is already finished."""

    def __init__(self, label: str) -> None:
        super().__init__(f"The run {label} is already finished.", label=label)


class ProposerFailedError(UnavailableError, code="proposer-failed"):
    """The proposer, which reads conversations, failed or gave an answer that cannot be used."""

    def __init__(
        self,
        *,
        name: str,
        problem: str,
        advice: str = "Check the settings propose.url, propose.model and propose.key_env",
    ) -> None:
        super().__init__(
            f"The proposer {name} {problem.rstrip('.')}. {advice}, or unset propose.using.",
            name=name,
            problem=problem,
        )


class UnreadableSourceError(InvalidError, code="unreadable-source"):
    """A file of another tool cannot be read."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"{path} cannot be read: {problem} Nothing was imported from it.",
            path=path,
            problem=problem,
        )


class NothingToImportError(NotFoundError, code="nothing-to-import"):
    """Nothing to import was found."""

    def __init__(self, *, what: str, looked: str) -> None:
        super().__init__(
            f"Nothing to import from '{what}' was found; Holdfast looked for {looked}.",
            what=what,
            looked=looked,
        )


class SettingsUnreadableError(InvalidError, code="settings-unreadable"):
    """Holdfast cannot add its entries to the settings file of another program."""

    def __init__(self, path: str, line: int, problem: str) -> None:
        super().__init__(
            f"Holdfast cannot add its entries at {path}:{line}: {problem}. Nothing was changed;"
            " correct that file.",
            path=path,
            line=line,
            problem=problem,
        )


class EditedByHandError(ConflictError, code="edited-by-hand"):
    """Text that Holdfast wrote into a settings file was edited by hand."""

    def __init__(self, path: str, line: int) -> None:
        super().__init__(
            f"{path}:{line}: the text that Holdfast wrote there was edited by hand. Nothing was"
            " changed; move your own text to another place in the file.",
            path=path,
            line=line,
        )


class LeadsElsewhereError(ConflictError, code="leads-elsewhere"):
    """A file of the project is a symbolic link to a file outside the project."""

    def __init__(self, path: str, target: str) -> None:
        super().__init__(
            f"{path} is a symbolic link to {target}, outside the project. Nothing was changed;"
            " replace the link with a regular file.",
            path=path,
            target=target,
        )


class SettingsUnwritableError(UnavailableError, code="settings-unwritable"):
    """The settings file of another program cannot be written."""

    def __init__(self, path: str, problem: str | None) -> None:
        super().__init__(
            f"{path} cannot be written: {problem or 'the system does not say why'}."
            " Nothing was changed; check its permissions.",
            path=path,
            problem=problem,
        )


class SettingsChangedError(StaleError, code="settings-changed"):
    """Another program changed its settings file at the same time."""

    hint = "Nothing was changed; try again."

    def __init__(self, path: str) -> None:
        super().__init__(f"Another program changed {path} at the same time.", path=path)


class PagesBusyError(UnavailableError, code="pages-busy"):
    """The pages of this repository are locked."""

    hint: str = "Nothing was changed; try again."

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"The lock {path} could not be acquired: {problem}.", path=path, problem=problem
        )


class PageUnwritableError(UnavailableError, code="page-unwritable"):
    """A page of this repository cannot be written."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"{path} cannot be written: {problem.rstrip('.')}."
            " Its old content is unchanged; check the permissions of its folder, and sync again.",
            path=path,
            problem=problem,
        )


class PageLeftError(ConflictError, code="page-left"):
    """A page that Holdfast generates has another text, and was left as it is."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"{path} was left as it is: {problem.rstrip('.')}."
            " Tools may read it as Holdfast's text: look at it, and remove it to get a new one.",
            path=path,
            problem=problem,
        )


class NoToolsFoundError(NotFoundError, code="no-tools-found"):
    """No coding tool was named, and none was found."""

    def __init__(self, known: Iterable[str]) -> None:
        super().__init__(
            "No coding tool was named, and none was found on this machine or in this folder.",
            known=list(known),
        )


class FolderTakenError(ConflictError, code="folder-taken"):
    """The folder already contains files that Holdfast did not write."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path} already exists, and its content is not what Holdfast wrote. Nothing was"
            " changed; choose another folder.",
            path=path,
        )


class PagesChangedError(StaleError, code="pages-changed"):
    """The pages changed after they were shown."""

    hint = "Nothing was accepted; look at them again."


class PagesNeedRepositoryError(InvalidError, code="pages-need-repository"):
    """Pages are stored in a git repository, and this folder is not in one."""

    hint = "Run this inside a repository, or create one with 'git init'."


class NoPagesError(NotFoundError, code="no-pages"):
    """This repository has no pages."""


class BranchChangedError(StaleError, code="branch-changed"):
    """Another branch was checked out while the pages were read."""

    hint = "Nothing was changed; run the command again."


class BadExchangeError(InvalidError, code="bad-exchange"):
    """A line of the import cannot be read.

    ``refused`` holds the refused lines before it, with the reason of each. ``is_undone`` tells that
    the import was one unit of work, of which nothing was stored.
    """

    line: int
    problem: str
    refused: tuple[str, ...]

    def __init__(
        self, line: int, problem: str, *, refused: tuple[str, ...] = (), is_undone: bool = False
    ) -> None:
        also = f" Lines refused before it: {len(refused):,} ({' '.join(refused[:5])})"
        others = "The other lines" if refused else "The lines"
        kept = "Nothing was imported." if is_undone else f"{others} before it were imported."
        super().__init__(
            f"Line {line} of the import cannot be used: {problem}{also if refused else ''} {kept}"
            " Correct that line and import the same file again; no line is imported twice.",
            line=line,
            problem=problem,
            refused=refused,
        )
