"""All verbs with their options as values, for completion scripts and the reference."""

from __future__ import annotations

from argparse import SUPPRESS
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass
from holdfast.surfaces.cli.command import command_for
from holdfast.surfaces.cli.index import INDEX

if TYPE_CHECKING:
    from argparse import Action


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
        default=None if default in (None, False, []) else str(default),
        is_required=action.required,
        is_repeatable=action.nargs in {"*", "+"} or type(action).__name__ == "_AppendAction",
    )
