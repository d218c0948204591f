"""Refusals around files, runs, review and other tools; their families stand in ``errors``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.callers import MEANINGS
from holdfast.domain.errors import (
    BadFieldError,
    ConflictError,
    InvalidError,
    NeedsPersonError,
    NotFoundError,
    StaleError,
    UnavailableError,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.callers import Operation, PrincipalKind


WAYS_TO_RESOLVE = "--supersede | --keep-old | --keep-both | --merge TEXT"
"""How a person ends a conflict, as the command line takes it."""


class BadCursorError(BadFieldError):
    """A page was asked for with a cursor of another store."""

    def __init__(self) -> None:
        super().__init__(
            field="cursor", problem="was not made by this store. Ask for the first page again."
        )


class WorkUndoneError(UnavailableError):
    """The store undid a unit of work because another writer came between; nothing is changed."""

    def __init__(self) -> None:
        super().__init__(
            "Other writers kept changing the same memories, so nothing was written. Try again."
        )


class NotOfferedError(UnavailableError):
    """This sort of store does not offer that upkeep; ``why`` says who does it instead."""

    def __init__(self, ability: str, *, backend: str, why: str) -> None:
        super().__init__(f"A store of the sort '{backend}' offers no {ability}: {why}")
        self.ability = ability


class EvidenceTooCommonError(InvalidError):
    """The lines are blank, or stand in every file."""

    def __init__(self, reference: str) -> None:
        super().__init__(
            f"The evidence {reference} cannot be used: its lines are blank or stand in every"
            " file, so nobody could find them again. Name the lines around them too."
        )


class NotConsideredError(NotFoundError):
    """The answer did not consider that memory."""

    def __init__(self, *, memory_id: str, bundle_id: str, why: str) -> None:
        super().__init__(f"{memory_id} was not considered for {bundle_id}: {why}.")


class NoOpenRunError(NotFoundError):
    """No run is open here."""

    hint = "Begin one with 'holdfast run start', or name one of 'holdfast run list'."


class RunIsOverError(ConflictError):
    """That run is over."""

    hint = "Begin another one with 'holdfast run start'."

    def __init__(self, label: str) -> None:
        super().__init__(f"The run {label} is over.")


class ProposerFailedError(UnavailableError):
    """What was to read a conversation cannot be asked, or its answer makes no sense."""

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(f"The proposer {name} {problem.rstrip('.')}.")
        self.hint = (
            "Check the settings propose.url, propose.model and propose.key_env,"
            " or run: holdfast config unset propose.using."
        )


class UnreadableSourceError(InvalidError):
    """A file of another tool cannot be read."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path} cannot be read: {problem} Nothing was taken from it.")
        self.path = path


class NothingToImportError(NotFoundError):
    """There is nothing to import where it was looked for."""

    def __init__(self, *, what: str, looked: str) -> None:
        super().__init__(f"There is nothing of '{what}' to import; looked for {looked}.")
        self.hint = f"Name the file or the folder: holdfast import {what} PATH"


class UnresolvedConflictError(ConflictError):
    """It contradicts what stands, and nobody has decided between them."""

    def __init__(self, memory_id: str, *, standing: str, reason: str) -> None:
        super().__init__(
            f"{memory_id} contradicts {standing}, which stands: {reason}. Nothing was changed."
            f" Decide with: holdfast resolve {memory_id} {standing}"
            f" {WAYS_TO_RESOLVE}"
        )
        self.memory_id = memory_id
        self.standing = standing


class WordsContradictError(ConflictError):
    """New words for a memory contradict what stands."""

    def __init__(self, *, standing: str, reason: str) -> None:
        super().__init__(
            f"The new words contradict {standing}, which stands: {reason}. Nothing was changed."
            f" Say it otherwise, or settle {standing} first: see 'holdfast conflicts',"
            f" or run: holdfast edit {standing}"
        )
        self.standing = standing


class OwnProposalError(ConflictError):
    """Whoever proposed a memory cannot be the one who decides about it."""

    def __init__(self, memory_id: str, *, by: str) -> None:
        super().__init__(
            f"{memory_id} was proposed by '{by}', so somebody else has to decide about it."
            " If you are that person, say who you are: holdfast config set user NAME"
        )


class NoConflictError(NotFoundError):
    """There is no conflict to resolve."""

    hint = "'holdfast conflicts' lists those that are open."

    def __init__(self, memory_id: str, other: str | None = None) -> None:
        against = "what stands" if other is None else other
        super().__init__(f"{memory_id} does not contradict {against}, as far as is known.")


class SeveralConflictsError(InvalidError):
    """The memory contradicts several others."""

    def __init__(self, memory_id: str, standing: Iterable[str]) -> None:
        names = list(standing)
        super().__init__(
            f"{memory_id} contradicts several memories: {', '.join(names)}. Name the one that is"
            f" meant: holdfast resolve {memory_id} {names[0]} …"
        )


class NothingToUndoError(NotFoundError):
    """There is no decision to take back."""

    hint = (
        "'holdfast undo --list' shows the decisions that were made here; --everywhere those of"
        " other repositories too."
    )

    def __init__(self, about: str) -> None:
        super().__init__(f"No decision {about} can be taken back.")


class DecidedSinceError(ConflictError):
    """Something was decided since, on top of the decision that should be taken back."""

    def __init__(self, memory_id: str, *, by: str | None) -> None:
        whom = "" if by is None else f" by {by}"
        super().__init__(
            f"{memory_id} was decided about again{whom} since. Nothing was changed."
            f" Take that back first: holdfast undo {memory_id}"
        )


