"""Errors about models, plug-ins, exports and names; ``errors`` holds the families."""

from __future__ import annotations

from holdfast.domain.errors import NotFoundError, StoreDamagedError, UnavailableError


class NoModelError(UnavailableError, code="no-model"):
    """There is no embedding model to embed with."""

    hint = "Install a model."


class PlugInFailedError(UnavailableError, code="plug-in-failed"):
    """A plug-in of another package cannot be used."""

    def __init__(self, *, setting: str, name: str, problem: str) -> None:
        super().__init__(
            f"The plug-in '{name}' cannot be used: {problem.rstrip('.')}."
            f" Mend or remove that package, or unset {setting}.",
            setting=setting,
            name=name,
            problem=problem,
        )


class IncompleteExportError(StoreDamagedError, code="incomplete-export"):
    """An export holds everything except damaged rows."""

    hint: str = "The export holds everything else."


class NoSuchRevisionError(NotFoundError, code="no-such-revision"):
    """The name means no commit here."""

    hint: str = "Name a branch, a tag or a commit that 'git log' shows."

    def __init__(self, revision: str) -> None:
        shown = revision[:200]
        super().__init__(f"'{shown}' is no commit of this repository.", revision=shown)


class NoSuchSymbolError(NotFoundError, code="no-such-symbol"):
    """Nothing in the code has that name."""

    hint: str = "Write a name as the code has it (rotate, TokenStore.rotate), or a place in it."

    def __init__(self, name: str) -> None:
        shown = name[:200]
        super().__init__(f"Nothing in this repository's code is called '{shown}'.", name=shown)
