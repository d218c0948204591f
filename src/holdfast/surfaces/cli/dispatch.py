"""Run a command: find the verb, import only its module, run it, and return an exit code.

Commands that coding tools and git call: they always end with exit code 0.

Several tools read another exit code as "block what you were about to do". So a mistake in a
settings file, or in a later version of a tool, must not stop the tool. The error goes to a log and,
on a terminal, to stderr.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from holdfast.domain.errors import (
    HoldfastError,
    NeedsPersonError,
    StoreDamagedError,
    UnstorableTextError,
)
from holdfast.surfaces.cli.advising.advice import worded
from holdfast.surfaces.cli.index import INDEX, family
from holdfast.surfaces.cli.present.terminal.output import Output, OutputLostError
from holdfast.surfaces.cli.unknown_words import UnknownWordError
from holdfast.surfaces.cli.values import UnusableFileError, UsageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence

    from holdfast.surfaces.cli.command import Run
    from holdfast.surfaces.cli.command_context import CommandContext


_VALUED = frozenset({"--home", "--space", "--store", "--tenant", "-C", "--folder"})
_FOR_PEOPLE = frozenset({"log", "propose"})
_HELP = frozenset({"-h", "--help"})


def called_by_tool(words: Sequence[str]) -> list[str]:
    """Return the words after ``hook`` or ``hooks run``; empty for every other command."""
    if not _HELP.isdisjoint(words):
        return []
    rest = _from_verb(words)
    if rest[:1] == ["hook"] and not _FOR_PEOPLE.intersection(rest[1:2]):
        return rest[1:] or ["hook"]
    return rest[1:] if rest[:2] == ["hooks", "run"] else []


def end_well(perform: Callable[[], int], called: Sequence[str], output: Output, home: str) -> int:
    """Run the command of a tool and return 0; log the error, if there is one."""
    try:
        return perform()
    except HoldfastError as error:
        trouble = worded(error)
    except (BrokenPipeError, OutputLostError):
        return 0  # a tool may ignore the answer; that is no error
    except Exception as error:  # noqa: BLE001 - the last door: the tool must go on, whatever this is
        trouble = f"This is a bug in Holdfast: {type(error).__name__}"
    from holdfast.bootstrap.hooks.attending import note_trouble
    from holdfast.surfaces.hook.program import empty_answer

    note_trouble(home, who=" ".join(called[:2])[:60], what=trouble)
    output.text(empty_answer(called))
    if sys.stderr is not None and sys.stderr.isatty():
        output.complain(trouble)
    return 0


def _from_verb(words: Sequence[str]) -> list[str]:
    """Return the words from the verb on, without the options before it."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in _VALUED else 1
    return list(words[place:])


_FLAGS = frozenset({"--json", "--no-color", "-q", "--quiet"})

_JOINED = ("--home=", "--space=", "--store=", "--tenant=", "--folder=", "-C")
_CHOOSING = ("--home", "--space", "--store", "--tenant", "--folder", "-C")
_NEEDS = {"--space": "a name", "--store": "an address", "--tenant": "a name"}

INTERRUPTED = 130
CLOSED_PIPE = 141


def run(words: Sequence[str]) -> int:
    """Run one command and return its exit code. It never raises."""
    before_dashes = list(words[: words.index("--")] if "--" in words else words)
    output = Output(
        as_json="--json" in before_dashes,
        is_quiet="-q" in before_dashes or "--quiet" in before_dashes,
        may_colour="--no-color" not in before_dashes,
    )
    if called := called_by_tool(before_dashes):
        home = _named_home(before_dashes) or ""
        code = end_well(lambda: _perform(words, before_dashes, output), called, output, home)
    else:
        code = _guarded(words, before_dashes, output)
    try:
        output.flush()
    except BrokenPipeError:
        return _closed_pipe()
    except OSError as error:
        return _unwritable(error)
    return code


