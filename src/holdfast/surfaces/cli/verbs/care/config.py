"""config list, get, set, unset, path: the person's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.bootstrap.opening.wiring import SETTINGS
from holdfast.bootstrap.plugs.scanning import SETTING as INDEX
from holdfast.bootstrap.plugs.scanning import lacks_packages
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.wire.tools import setting_json, settings_json, settings_path_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def show_all(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List every setting: its value, the source of the value, and its meaning. An\n"
        "environment variable overrides the file: recall.budget is HOLDFAST_RECALL_BUDGET.",
        examples=("holdfast config list", "holdfast config list --json"),
        does=_list,
    )


def _list(_given: Namespace, context: CommandContext) -> None:
    by_name = sorted(SETTINGS, key=lambda setting: setting.name)
    found = [(setting, *context.settings.value(setting.name)) for setting in by_name]
    if context.output.as_json:
        context.output.json(settings_json(found))
        return
    rows = [(Name(setting.name), value, Dim(origin), setting.meaning)
            for setting, value, origin in found]  # fmt: skip
    show_table(context.output, ("NAME", "VALUE", "FROM", "MEANING"), rows)


def show_one(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show the value of one setting.",
        examples=("holdfast config get recall.budget", "holdfast config get user --json"),
        does=_get,
    )
    _add_name(command)


def _get(given: Namespace, context: CommandContext) -> None:
    _show(given.name, context)


def change(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Change a setting; other lines of the settings file stay as they are.",
        examples=(
            "holdfast config set recall.budget 4000",
            "holdfast config set remember.ttl 90d",
        ),
        does=_set,
    )
    _add_name(command)
    command.add_argument("value", metavar="VALUE", help="its new value")


def _set(given: Namespace, context: CommandContext) -> None:
    context.tells_health = True  # the error about a damaged file says it; a warning would repeat it
    context.settings.set(given.name, given.value)
    _show(given.name, context)
    if given.name == INDEX and lacks_packages(given.value):
        context.output.note(
            Warn("not usable yet"),
            "  recall searches by words until: pip install 'holdfast[chroma]'",
        )


def restore(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Remove a setting from the settings file, so that its default applies again.",
        examples=("holdfast config unset recall.budget", "holdfast config unset user --json"),
        does=_unset,
    )
    _add_name(command)


def _unset(given: Namespace, context: CommandContext) -> None:
    context.tells_health = True  # the error about a damaged file says it; a warning would repeat it
    context.settings.set(given.name, None)
    _show(given.name, context)


def show_path(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Print the path of the settings file; the file need not exist.",
        examples=("holdfast config path", "holdfast config path --json"),
        does=_path,
    )


def _path(_given: Namespace, context: CommandContext) -> None:
    path = str(context.settings.path)
    if context.output.as_json:
        context.output.json(settings_path_json(path))
    else:
        context.output.say(path)


def _add_name(command: Command) -> None:
    names = tuple(setting.name for setting in SETTINGS)
    # The settings file refuses an unknown name and lists the known ones.
    name = command.add_argument("name", metavar="NAME", help=f"one of {', '.join(names)}")
    command.offer(name, names)


def _show(name: str, context: CommandContext) -> None:
    value, origin = context.settings.value(name)
    if context.output.as_json:
        context.output.json(setting_json(name, value, origin=origin))
    else:
        context.output.say(value)
        context.output.note(Dim(f"from the {origin}"))
