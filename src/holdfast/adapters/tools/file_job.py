"""The planned changes of one file of another program."""

from __future__ import annotations

from pathlib import Path

from holdfast.adapters.tools.ledger import Record, digest_of
from holdfast.adapters.tools.stores import store_named
from holdfast.adapters.tools.values import FileChange, FileState, ToolPiece
from holdfast.adapters.tools.writing import MarkedBlock, MisfitError, TextDraft, Whole, without
from holdfast.domain.refusals import (
    EditedByHandError,
    SettingsUnreadableError,
)
from holdfast.domain.values import dataclass

_YOURS = "there is one already that holdfast did not write; --force replaces it"
_YOURS_STAYS = "holdfast did not write what is there; --force removes it"
_OTHER_STORE = (
    "it is connected to another store already ({store}); 'holdfast adapters remove' disconnects it"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileVersions:
    """A file before and after the change: None if it does not exist."""

    path: Path
    before: str | None
    after: str | None
    record: Record | None
    is_program: bool = False

    @property
    def is_ours(self) -> bool:
        """Return whether the file exists only because of Holdfast."""
        return self.record is not None and self.record.is_new


class Job:
    """The planned changes of one file."""

    def __init__(
        self, path: Path, text: str | None, record: Record | None, *, is_forced: bool
    ) -> None:
        self.path = path
        self.before = text
        self.changes: list[FileChange] = []
        self._is_forced = is_forced
        is_exact = record is not None and text is not None and digest_of(text) == record.digest
        self._is_exact = is_exact
        self._known = record
        self._draft = TextDraft(text or "", record.spans if record and is_exact else None)
        self._parts = dict(record.parts) if record else {}
        self._is_gone = text is None
        self._is_program = False

    def put(self, piece: ToolPiece) -> None:
        """Plan to install a piece."""
        state, line = self._state(piece)
        writing = piece.writing
        if isinstance(writing, MarkedBlock):
            seen = writing.seen(self._draft.text)
            writing = writing.shared_with(_joined(seen.owners if seen else (), piece.tool))
            if state is FileState.INSTALLED and seen and seen.owners != writing.owners:
                # Installed for other tools already, but new for this one.
                state = FileState.ABSENT
        if state is FileState.INSTALLED:
            return
        if state in {FileState.EDITED, FileState.YOURS} and not self._may_replace(
            piece, state, line, self._why_left(piece)
        ):
            return
        try:
            is_new = self._is_gone
            if state is not FileState.ABSENT and not isinstance(writing, MarkedBlock):
                is_new = writing.take(self._draft)
            writing.put(self._draft, is_new=is_new)
        except MisfitError as error:
            raise SettingsUnreadableError(str(self.path), error.line, error.problem) from error
        self._is_gone = False
        self._is_program = isinstance(writing, Whole) and writing.is_program
        self._parts[piece.part.value] = digest_of(writing.words)
        self._say(piece, "installed" if state is FileState.ABSENT else "renewed")

    def leave(self, piece: ToolPiece, reason: str) -> None:
        """Say why a piece is not installed."""
        self._say(piece, "left", reason=reason)

    def take(self, piece: ToolPiece) -> None:
        """Plan to remove a piece; a block stays if other tools share it."""
        if self._is_gone:
            return
        state, line = self._state(piece)
        if state is FileState.ABSENT:
            return
        if state in {FileState.EDITED, FileState.YOURS} and not self._may_replace(
            piece, state, line, _YOURS_STAYS
        ):
            return
        writing = piece.writing
        if isinstance(writing, MarkedBlock) and self._stays_for_others(piece, writing):
            return
        self._parts.pop(piece.part.value, None)
        if self._is_exact and not self._parts:
            self._restore()
        elif writing.take(self._draft):
            self._is_gone = self._known is None or self._known.is_new
        self._say(piece, "removed")

    def _stays_for_others(self, piece: ToolPiece, block: MarkedBlock) -> bool:
        seen = block.seen(self._draft.text)
        if seen is None or not seen.owners or seen.owners == (piece.tool,):
            return False
        if piece.tool in seen.owners:
            others = tuple(one for one in seen.owners if one != piece.tool)
            _as_it_is(block, seen.words).shared_with(others).put(self._draft, is_new=False)
            self._say(piece, "removed")
        return True

    def _restore(self) -> None:
        self._draft = TextDraft(without(self._draft.text, self._draft.spans()))
        self._is_gone = self._known is not None and self._known.is_new

    def _state(self, piece: ToolPiece) -> tuple[FileState, int]:
        text = None if self._is_gone else self._draft.text
        return state_of(piece, text, self._known, path=self.path)

    def _may_replace(self, piece: ToolPiece, state: FileState, line: int, reason: str) -> bool:
        if self._is_forced:
            return True
        if state is FileState.EDITED:
            raise EditedByHandError(str(self.path), line)
        self._say(piece, "left", reason=reason)
        return False

    def _why_left(self, piece: ToolPiece) -> str:
        seen = piece.writing.seen(self._draft.text)
        store = None if seen is None else store_named(seen.words)
        return _YOURS if store is None else _OTHER_STORE.format(store=" ".join(store) or "default")

    def _say(self, piece: ToolPiece, done: str, *, reason: str = "") -> None:
        self.changes.append(
            FileChange(tool=piece.tool, part=piece.part, path=piece.path, done=done, reason=reason)
        )

    @property
    def is_changed(self) -> bool:
        """Return whether the file will change."""
        return (None if self._is_gone else self._draft.text) != self.before

    def sheet(self) -> FileVersions:
        """Return the file before and after, and its ledger record."""
        after = None if self._is_gone else self._draft.text
        record = None
        if after is not None and self._parts:
            was_there = self.before is not None if self._known is None else not self._known.is_new
            record = Record(
                digest=digest_of(after),
                spans=self._draft.spans(),
                parts=self._parts,
                is_new=not was_there,
            )
        return FileVersions(
            path=self.path,
            before=self.before,
            after=after,
            record=record,
            is_program=self._is_program,
        )


def state_of(
    piece: ToolPiece, text: str | None, record: Record | None, *, path: Path | None = None
) -> tuple[FileState, int]:
    """Return the state of a piece in a text, and its line.

    Raises:
        SettingsUnreadableError: The text has not the format of such a file.
    """
    try:
        seen = None if text is None else piece.writing.seen(text)
    except MisfitError as error:
        shown = str(path or piece.path)
        raise SettingsUnreadableError(shown, error.line, error.problem) from error
    if seen is None:
        return FileState.ABSENT, 1
    if seen.words == piece.writing.words and seen.is_untouched is not False:
        return FileState.INSTALLED, seen.line
    if seen.is_untouched is not None:
        return (FileState.OUTDATED if seen.is_untouched else FileState.EDITED), seen.line
    noted = record.parts.get(piece.part.value) if record else None
    if noted is None:
        return FileState.YOURS, seen.line
    return (FileState.OUTDATED if noted == digest_of(seen.words) else FileState.EDITED), seen.line


def _joined(owners: tuple[str, ...], tool: str) -> tuple[str, ...]:
    return tuple(sorted({*owners, tool}))


def _as_it_is(block: MarkedBlock, words: str) -> MarkedBlock:
    """Return the block with its current words: removing a tool's name changes nothing else."""
    return MarkedBlock(body=words, comment=block.comment)
