"""doctor, rebuild: check the health of the store, and rebuild derived data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.lookup_errors import NoModelError
from holdfast.domain.review.curation import HealthFinding, Severity
from holdfast.domain.text.counting import counted
from holdfast.domain.values import replace
from holdfast.surfaces.cli.forgotten_shown import forgotten_in_pages
from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Styled, Warn
from holdfast.surfaces.cli.present.terminal.measuring import terminal_width
from holdfast.surfaces.cli.present.terminal.table import folded, one_line, show_table
from holdfast.surfaces.cli.private_shown import shown_by_git
from holdfast.surfaces.wire.care import counted_json, findings_json

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.domain.memory.entry import Flaw
    from holdfast.domain.pages.syncing import EntryOutcome
    from holdfast.domain.review.curation import Repair
    from holdfast.ports.store.upkeep import Progress
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_STYLES: dict[Severity, type[Styled]] = {
    Severity.OK: Good,
    Severity.NOTE: Dim,
    Severity.WARNING: Warn,
    Severity.DAMAGE: Bad,
}
_SEVERITY_WIDTH = 9
_NARROWEST = 20
_RESTORE = "If you have a backup of the store, compare it with 'holdfast list --all'."
NEEDS_PERSON = 1
DAMAGED = 6
_NOTHING_REPAIRED = "Nothing had to be repaired."


def doctor(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Check the whole store and show what to do. The exit code is 0 if everything is in\n"
        "order, 1 if a person has to act, and 6 if there is damage. --repair recovers the data\n"
        "that can be read, keeps the damaged file, and exits with 1 if memories are missing.",
        examples=("holdfast doctor", "holdfast doctor --json", "holdfast doctor --repair"),
        does=_doctor,
    )
    command.add_argument("--repair", action="store_true", help="repair what can be repaired")


def _doctor(given: Namespace, context: CommandContext) -> int:
    memory, files = context.holdfast, context.machine.beside_store
    context.tells_health = True
    repair = None
    if given.repair:
        with context.progress("repairing") as progress:
            repair = memory.upkeep.repair(progress)
        repair = replace(repair, actions=(*repair.actions, *files.remove_damaged()))
    pages = context.machine.project.ignored_pages()
    with context.progress("checking") as progress:
        findings = [
            *memory.upkeep.check(progress),
            *files.check(),
            *context.machine.models.findings(),
            *([] if pages is None else [pages]),
            *map(_finding, shown_by_git(context)),
            *map(_forgotten, forgotten_in_pages(context)),
        ]
    findings = [replace(one, advice=context.output.pasteable(one.advice)) for one in findings]
    if context.output.as_json:
        context.output.json(findings_json(findings, repair, exit_code=exit_code(findings, repair)))
    else:
        if repair is not None:
            _show_repair(repair, context)
        show_findings(findings, context)
    return exit_code(findings, repair)


def _finding(flaw: Flaw) -> HealthFinding:
    words = f"{flaw.path}: {flaw.problem}."
    return HealthFinding(check="private files", severity=Severity.WARNING, message=words)


def _forgotten(entry: EntryOutcome) -> HealthFinding:
    name, place = entry.label or entry.uid or "An entry", f"{entry.path}:{entry.line}"
    return HealthFinding(
        check="forgotten",
        severity=Severity.WARNING,
        message=f"{name} in {place} still has a forgotten text.",
        advice="'holdfast sync' replaces it, or says what to do.",
    )


def show_findings(findings: Sequence[HealthFinding], context: CommandContext) -> None:
    """Show each finding with its severity and what to do about it."""
    rows = [
        (
            _STYLES[finding.severity](finding.severity.value),
            finding.check,
            one_line(f"{finding.message} {finding.advice}"),
        )
        for finding in findings
    ]
    if not context.output.is_terminal:
        show_table(context.output, ("", "", ""), rows)
        return
    width = max((len(check) for _, check, _ in rows), default=0)
    start = _SEVERITY_WIDTH + width + 2
    for severity, check, words in rows:
        # The words may contain a command, so they are folded and never cut.
        first, *more = folded(words, max(terminal_width() - start, _NARROWEST))
        gap = " " * (_SEVERITY_WIDTH - len(severity))
        context.output.say(severity, gap, f"{check:<{width}}  ", first)
        for line in more:
            context.output.say(" " * start, line)


def _memories(count: int) -> str:
    return "1 memory" if count == 1 else f"{count:,} memories"


def _show_repair(repair: Repair, context: CommandContext) -> None:
    for action in repair.actions or (_NOTHING_REPAIRED,):
        context.output.say(Good("repaired"), " ", action)
    if repair.kept_damaged_file:
        context.output.say(Dim("the damaged file is kept: "), repair.kept_damaged_file)
    if repair.rescued:
        context.output.say(f"{_memories(repair.rescued)} recovered")
    for lost in repair.lost:
        context.output.say(Bad("lost"), " ", lost)
    if repair.missing:
        context.output.say(Bad("missing"), f" {_memories(repair.missing)}. {_RESTORE}")
    if repair.changes_missing:
        context.output.say(
            Bad("missing"),
            f" {counted(repair.changes_missing, 'change')} at the end of the log: memories,"
            f" decisions or usage counts may be lost. {_RESTORE}",
        )


def exit_code(findings: Sequence[HealthFinding], repair: Repair | None) -> int:
    """Return how bad the findings are, as an exit code."""
    found = {finding.severity for finding in findings}
    if Severity.DAMAGE in found:
        return DAMAGED
    is_complete = repair is None or repair.is_complete
    return NEEDS_PERSON if Severity.WARNING in found or not is_complete else 0


def rebuild(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Rebuild all derived data, such as the keyword index, from the stored memories.\n"
        "--embeddings embeds every memory again with the chosen model instead. Questions are\n"
        "answered meanwhile, and a run that was stopped goes on where it was.",
        examples=("holdfast rebuild", "holdfast rebuild --embeddings", "holdfast rebuild --json"),
        does=_rebuild,
    )
    command.add_argument(
        "--embeddings", action="store_true", help="embed every memory again with the chosen model"
    )


def _rebuild(given: Namespace, context: CommandContext) -> None:
    with context.progress("embedding" if given.embeddings else "rebuilding") as progress:
        if given.embeddings:
            count = _embed_again(progress, context)
        else:
            count = context.holdfast.upkeep.rebuild(progress)
    if context.output.as_json:
        context.output.json(counted_json(count))
        return
    noun = "memory" if count == 1 else "memories"
    what = "vectors" if given.embeddings else "index"
    context.output.say(Good("rebuilt"), f"  the {what} of {count:,} {noun}")


def _embed_again(progress: Progress, context: CommandContext) -> int:
    models, memory = context.machine.models, context.holdfast
    model = models.patient(is_fresh=True)
    if model is None:
        raise NoModelError
    mark = models.mark(model.model, store=memory.upkeep.facts().location)
    return memory.upkeep.embed_again(progress, mark=mark, using=model)
