"""import: read an export, or other tools' notes and transcripts."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.choices import Scope
from holdfast.domain.refusals import BadExchangeError
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.permissions import GIT, NOTES, TRANSCRIPTS
from holdfast.surfaces.cli.present.terminal.colour import Good
from holdfast.surfaces.cli.standard_input import decoded, piped_lines
from holdfast.surfaces.cli.values import MissingFileError, UnusableFileError, UsageError, closest
from holdfast.surfaces.wire.intake import brought_json
from holdfast.usecases.screening import SecretPolicy

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Generator, Iterable, Iterator
    from typing import BinaryIO

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.surfaces.cli.present.terminal.progress import ProgressBar
    from holdfast.usecases.exchange.exchange import Brought


# No line of an export comes near: a claim has at most 64 KB, and its evidence a few times that.
_LONGEST_LINE = 1 << 24
_BURIED = (
    "The lines that were left out are about memories that were forgotten in this store. What was\n"
    "forgotten stays forgotten, also if an export brings it back."
)
_REFUSED = 2
_PAGES = frozenset({".md", ".mdc", ".markdown", ".mdx"})
_RECORDS = frozenset({"adr", "adrs", "decisions"})
_FOR_TRANSCRIPTS = frozenset({"again", "turns"})
_FOR_NOTES = ("dry-run", "scope", "accept", "yes", "all", "again", "turns", "verbose")


def bring_in(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Read an export into the store. Records that the store has already stay as they are, so\n"
        "run an interrupted import again. Forgotten memories stay forgotten. Every text passes\n"
        "the same gates as with 'remember'; a line that a gate refuses is named, and the exit\n"
        "code is 2.\n"
        "\n"
        "'import git' reads the commits of this repository instead: they become no memories, but\n"
        "evidence that 'recall --include memory,history' finds. Write ./git for a file of that\n"
        "name. Other names import the notes of other tools, as candidates that wait for you:\n"
        "instructions, adr, beads, claude-memory, codex-memories, basic-memory, claude-mem, mem0,\n"
        "mcp-memory, and transcripts [claude|codex|gemini|copilot|opencode|aider|chat]. --dry-run\n"
        "shows them first. --turns also keeps what was said in transcripts, for 'recall --include\n"
        "sessions'.",
        examples=(
            "holdfast import backup.jsonl",
            "holdfast import git --since 2024-01-01",
            "holdfast import transcripts --since 14d",
        ),
        does=_import,
        creates_store=True,
    )
    add = command.add_argument
    what = add("file", metavar="FILE", help="an export; '-' is standard input; or a name of these")
    command.offer(what, (GIT, *NOTES, TRANSCRIPTS))
    add(
        "paths",
        metavar="PATH",
        nargs="*",
        default=[],
        help="where the notes are, if not in the usual place",
    )
    add("--since", metavar="DATE", help="with git and transcripts: only after this time")
    add("--dry-run", action="store_true", help="only show what each note would become")
    add(
        "--scope",
        type=values.scope,
        choices=tuple(Scope),
        metavar="SCOPE",
        help="where the memories are visible",
    )
    add(
        "--accept",
        action="store_true",
        help="accept what is added; asks first, unless --yes is given",
    )
    add("-y", "--yes", action="store_true", help="with --accept: do not ask")
    add("--all", action="store_true", help="with claude-mem: from every project")
    add("--again", action="store_true", help="read transcripts from the start again")
    add("--turns", action="store_true", help="with transcripts: keep what was said, in whole")
    add(
        "--verbose",
        action="store_true",
        help="list what was left out of the notes, with the reason",
    )
    secrets = command.add_mutually_exclusive_group()
    secrets.add_argument("--redact", action="store_true", help="keep texts without their secrets")
    secrets.add_argument(
        "--allow-secret", action="store_true", help="keep texts that look like secrets"
    )


def _import(given: Namespace, context: CommandContext) -> int:
    if given.file in {*NOTES, TRANSCRIPTS}:
        from holdfast.surfaces.cli.verbs.exchange import take_over

        is_talk = given.file == TRANSCRIPTS
        return take_over.transcripts(given, context) if is_talk else take_over.notes(given, context)
    _check_name(given.file)
    _check_words(given)
    if given.file == GIT:
        from holdfast.surfaces.cli.verbs.exchange.commits import read_history

        return read_history(given, context)
    policy = SecretPolicy.REFUSE
    if given.redact or given.allow_secret:
        policy = SecretPolicy.REDACT if given.redact else SecretPolicy.ALLOW
    with context.progress("importing") as progress:
        if given.file == "-":
            lines = piped_lines()
            brought = context.holdfast.exchange.bring_in(
                lines, secrets=policy, tell=_tells(progress)
            )
        else:
            # The file is opened first: without it, no store is created.
            with _opened(given.file) as file:
                lines = decoded(_read(file, given.file, progress))
                brought = context.holdfast.exchange.bring_in(lines, secrets=policy)
    return _show(brought, context)


def _check_name(word: str) -> None:
    """Refuse a name that cannot be an export, and name the import that is meant."""
    if word in {"-", GIT}:
        return
    path = Path(word)
    if not path.exists():
        if near := closest(word.casefold(), (GIT, *NOTES, TRANSCRIPTS)):
            raise UsageError(
                problem=f"There is no file {word}. Did you mean '{near}'? holdfast import {near}"
            )
        if path.suffix or len(path.parts) > 1:
            return
        kinds = ", ".join(sorted((GIT, *NOTES, TRANSCRIPTS)))
        raise UsageError(
            problem=f"There is no file {word}, and no kind of import has that name."
            f" Give the file of an export, or one of: {kinds}."
        )
    what = "a folder" if path.is_dir() else "no export" if _is_page(path) else ""
    if what:
        folders = {part.casefold() for part in path.absolute().parts[-2:]}
        meant = "instructions" if _RECORDS.isdisjoint(folders) else "adr"
        raise UsageError(
            problem=f"{word} is {what}; 'holdfast import' alone takes an export (lines of JSON)."
            f" To bring in what is written there: holdfast import {meant} {word}"
        )


def _is_page(path: Path) -> bool:
    from holdfast.domain.exchange.foreign import NAMES, SINGLE_FILES

    return path.suffix.casefold() in _PAGES or path.name in {*NAMES, *SINGLE_FILES}


def _check_words(given: Namespace) -> None:
    """Refuse options that only apply to other tools' notes."""
    if given.since is not None and given.file != GIT:
        raise UsageError(problem="--since goes with 'holdfast import git' and transcripts.")
    options = [name for name in _FOR_NOTES if getattr(given, name.replace("-", "_"))]
    if options and options[0] in _FOR_TRANSCRIPTS:
        raise UsageError(problem=f"--{options[0]} goes with 'holdfast import transcripts'.")
    if given.paths or options:
        extra = f"--{options[0]}" if options else f"'{given.paths[0]}'"
        names = ", ".join((*NOTES, TRANSCRIPTS))
        raise UsageError(problem=f"{extra} goes with one of: {names}.")


