"""Errors about models, plug-ins, exports and names; ``errors`` holds the families."""

from __future__ import annotations

from holdfast.domain.errors import (
    EvidenceUnreadableError,
    NotFoundError,
    StoreDamagedError,
    UnavailableError,
)


class NoModelError(UnavailableError, code="no-model"):
    """No embedding model is in use."""

    hint = "Install a model."


class PlugInFailedError(UnavailableError, code="plug-in-failed"):
    """A plug-in from another package cannot be used."""

    problem: str

    def __init__(self, *, setting: str, name: str, problem: str) -> None:
        super().__init__(
            f"The plug-in '{name}' cannot be used: {problem.rstrip('.')}."
            f" Repair or remove that package, or unset {setting}.",
            setting=setting,
            name=name,
            problem=problem,
        )


class NoSuchTenantError(NotFoundError, code="no-such-tenant"):
    """The database has no tenant of that name or id."""

    hint: str = "A tenant is named as in HOLDFAST_TENANT, or by its id."

    def __init__(self, name: str) -> None:
        shown = name[:200]
        super().__init__(f"The database has no tenant '{shown}'.", name=shown)


class IncompleteExportError(StoreDamagedError, code="incomplete-export"):
    """An export holds everything except damaged rows."""

    hint: str = "The export holds everything else."


class NoSuchRevisionError(NotFoundError, code="no-such-revision"):
    """The name does not resolve to a commit of this repository."""

    hint: str = (
        "Name a branch, a tag or a commit that 'git log' shows, or a day such as 2024-01-31."
    )

    def __init__(self, revision: str, *, begins: str = "", near: str = "") -> None:
        from holdfast.domain.recall.days import is_like_a_day

        shown = revision[:200]
        said = f"'{shown}' does not name a commit of this repository."
        if begins:
            said = f"No commit is from {shown} or before: the history begins on {begins}."
        elif is_like_a_day(revision):
            said = f"'{shown}' names neither a commit of this repository nor a day."
        elif near:
            said = f"{said} Did you mean '{near}'?"
        super().__init__(said, revision=shown)


class NoSuchSymbolError(NotFoundError, code="no-such-symbol"):
    """No symbol in the code of this repository has that name."""

    hint: str = "Write the name as in the code (rotate, TokenStore.rotate), or a line (PATH:LINE)."

    def __init__(self, name: str) -> None:
        shown = name[:200]
        super().__init__(
            f"No symbol in the code of this repository is called '{shown}'.", name=shown
        )


class NoSymbolAtError(NotFoundError, code="no-symbol-at"):
    """No symbol covers this line."""

    hint: str = "Name a line inside a function, a method or a class."

    def __init__(self, place: str) -> None:
        shown = place[:200]
        super().__init__(f"No symbol covers {shown}.", place=shown)


class NoSuchPlaceError(NotFoundError, code="no-such-place"):
    """The file or the line is not in this checkout."""

    hint: str = "Name a file of this checkout, and one of its lines: PATH:LINE."

    def __init__(self, place: str, problem: str) -> None:
        shown = place[:200]
        super().__init__(f"{shown} cannot be read: {problem}", place=shown, problem=problem)


class EvidenceWithheldError(EvidenceUnreadableError, code="evidence-withheld"):
    """Agents are told nothing about files that git ignores or keeps for itself."""


class NoHistoryError(NotFoundError, code="no-history"):
    """This folder is not in a git repository, so there is no history to search."""

    hint: str = "Run this inside a git repository, or create one with 'git init'."

    def __init__(self, missing: str = "there is no history to search") -> None:
        super().__init__(f"This folder is not in a git repository, so {missing}.", missing=missing)


class NothingCommittedError(NotFoundError, code="nothing-committed"):
    """This repository has no commits yet, so there is no history to search."""

    hint: str = "Commit something first: git add . && git commit."
