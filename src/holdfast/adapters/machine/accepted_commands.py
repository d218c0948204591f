"""Records the commands of checks that a person accepted, in one small file of the person.

The file is beside the store and never in a repository. A file that a repository brings, or that
another user may write, counts as empty, so that nobody else can accept a command. It has the hashes
of commands, and no text of a memory: the store may be encrypted, and a memory may be forgotten.
"""

from __future__ import annotations

import json
import os
import stat
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder, write_whole
from holdfast.adapters.disk.failures import disk_problem
from holdfast.adapters.disk.file_locks import turn_at
from holdfast.adapters.disk.json_files import read_json
from holdfast.adapters.machine.clone_id import make_clone_id, read_clone_id
from holdfast.adapters.machine.named_files import named_files
from holdfast.domain.checks.change import NAMED, AcceptedCommand, CommandEnd, changed_since
from holdfast.domain.checks.kinds import command_mark
from holdfast.domain.checks.scripts import unclear_script
from holdfast.domain.errors import UnavailableError
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from holdfast.ports.checks.checking import AcceptedCommands

COMMANDS_FILE = "accepted-commands.json"
_IN_REPOSITORY = "the accepted commands are kept in the repository itself, so none of them counts"
_OF_OTHERS = "other users may write the file of accepted commands, so none of them counts"
_NOT_ACCEPTED = "nobody accepted this command on this machine, for this clone"
_NO_REPOSITORY = "there is no repository here"
_WRITABLE = stat.S_IWGRP | stat.S_IWOTH
_FIELDS = ("mark", "command", "repo", "clone", "by", "at", "clone_id")


class AcceptedCommandsFile:
    """A file of accepted commands; entries that do not fit their own hash do not count.

    ``git_folder`` has the id of the clone; worktrees of one clone share it.
    """

    def __init__(self, path: Path, *, clone: str, git_folder: Path | None = None) -> None:
        self._path = path
        self.clone = clone
        self._git_folder = git_folder

    @property
    def distrust(self) -> str:
        """Why nothing counts as accepted; empty if the file can be trusted."""
        root = os.path.realpath(self.clone) if self.clone else ""
        if root and Path(os.path.realpath(self._path)).is_relative_to(root):
            return _IN_REPOSITORY
        try:
            found = [os.stat(one) for one in (self._path.parent, self._path)]  # noqa: PTH116 - one call each
        except FileNotFoundError:
            return ""
        except OSError as error:
            return f"the file of accepted commands cannot be read: {error.strerror}"
        is_own = all(one.st_uid in {os.geteuid(), 0} for one in found)
        return "" if is_own and not any(one.st_mode & _WRITABLE for one in found) else _OF_OTHERS

    def files_named(self, command: str) -> Mapping[str, str]:
        """Return the hashes of the scripts of this clone that a command names, by their paths."""
        return named_files(command, self.clone)

    def entries(self) -> Sequence[AcceptedCommand]:
        """Return the accepted commands of every repository, oldest first.

        Those of an earlier clone at this path are not among them.
        """
        mine = read_clone_id(self._git_folder)
        if self._has_texts() and not self.distrust:
            with suppress(UnavailableError), self._changing():
                pass
        found = [one for one in self._read() if one.clone != self.clone or one.clone_id == mine]
        return sorted(found, key=lambda one: (one.at, one.command))

    def put(self, accepted: AcceptedCommand) -> None:
        """Record a command for this clone; one that is already there keeps its date.

        Those of an earlier clone at this path are removed.

        Raises:
            UnavailableError: The file cannot be written.
            SettingsUnwritableError: The git folder cannot be written.
        """
        with self._changing() as kept:
            made = replace(
                accepted,
                clone_id=make_clone_id(self._git_folder),
                command=accepted.command if accepted.is_named else "",
            )
            same = [one for one in kept if replace(one, by=made.by, at=made.at) == made]
            kept[:] = [
                one
                for one in kept
                if _key(one) != _key(made)
                and (one.clone != self.clone or one.clone_id == made.clone_id)
            ]
            kept.extend(same[:1] or [made])

    def remove(self, mark: str, *, repo: str, clone: str) -> bool:
        """Remove a command; return whether it was accepted.

        Raises:
            UnavailableError: The file cannot be written.
        """
        with self._changing() as kept:
            before = len(kept)
            kept[:] = [one for one in kept if _key(one) != (mark, repo, clone)]
            return len(kept) != before

    @contextmanager
    def _changing(self) -> Generator[list[AcceptedCommand], None, None]:
        try:
            make_own_folder(self._path.parent)
            with turn_at(self._path.with_suffix(".lock")):
                kept = list(self._read())
                before = list(kept)
                yield kept
                if kept != before or self._has_texts():
                    shapes = [_shape(one) for one in kept]
                    write_whole(self._path, json.dumps(shapes, indent=1).encode())
        except OSError as error:
            raise disk_problem(self._path, error) from error

    def _read(self) -> list[AcceptedCommand]:
        found = [_accepted(one) for one in self._shapes()]
        return [one for one in found if one is not None]

    def _has_texts(self) -> bool:
        """Return whether an earlier version wrote texts of memories into the file."""
        found = [(one, _accepted(one)) for one in self._shapes()]
        return any(one.get("command") for one, known in found if not (known and known.is_named))

    def _shapes(self) -> list[dict[str, object]]:
        try:
            kept = read_json(self._path)
        except (OSError, ValueError):
            return []
        return [one for one in kept if isinstance(one, dict)] if isinstance(kept, list) else []


