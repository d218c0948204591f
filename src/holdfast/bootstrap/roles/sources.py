"""What specialists read, and the commands that a person allowed, around a folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.bootstrap.sessions.transcripts import (
    TOOLS,
    bookmarks,
    find_transcripts,
    project_root,
    reader,
)
from holdfast.domain.checks.change import NAMED, AcceptedCommand, CommandEnd, changed_since
from holdfast.domain.checks.kinds import command_mark
from holdfast.domain.checks.scripts import unclear_script
from holdfast.domain.errors import BadFieldError, HoldfastError
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.refusals import NothingToImportError, UnreadableSourceError
from holdfast.domain.roles.commands import check_command, check_command_name
from holdfast.domain.sessions.transcript import Bookmark
from holdfast.domain.values import replace
from holdfast.ports.roles.specialists import NewTranscript
from holdfast.usecases.screening import SecretPolicy, screened
from holdfast.usecases.sessions.sessions import ReadTranscripts, read_on

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.checks.checking import AcceptedCommands
    from holdfast.ports.clock import Clock

_NOT_ALLOWED = "nobody allowed a command of this name on this machine, in this clone"
_NO_REPOSITORY = "there is no repository here"
_SHOWN_OUTPUT = 2_000


class ProjectTranscripts:
    """The transcripts of coding tools that belong to the project around a folder."""

    def __init__(self, folder: Path, home: Path | None, *, is_on: bool = True) -> None:
        self._folder = folder
        self._home = home
        self._is_on = is_on

    def new(self, *, most: int) -> tuple[Sequence[NewTranscript], Sequence[str]]:
        """Return what is new since the bookmarks, and what could not be read, in words."""
        found: list[NewTranscript] = []
        problems: list[str] = []
        root = os.path.realpath(project_root(self._folder))
        for tool in TOOLS if self._is_on else ():
            try:
                files = find_transcripts(tool, [], folder=self._folder)
            except (NothingToImportError, UnreadableSourceError):
                continue
            wish = ReadTranscripts(files=files, folder=root)
            for part in read_on(wish, reader=reader(tool), bookmarks=bookmarks(self._home)):
                found += [NewTranscript(path=part.path, transcript=one) for one in part.new]
                problems += [f"{tool}: line {one.line}: {one.problem}" for one in part.flaws[:3]]
                if len(found) >= most:
                    return found[:most], problems
        return found, problems

    def again(self, tool: str, path: str, session: str) -> Transcript | None:
        """Return a session as its file has it now; None if it is gone."""
        try:
            talks = reader(tool).conversations(path, tell=lambda _: None)
            return next((one for one in talks if one.session == session), None)
        except HoldfastError:
            return None

    def mark(self, path: str, session: str, turn: str) -> None:
        """Store that a session in a file was read up to a turn."""
        kept = bookmarks(self._home)
        known = kept.of(path) or Bookmark()
        kept.put(path, replace(known, last={**known.last, session: turn}))


class AllowedCommands:
    """Named commands in the book of accepted commands, beside those of checks."""

    def __init__(
        self,
        book: AcceptedCommands,
        *,
        repo: Callable[[], str | None],
        clock: Clock,
    ) -> None:
        self._book = book
        self._repo = repo
        self._clock = clock

    def allowed(self) -> Mapping[str, str]:
        """Return the text of each command that may run here, by its name."""
        if self._book.distrust:
            return {}
        return dict(map(_parts, (one.command for one in self._entries())))

    def refusal(self, name: str) -> str:
        """Return why a command does not run here; empty if a person allowed exactly its text."""
        if self._repo() is None:
            return _NO_REPOSITORY
        if distrust := self._book.distrust:
            return distrust
        known = [one for one in self._entries() if _parts(one.command)[0] == name]
        if not known:
            return _NOT_ALLOWED
        if why := unclear_script(_parts(known[-1].command)[1]):
            return why
        return changed_since(known[-1].files, self._book.files_named(_parts(known[-1].command)[1]))

    def files(self, name: str) -> Sequence[str]:
        """Return the scripts whose content was recorded when a command was allowed."""
        known = [one for one in self._entries() if _parts(one.command)[0] == name]
        return sorted(known[-1].files) if known else ()

    def run(self, name: str, *, seconds: float) -> CommandEnd:
        """Run an allowed command in the root of the clone, within its limits."""
        from holdfast.adapters.processes.limited import CommandLimits, run_limited

        if why := self.refusal(name):
            return CommandEnd(exit_code=None, why=why)
        limits = CommandLimits(seconds=seconds)
        end = run_limited(self.allowed()[name], folder=self._book.clone, limits=limits)
        told = end.output.decode("utf-8", "replace").replace("\0", "").strip()[-_SHOWN_OUTPUT:]
        return CommandEnd(
            exit_code=end.exit_code,
            output=screened(told, what="output", secrets=SecretPolicy.REDACT),
            why=end.problem,
            is_offline=end.is_offline,
        )

    def allow(self, name: str, command: str, *, by: str) -> None:
        """Record that a command may run here; another command of that name is replaced.

        Raises:
            NoHistoryError: There is no repository.
            BadFieldError: The name or the text cannot be used, or nothing can be accepted here.
        """
        check_command_name(name)
        check_command(command)
        repo = self._repo()
        if repo is None:
            raise NoHistoryError
        if distrust := self._book.distrust:
            raise BadFieldError(field="command", problem=f"was not allowed: {distrust}.")
        if why := unclear_script(command.strip()):
            raise BadFieldError(field="command", problem=f"was not allowed: {why}.")
        self.disallow(name)
        text = f"{NAMED}{name}: {screened(command.strip(), what='command')}"
        self._book.put(
            AcceptedCommand(
                mark=command_mark(text),
                command=text,
                repo=repo,
                clone=self._book.clone,
                by=screened(by, what="name"),
                at=self._clock.now(),
                is_named=True,
                files=self._book.files_named(_parts(text)[1]),
            )
        )

    def disallow(self, name: str) -> bool:
        """Take that back; return whether it was allowed."""
        found = [one for one in self._entries() if _parts(one.command)[0] == name]
        for one in found:
            self._book.remove(one.mark, repo=one.repo, clone=one.clone)
        return bool(found)

    def _entries(self) -> list[AcceptedCommand]:
        here = (self._repo(), self._book.clone)
        return [
            one for one in self._book.entries() if one.is_named and (one.repo, one.clone) == here
        ]


def _parts(text: str) -> tuple[str, str]:
    name, _, command = text.removeprefix(NAMED).partition(": ")
    return name, command
