"""The errors of installing and removing git hooks."""

from __future__ import annotations

from pathlib import Path

from holdfast.domain.errors import ConflictError, UnavailableError


class HooksUnwritableError(UnavailableError, code="hooks-unwritable"):
    """The folder of git hooks cannot be written."""

    def __init__(self, folder: Path, problem: str | None) -> None:
        super().__init__(
            f"The hooks in {folder} cannot be changed: {problem or 'the system does not say why'}."
            " Check the permissions of that folder. Holdfast also works without hooks.",
            folder=str(folder),
            problem=problem,
        )


class SharedHooksError(ConflictError, code="shared-hooks"):
    """The folder of git hooks is shared with other clones or users."""

    def __init__(self, folder: Path, problem: str) -> None:
        super().__init__(
            f"{folder} {problem} Nothing was changed.", folder=str(folder), problem=problem
        )


class HooksOffError(ConflictError, code="hooks-off"):
    """Git hooks are turned off in this repository."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"Git hooks are turned off here: core.hooksPath is {folder}, which is not a folder."
            " Unset core.hooksPath, if you want hooks. Holdfast also works without them.",
            folder=str(folder),
        )


class EditedHookError(ConflictError, code="edited-hook"):
    """A hook of Holdfast was edited, or the earlier hook cannot be restored."""

    def __init__(self, path: Path, problem: str, *, can_force: bool = False) -> None:
        super().__init__(
            f"{path} {problem} No hook was changed.",
            path=str(path),
            problem=problem,
            can_force=can_force,
        )


class AnotherStoresHooksError(ConflictError, code="another-stores-hooks"):
    """The hooks serve another space or another home."""

    def __init__(self, path: Path, serves: str) -> None:
        super().__init__(
            f"{path} serves another store of holdfast ({serves}). No hook was changed.",
            path=str(path),
            serves=serves,
        )
