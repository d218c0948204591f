"""Help: all verbs in groups, or one verb with its options and examples.

All verbs with their options as values, for completion scripts and the reference.
"""

from __future__ import annotations

from argparse import SUPPRESS
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass
from holdfast.surfaces.cli.command import command_for
from holdfast.surfaces.cli.index import GROUPS, INDEX, family
from holdfast.surfaces.cli.present.terminal.colour import Bold, Dim, Name
from holdfast.surfaces.cli.unknown_words import UnknownWordError

if TYPE_CHECKING:
    from argparse import Action
    from collections.abc import Iterable

    from holdfast.surfaces.cli.present.terminal.output import Output


_COLUMN = 18
_ALL = "all"
_EVERYDAY = (
    "init", "remember", "recall", "list", "show", "review", "approve", "undo", "forget", "status",
)  # fmt: skip
_TOPIC = 12
_MORE = {
    "look": "ui, web, verify, blame, diff, context, explain, related, check",
    "decide": "reject, edit, conflicts, resolve, curate, prune, revert, protect",
    "work": "task, session, run, hydrate, supervise, agent, workspace",
    "share": "sync, trust, export, import, hooks, adapters, mcp",
    "maintain": "doctor, model, config, key, store, serve, token, remote, db",
}
_HEADS = ("verb", "what it ends", "what happens", "undone by")
_WAYS_TO_END = (
    ("reject", "a candidate", "is not imported again", "undo"),
    ("resolve", "two claims in conflict", "one, both or one merged", "undo"),
    ("edit", "a wording", "another one replaces it", "undo"),
    ("remember --key", "a claim", "another one replaces it", "undo"),
    ("curate --deprecate", "an accepted memory", "is no longer recalled", "undo"),
    ("prune", "old, unused memories", "deprecated, then gone", "undo"),
    ("revert", "all from one source", "rejected, with effects", "undo"),
    ("undo", "a decision", "everything is as before", "deciding"),
    ("forget", "a memory", "every byte is removed", "nothing"),
)
"""The verbs that end something: what they are for, what stays, and what takes them back."""


def show_help(words: list[str], output: Output) -> None:
    """Show the help that was asked for."""
    name = " ".join(words[:2])
    if not words:
        _show_everyday(output)
    elif words == [_ALL]:
        _show_all(output)
    elif words[0] in _MORE and not output.as_json:
        _show_topic(words[0], output)
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


def _show_everyday(output: Output) -> None:
    """Write the verbs of every day, on one screen, and where the other ones are."""
    if output.as_json:
        _show_all(output)
        return
    output.say("Holdfast gives agents a long-term memory that people can trust.")
    output.say()
    output.say(Bold("usage: "), "holdfast VERB [WORDS] [OPTIONS]")
    output.say()
    _show_lines(_EVERYDAY, output)
    output.say()
    for topic, verbs in _MORE.items():
        output.say("  ", Dim(topic), " " * (_TOPIC - len(topic)), verbs)
    output.say()
    output.say(Name("holdfast help VERB"), "    options and examples; also: help decide")
    output.say(Name("holdfast help all"), "     every verb in a line")


def _show_topic(topic: str, output: Output) -> None:
    """Write the verbs of a topic, a line each."""
    for word in _MORE[topic].split(", "):
        _show_lines(family(word) or [word], output)
    if topic != "decide":
        return
    output.say()
    output.say(Bold("Which verb ends what:"))
    widths = [max(map(len, column)) for column in zip(_HEADS, *_WAYS_TO_END, strict=True)]
    for row in (_HEADS, *_WAYS_TO_END):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        first, rest = cells[0], "  ".join(cells[1:]).rstrip()
        is_head = row is _HEADS
        output.say("  ", (Dim if is_head else Name)(first), "  ", Dim(rest) if is_head else rest)


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
        "  --json  --home DIR  --space NAME  --store URL  --tenant NAME  -C/--folder DIR\n"
        "  --no-color  -q/--quiet  -h/--help"
    )
    output.say()
    output.say(Dim("'holdfast help VERB' shows a verb's options with examples that run."))


def _show_lines(names: Iterable[str], output: Output) -> None:
    shown = list(names)
    column = max(_COLUMN, *(len(name) + 2 for name in shown))
    for name in shown:
        output.say("  ", Name(name), " " * (column - len(name)), INDEX[name][3])


def _show_verb(name: str, output: Output) -> None:
    from holdfast.surfaces.cli.command import command_for

    if output.as_json:
        output.json(verb_json(described(name)))
        return
    for line in command_for(name).format_help().splitlines():
        is_head = line.endswith(":") and not line.startswith(" ")
        output.say(Bold(line) if is_head else line)


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionPage:
    """One option or argument of a verb."""

    names: tuple[str, ...]
    meaning: str
    value: str | None
    choices: tuple[str, ...]
    default: str | None
    is_required: bool
    is_repeatable: bool

    @property
    def is_positional(self) -> bool:
        """Return whether it is positional."""
        return not self.names[0].startswith("-")


@dataclass(frozen=True, slots=True, kw_only=True)
class VerbPage:
    """One verb: its purpose, its arguments, and its examples."""

    name: str
    group: str
    summary: str
    description: str
    usage: str
    examples: tuple[str, ...]
    options: tuple[OptionPage, ...]


def catalogue() -> tuple[VerbPage, ...]:
    """Return every verb; this imports all their modules."""
    return tuple(described(name) for name in INDEX)


def described(name: str) -> VerbPage:
    """Return one verb, read from its parser."""
    command = command_for(name)
    _, _, group, summary = INDEX[name]
    return VerbPage(
        name=name,
        group=group,
        summary=summary,
        description=command.description or "",
        usage=" ".join(command.format_usage().removeprefix("usage: ").split()),
        examples=command.examples,
        options=tuple(
            _option(action, command.offered.get(action.dest, ()))
            for action in command.every_action()
        ),
    )


def verb_json(page: VerbPage) -> dict[str, object]:
    """Return a verb as JSON."""
    return {
        "verb": page.name,
        "group": page.group,
        "summary": page.summary,
        "description": page.description,
        "usage": page.usage,
        "examples": list(page.examples),
        "options": [
            {
                "names": list(option.names),
                "meaning": option.meaning,
                "value": option.value,
                "choices": list(option.choices),
                "default": option.default,
                "required": option.is_required,
                "repeatable": option.is_repeatable,
            }
            for option in page.options
        ],
    }


def _written(default: object) -> str:
    """Return a default as a person would type it."""
    return ",".join(map(str, default)) if isinstance(default, list | tuple) else str(default)


def _option(action: Action, offered: tuple[str, ...]) -> OptionPage:
    choices = tuple(str(choice) for choice in action.choices or offered)
    takes_value = action.nargs != 0
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    default = action.default
    return OptionPage(
        names=tuple(action.option_strings) or (name,),
        meaning=(action.help or "") if action.help != SUPPRESS else "",
        value=name if takes_value and action.option_strings else None,
        choices=choices,
        default=None if default in (None, False, []) else _written(default),
        is_required=action.required,
        is_repeatable=action.nargs in {"*", "+"} or type(action).__name__ == "_AppendAction",
    )
