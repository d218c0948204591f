"""export, import: write everything as JSON lines, read it back, and import others' notes."""

from __future__ import annotations

import os
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.choices import Scope
from holdfast.domain.lookup_errors import IncompleteExportError
from holdfast.domain.refusals import BadExchangeError
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.permissions import GIT, NOTES, TRANSCRIPTS
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good
from holdfast.surfaces.cli.standard_input import piped_lines
from holdfast.surfaces.cli.values import MissingFileError, UnusableFileError, UsageError, closest
from holdfast.surfaces.wire.intake import brought_json, exported_json, read_commits_json
from holdfast.usecases.screening import SecretPolicy

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Generator, Iterable, Iterator
    from typing import BinaryIO

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.surfaces.cli.present.terminal.output import ProgressBar
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


def export(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Write everything as JSON lines, to standard output or to a file that only you can\n"
        "read; the file appears complete or not at all. 'holdfast import' reads it again.\n"
        "Memories keep the branch they were written on. --here writes only the memories that\n"
        "are visible in this checkout: nothing from other repositories or branches, and no\n"
        "questions or sessions. --notes writes them as a folder of linked Markdown notes, which\n"
        "note programs such as Obsidian open; run it again to replace the notes.",
        examples=(
            "holdfast export backup.jsonl",
            "holdfast export --here team.jsonl",
            "holdfast export --notes vault",
        ),
        does=_export,
    )
    command.add_argument("file", metavar="FILE", nargs="?", default="-", help="'-' is stdout")
    command.add_argument(
        "--here", action="store_true", help="only the memories that are visible in this checkout"
    )
    command.add_argument("--notes", metavar="DIR", help="write linked notes into this folder")


def _export(given: Namespace, context: CommandContext) -> None:
    if given.notes is not None and given.file != "-":
        raise UsageError(problem="--notes writes a folder; give no file beside it.")
    # Closing the generator ends its read transaction, however the writing ends.
    exported = context.holdfast.exchange.export(here_only=given.here or given.notes is not None)
    incomplete: list[IncompleteExportError] = []
    with context.progress("exporting") as progress, closing(exported) as everything:
        lines = _counted(_noting(everything, incomplete), progress)
        if given.notes is not None:
            from holdfast.surfaces.cli.verbs.exchange.notes import write_notes

            count = write_notes(lines, Path(given.notes))
        else:
            count = to_stdout(lines) if given.file == "-" else to_file(lines, Path(given.file))
    if given.notes is not None:
        tell_written(given.notes, count, context, noun="notes")
    elif given.file != "-":
        tell_written(given.file, count, context)
    for error in incomplete:
        raise error


def _noting(lines: Iterator[str], incomplete: list[IncompleteExportError]) -> Iterator[str]:
    """Yield all lines; note the error that reports rows left out, so that the file is kept."""
    try:
        yield from lines
    except IncompleteExportError as error:
        incomplete.append(error)


def tell_written(file: str, count: int, context: CommandContext, *, noun: str = "lines") -> None:
    """Say how many lines were written into a file, and remember the file for later scrubbing."""
    context.machine.beside_store.note_written(Path(file))
    if context.output.as_json:
        context.output.json(exported_json(file, lines=count))
    else:
        context.output.say(Good("exported"), f" {count:,} {noun} to {file}")


def _counted(lines: Iterable[str], progress: ProgressBar) -> Iterator[str]:
    for count, line in enumerate(lines, start=1):
        progress(count, 0)
        yield line


def to_stdout(lines: Iterable[str]) -> int:
    """Write UTF-8 whatever the terminal's encoding is, because an export must read back exactly."""
    if sys.stdout is None:
        return 0
    sys.stdout.flush()
    count = 0
    for line in lines:
        sys.stdout.buffer.write(line.encode("utf-8") + b"\n")
        count += 1
    return count


def to_file(lines: Iterable[str], path: Path) -> int:
    """Write lines into a file that only its owner can read, complete or not at all."""
    if not path.name:
        raise UnusableFileError(path=f"'{path}'", problem="it names no file", done="written")
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    count = 0
    try:
        file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(file, "wb") as opened:
            for line in lines:
                opened.write(line.encode("utf-8") + b"\n")
                count += 1
            opened.flush()
            os.fsync(opened.fileno())
        fresh.replace(path)
    except OSError as error:
        raise UnusableFileError(path=str(path), problem=error.strerror, done="written") from error
    finally:
        fresh.unlink(missing_ok=True)
    return count


def bring_in(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Take an export in. What is here already stays as it is, so an import that was cut off\n"
        "is simply run again. What was forgotten here stays forgotten. Every text passes the same\n"
        "gates as with 'remember'; a line that does not is refused and named, and the exit code\n"
        "is 2.\n"
        "\n"
        "'import git' reads the commits of this repository instead: they become no memories, but\n"
        "evidence that 'recall --include memory,history' finds. A file of that name is ./git.\n"
        "Other names bring in what others noted, as candidates that wait for you: instructions,\n"
        "adr, beads, claude-memory, codex-memories, basic-memory, claude-mem, mem0, mcp-memory,\n"
        "and transcripts [claude|codex|gemini|copilot|opencode|aider|chat]. --dry-run shows them\n"
        "first. --turns also keeps what was said in transcripts, for 'recall --include sessions'.",
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
        return _read_history(given, context)
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
                lines = _read(file, progress)
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


def _read_history(given: Namespace, context: CommandContext) -> int:
    with context.progress("reading commits") as progress:
        read = context.holdfast.code.read_history(progress, since=given.since)
    if context.output.as_json:
        context.output.json(read_commits_json(read))
    else:
        commits = "1 commit" if read.total == 1 else f"{read.total:,} commits"
        counts = f"{read.new:,} new, {read.known:,} known"
        context.output.say(Good("read"), f" {commits} of this repository: {counts}")
        hint = 'holdfast recall --include memory,history "why is this so"'
        context.output.note(Dim(f"find them with: {hint}"))
    return 0


def _tells(progress: ProgressBar) -> Callable[[Brought], None]:
    return lambda brought: progress(brought.added + brought.known, 0)


@contextmanager
def export_file(name: str, context: CommandContext) -> Generator[Iterable[str], None, None]:
    """Yield the lines of an export; '-' is standard input."""
    if name == "-":
        yield piped_lines()
        return
    with context.progress("reading") as progress, _opened(name) as file:
        yield _read(file, progress)


def _opened(name: str) -> BinaryIO:
    try:
        return Path(name).open("rb")
    except FileNotFoundError:
        raise MissingFileError(name) from None
    except OSError as error:
        raise UnusableFileError(path=name, problem=error.strerror, done="read") from error


def _read(file: BinaryIO, progress: ProgressBar) -> Iterator[str]:
    size, done, number = os.fstat(file.fileno()).st_size, 0, 0
    while line := file.readline(_LONGEST_LINE + 1):
        done, number = done + len(line), number + 1
        if len(line) > _LONGEST_LINE:
            raise BadExchangeError(number, f"it is longer than {_LONGEST_LINE:,} bytes.")
        progress(done, size)
        yield line.decode("utf-8", "replace")


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