class NotWhatWasShownError(StaleError):
    """What waits is not what was shown."""

    hint = "Nothing was changed; look again with: holdfast review"

    def __init__(self, *, many: int) -> None:
        super().__init__(f"What waits now ({many:,}) is not the list that was shown to you.")


class NothingOfThatSourceError(NotFoundError):
    """Nothing came from that source."""

    hint = "'holdfast list --status candidate --json' shows where candidates come from."

    def __init__(self, source: str) -> None:
        super().__init__(f"Nothing here came from the source '{source[:80]}'.")


class SettingsUnreadableError(InvalidError):
    """The settings of another program are not as they could be added to."""

    def __init__(self, path: str, line: int, problem: str) -> None:
        super().__init__(
            f"{path}:{line} cannot be added to: {problem}. Nothing was changed;"
            " mend that file, or leave this part out with --with."
        )


class EditedByHandError(ConflictError):
    """Somebody edited what was installed."""

    def __init__(self, path: str, line: int) -> None:
        super().__init__(
            f"{path}:{line}: what holdfast wrote there was edited by hand. Nothing was changed;"
            " move your own words elsewhere, or take them away with --force."
        )


class LeadsElsewhereError(ConflictError):
    """A file of the project is a link that leads out of it."""

    def __init__(self, path: str, target: str) -> None:
        super().__init__(
            f"{path} is a link to {target}, outside of the project. Nothing was changed;"
            " put a file in its place, or leave this part out with --with."
        )


class SettingsUnwritableError(UnavailableError):
    """The settings of another program cannot be written."""

    def __init__(self, path: str, problem: str | None) -> None:
        super().__init__(
            f"{path} cannot be written: {problem or 'the system does not say why'}."
            " Nothing was changed; check its permissions."
        )


class SettingsChangedError(StaleError):
    """Another program wrote its settings at the same moment."""

    hint = "Nothing was changed; try again."

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} was changed by somebody else just now.")


class PagesBusyError(UnavailableError):
    """The pages of this repository cannot be written just now."""

    hint: str = "Nothing was changed; try again."

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"The lock {path} cannot be had: {problem}.")


class PageUnwritableError(UnavailableError):
    """A page of this repository cannot be written."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"{path} cannot be written: {problem.rstrip('.')}."
            " What it held is still there; check its folder, and sync again."
        )


class NoToolsFoundError(NotFoundError):
    """No coding tool was named, and none is found here."""

    def __init__(self, known: Iterable[str]) -> None:
        super().__init__(
            "No coding tool was named, and neither a program nor a file of one is found here."
            f" Name it: holdfast adapters install TOOL ({', '.join(known)})."
        )


class FolderTakenError(ConflictError):
    """The folder holds files that are not ours."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path} is there already, and holdfast did not write it as it is. Nothing was changed;"
            " name another folder, or overwrite it with --force."
        )


class PagesChangedError(StaleError):
    """The pages changed since they were shown."""

    hint = "Nothing was accepted. Look again with 'holdfast trust'."


class PagesNeedRepositoryError(InvalidError):
    """Pages live in a git repository, and there is none here."""

    hint = "Run this inside a repository, or make one with 'git init'."


class NoPagesError(NotFoundError):
    """This repository keeps no pages."""

    hint = "'holdfast init --files' makes the folder for them."


class BranchChangedError(StaleError):
    """Another branch was checked out while the pages were read."""

    hint = "Nothing was changed. Run it again."


class ProposesForgettingError(ConflictError):
    """A candidate proposes to forget a memory; that is done by forgetting it."""

    def __init__(self, memory_id: str, *, about: str) -> None:
        super().__init__(
            f"{memory_id} proposes to forget {about} for good, which cannot be taken back."
            f" To do that: holdfast forget --id {about}. To keep it: holdfast reject {memory_id}"
        )


class NoOwnClaimError(ConflictError):
    """A candidate has no claim of its own: it offers something about another memory."""

    def __init__(self, memory_id: str, *, about: str) -> None:
        super().__init__(
            f"{memory_id} has no claim of its own; it is about {about}."
            f" Decide it with: holdfast approve {memory_id}, or holdfast reject {memory_id}"
        )


class OnlyCandidateError(ConflictError):
    """There is no need to propose that a candidate be forgotten."""

    def __init__(self, memory_id: str) -> None:
        super().__init__(
            f"{memory_id} is only a candidate, which no answer gives."
            f" A person can refuse it with: holdfast reject {memory_id}"
        )


class RatedByPersonError(ConflictError):
    """A person rated the answer, and an agent's rating does not change that."""

    def __init__(self, bundle_id: str) -> None:
        super().__init__(
            f"A person rated {bundle_id}, so an agent's rating of it is not kept;"
            " nothing was changed."
        )


class MayNotError(NeedsPersonError):
    """The principal may not do that; only a person may."""

    def __init__(self, *, kind: PrincipalKind, name: str, operation: Operation) -> None:
        who = f"{name} ({kind.value})" if name else kind.value
        super().__init__(
            what=f"A caller known as {who} may not do this;"
            f" only a person may {MEANINGS[operation]}.",
            command="the same call, made by themselves",
        )
        self.kind = kind
        self.name = name
        self.operation = operation


class NoSuchStoreError(NotFoundError):
    """There is no store of that space."""

    hint = "Check --space and HOLDFAST_SPACE, or create the store with 'holdfast init'."

    def __init__(self, space: str) -> None:
        super().__init__(f"There is no store of the space {space} here.")
        self.space = space
