"""adapters install, remove, status, plugin: connect and disconnect coding tools."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.bootstrap.machine.tools import (
    TOOLS,
    Connecting,
    FileChange,
    FileState,
    InstallScope,
    ToolPart,
    advice_for,
)
from holdfast.domain.errors import UnknownChoiceError
from holdfast.domain.refusals import PageLeftError
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.wire.tools import changes_json, plugin_json, tools_json

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.bootstrap.machine.tools import PartStatus
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_WORDS = {
    FileState.ABSENT: "-",
    FileState.INSTALLED: "installed",
    FileState.OUTDATED: "outdated",
    FileState.EDITED: "edited",
    FileState.YOURS: "your own",
}


def install(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Connect coding tools to memory: hooks that tell them the memories, instructions for\n"
        "tools without hooks, and the MCP server. Without a name, each tool that is found is\n"
        "connected. Each tool gets a memory through one of these ways only. Your own text in\n"
        "those files is preserved, and 'remove' restores the files.",
        examples=(
            "holdfast adapters install claude codex --dry-run",
            "holdfast adapters install claude --with statusline",
            "holdfast adapters install gemini --project --json",
        ),
        does=_install,
    )
    _add_words(command)
    command.add_argument("--dry-run", action="store_true", help="only show what would change")
    command.add_argument(
        "--force", action="store_true", help="replace text that was edited by hand"
    )


def _install(given: Namespace, context: CommandContext) -> None:
    changed = context.machine.tools.connect(_wish(given, context))
    if not given.dry_run and any(one.part is ToolPart.INSTRUCTIONS for one in changed):
        with suppress(PageLeftError):
            context.machine.tools.collect_context(lambda: context.holdfast)
    _show_changes(changed, context, is_dry=given.dry_run, none="every tool is connected already")
    hooked = [one.tool for one in changed if one.part is ToolPart.HOOKS and one.done != "left"]
    for line in advice_for(hooked):
        context.output.note(line)
    _warn_of_context(context)


def _warn_of_context(context: CommandContext) -> None:
    """Say if tools would read a context that Holdfast did not write on this machine."""
    for flaw in context.machine.tools.foreign_context():
        context.output.complain(f"{flaw.path}: {flaw.problem}.")


def remove(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Disconnect coding tools (without a name, all of them), and restore every file.",
        examples=(
            "holdfast adapters remove --dry-run",
            "holdfast adapters remove codex",
            "holdfast adapters remove --user --json",
        ),
        does=_remove,
    )
    _add_words(command)
    command.add_argument("--dry-run", action="store_true", help="only show what would change")
    command.add_argument(
        "--force", action="store_true", help="also remove text that was edited by hand"
    )


def _remove(given: Namespace, context: CommandContext) -> None:
    changed = context.machine.tools.disconnect(_wish(given, context))
    _show_changes(changed, context, is_dry=given.dry_run, none="no tool is connected")


def status(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show for each tool whether it is found here, which parts are connected, whether it\n"
        "trusts the hooks (some tools ask people for that), and whether it would get a memory\n"
        "twice.",
        examples=("holdfast adapters status", "holdfast adapters status claude --json"),
        does=_status,
    )
    _add_tools(command)


def _status(given: Namespace, context: CommandContext) -> None:
    found = context.machine.tools.status(tuple(given.tools))
    if context.output.as_json:
        context.output.json(tools_json(found))
        return
    rows = [
        (
            Name(one.tool),
            one.found or "-",
            *(_part_words(part) for part in one.parts if part.part is not ToolPart.STATUSLINE),
            f"{one.seen_at:%Y-%m-%d %H:%M}" if one.seen_at else "-",
        )
        for one in found
    ]
    heads = ("TOOL", "FOUND", "INSTRUCTIONS", "HOOKS", "MCP", "LAST HOOK")
    show_table(context.output, heads, rows)
    for one in found:
        if one.failed:
            context.output.note(Warn(one.tool), f": a hook failed: {one.failed}")
        for note in one.notes:
            context.output.note(Warn(one.tool), f": {note}.")


def plugin(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Write a folder that Claude Code, Codex and Copilot CLI use as a plug-in: hooks, the\n"
        "MCP server and two skills. Use it instead of 'adapters install', not together with it.",
        examples=(
            "holdfast adapters plugin ./holdfast-plugin",
            "holdfast adapters plugin ./plugin-for-all --project --json",
        ),
        does=_plugin,
    )
    command.add_argument("target", metavar="DIR", help="the folder to write")
    command.add_argument(
        "--project", action="store_true", help="start holdfast by its name, for everybody"
    )
    command.add_argument("--dry-run", action="store_true", help="only show what would change")
    command.add_argument("--force", action="store_true", help="overwrite files that differ")


def _plugin(given: Namespace, context: CommandContext) -> None:
    target = Path(os.path.normpath(context.folder / Path(given.target).expanduser()))
    wish = Connecting(
        scope=InstallScope.PROJECT if given.project else InstallScope.PRIVATE,
        space=context.space,
        is_dry=given.dry_run,
        is_forced=given.force,
    )
    written = context.machine.tools.write_plugin(target, wish)
    if context.output.as_json:
        context.output.json(plugin_json(target, written, is_dry=given.dry_run))
        return
    for path in written:
        context.output.say(Good("would be written" if given.dry_run else "written"), f"  {path}")
    if not written:
        context.output.note("Nothing to do: the folder is as it should be.")
    context.output.note(f"Claude Code: claude --plugin-dir {target / 'holdfast'}")
    context.output.note(f"Codex: codex plugin marketplace add {target}")


def _add_words(command: Command) -> None:
    _add_tools(command)
    scope = command.add_mutually_exclusive_group()
    scope.add_argument(
        "--project", action="store_true", help="in files that the whole project shares"
    )
    scope.add_argument("--user", action="store_true", help="in your own settings, for all projects")
    command.add_argument(
        "--with",
        dest="parts",
        metavar="PARTS",
        help=f"only these, with commas between: {', '.join(ToolPart)}",
    )


def _add_tools(command: Command) -> None:
    tools = command.add_argument("tools", metavar="TOOL", nargs="*", help=", ".join(TOOLS))
    command.offer(tools, tuple(TOOLS))


def _wish(given: Namespace, context: CommandContext) -> Connecting:
    scope = (
        InstallScope.PROJECT
        if given.project
        else InstallScope.USER
        if given.user
        else InstallScope.PRIVATE
    )
    return Connecting(
        tools=tuple(given.tools),
        parts=_parts(given.parts),
        scope=scope,
        space=context.space,
        is_dry=given.dry_run,
        is_forced=given.force,
    )


def _parts(words: str | None) -> frozenset[ToolPart]:
    names = [one.strip() for one in (words or "").split(",") if one.strip()]
    for name in names:
        if name not in set(ToolPart):
            raise UnknownChoiceError(what="part", value=name, choices=ToolPart)
    return frozenset(ToolPart(name) for name in names)


def _show_changes(
    changed: Sequence[FileChange], context: CommandContext, *, is_dry: bool, none: str
) -> None:
    if context.output.as_json:
        context.output.json(changes_json(changed, is_dry=is_dry))
        return
    done = [one for one in changed if one.done != "left"]
    for one in done:
        said = f"would be {one.done}" if is_dry else one.done
        context.output.say(
            Good(said), "  ", Name(one.tool), f" {one.part.value}", Dim(f"  {one.path}")
        )
    if not done:
        # What is left in a file has a path; what a tool does not offer has none.
        is_held = any(one.path is not None for one in changed)
        context.output.note("Nothing was changed." if is_held else f"Nothing to do: {none}.")
    for one in changed:
        if one.done == "left":
            context.output.note(Dim(f"{one.tool} {one.part.value}: {one.reason}."))


def _part_words(part: PartStatus) -> str:
    words = _WORDS[part.state]
    return f"{words} ({', '.join(part.scopes)})" if part.scopes else words
