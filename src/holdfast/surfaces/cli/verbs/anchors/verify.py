"""verify: check the evidence of memories against the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.anchor import Verdict
from holdfast.surfaces.cli.advising.note_advice import NOTES
from holdfast.surfaces.cli.advising.templates import advised_among
from holdfast.surfaces.cli.present.memory.verdicts import show_changes, verdict_word
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name, ShownPlace
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.cli.rows import keep_rows
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.code import verification_json
from holdfast.usecases.anchors.checking import HIDDEN_BRANCHES
from holdfast.usecases.anchors.verify import Verify

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.domain.memory.anchor import Checked
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.anchors.verify import CheckedMemory, Verification

_SOMETHING_DRIFTED = 1
_NOTES = {**NOTES, HIDDEN_BRANCHES: "--all checks them too"}
_HEADS = ("VERDICT", "MEMORY", "EVIDENCE", "NOW", "CLAIM")


def verify(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Check the evidence of memories: is the cited code still there, and is it unchanged?\n"
        "Each memory gets a verdict: fresh, moved, drifted, orphaned or unverifiable. The exit\n"
        "code is 1 if anything drifted, is orphaned or could not be checked because git failed,\n"
        "so the command can be used in CI.\n"
        "With --checks it runs the checks of the accepted memories instead, and the exit code is\n"
        "1 if one is broken.",
        examples=(
            "holdfast verify",
            "holdfast verify --at v1.2 --json",
            "holdfast verify --checks --since v1.2 --sarif checks.sarif",
        ),
        does=_run,
    )
    add = command.add_argument
    add("id", metavar="ID", nargs="*", help="only these memories (m_…)")
    add("--all", action="store_true", help="also candidates, superseded memories, other branches")
    add("--at", metavar="REVISION", help="check against that commit, not the files on disk")
    add("--diff", action="store_true", help="show the diff of drifted evidence")
    add("--checks", action="store_true", help="run the checks of memories, not their evidence")
    some = command.add_mutually_exclusive_group()
    some.add_argument("--changed", action="store_true", help="only files that differ from HEAD")
    some.add_argument("--staged", action="store_true", help="only staged files, as they are staged")
    some.add_argument(
        "--since", metavar="REV", help="only files that changed since the branch left REV"
    )
    add("--strict", action="store_true", help="also fail if a check could not be run")
    add("--sarif", metavar="FILE", help="also write the report as SARIF 2.1.0; '-' prints it")


def _run(given: Namespace, context: CommandContext) -> int:
    if given.checks:
        from holdfast.surfaces.cli.verbs.anchors.verify_checks import verify_checks

        return verify_checks(given, context)
    if given.changed or given.staged or given.since or given.strict or given.sarif:
        raise UsageError(
            problem="--changed, --staged, --since, --strict and --sarif belong to --checks."
        )
    wish = Verify(references=tuple(given.id), everything=given.all, at=given.at)
    found = context.holdfast.evidence.verify(wish)
    if wish == Verify():
        _note_for_the_badge(found, context)
    if context.output.as_json:
        context.output.json(verification_json(found))
    else:
        _show(found, context, with_diff=given.diff)
    return 0 if found.is_sound else _SOMETHING_DRIFTED


def _note_for_the_badge(found: Verification, context: CommandContext) -> None:
    repo = context.holdfast.place().repo
    if repo is not None:
        doubtful = [one.record.memory.id for one in found.checked if one.verdict.is_doubtful]
        context.machine.beside_store.note_drifted(repo, [str(name) for name in doubtful])


def _show(found: Verification, context: CommandContext, *, with_diff: bool) -> None:
    told = [one for one in found.checked if one.verdict is not Verdict.FRESH]
    if told:
        is_terminal = context.output.is_terminal
        rows = [row for one in told for row in _rows(one, is_terminal=is_terminal)]
        show_table(context.output, _HEADS, rows, is_numbered=True)
        keep_rows(context, [one.record.memory.id for one in told for _ in _doubtful(one)])
    if with_diff:
        for one in told:
            show_changes(context.output, one.evidence)
    counts = ", ".join(
        f"{many:,} {verdict.value}" for verdict, many in found.counts.items() if many
    )
    context.output.say(f"{len(found.checked):,} checked: {counts or 'nothing to check'}")
    if found.unanchored:
        verb = "cites" if found.unanchored == 1 else "cite"
        context.output.note(Dim(f"{found.unanchored:,} {verb} no file or commit"))
    if found.sensitive:
        context.output.note(Dim(f"{found.sensitive:,} unverifiable: encrypted"))
    for note in found.notes:
        context.output.note(Dim(advised_among(_NOTES, note)))


def _rows(one: CheckedMemory, *, is_terminal: bool) -> list[list[str]]:
    return [
        [
            verdict_word(item.sighting.verdict),
            Name(one.record.memory.id),
            ShownPlace(item.words),
            ShownPlace(_now(item)) if is_terminal else item.sighting.words,
            one.record.memory.claim,
        ]
        for item in _doubtful(one)
    ]


def _now(item: Checked) -> str:
    """Return what was found, without the verdict, which has a column of its own."""
    return item.sighting.words.removeprefix(f"{item.sighting.verdict.value}: ")


def _doubtful(one: CheckedMemory) -> list[Checked]:
    return [item for item in one.evidence if item.sighting.verdict is not Verdict.FRESH]
