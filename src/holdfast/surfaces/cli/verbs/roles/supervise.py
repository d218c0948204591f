"""supervise: hand an intent to specialists, and resume, replay and show such runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.roles.checkout import BranchChoice
from holdfast.domain.roles.ending import has_failed, told_step
from holdfast.domain.roles.step import StepWork
from holdfast.domain.text.counting import counted
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.roles import (
    allowed_json,
    read_budget,
    recap_of,
    replay_json,
    supervised_json,
    supervised_runs_json,
)

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from holdfast.app.work.roles import RolesPart
    from holdfast.domain.roles.step import RunStep
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.roles.replaying import RunReplay
    from holdfast.usecases.roles.role_ports import SuperviseOptions
    from holdfast.usecases.roles.supervising import SupervisedRun

_ADDED = {"added": "holdfast task tree", "candidates": "holdfast review"}
"""What a step adds, by the name of the effect, and the command that shows it."""
_DIFFERENT, _FAILED = 1, 1
_MODES = ("resume", "replay", "show", "list", "allow", "disallow", "commands")


def supervise(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Hand an intent to specialists: a historian reads new commits and conversations, a\n"
        "planner turns the intent into tasks, an executor runs the commands that you name, and a\n"
        "curator looks for stale memories. Each step is recorded, so that a run can be resumed\n"
        "after a crash and replayed later. Every specialist has a share of the time; one that\n"
        "fails or is too slow is replaced by rules, and the recap says so.\n"
        "The exit code is 1 if a step failed: a named command did not pass or did not run, or the\n"
        "time was used up. That of --replay is 1 if anything differs.",
        examples=(
            'holdfast supervise "release 1.2" --dry-run',
            'holdfast supervise --allow check "git diff --check"',
            'holdfast supervise "release 1.2" --budget 2m --run check --yes --json',
        ),
        does=_supervise,
        creates_store=True,
    )
    add = command.add_argument
    add("intent", metavar="INTENT", nargs="*", default=[], help="what is to be reached; - is stdin")
    add("--dry-run", action="store_true", help="show what would be done, and write nothing")
    add("--budget", metavar="TIME", help="how long the run may take: 90s, 5m (supervise.budget)")
    add(
        "--run",
        metavar="NAME",
        action="append",
        default=[],
        help="run this allowed command; may be repeated",
    )
    add("--yes", action="store_true", help="run the named commands without asking")
    add("--apply", action="store_true", help="fix what the curator found; 'undo' reverts it")
    choices = [one.value for one in BranchChoice]
    branch = add(
        "--branch",
        metavar="CHOICE",
        choices=choices,
        help="if the checkout is stale or changes: stop, continue or fork (supervise.branch)",
    )
    command.offer(branch, tuple(choices))
    add("--resume", metavar="RUN", help="go on with a run whose process ended")
    add("--replay", metavar="RUN", help="do a recorded run again, and show every difference")
    add("--show", metavar="RUN", help="show a run with its steps")
    add("--list", action="store_true", help="list supervised runs, newest first")
    add("--limit", metavar="N", type=int, default=20, help="how many runs --list shows (20)")
    add("--commands", action="store_true", help="list the commands that may run in this clone")
    add("--allow", metavar="NAME", help="let the command that follows run here by this name")
    add("--disallow", metavar="NAME", help="stop a command from running here")


def _supervise(given: Namespace, context: CommandContext) -> int | None:
    modes = [name for name in _MODES if getattr(given, name) not in {None, False}]
    if len(modes) > 1:
        raise UsageError(problem=f"--{modes[0]} and --{modes[1]} do not go together.")
    if not modes:
        return _start(given, context)
    if given.intent and modes[0] != "allow":
        raise UsageError(problem=f"--{modes[0]} takes no intent.")
    return _DO[modes[0]](given, context)


def _start(given: Namespace, context: CommandContext) -> int | None:
    from holdfast.surfaces.cli.standard_input import piped_text

    if not given.intent:
        raise UsageError(problem="Say what is to be reached, or name a run with --resume.")
    words = piped_text(what="intent") if given.intent == ["-"] else " ".join(given.intent)
    done = _roles(context).supervise(
        words,
        _options(given, context),
        by=context.user,
        tell=_tells(context),
    )
    _show_run(done, context, is_dry=given.dry_run)
    return _FAILED if done.failed else None


def _resume(given: Namespace, context: CommandContext) -> int | None:
    done = _roles(context).resume(
        given.resume, _options(given, context), by=context.user, tell=_tells(context)
    )
    _show_run(done, context)
    return _FAILED if done.failed else None


def _options(given: Namespace, context: CommandContext) -> SuperviseOptions:
    from holdfast.usecases.roles.role_ports import SuperviseOptions

    return SuperviseOptions(
        seconds=read_budget(given.budget),
        run=tuple(given.run),
        may_run=bool(given.yes) or _is_confirmed(given, context),
        applies=given.apply,
        dry_run=given.dry_run,
        ask=_asker(given, context),
    )


def _is_confirmed(given: Namespace, context: CommandContext) -> bool:
    """Show the commands to a person at the terminal, and ask."""
    from holdfast.surfaces.cli.person import agrees, is_at_terminal

    if not (given.run or given.resume) or given.dry_run or not is_at_terminal(context):
        return False
    allowed = _roles(context).commands()
    for name in given.run:
        one = allowed.get(name)
        context.output.say(Name(name), f"  {one_line(one.command if one else 'not allowed here')}")
        if one is not None and one.refusal:
            context.output.say(Warn("  refused"), f"  {one_line(one.refusal)}")
            if agrees(context, f"Look at it first. Allow '{name}' as it is now?"):
                _roles(context).allow(name, one.command, by=context.user)
    return agrees(context, "Run these commands, or those of the run, when their turn comes?")


def _asker(given: Namespace, context: CommandContext) -> Callable[[str], BranchChoice] | None:
    """Return what answers questions about the checkout; None for the settings."""
    from holdfast.surfaces.cli.person import agrees, is_at_terminal

    if given.branch is not None:
        return lambda _: BranchChoice(given.branch)
    if not is_at_terminal(context):
        return None
    return lambda why: (
        BranchChoice.FORK
        if agrees(context, f"{why[:1].upper()}{why[1:]}. Go on?")
        else BranchChoice.STOP
    )


def _tells(context: CommandContext) -> Callable[[RunStep], None]:
    """Return what prints a line for each step that ended."""

    def tell(step: RunStep) -> None:
        if not context.output.as_json:
            context.output.note(Dim(f"{step.name}: {one_line(told_step(step))}"))

    return tell


def _show_run(found: SupervisedRun, context: CommandContext, *, is_dry: bool = False) -> None:
    output = context.output
    if output.as_json:
        output.json(supervised_json(found))
        return
    label = "dry run" if found.run is None else found.run.label
    status = "nothing was written" if found.run is None else found.run.id
    output.say(Name(label), "  ", Dim(status))
    output.say(recap_of(found) or "The recap is not written yet.")
    for step in found.steps if is_dry else ():
        _show_wish(step, context)
    for note in (*found.notes, *(f"wrote {page}" for page in found.pages)):
        output.note(Dim(note))
    if found.run is not None and (shown := _shown_by(found)):
        output.note(f"to see what it added: {', '.join(shown)}")


def _show_wish(step: RunStep, context: CommandContext) -> None:
    """Write what a step of a dry run would do."""
    for name in _ADDED:
        for one in _texts(step.effects.get(name)):
            context.output.say(f"  would add: {one_line(one)}")
    if step.outputs is not None and step.outputs.get("would_run"):
        context.output.say(f"  would run: {one_line(str(step.outputs['would_run']))}")


def _shown_by(found: SupervisedRun) -> list[str]:
    """Return the commands that show the tasks and the candidates that a run added."""
    return [
        command
        for name, command in _ADDED.items()
        if any(_texts(step.effects.get(name)) for step in found.steps)
    ]


def _texts(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


def _replay(given: Namespace, context: CommandContext) -> int | None:
    found = _roles(context).replay(given.replay)
    if context.output.as_json:
        context.output.json(replay_json(found))
    else:
        _show_replay(found, context)
    return None if found.is_same else _DIFFERENT


def _show_replay(found: RunReplay, context: CommandContext) -> None:
    for one in found.steps:
        name = one.step.name
        if one.not_replayed:
            context.output.say(Dim("kept"), f"  {name}: {one.not_replayed}")
        elif not one.differences:
            context.output.say(Good("same"), f"  {name} by {one.step.specialist}")
        for each in one.differences:
            context.output.say(Warn("differs"), f"  {name}: {each.where}")
            context.output.say(f"    recorded: {one_line(each.recorded)}")
            context.output.say(f"    now:      {one_line(each.now)}")
    many = sum(len(one.differences) for one in found.steps)
    told = "no difference" if found.is_same else counted(many, "difference")
    context.output.note(Dim(f"{found.run.label}: {told}; nothing was written"))


def _show(given: Namespace, context: CommandContext) -> int | None:
    found = _roles(context).show(given.show)
    if not context.output.as_json:
        rows = [
            (
                str(one.number),
                one.name,
                "failed" if has_failed(one) else one.status.value,
                one.specialist,
                f"{one.budget:g}s",
                _problems(one),
            )
            for one in found.steps
        ]
        heads = ("#", "role", "status", "by", "budget", "problems")
        show_table(context.output, heads, rows)
    _show_run(found, context)
    return None


def _problems(step: RunStep) -> str:
    if step.is_over and step.work is StepWork.COMMAND:
        return told_step(step)
    return "; ".join(each.problem for each in step.attempts if each.problem)


def _list(given: Namespace, context: CommandContext) -> int | None:
    found = _roles(context).latest(limit=given.limit)
    if context.output.as_json:
        context.output.json(supervised_runs_json(found))
        return None
    for one in found:
        if one.run is not None:
            over = sum(step.is_over for step in one.steps)
            state = f"{one.run.status.value}, {over} of {len(one.steps)} steps"
            context.output.say(
                Name(one.run.label), "  ", Dim(one.run.id), f"  {state}  {one_line(one.run.goal)}"
            )
    if not found:
        context.output.note("No supervised runs yet.")
    return None


def _allow(given: Namespace, context: CommandContext) -> int | None:
    text = " ".join(given.intent)
    _roles(context).allow(given.allow, text, by=context.user)
    code = _commands(given, context)
    if not context.output.as_json:
        files = ", ".join(_roles(context).commands()[given.allow].files)
        told = f"if {one_line(files)} changes, it must be allowed again; " if files else ""
        context.output.note(Dim(f"{told}other files that it runs may change unnoticed"))
    return code


def _disallow(given: Namespace, context: CommandContext) -> int | None:
    was = _roles(context).disallow(given.disallow)
    if not was and not context.output.as_json:
        context.output.note("No command of that name was allowed here.")
    return _commands(given, context)


def _commands(_given: Namespace, context: CommandContext) -> int | None:
    found = _roles(context).commands()
    if context.output.as_json:
        context.output.json(allowed_json(found))
        return None
    for name, one in sorted(found.items()):
        context.output.say(Name(name), f"  {one_line(one.command)}")
        if one.refusal:
            context.output.note(Warn(f"{name} does not run: {one_line(one.refusal)}"))
    if not found:
        context.output.note("No command may run here; --allow NAME COMMAND lets one.")
    return None


def _roles(context: CommandContext) -> RolesPart:
    return context.holdfast.roles


_DO: dict[str, Callable[[Namespace, CommandContext], int | None]] = {
    "resume": _resume,
    "replay": _replay,
    "show": _show,
    "list": _list,
    "allow": _allow,
    "disallow": _disallow,
    "commands": _commands,
}
