"""verify --checks: run the checks of memories, and report them for people and for CI."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.checks.change import Change, ChangeRange
from holdfast.domain.checks.outcome import CheckState
from holdfast.surfaces.cli.named_files import to_file
from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.json_text import json_text
from holdfast.surfaces.wire.rule_checks import checks_json
from holdfast.usecases.checks.run_checks import RunChecks

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.domain.checks.outcome import CheckOutcome
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.surfaces.cli.present.terminal.colour import Styled
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.checks.run_checks import ChecksReport, MemoryOutcomes

_BROKEN = 1
_STYLES: dict[CheckState, type[Styled]] = {
    CheckState.BROKEN: Bad,
    CheckState.UNKNOWN: Warn,
    CheckState.HOLDS: Good,
    CheckState.ASIDE: Dim,
}
_MOST_SHOWN = 20


def verify_checks(given: Namespace, context: CommandContext) -> int:
    """Run the checks, write the report, and return the exit code."""
    if given.all or given.at or given.diff:
        raise UsageError(problem="--all, --at and --diff are about evidence; --checks is not.")
    wish = RunChecks(references=tuple(given.id), change=_change(given))
    report = context.holdfast.checks.run(wish)
    if given.sarif:
        _write(given.sarif, report, context)
    if context.output.as_json:
        context.output.json(checks_json(report))
    elif given.sarif != "-":
        _show(report, context.output)
    is_passed = report.is_certain if given.strict else report.is_sound
    return 0 if is_passed else _BROKEN


def _change(given: Namespace) -> Change:
    if given.since is not None:
        return Change(kind=ChangeRange.SINCE, since=given.since)
    if given.staged:
        return Change(kind=ChangeRange.STAGED)
    return Change(kind=ChangeRange.CHANGED if given.changed else ChangeRange.EVERYTHING)


def _write(name: str, report: ChecksReport, context: CommandContext) -> None:
    """Write the SARIF file, or print it."""
    from holdfast import __version__
    from holdfast.surfaces.wire.rule_checks import sarif_json

    shape = sarif_json(report, version=__version__)
    if name == "-":
        if context.output.as_json:
            raise UsageError(problem="--json and --sarif - would both be printed; name a file.")
        context.output.json(shape)
        return
    file = Path(context.folder, name)
    to_file([json_text(shape, indent=2)], file, is_private=False)
    context.machine.beside_store.note_written(file)


def _show(report: ChecksReport, output: Output) -> None:
    for one in report.memories:
        for outcome in one.outcomes:
            if outcome.state in {CheckState.BROKEN, CheckState.UNKNOWN}:
                _show_one(one, outcome, output)
    counts = report.counts
    told = ", ".join(_counted(state, many) for state, many in counts.items() if many)
    total = sum(counts.values())
    checks = "1 check" if total == 1 else f"{total:,} checks"
    output.say(f"{checks}: {told or 'nothing to check'}")
    for note in report.notes:
        output.note(Dim(note))


def _counted(state: CheckState, many: int) -> str:
    """Return a number of checks with its state, in the plural where it has one."""
    word = "hold" if state is CheckState.HOLDS and many != 1 else state.value
    return f"{many:,} {word}"


def _show_one(memory: MemoryOutcomes, outcome: CheckOutcome, output: Output) -> None:
    style = _STYLES[outcome.state]
    record = memory.record.memory
    output.say(style(outcome.state.value), "  ", Name(record.id), "  ", one_line(record.claim))
    output.say("  ", Dim("check  "), one_line(outcome.text))
    if outcome.why:
        output.say("  ", Dim("why    "), one_line(outcome.why))
    for breach in outcome.breaches[:_MOST_SHOWN]:
        words = f": {breach.what}" if breach.what else ""
        output.say("  ", Dim("at     "), one_line(f"{breach.place}{words}"))
    if rest := len(outcome.breaches[_MOST_SHOWN:]) + outcome.more:
        output.say("  ", Dim(f"and {rest:,} more"))
