"""agent list, show, cycles, resume, export, delete: look at agents and what they did."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.agents.cycle import CycleStatus
from holdfast.domain.memory.entry import canonical_json
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.person import agrees, is_at_terminal
from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Name, Styled, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.agents import (
    agents_json,
    cycles_json,
    deleted_agent_json,
    one_agent_json,
    resumption_json,
)
from holdfast.usecases.agents.deleting import DeleteAgent

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from holdfast.domain.agents.cycle import AgentCycle, AgentState
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.agents.deleting import DeletedAgent
    from holdfast.usecases.agents.looking import SeenCycle

_NAME = "the name or the id of an agent"
_NO_AGENTS = "No agents yet. A program opens one with 'holdfast.open().agents.open(\"name\")'."
_ELSEWHERE = "There are agents of other repositories; --everywhere lists them too."
_FOR_GOOD = (
    "Notes and candidates are forgotten: no import brings them back into this store, not even\n"
    "from an export of the agent."
)
_STYLES: dict[CycleStatus, type[Styled]] = {
    CycleStatus.COMPLETE: Good,
    CycleStatus.FAILED: Bad,
    CycleStatus.OPEN: Name,
    CycleStatus.INTERRUPTED: Warn,
}


def listing(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List the agents of this space, newest first: how many cycles each has recorded, and\n"
        "which process holds it. In a repository, agents that have remembered things in other\n"
        "repositories only are left out, unless --everywhere is given.",
        examples=("holdfast agent list", "holdfast agent list --everywhere --limit 5 --json"),
        does=_list,
    )
    command.add_argument("--everywhere", action="store_true", help="of all repositories")
    _add_limit(command)


def _list(given: Namespace, context: CommandContext) -> None:
    agents = context.holdfast.agents
    found = agents.list(limit=given.limit, everywhere=given.everywhere)
    now = context.holdfast.now()
    if context.output.as_json:
        context.output.json(agents_json(found, at=now))
        return
    if found:
        _show_agents(found, context)
    every = found if given.everywhere else agents.list(limit=given.limit)
    if [one.agent.id for one in every] != [one.agent.id for one in found]:
        context.output.note(_ELSEWHERE)
    elif not found:
        context.output.note(_NO_AGENTS)


def _show_agents(found: Sequence[AgentState], context: CommandContext) -> None:
    rows = [
        (
            Name(one.agent.name),
            str(one.cycles),
            ", ".join(f"{name} {many}" for name, many in one.namespaces.items()),
            _holder(one, context),
            one_line(one.agent.directives),
        )
        for one in found
    ]
    show_table(context.output, ("AGENT", "CYCLES", "NOTES", "HELD BY", "DIRECTIVES"), rows)


def show(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show an agent: its directives and configuration, its namespaces, and who holds it.",
        examples=("holdfast agent show refactor-bot", "holdfast agent show refactor-bot --json"),
        does=_show,
    )
    command.add_argument("name", metavar="AGENT", help=_NAME)


def _show(given: Namespace, context: CommandContext) -> None:
    state = context.holdfast.agents.show(given.name)
    if context.output.as_json:
        context.output.json(one_agent_json(state, at=context.holdfast.now()))
        return
    say = context.output.say
    say(
        Name(state.agent.name),
        "  ",
        Name(state.agent.id),
        f"  since {state.agent.created_at:%Y-%m-%d}",
    )
    for line in state.agent.directives.splitlines():
        say("  > ", line)
    if state.agent.config:
        say("config  ", canonical_json(dict(state.agent.config)))
    say(f"cycles  {state.cycles:,}")
    for name, many in state.namespaces.items():
        say(f"notes   {name} {many:,}")
    say("held by ", _holder(state, context) or "nobody")


def cycles(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List the cycles of an agent, newest first: what it proposed and what came of it. A\n"
        "cycle without a result is interrupted; it is never lost.",
        examples=(
            "holdfast agent cycles refactor-bot",
            "holdfast agent cycles refactor-bot --before 100 --limit 20 --json",
        ),
        does=_cycles,
    )
    command.add_argument("name", metavar="AGENT", help=_NAME)
    command.add_argument(
        "--before", type=values.whole("before"), metavar="INDEX", help="only cycles below INDEX"
    )
    _add_limit(command)


def _cycles(given: Namespace, context: CommandContext) -> None:
    found = context.holdfast.agents.cycles(given.name, limit=given.limit, before=given.before)
    if context.output.as_json:
        context.output.json(cycles_json(found))
    elif found:
        rows = [_row(one) for one in found]
        show_table(context.output, ("CYCLE", "STATUS", "STARTED", "TOOL", "RESULT"), rows)
    else:
        context.output.note("No cycles yet.")


def resume(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show where an agent goes on: its last finished cycle, and what it proposed and never\n"
        "finished. A tool of an unfinished cycle may have run or not: check before you repeat it.",
        examples=(
            "holdfast agent resume refactor-bot",
            "holdfast agent resume refactor-bot --json",
        ),
        does=_resume,
    )
    command.add_argument("name", metavar="AGENT", help=_NAME)


def _resume(given: Namespace, context: CommandContext) -> None:
    found = context.holdfast.agents.resume(given.name)
    if context.output.as_json:
        context.output.json(resumption_json(found))
        return
    say = context.output.say
    if found.last is None:
        say("no finished cycle yet")
    else:
        say(Good("last finished"), f"  cycle {found.last.index:,}  ", *_told(found.last))
    for cycle in found.unfinished:
        say(Warn("unfinished"), f"  cycle {cycle.index:,}  ", *_told(cycle))
    earlier = found.interrupted - len(found.unfinished)
    if earlier > 0:
        context.output.note(Dim(f"{earlier:,} interrupted before that"))


def export(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Export one agent as JSON lines: its memories, itself, its cycles and its namespaces.\n"
        "'holdfast import' reads them on another machine. In this store it does not bring back\n"
        "what was forgotten, for example by 'agent delete'.",
        examples=(
            "holdfast agent export refactor-bot refactor-bot.jsonl",
            "holdfast agent export refactor-bot > refactor-bot.jsonl",
        ),
        does=_export,
    )
    command.add_argument("name", metavar="AGENT", help=_NAME)
    command.add_argument(
        "file", metavar="FILE", nargs="?", default="-", help="where to write (stdout)"
    )


def _export(given: Namespace, context: CommandContext) -> None:
    from holdfast.surfaces.cli.named_files import to_file
    from holdfast.surfaces.cli.verbs.exchange.exchange import tell_written

    found = context.holdfast.agents.export(given.name)
    lines: Iterator[str] = chain([next(found)], found)  # an unknown agent writes no file
    if given.file == "-":
        context.output.lines(lines)
    else:
        tell_written(given.file, to_file(lines, Path(given.file)), context)


def delete(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Delete an agent permanently: its directives, cycles, notes and undecided candidates, and\n"
        "the text of the questions it asked. Memories that a person accepted or rejected stay.\n"
        "The command asks first; without a terminal it needs --yes. An agent that a process has\n"
        "open is refused, unless --force is given. It cannot be undone: an export that was made\n"
        "before brings the agent and its cycles back into this store, but not its notes and\n"
        "candidates, because what was forgotten stays forgotten. 'holdfast undo' does not cover\n"
        "agents.",
        examples=(
            "holdfast agent delete refactor-bot --dry-run",
            "holdfast agent delete refactor-bot --yes",
        ),
        does=_delete,
    )
    add = command.add_argument
    add("name", metavar="AGENT", help=_NAME)
    add("--dry-run", action="store_true", help="show what would be deleted; change nothing")
    add("-y", "--yes", action="store_true", help="do not ask")
    add("--force", action="store_true", help="delete it even if a process has it open")
    add("--reason", metavar="WORDS", default="", help="why; kept with the tombstones")


def _delete(given: Namespace, context: CommandContext) -> int | None:
    wish = DeleteAgent(
        reference=given.name,
        by=context.user,
        reason=given.reason,
        even_if_held=given.force,
        dry_run=True,
    )
    planned = context.holdfast.agents.delete(wish)
    if given.dry_run:
        _show_deleted(planned, context)
        if not context.output.as_json:
            context.output.note(Dim(_FOR_GOOD))
        return None
    if not given.yes and not _is_confirmed(planned, context):
        context.output.note("Nothing was changed.")
        return 1
    done = context.holdfast.agents.delete(
        DeleteAgent(
            reference=planned.agent.id,
            by=context.user,
            reason=given.reason,
            even_if_held=given.force,
        )
    )
    _show_deleted(done, context)
    return None


def _is_confirmed(planned: DeletedAgent, context: CommandContext) -> bool:
    if not is_at_terminal(context):
        raise UsageError(
            problem="Nothing was deleted: this cannot be undone, and there is no terminal for a"
            " question. Look with --dry-run, then add --yes."
        )
    _show_deleted(planned, context)
    context.output.note(_FOR_GOOD)
    return agrees(context, "Delete this agent permanently?")


def _show_deleted(deleted: DeletedAgent, context: CommandContext) -> None:
    if context.output.as_json:
        context.output.json(deleted_agent_json(deleted))
        return
    verb = Warn("would delete") if deleted.dry_run else Good("deleted")
    counts = {"cycle": deleted.cycles, "note": deleted.notes, "candidate": deleted.candidates}
    held = ", ".join(f"{many:,} {noun}{'' if many == 1 else 's'}" for noun, many in counts.items())
    context.output.say(verb, "  ", Name(deleted.agent.name), f"  {held}")
    if deleted.kept:
        context.output.note(Dim(f"kept, because people decided: {', '.join(deleted.kept)}"))
    if deleted.not_yet:
        context.output.complain(deleted.not_yet)


def _row(seen: SeenCycle) -> tuple[str | Styled, ...]:
    cycle = seen.cycle
    tool = "" if cycle.proposal is None else one_line(cycle.proposal.tool)
    summary = "" if cycle.result is None else one_line(cycle.result.summary)
    began = f"{cycle.started_at:%Y-%m-%d %H:%M}"
    return str(cycle.index), _STYLES[seen.status](seen.status.value), began, tool, summary


def _told(cycle: AgentCycle) -> tuple[str | Styled, ...]:
    """Return what a cycle proposed, and its result."""
    if cycle.proposal is None:
        return (Dim("nothing was proposed"),)
    tool = one_line(cycle.proposal.tool)
    if cycle.result is None:
        return (Name(tool), f"  {one_line(cycle.proposal.reasoning)}".rstrip())
    return (Name(tool), f"  {one_line(cycle.result.summary)}")


def _holder(state: AgentState, context: CommandContext) -> str:
    lease = state.lease
    return lease.holder if lease is not None and lease.is_held_at(context.holdfast.now()) else ""


def _add_limit(command: Command) -> None:
    command.add_argument(
        "--limit", type=values.whole("limit"), default=20, metavar="N", help="at most N (20)"
    )
