"""Installs pieces into other programs' files, and removes them without a trace.

All changes are planned before any is written, so that an unsuitable file leaves all others
unchanged.

Plans the change of one file of another program.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.tools.disk import drop_folders, make_folders, store, text_of
from holdfast.adapters.tools.file_job import FileVersions, Job, state_of
from holdfast.adapters.tools.ledger import InstallLedger
from holdfast.adapters.tools.values import FileChange, FileState, PieceState, ToolPart, ToolPiece
from holdfast.adapters.tools.writing import MarkedBlock
from holdfast.domain.refusals import (
    LeadsElsewhereError,
    SettingsChangedError,
    SettingsUnreadableError,
    SettingsUnwritableError,
)
from holdfast.domain.text.managed import CommentStyle, find_block
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence


_LEFT = "left"
_TRACKED = (
    "git tracks this file, and a commit would contain the path of your Python;"
    " use --project for the whole project, or --user for yourself"
)


def _none_of(_paths: Collection[Path]) -> Collection[Path]:
    return ()


class ToolInstaller:
    """Changes the files of a project and a home; the ledger is in Holdfast's own home."""

    def __init__(
        self,
        *,
        store: Path,
        root: Path,
        exclude: Path | None = None,
        tracked: Callable[[Collection[Path]], Collection[Path]] = _none_of,
    ) -> None:
        self._ledger = InstallLedger(store)
        self._root = Path(os.path.realpath(root))
        self._exclude = exclude
        self._tracked = tracked

    def look(self, pieces: Iterable[ToolPiece]) -> tuple[PieceState, ...]:
        """Return the state of each piece; a piece in an unreadable file counts as absent."""
        with self._ledger.open(is_dry=True):
            return tuple(self._standing(piece) for piece in pieces)

    def change(
        self,
        *,
        put: Sequence[ToolPiece],
        take: Sequence[ToolPiece] = (),
        is_dry: bool = False,
        is_forced: bool = False,
        is_private: bool = False,
    ) -> tuple[FileChange, ...]:
        """Install pieces and remove others; return the changes, and what was left and why.

        Raises:
            EditedByHandError: One of them was edited, and ``is_forced`` is false.
            LeadsElsewhereError: A file is a link out of the project.
            SettingsUnreadableError: A file has an unexpected format.
            SettingsUnwritableError: A file cannot be written; nothing was changed.
        """
        changes: list[FileChange] = []
        sheets: list[FileVersions] = []
        machines = {self._real(one) for one in put if one.part is not ToolPart.INSTRUCTIONS}
        tracked = self._tracked(machines) if is_private else ()
        with self._ledger.open(is_dry=is_dry):
            for path in dict.fromkeys(self._real(piece) for piece in (*put, *take)):
                record = self._ledger.records.get(str(path))
                job = Job(path, text_of(path), record, is_forced=is_forced)
                self._plan(job, put=put, take=take, is_tracked=path in tracked)
                changes += job.changes
                if job.is_changed:
                    sheets.append(job.sheet())
            wanted = {self._real(one) for one in put}
            sheets += self._excluding(sheets, wanted, is_private=is_private)
            if not is_dry:
                self._write(sheets)
        return _told_once(changes)

    def _plan(
        self, job: Job, *, put: Sequence[ToolPiece], take: Sequence[ToolPiece], is_tracked: bool
    ) -> None:
        """Plan what changes in one file."""
        for piece in take:
            if self._real(piece) == job.path:
                job.take(piece)
        for piece in put:
            if self._real(piece) != job.path:
                continue
            if is_tracked and piece.part is not ToolPart.INSTRUCTIONS:
                job.leave(piece, _TRACKED)
            else:
                job.put(piece)

    def _excluding(
        self, sheets: Sequence[FileVersions], wanted: set[Path], *, is_private: bool
    ) -> list[FileVersions]:
        """Exclude new files of one person from git, without changing a tracked file."""
        if self._exclude is None:
            return []
        path = Path(os.path.realpath(self._exclude))
        text = text_of(path)
        block = find_block(text or "")
        before = block.body.split("\n") if block else []
        lines = dict.fromkeys(before)
        for shared in () if is_private else wanted:
            lines.pop(self._pattern(shared), None)
        for sheet in sheets:
            line = self._pattern(sheet.path)
            if sheet.after is None or sheet.path in wanted:
                lines.pop(line, None)
            if is_private and sheet.path in wanted and sheet.is_ours and line:
                lines[line] = None
        if list(lines) == before or (block and not block.is_untouched):
            return []
        return [self._listing(path, text, list(lines))]

    def _pattern(self, path: Path) -> str:
        """Return the line that excludes a file from git; '' for one outside the project."""
        return f"/{path.relative_to(self._root)}" if path.is_relative_to(self._root) else ""

    def _listing(self, path: Path, text: str | None, lines: list[str]) -> FileVersions:
        writing = MarkedBlock(body="\n".join(lines), comment=CommentStyle.HASH)
        piece = ToolPiece(tool="git", part=ToolPart.INSTRUCTIONS, path=path, writing=writing)
        job = Job(path, text, self._ledger.records.get(str(path)), is_forced=True)
        if lines:
            job.put(piece)
        else:
            job.take(piece)
        return job.sheet()

    def _standing(self, piece: ToolPiece) -> PieceState:
        try:
            path = self._real(piece)
            text = text_of(path)
            record = self._ledger.records.get(str(path))
            state, line = state_of(piece, text, record)
        except (LeadsElsewhereError, SettingsUnreadableError):
            return PieceState(piece=piece, state=FileState.ABSENT)
        return PieceState(piece=piece, state=state, line=line)

    def _real(self, piece: ToolPiece) -> Path:
        """Return the real file of a piece; a link in the project must stay in the project."""
        real = Path(os.path.realpath(piece.path))
        root = self._root
        if piece.path.is_relative_to(root) and not real.is_relative_to(root):
            raise LeadsElsewhereError(str(piece.path), str(real))
        return real

    def _write(self, sheets: Sequence[FileVersions]) -> None:
        for sheet in sheets:
            if text_of(sheet.path) != sheet.before:
                raise SettingsChangedError(str(sheet.path))
        done: list[tuple[FileVersions, tuple[str, ...]]] = []
        for sheet in sheets:
            try:
                done.append((sheet, make_folders(sheet.path)))
                store(sheet.path, sheet.after, is_program=sheet.is_program)
            except OSError as error:
                _undo(done)
                raise SettingsUnwritableError(str(sheet.path), error.strerror) from error
        for sheet, folders in done:
            self._note(sheet, folders)

    def _note(self, sheet: FileVersions, folders: tuple[str, ...]) -> None:
        name = str(sheet.path)
        known = self._ledger.records.pop(name, None)
        made = folders or (known.folders if known else ())
        if sheet.record is not None:
            self._ledger.records[name] = replace(sheet.record, folders=made)
        elif sheet.after is None:
            # Folders that another file still needs are not empty; its record takes them over.
            left = drop_folders(made)
            for other, record in self._ledger.records.items():
                if left and Path(other).is_relative_to(left[0]):
                    folders = tuple(dict.fromkeys((*left, *record.folders)))
                    self._ledger.records[other] = replace(record, folders=folders)
                    break


def _told_once(changes: Sequence[FileChange]) -> tuple[FileChange, ...]:
    """Return the changes; a file that one form of a piece fits was not left for another form."""
    done = {(one.tool, one.part, one.path) for one in changes if one.done != _LEFT}
    return tuple(
        one
        for one in dict.fromkeys(changes)
        if one.done != _LEFT or (one.tool, one.part, one.path) not in done
    )


def _undo(done: Sequence[tuple[FileVersions, tuple[str, ...]]]) -> None:
    """Restore the written files after a later file could not be written."""
    for sheet, folders in reversed(done):
        with suppress(OSError):
            store(sheet.path, sheet.before, is_program=sheet.is_program)
        drop_folders(folders)
