"""Removes the text of a forgotten memory from the files below ``.holdfast``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.files.clone_state import ForgottenTexts
from holdfast.adapters.files.disk import UnreadableError, held_lock, open_folder, read_file
from holdfast.adapters.files.entries import ReadEntry, read_pieces
from holdfast.adapters.files.generated_mark import is_as_made
from holdfast.adapters.files.late_saves import Rescue, Settler
from holdfast.adapters.files.pages import HOME, MEMORY
from holdfast.adapters.files.replacing import Stash, Swapper
from holdfast.adapters.files.session_files import SessionBases, is_in_session_file
from holdfast.domain.refusals import PageUnwritableError
from holdfast.domain.review.traces import Reach, Trace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from holdfast.domain.review.traces import GoneText

_MOST_TRIES = 20
_STATE = "what Holdfast keeps in the git folder"
_COMMIT = "Commit this change of the page."
_EDITED = "The entry was edited after it was written. Take it out of the page yourself."
_ANOTHER = "The entry is another memory, {memory}, which repeats this. Edit or forget that one too."
_BY_HAND = "A person wrote this. Take the text out of it yourself."
_SET_ASIDE = "This is a save of yours that was set aside. Delete it when you no longer need it."
INSTRUCTIONS = (
    *("AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", "CONVENTIONS.md", "README.md"),
    *(".github/copilot-instructions.md", ".windsurfrules", ".cursorrules", ".clinerules"),
)


class FileTraces:
    """The pages of one working tree, and the files that were generated beside them."""

    def __init__(self, root: Path, state: Path, *, store: str = "", shown: str = "") -> None:
        self._shown = shown
        self._root = root
        self._state = state
        self._texts = ForgottenTexts(state, store)
        self._bases = SessionBases(state, store)
        self._lock = state / "pages.lock"
        stash = Stash(state / "pages")
        self._rescue = Rescue(state)
        self._swapper = Swapper(root, stash)
        self._settler = Settler(root, stash, self._rescue, self._swapper)

    def __str__(self) -> str:
        return f"{self._root / HOME}"

    def remove(self, gone: Sequence[GoneText]) -> Sequence[Trace]:
        """Remove entries and generated pages with a text; return every place that held one.

        Raises:
            PagesBusyError: Another process holds the lock past the timeout.
            PageUnwritableError: The disk is full or the permissions do not allow it.
        """
        if not (self._root / MEMORY).is_dir():
            return ()
        for one in gone:
            self._texts.add(one.claim)
        with held_lock(self._lock):
            self._settler.settle()
            found = [
                trace
                for path in self._files()
                for one in gone
                for trace in self._taken_out(path, one)
            ]
            self._settler.settle()
            found += [trace for one in gone for trace in self._displaced(one)]
            if self._bases.drop(gone):
                found.append(Trace(place=_STATE, reach=Reach.REMOVED))
        return (*found, *(trace for one in gone for trace in self._instructions(one)))

    def _files(self) -> list[str]:
        """Return every file below ``.holdfast``, as a path from the repository's root."""
        found = []
        for path in sorted((self._root / HOME).rglob("*")):
            if path.is_file() and not path.is_symlink():
                found.append(path.relative_to(self._root).as_posix())
        return found

    def _taken_out(self, path: str, gone: GoneText) -> Iterator[Trace]:
        content = self._content(path)
        if content is None or not (_holds(content, gone) or _names(content, gone)):
            return
        if is_as_made(content) or self._is_written_session(path, content, gone):
            (self._root / path).unlink(missing_ok=True)
            yield Trace(place=f"{self._shown}{path}", reach=Reach.REMOVED)
            return
        if path.startswith(f"{MEMORY}/") and self._without_entry(path, gone):
            yield Trace(place=f"{self._shown}{path}", reach=Reach.REMOVED, advice=_COMMIT)
        is_page = path.startswith(f"{MEMORY}/")
        left = self._content(path)
        if left is not None and (_holds(left, gone) or (is_page and _names(left, gone))):
            advice = _why_left(left, path, gone) if is_page else _BY_HAND
            yield Trace(
                place=f"{self._shown}{path}:{_line(left, gone)}", reach=Reach.LEFT, advice=advice
            )

    def _is_written_session(self, path: str, content: bytes, gone: GoneText) -> bool:
        """Tell whether the text is in a file of a session that nobody edited since a sync."""
        base = self._bases.of(path)
        return base is not None and base.text.encode() == content and _holds(content, gone)

    def _without_entry(self, path: str, gone: GoneText) -> bool:
        """Remove the entry from a page; return whether it held one with that text."""
        for _ in range(_MOST_TRIES):
            content = self._content(path) or b""
            fresh = without_entries(content, path, gone)
            if fresh == content:
                return False
            if self._swapper.swap(path, content, fresh):
                return True
        raise PageUnwritableError(path, "somebody saves it without a pause")

    def _displaced(self, gone: GoneText) -> Iterator[Trace]:
        """Drop merged saves that are in their page; return the copies that were set aside."""
        for one in list(self._rescue.rescued()):
            if _holds(one.joined, gone) or _holds(one.without, gone):
                one.path.unlink(missing_ok=True)
                yield Trace(place=_STATE, reach=Reach.REMOVED)
        for path in sorted(self._state.glob("kept/*")) + sorted(self._state.glob("pages/*")):
            if _holds(path.read_bytes(), gone):
                yield Trace(place=str(path), reach=Reach.LEFT, advice=_SET_ASIDE)

    def _instructions(self, gone: GoneText) -> Iterator[Trace]:
        """Return the files for coding tools that hold the text; their owner edits them."""
        for name in INSTRUCTIONS:
            content = self._content(name)
            if content is not None and _holds(content, gone):
                place = f"{self._shown}{name}:{_line(content, gone)}"
                yield Trace(place=place, reach=Reach.LEFT, advice=_BY_HAND)

    def _content(self, path: str) -> bytes | None:
        *parts, name = path.split("/")
        try:
            with open_folder(self._root, *parts) as folder:
                return None if folder is None else read_file(folder, name)
        except UnreadableError:
            return None


