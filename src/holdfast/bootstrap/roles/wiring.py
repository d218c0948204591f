"""Connects supervised runs to the folder, the settings and the processes of this machine."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.checkout import GitWatch
from holdfast.adapters.git.reading.log import GitLog
from holdfast.adapters.machine.documents import DocumentFiles
from holdfast.bootstrap.plugs.workers import MachineWorkers
from holdfast.bootstrap.roles.sources import AllowedCommands, ProjectTranscripts
from holdfast.bootstrap.roles.specialists import ProcessSpecialists
from holdfast.bootstrap.sessions.transcripts import project_root
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.lookup_errors import NoHistoryError, NothingCommittedError
from holdfast.domain.roles.checkout import BranchChoice, CheckoutState
from holdfast.domain.roles.precedence import read_precedence
from holdfast.domain.values import replace
from holdfast.usecases.roles.role_ports import RolePorts, RoleSettings, RoleSources

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.app import Holdfast
    from holdfast.ports.checks.checking import AcceptedCommands
    from holdfast.usecases.roles.role_ports import RoleCaller


def fork_session(
    holdfast: Holdfast,
    folder: Path,
    home: Path | None,
    _before: CheckoutState,
    _now: CheckoutState,
) -> str:
    """Fork the last session for this checkout, if its branch is another one; say what was done."""
    from holdfast.bootstrap.plugs.folder_ports import look_around
    from holdfast.domain.sessions.reconciling import ReconcileChoice

    # The open memory still has the branch with which the command began.
    around = look_around(space=holdfast.principal.space, home=home, folder=folder)
    here = replace(holdfast, surroundings=around.surroundings, verifier=around.verifier)
    found = here.session_cache.reconcile(dry_run=True)
    if found.session is None or ReconcileChoice.FORK not in found.found.choices:
        return ""
    made = here.session_cache.reconcile(wanted=ReconcileChoice.FORK)
    turns = "1 turn" if made.turns == 1 else f"{made.turns} turns"
    return f"forked session {found.session} to {made.session}, with {turns}"


class _TimeIsUpError(Exception):
    """The index has no more time; what it read so far stays."""


def index_commits(holdfast: Holdfast, seconds: float) -> str:
    """Read new commits into the index that recall searches; return a note if some are left."""
    until = time.monotonic() + seconds

    def watch(_done: int, _total: int) -> None:
        if time.monotonic() > until:
            raise _TimeIsUpError

    try:
        if holdfast.history_index is not None:
            holdfast.history_index.refresh(watch)
    except _TimeIsUpError:
        return "not all commits were indexed for recall; the next run goes on"
    except (NoHistoryError, NothingCommittedError, OutsideUnavailableError):
        return ""
    return ""


def role_ports(
    holdfast: Holdfast,
    caller: RoleCaller,
    *,
    folder: Path,
    home: Path | None,
    book: AcceptedCommands,
    value: Callable[[str], str],
) -> RolePorts:
    """Return the ports of supervised runs; ``value`` returns the value of a setting."""
    log = GitLog(folder)
    return RolePorts(
        store=holdfast.store,
        clock=holdfast.clock,
        surroundings=holdfast.surroundings,
        verifier=holdfast.verifier,
        heuristics=holdfast.heuristics,
        commit_reader=log,
        specialists=ProcessSpecialists(value),
        watch=GitWatch(folder, fork=partial(fork_session, holdfast, folder, home)),
        workers=MachineWorkers(),
        sources=RoleSources(
            commits=log,
            shelf=ProjectTranscripts(folder, home, is_on=value("supervise.transcripts") == "on"),
            commands=AllowedCommands(
                book, repo=lambda: holdfast.surroundings.place().repo, clock=holdfast.clock
            ),
            documents=DocumentFiles(project_root(folder)),
            index=partial(index_commits, holdfast),
        ),
        caller=caller,
        settings=RoleSettings(
            seconds=float(value("supervise.budget")),
            branch=BranchChoice(value("supervise.branch")),
            precedence=read_precedence(value("supervise.precedence")),
        ),
    )