def _guarded(words: Sequence[str], before_dashes: list[str], output: Output) -> int:
    try:
        return _perform(words, before_dashes, output)
    except HoldfastError as error:
        from holdfast.surfaces.cli.failure import tell

        # The store does not know which word of the command it was.
        is_any = isinstance(error, UnstorableTextError) and error.facts["what"] == "text"
        return tell((_no_text(words) if is_any else None) or error, output)
    except KeyboardInterrupt:
        output.complain("")
        return INTERRUPTED
    except BrokenPipeError:
        return _closed_pipe()
    except OutputLostError as lost:
        return _unwritable(lost.error)
    except Exception as error:  # noqa: BLE001 - the last door: a person must never see a traceback
        return _tell_fault(error, words, output, home=_named_home(before_dashes))


def _tell_fault(error: Exception, words: Sequence[str], output: Output, *, home: str | None) -> int:
    """Report a bug; or a word that is no text or no usable path; or a missing library."""
    from holdfast.surfaces.cli.failure import tell, tell_bug

    if isinstance(error, UnicodeEncodeError) and (refused := _no_text(words)):
        return tell(refused, output)
    if isinstance(error, OSError) and (path := _named_path(error, words)):
        return tell(UnusableFileError(path=path, problem=error.strerror), output)
    if isinstance(error, ModuleNotFoundError) and error.name == "apsw":
        from holdfast.domain.database_errors import NoSqliteError

        return tell(NoSqliteError(), output)
    return tell_bug(error, output, home=home)


def _no_text(words: Sequence[str]) -> UsageError | None:
    """Return the error about a word of the command that is no text, if one is not."""
    odd = _not_text(words)
    problem = f"'{odd}' is no UTF-8 text, so nothing can match it."
    return UsageError(problem=problem) if odd else None


def _named_path(error: OSError, words: Sequence[str]) -> str:
    """Return the word that names the path which the system refused; empty if none does."""
    if not isinstance(error.filename, str):
        return ""
    refused = os.path.abspath(error.filename)  # noqa: PTH100 - a path that cannot be resolved
    for word in words:
        value = word.partition("=")[2] if word.startswith("--") else word
        named = os.path.abspath(os.path.expanduser(value))  # noqa: PTH100, PTH111 - as above
        is_folder = os.path.isdir(named)  # noqa: PTH112 - as above
        is_below = refused.startswith(f"{named}/") and not is_folder
        if value and (refused == named or is_below):
            return value
    return ""


