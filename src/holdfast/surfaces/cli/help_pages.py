"""Help: all verbs in groups, or one verb with its options and examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.cli.index import GROUPS, INDEX, family
from holdfast.surfaces.cli.present.terminal.colour import Bold, Dim, Name
from holdfast.surfaces.cli.refusals import UnknownWordError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.surfaces.cli.present.terminal.output import Output

_COLUMN = 18


def show_help(words: list[str], output: Output) -> None:
    """Show the help that was asked for."""
    name = " ".join(words[:2])
    if not words:
        _show_all(output)
    elif words[0] in INDEX:
        _show_verb(words[0], output)
    elif name in INDEX:
        _show_verb(name, output)
    elif members := family(words[0]):
        output.say(Bold("usage: "), f"holdfast {words[0]} VERB")
        output.say()
        _show_lines(members, output)
        output.say()
        output.say(Dim(f"'holdfast help {members[0]}' shows one of them with examples."))
    else:
        known = {verb.partition(" ")[0] for verb in INDEX}
        raise UnknownWordError(what="verb", word=name, known=known, help_with="holdfast help")


def _show_all(output: Output) -> None:
    if output.as_json:
        from holdfast.surfaces.wire.tools import verbs_json

        output.json(verbs_json({name: entry[3] for name, entry in INDEX.items()}))
        return
    output.say("Holdfast gives agents a long-term memory that people can trust.")
    output.say()
    output.say(Bold("usage: "), "holdfast VERB [WORDS] [OPTIONS]")
    for group, title in GROUPS.items():
        output.say()
        output.say(Bold(f"{title}:"))
        _show_lines((name for name, entry in INDEX.items() if entry[2] == group), output)
    output.say()
    output.say(Bold("Options of every verb:"))
    output.say(
        "  --json  --home DIR  --space NAME  --store URL  -C/--folder DIR  --no-color\n"
        "  -q/--quiet  -h/--help"
    )
    output.say()
    output.say(Dim("'holdfast help VERB' shows a verb's options with examples that run."))


def _show_lines(names: Iterable[str], output: Output) -> None:
    for name in names:
        output.say("  ", Name(name), " " * max(_COLUMN - len(name), 1), INDEX[name][3])


def _show_verb(name: str, output: Output) -> None:
    from holdfast.surfaces.cli.catalogue import described, verb_json
    from holdfast.surfaces.cli.command import command_for

    if output.as_json:
        output.json(verb_json(described(name)))
        return
    for line in command_for(name).format_help().splitlines():
        is_head = line.endswith(":") and not line.startswith(" ")
        output.say(Bold(line) if is_head else line)
