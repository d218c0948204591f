"""Run checks: each distinct text once, each file once, many patterns at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.checks.check import read_check
from holdfast.domain.checks.kinds import (
    CommandCheck,
    DependencyCheck,
    FileCheck,
    ImportCheck,
    PatternCheck,
    SymbolCheck,
)
from holdfast.domain.checks.outcome import CheckState, aside, broken, holds, unknown
from holdfast.domain.errors import BadFieldError
from holdfast.usecases.checks.check_run import CheckRun
from holdfast.usecases.checks.code_checks import import_outcome, symbol_outcome
from holdfast.usecases.checks.file_checks import dependency_outcome, file_outcome
from holdfast.usecases.checks.pattern_checks import pattern_outcomes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.checks.kinds import Check
    from holdfast.domain.checks.outcome import CheckOutcome
    from holdfast.usecases.checks.check_run import CheckTools

    SingleCheck = ImportCheck | SymbolCheck | DependencyCheck | FileCheck | CommandCheck

_NO_COMMAND = "a command runs only in 'verify'"
_ODD_CHECK = "this is no check that this version can read"


def evaluate(texts: Iterable[str], *, tools: CheckTools) -> dict[str, CheckOutcome]:
    """Return the outcome of each distinct check."""
    outcomes: dict[str, CheckOutcome] = {}
    checks: dict[str, Check] = {}
    for text in dict.fromkeys(texts):
        try:
            checks[text] = read_check(text)
        except BadFieldError:
            outcomes[text] = unknown(text, _ODD_CHECK)
    if not checks:
        return outcomes
    run = CheckRun(tools)
    patterned = [one for one in checks.values() if isinstance(one, PatternCheck)]
    found = {one.text: one for one in pattern_outcomes(patterned, run)}
    for text, check in checks.items():
        came = found[check.text] if isinstance(check, PatternCheck) else _outcome(check, run)
        outcomes[text] = _honest(check, came, run)
    return outcomes


def _honest(check: Check, came: CheckOutcome, run: CheckRun) -> CheckOutcome:
    """Return unknown instead of an outcome that files in an unseen folder could change."""
    if isinstance(check, CommandCheck) or came.state not in {CheckState.HOLDS, CheckState.ASIDE}:
        return came
    is_all = False
    if isinstance(check, SymbolCheck | DependencyCheck | FileCheck):
        is_all = came.state is CheckState.HOLDS
        if is_all and check.is_wanted:
            return came
    hidden = run.hidden(check.paths, is_all=is_all)
    return unknown(check.text, hidden) if hidden else came


def _outcome(check: SingleCheck, run: CheckRun) -> CheckOutcome:
    match check:
        case ImportCheck():
            return import_outcome(check, run)
        case SymbolCheck():
            return symbol_outcome(check, run)
        case DependencyCheck():
            return dependency_outcome(check, run)
        case FileCheck():
            return file_outcome(check, run)
        case _:
            return _command_outcome(check, run)


def _command_outcome(check: CommandCheck, run: CheckRun) -> CheckOutcome:
    commands = run.tools.commands
    if commands is None:
        return unknown(check.text, _NO_COMMAND)
    if not run.concerns(check.paths):
        return aside(check.text)
    if refusal := commands.refusal(check.command):
        return unknown(check.text, refusal)
    end = commands.run(check.command)
    network = "without a network" if end.is_offline else "the network was open"
    if end.exit_code is None:
        return unknown(check.text, f"{end.why} ({network})")
    if end.exit_code == 0:
        return holds(check.text, network)
    said = f": {end.output}" if end.output else ""
    return broken(check.text, [], f"exit code {end.exit_code}, {network}{said}")
