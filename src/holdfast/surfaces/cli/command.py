"""The parser of one verb: argparse with Holdfast's own messages."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from holdfast.surfaces.cli.help_layout import HelpFormatter
from holdfast.surfaces.cli.index import INDEX, module_name
from holdfast.surfaces.cli.unknown_words import UnknownWordError
from holdfast.surfaces.cli.values import UsageError

if TYPE_CHECKING:
    from argparse import Action
    from collections.abc import Callable, Sequence

    from holdfast.surfaces.cli.command_context import CommandContext

    Run = Callable[[Namespace, CommandContext], int | None]


_EVERYWHERE = frozenset(
    {"json", "home", "space", "server", "tenant", "folder", "no_color", "quiet", "help"}
)
"""Where the values of the options that every verb has are kept."""
PATHS = frozenset({"FILE", "DIR", "PATH", "FOLDER", "BASE", "OURS", "THEIRS"})
"""How help calls the values that name a file or a folder."""


class Command(ArgumentParser):
    """The parser of one verb. It raises Holdfast's errors and never exits the program."""

    def __init__(self, name: str) -> None:
        super().__init__(
            prog=f"holdfast {name}",
            add_help=False,
            allow_abbrev=False,
            formatter_class=HelpFormatter,
            argument_default=None,
        )
        self.color = False  # Python 3.14 colours help by default, even with --no-color
        self.verb = name
        self.examples: tuple[str, ...] = ()
        self.does: Run | None = None
        self.may_create_store = False
        self.offered: dict[str, tuple[str, ...]] = {}

    def describe(
        self, text: str, *, examples: tuple[str, ...], does: Run, creates_store: bool = False
    ) -> None:
        """Set the verb's description, its examples, and the function that runs it.

        A verb creates a missing store only if ``creates_store`` is set: it adds something.
        """
        self.may_create_store = creates_store
        self.description = text
        self.examples = examples
        self.epilog = "examples:\n" + "\n".join(f"  {line}" for line in examples)
        self.does = does

    def offer(self, action: Action, words: tuple[str, ...]) -> None:
        """Suggest values of an argument to shells; other values are still accepted."""
        self.offered[action.dest] = words

    def format_usage(self) -> str:
        """Return the usage without the options that every verb has; help lists them below."""
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._own_actions(), self._mutually_exclusive_groups)
        return formatter.format_help()

    def format_help(self) -> str:
        """Return the help page; the options of every verb are in a group of their own."""
        whole = super().format_help()
        long = super().format_usage()
        return self.format_usage() + whole.removeprefix(long)

    def _own_actions(self) -> list[Action]:
        return [
            action
            for action in self._actions
            if not action.option_strings or action.dest not in _EVERYWHERE
        ]

    def every_action(self) -> tuple[Action, ...]:
        """Return every option and argument of the verb, in order."""
        return tuple(self._actions)

    def read(self, words: Sequence[str]) -> Namespace:
        """Parse the words of a command.

        Raises:
            UnknownWordError: An option does not exist; the message names the nearest.
            UsageError: An argument is missing, or given too often.
        """
        given, unread = self.parse_known_args(words)
        if any(not word.startswith("-") for word in unread):
            # Arguments on both sides of an option: this parse is slower, so it is tried second.
            given, unread = self.parse_known_intermixed_args(words)
        for word in unread:
            if word.startswith("-") and word not in {"-", "--"}:
                options = [name for action in self._actions for name in action.option_strings]
                raise UnknownWordError(
                    what="option",
                    word=word.partition("=")[0],
                    known=options,
                    help_with=f"{self.prog} --help",
                )
            raise UsageError(problem=f"'{word}' was not expected here. {self._meant(unread)}")
        self._check_paths(given)
        return given

    def _check_paths(self, given: Namespace) -> None:
        """Refuse an empty path, which is what a shell makes of a variable that is not set."""
        for action in self._actions:
            value = getattr(given, action.dest, None)
            if action.metavar in PATHS and "" in (value if isinstance(value, list) else [value]):
                name = next(iter(action.option_strings), action.metavar)
                what = "a folder" if action.metavar in {"DIR", "FOLDER"} else "a file"
                raise UsageError(problem=f"{name} is empty; it must name {what}.")

    def _meant(self, words: Sequence[str]) -> str:
        """Return how to search for words, if the verb has an option for that."""
        if not any(action.dest == "words" for action in self._actions):
            return self._advice()
        from shlex import quote

        return f"To search for words, use -w: {self.prog} -w {quote(' '.join(words))}"

    def _check_value(self, action: Action, value: object) -> None:
        """Refuse a value that is no choice; argparse itself would list choices as Python does."""
        if action.choices is not None and value not in action.choices:
            name = next(iter(action.option_strings), str(action.metavar or action.dest))
            listed = ", ".join(map(str, action.choices))
            self.error(f"{name}: '{value}' is not one of these: {listed}")

    def error(self, message: str) -> NoReturn:
        """Raise an error with one sentence; argparse itself would print the usage and exit."""
        words = message[:1].upper() + message[1:]
        raise UsageError(problem=f"{words.rstrip('.')}. {self._advice()}")

    def _advice(self) -> str:
        return f"See '{self.prog} --help'."


def command_for(name: str) -> Command:
    """Build the parser of a verb; only that verb's module is imported."""
    command = Command(name)
    describe = getattr(import_module(module_name(name)), INDEX[name][1])
    describe(command)
    add_everywhere(command)
    return command


def add_everywhere(command: Command) -> None:
    """Add the options that every verb has."""
    everywhere = command.add_argument_group("everywhere")
    add = everywhere.add_argument
    add("--json", action="store_true", help="answer in JSON")
    add("--home", metavar="DIR", help="the folder of the store (as HOLDFAST_HOME)")
    add("--space", metavar="NAME", help="the space of the store (as HOLDFAST_SPACE; default)")
    add(
        "--store",
        dest="server",
        metavar="URL",
        help="a server: https://…, postgresql://… or a remote (as HOLDFAST_STORE)",
    )
    add("--tenant", metavar="NAME", help="the tenant on the server (as HOLDFAST_TENANT)")
    add("-C", "--folder", metavar="DIR", help="run in this folder instead of the current one")
    add("--no-color", action="store_true", help="no colours (as NO_COLOR)")
    add("-q", "--quiet", action="store_true", help="print only the answer and errors")
    add("-h", "--help", action="store_true", help="show this help")
