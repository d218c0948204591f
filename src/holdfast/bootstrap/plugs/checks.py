"""The ports of checks around a folder: its files, patterns, and the commands a person accepted."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.git.checks.checkout_tree import GitTrees
from holdfast.adapters.git.reading.repository import find_repository
from holdfast.adapters.machine.accepted_commands import (
    COMMANDS_FILE,
    AcceptedCommandsFile,
    AcceptedOnly,
)
from holdfast.adapters.patterns.linear import LinearPatterns
from holdfast.bootstrap.plugs.folder_ports import outline
from holdfast.domain.checks.change import CommandEnd
from holdfast.usecases.checks.check_ports import CheckPorts
from holdfast.usecases.screening import SecretPolicy, screened

if TYPE_CHECKING:
    from collections.abc import Callable

_SHOWN_OUTPUT = 400


def check_ports(
    folder: Path | str | None,
    *,
    repo: Callable[[], str | None],
    state: str,
    seconds: Callable[[], float],
) -> CheckPorts:
    """Return the ports of checks; ``state`` is the folder of what is kept beside the store.

    Without a folder there is no repository; an empty text is the current folder.
    """
    repository = None
    if folder is not None:
        repository = find_repository(Path(os.path.realpath(folder or Path.cwd())))
    root = "" if repository is None else str(repository.root)
    private = None if repository is None else repository.common_dir
    book = AcceptedCommandsFile(Path(state) / COMMANDS_FILE, clone=root, git_folder=private)
    return CheckPorts(
        trees=GitTrees(lambda: repository),
        patterns=LinearPatterns(),
        outline=outline(),
        book=book,
        commands=AcceptedOnly(book, repo=repo, run=partial(_run, seconds=seconds)),
    )


def _run(command: str, root: str, *, seconds: Callable[[], float]) -> CommandEnd:
    """Run an accepted command; its last line is shown without secrets."""
    from holdfast.adapters.processes.limited import CommandLimits, run_limited

    end = run_limited(command, folder=root, limits=CommandLimits(seconds=seconds()))
    lines = end.output.decode("utf-8", "replace").replace("\0", "").strip().splitlines()
    told = lines[-1].strip()[:_SHOWN_OUTPUT] if lines else ""
    return CommandEnd(
        exit_code=end.exit_code,
        output=screened(told, what="output", secrets=SecretPolicy.REDACT),
        why=end.problem,
        is_offline=end.is_offline,
    )