def _tells(progress: ProgressBar) -> Callable[[Brought], None]:
    return lambda brought: progress(brought.added + brought.known, 0)


@contextmanager
def export_file(name: str, context: CommandContext) -> Generator[Iterable[str], None, None]:
    """Yield the lines of an export; '-' is standard input."""
    if name == "-":
        yield piped_lines()
        return
    with context.progress("reading") as progress, _opened(name) as file:
        yield decoded(_read(file, name, progress))


def _opened(name: str) -> BinaryIO:
    from holdfast.bootstrap.machine.named_file import open_named

    try:
        return open_named(Path(name))
    except FileNotFoundError:
        raise MissingFileError(name) from None
    except OSError as error:
        raise UnusableFileError(path=name, problem=error.strerror, done="read") from error


def _read(file: BinaryIO, name: str, progress: ProgressBar) -> Iterator[bytes]:
    size, done, number = os.fstat(file.fileno()).st_size, 0, 0
    while line := _line(file, name):
        done, number = done + len(line), number + 1
        if len(line) > _LONGEST_LINE:
            raise BadExchangeError(number, f"it is longer than {_LONGEST_LINE:,} bytes.")
        progress(done, size)
        yield line


def _line(file: BinaryIO, name: str) -> bytes:
    """Return the next line; files of the kernel may open and refuse to be read."""
    try:
        return file.readline(_LONGEST_LINE + 1)
    except OSError as error:
        raise UnusableFileError(path=name, problem=error.strerror, done="read") from error


def _show(brought: Brought, context: CommandContext) -> int:
    if context.output.as_json:
        context.output.json(brought_json(brought))
    else:
        for refusal in brought.refused:
            context.output.complain(refusal)
        words = f" {brought.added:,} added, {brought.known:,} known already"
        refused = f", {len(brought.refused):,} refused" if brought.refused else ""
        buried = f", {brought.buried:,} left out" if brought.buried else ""
        context.output.say(Good("imported"), words + buried + refused)
        if brought.buried:
            context.output.note(_BURIED)
    return _REFUSED if brought.refused else 0