def without_entries(content: bytes, path: str, gone: GoneText) -> bytes:
    """Return a page without the entries that hold the forgotten text; the rest is unchanged."""
    text = content.decode("utf-8", "surrogateescape")
    kept = [
        piece.text
        for piece, read in read_pieces(text, path)
        if not (isinstance(read, ReadEntry) and gone.is_entry(read.entry.uid, read.entry.body))
    ]
    return "".join(kept).encode("utf-8", "surrogateescape")


def _why_left(content: bytes, path: str, gone: GoneText) -> str:
    """Return why a page still has the text: an entry was edited, or is another memory."""
    text = content.decode("utf-8", "surrogateescape")
    others = [
        read.entry.uid if isinstance(read, ReadEntry) else None
        for piece, read in read_pieces(text, path)
        if is_in_session_file(piece.text, gone) or gone.memory in piece.text
    ]
    own = {None, gone.memory, *gone.names}
    if not others or own.intersection(others):
        return _EDITED
    return _ANOTHER.format(memory=others[-1])


def _holds(content: bytes, gone: GoneText) -> bool:
    return is_in_session_file(content.decode("utf-8", "surrogateescape"), gone)


def _names(content: bytes, gone: GoneText) -> bool:
    return gone.memory.encode() in content


def _line(content: bytes, gone: GoneText) -> int:
    """Return the last line number at or before the start of the text, or of the name."""
    lines = content.split(b"\n")
    for number in range(len(lines), 0, -1):
        rest = b"\n".join(lines[number - 1 :])
        if _holds(rest, gone) or _names(rest, gone):
            return number
    return 1