def _not_text(words: Sequence[str]) -> str:
    """Return the first argument that is no text, readable; empty if all are. Paths may be none."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            return word.encode(errors="backslashreplace").decode()
    return ""


def _named_home(words: list[str]) -> str | None:
    """Return the home folder that a command names, even if the rest of the command is invalid.

    A space with an invalid name has no folder.
    """
    from holdfast.bootstrap.plugs.spaces import folder_of, wanted_space

    try:
        space = wanted_space(_named(words, "--space"))
    except HoldfastError:
        return _named(words, "--home")
    return folder_of(space, _named(words, "--home") or "") or None


def _named(words: list[str], option: str) -> str | None:
    for place, word in enumerate(words):
        if word == option and place + 1 < len(words):
            return words[place + 1]
        if word.startswith(f"{option}="):
            return word.removeprefix(f"{option}=")
    return None


def _perform(words: Sequence[str], before_dashes: list[str], output: Output) -> int:
    if any("\0" in word for word in words):
        raise UsageError(
            problem="An argument contains a NUL character, which no file name or text can contain."
        )
    leading, rest = _split(words)
    if "--version" in leading:
        return _version(output)
    wants_help = not _HELP.isdisjoint(before_dashes)
    if not rest or rest[0] == "help":
        return _help(rest[1:], output)
    name, arguments = _verb(rest, wants_help=wants_help)
    if wants_help:
        return _help(name.split(), output)
    from holdfast.surfaces.cli.command import command_for

    command = command_for(name)
    given = command.read([*leading, *arguments])
    if any(word.startswith(_CHOOSING) for word in before_dashes):
        from holdfast.surfaces.cli.present.terminal.pasting import chosen_store

        output.chosen = chosen_store(given)
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.surfaces.cli.rows import read_numbers

    context = CommandContext(given, output, may_create_store=command.may_create_store)
    try:
        if command.does is None:
            raise UsageError(problem=f"'{name}' cannot be run.")
        read_numbers(command, given, context)
        _admit(name, given, context, [*leading, *rest])
        return _run_verb(command.does, given, context, [*leading, *rest])
    except StoreDamagedError:
        context.tells_health = True  # the error says it; a warning would repeat it
        raise
    finally:
        context.close()


def _admit(name: str, given: Namespace, context: CommandContext, words: list[str]) -> None:
    """Ask for a person before the verb starts, if the verb needs one."""
    from holdfast.surfaces.cli.permissions import RULES

    operation = RULES[name].operation(given)
    if operation not in context.principal.may:
        from holdfast.surfaces.cli.person import admit

        admit(context, operation, words=words)


def _run_verb(does: Run, given: Namespace, context: CommandContext, words: list[str]) -> int:
    """Run a verb; if the application needs a person for it, ask for one and run the verb again."""
    try:
        return does(given, context) or 0
    except NeedsPersonError as error:
        from holdfast.domain.access_errors import MayNotError
        from holdfast.surfaces.cli.person import admit

        if not isinstance(error, MayNotError):
            raise
        admit(context, error.operation, words=words)
    return does(given, context) or 0


def _split(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the options before the verb, and the remaining words."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        word = words[place]
        if word in _VALUED:
            place += 2
            if place > len(words):
                what = _NEEDS.get(word, "a folder")
                raise UsageError(problem=f"{word} needs {what}. See 'holdfast help'.")
        elif word in _FLAGS | _HELP or word.startswith(_JOINED):
            place += 1
        elif word == "--version":
            return ["--version"], []
        else:
            known = [*_FLAGS, *_VALUED, *_HELP, "--version"]
            raise UnknownWordError(what="option", word=word, known=known, help_with="holdfast help")
    return list(words[:place]), list(words[place:])


def _verb(rest: list[str], *, wants_help: bool) -> tuple[str, list[str]]:
    """Return the verb, of one word or two, and the remaining words."""
    first = rest[0]
    if first in INDEX:
        return first, rest[1:]
    members = family(first)
    if not members:
        known = {name.partition(" ")[0] for name in INDEX} | {"help"}
        raise UnknownWordError(what="verb", word=first, known=known, help_with="holdfast help")
    if wants_help and (len(rest) == 1 or rest[1].startswith("-")):
        return first, []
    subverbs = [name.partition(" ")[2] for name in members]
    if len(rest) == 1 or rest[1].startswith("-"):
        raise UsageError(problem=f"'{first}' needs one of: {', '.join(subverbs)}.")
    if rest[1] not in subverbs:
        raise UnknownWordError(
            what="verb",
            word=f"{first} {rest[1]}",
            known=members,
            help_with=f"holdfast {first} --help",
            group=f"{first} ",
        )
    return f"{first} {rest[1]}", rest[2:]


def _help(words: list[str], output: Output) -> int:
    from holdfast.surfaces.cli.help_pages import show_help

    show_help(_without_options(words), output)
    return 0


def _without_options(words: list[str]) -> list[str]:
    """Return the words without options and without the values of the options that have one."""
    before = ["", *words]
    return [
        word
        for word, last in zip(words, before, strict=False)
        if not word.startswith("-") and last not in _VALUED
    ]


def _version(output: Output) -> int:
    from holdfast import __version__

    if output.as_json:
        from holdfast.surfaces.wire.tools import version_json

        output.json(version_json(__version__))
    else:
        output.say(f"holdfast {__version__}")
    return 0


def _closed_pipe() -> int:
    """Exit quietly: the reader of the output closed the pipe."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())
    return CLOSED_PIPE


def _unwritable(error: OSError) -> int:
    """Report that the answer could not be written, for example to a full disk."""
    from holdfast.surfaces.cli.failure import tell

    _closed_pipe()
    return tell(
        UnusableFileError(path="The output", problem=error.strerror, done="written"), Output()
    )