def _key(one: AcceptedCommand) -> tuple[str, str, str]:
    return one.mark, one.repo, one.clone


def _shape(one: AcceptedCommand) -> dict[str, object]:
    words = (one.mark, one.command, one.repo, one.clone, one.by, one.at.isoformat(), one.clone_id)
    return {**dict(zip(_FIELDS, words, strict=True)), "files": dict(one.files)}


def _accepted(shape: Mapping[str, object]) -> AcceptedCommand | None:
    words = [shape.get(name) for name in _FIELDS]
    texts = [word if isinstance(word, str) else "" for word in words]
    mark, command, repo, clone, by, at, clone_id = texts
    # An entry without an id was written before clones had one: it could be of another clone.
    if not repo or not clone or not clone_id or (command and mark != command_mark(command)):
        return None
    is_named = command.startswith(NAMED)
    files = shape.get("files")
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return None
    return AcceptedCommand(
        mark=mark,
        command=command if is_named else "",
        repo=repo,
        clone=clone,
        by=by,
        at=moment,
        clone_id=clone_id,
        is_named=is_named,
        files=files if isinstance(files, dict) else {},
    )


class AcceptedOnly:
    """Runs accepted commands of this clone; everything else is refused with the reason."""

    def __init__(
        self,
        book: AcceptedCommands,
        *,
        repo: Callable[[], str | None],
        run: Callable[[str, str], CommandEnd],
    ) -> None:
        self._book = book
        self._repo = repo
        self._run = run

    def refusal(self, command: str) -> str:
        """Return why a command does not run here; empty if a person accepted exactly this text."""
        repo = self._repo()
        if repo is None:
            return _NO_REPOSITORY
        if distrust := self._book.distrust:
            return distrust
        if why := unclear_script(command):
            return why
        wanted = (command_mark(command), repo, self._book.clone)
        known = [one for one in self._book.entries() if _key(one) == wanted]
        if not known:
            return _NOT_ACCEPTED
        return changed_since(known[0].files, self._book.files_named(command))

    def run(self, command: str) -> CommandEnd:
        """Run an accepted command in the root of the repository, within its limits."""
        if refusal := self.refusal(command):
            return CommandEnd(exit_code=None, why=refusal)
        return self._run(command, self._book.clone)
