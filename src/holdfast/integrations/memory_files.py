"""Text files below /memories, with the commands and the answers of Anthropic's memory tool.

A file is a document, and its text is a memory that people see. A folder is a document without a
text. Every change can be undone.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, cast
from uuid import uuid4

from holdfast.domain.documents.document import (
    DocumentChangedError,
    DropDocument,
    PutDocument,
)
from holdfast.domain.errors import HoldfastError
from holdfast.integrations.file_records import (
    ROOT,
    FileRefusedError,
    change_of,
    digest_of,
    fields_of,
    is_folder,
    lines_with,
    mark_of,
    place_of,
    refuse,
    text_of,
)
from holdfast.integrations.file_views import (
    MOST_LINES,
    lines_without_tail,
    listing,
    numbered,
    snippet,
)
from holdfast.integrations.shelf import told

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.domain.documents.document import FrameworkDocument
    from holdfast.integrations.file_records import MemoryFileChange
    from holdfast.integrations.shelf import DocumentShelf

FILES, CHANGES = "anthropic-memory", "anthropic-memory-changes"
SOURCE = "anthropic-memory-tool"
_TRIES = 100
_GONE = "The path {} does not exist"


class MemoryFiles:
    """The files of one shelf."""

    def __init__(self, shelf: DocumentShelf) -> None:
        self._shelf = shelf

    def view(self, path: str, view_range: Sequence[int] | None = None) -> str:
        """Return the lines of a file, or the entries of a folder up to two levels deep."""
        place = place_of(path)
        found = self._find(place)
        if found is None and place != ROOT:
            refuse(f"{_GONE.format(path)}. Please provide a valid path.")
        if found is None or is_folder(found):
            inside = {one.name.key: text_of(one) for one in self._below(place)}
            return listing(path, place, inside)
        lines = cast("str", text_of(found)).split("\n")
        if len(lines) > MOST_LINES:
            refuse(f"File {path} exceeds maximum line limit of 999,999 lines.")
        return f"Here's the content of {path} with line numbers:\n{numbered(lines, view_range)}"

    def create(self, path: str, file_text: str) -> str:
        """Write a new file, and the folders it is in."""
        place = place_of(path)

        def changed() -> str:
            folders = self._missing_folders(posixpath.dirname(place))
            if place == ROOT or self._find(place) is not None:
                self._write("create", folders)
                refuse(f"File {path} already exists")
            self._write("create", [*folders, (place, None, file_text)])
            return f"File created successfully at: {path}"

        return self._repeated(changed)

    def str_replace(self, path: str, old_str: str, new_str: str) -> str:
        """Replace a text that occurs exactly once in a file."""

        def changed() -> str:
            place, known, text = self._file(path)
            count = text.count(old_str)
            if count == 0:
                refuse(
                    f"No replacement was performed, old_str `{old_str}` did not appear verbatim"
                    f" in {path}."
                )
            if count > 1:
                lines = ", ".join(str(one) for one in lines_with(old_str, text))
                refuse(
                    "No replacement was performed. Multiple occurrences of old_str"
                    f" `{old_str}` in lines: {lines}. Please ensure it is unique"
                )
            new = text.replace(old_str, new_str)
            self._write("str_replace", [(place, known, new)])
            return (
                "The memory file has been edited. Here is the snippet showing the change (with"
                f" line numbers):\n{snippet(new, text[: text.find(old_str)].count(chr(10)))}"
            )

        return self._repeated(changed)

    def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        """Insert a text after a line of a file."""

        def changed() -> str:
            place, known, text = self._file(path)
            lines = lines_without_tail(text)
            if not 0 <= insert_line <= len(lines):
                refuse(
                    f"Invalid `insert_line` parameter: {insert_line}. It should be within the"
                    f" range [0, {len(lines)}]."
                )
            lines.insert(insert_line, insert_text.rstrip("\n"))
            new = "\n".join(lines)
            self._write("insert", [(place, known, new if new.endswith("\n") else f"{new}\n")])
            return f"The file {path} has been edited."

        return self._repeated(changed)

    def delete(self, path: str) -> str:
        """Remove a file, or a folder with everything in it."""
        place = place_of(path)
        if place == ROOT:
            refuse("Cannot delete the /memories directory itself")

        def changed() -> str:
            found = self._find(place)
            if found is None:
                refuse(_GONE.format(path))
            self._write("delete", [(one.name.key, one, None) for one in self._tree(found)])
            return f"Successfully deleted {path}"

        return self._repeated(changed)

    def rename(self, old_path: str, new_path: str) -> str:
        """Move a file, or a folder with everything in it."""
        old, new = place_of(old_path), place_of(new_path)
        if old == ROOT:
            refuse("Cannot rename the /memories directory itself")

        def changed() -> str:
            if new == ROOT or self._find(new) is not None:
                refuse(f"The destination {new_path} already exists")
            found = self._find(old)
            folders = self._folders_for(old, new, is_there=found is not None)
            if new.startswith(f"{old}/"):
                refuse(f"The path {new_path} is inside the directory that would be renamed.")
            if found is None or folders is None:
                refuse(_GONE.format(old_path))
            moves = [(one, new + one.name.key[len(old) :]) for one in self._tree(found)]
            self._write("rename", folders, moves)
            return f"Successfully renamed {old_path} to {new_path}"

        return self._repeated(changed)

    def _folders_for(
        self, old: str, new: str, *, is_there: bool
    ) -> list[tuple[str, FrameworkDocument | None, str | None]] | None:
        """Return the folders that a move needs; None if nothing can be moved.

        As in a file system, they are made even if the move then fails, and the folders of both
        paths are looked at before what is in them.

        Raises:
            FileRefusedError: One of them is a file.
        """
        parent = self._find(posixpath.dirname(new))
        folders: list[tuple[str, FrameworkDocument | None, str | None]] = []
        if parent is None or is_folder(parent):
            folders = self._missing_folders(posixpath.dirname(new))
            if not is_there or new.startswith(f"{old}/"):
                self._write("rename", folders)
        if new.startswith(f"{old}/"):
            return folders
        if self._missing_folders(posixpath.dirname(old)):
            return None
        self._missing_folders(posixpath.dirname(new))
        return folders

    def clear(self) -> str:
        """Remove all files and what is known of their changes, for good."""
        for collection in (FILES, CHANGES):
            found = self._shelf.within(collection=collection)
            self._keep([DropDocument(name=o.name, source=SOURCE, forgets=True) for o in found])
        return "All memory cleared"

    def changes(self, path: str | None = None) -> list[MemoryFileChange]:
        """Return the changes of all files, or of one, the oldest first."""
        wanted = None if path is None else place_of(path)
        found = [change_of(one) for one in self._shelf.within(collection=CHANGES)]
        return [one for one in found if wanted in {None, one.path}]

    def undo(self) -> list[MemoryFileChange]:
        """Take back the last command that changed files; return its changes, none if there is none.

        Raises:
            FileRefusedError: A file is not as that command left it.
        """
        every = self._shelf.within(collection=CHANGES)
        if not every:
            return []
        last = fields_of(every[-1])["batch"]
        steps = [one for one in every if fields_of(one)["batch"] == last]
        known = {fields_of(one)["path"]: self._find(str(fields_of(one)["path"])) for one in steps}
        for one in steps:
            if fields_of(one)["after"] != mark_of(known[fields_of(one)["path"]]):
                refuse(f"{fields_of(one)['path']} has changed since; nothing was undone.")
        done: list[PutDocument | DropDocument] = []
        for one in steps:
            path, before = str(fields_of(one)["path"]), fields_of(one)["before"]
            done.append(DropDocument(name=one.name, source=SOURCE))
            if before is None:
                done.append(DropDocument(name=self._shelf.name(path), source=SOURCE))
            else:
                done.append(self._put(path, before, known[path]))
        self._keep(done)
        return [change_of(one) for one in steps]

    def _repeated(self, work: Callable[[], str]) -> str:
        """Do the work again if another process changed the same file meanwhile."""
        for _ in range(_TRIES):
            try:
                return work()
            except DocumentChangedError:
                continue
        return work()

    def _find(self, place: str) -> FrameworkDocument | None:
        return None if place == ROOT else self._shelf.get(place)

    def _file(self, path: str) -> tuple[str, FrameworkDocument, str]:
        """Return the place, the document and the text of a file."""
        place = place_of(path)
        found = self._find(place)
        if found is None and place != ROOT:
            refuse(f"{_GONE.format(path)}. Please provide a valid path.")
        text = None if found is None else text_of(found)
        if found is None or text is None:
            refuse(f"The path {path} is not a file.")
        return place, found, text

    def _below(self, place: str) -> list[FrameworkDocument]:
        return [one for one in self._shelf.within() if one.name.key.startswith(f"{place}/")]

    def _tree(self, found: FrameworkDocument) -> list[FrameworkDocument]:
        return [found, *(self._below(found.name.key) if is_folder(found) else ())]

    def _missing_folders(
        self, place: str
    ) -> list[tuple[str, FrameworkDocument | None, str | None]]:
        """Return the folders that a path needs, the outermost first.

        Raises:
            FileRefusedError: One of them is a file.
        """
        needed: list[str] = []
        while place not in {ROOT, "/"}:
            needed.append(place)
            place = posixpath.dirname(place)
        known = {o.name.key: o for o in self._shelf.named([self._shelf.name(k) for k in needed])}
        for one in known.values():
            if not is_folder(one):
                refuse(f"The path {one.name.key} is not a directory.")
        return [(one, None, "/") for one in reversed(needed) if one not in known]

    def _write(
        self,
        command: str,
        writes: Sequence[tuple[str, FrameworkDocument | None, str | None]],
        moves: Sequence[tuple[FrameworkDocument, str]] = (),
    ) -> None:
        """Write files, remove those without a text, and record both; a folder's text is '/'."""
        batch = uuid4().hex
        done: list[PutDocument | DropDocument] = []
        for place, known, text in writes:
            value: dict[str, object] = {"text": text}
            if known is None and text == "/":
                value = {"folder": True}
            if text is None:
                done.append(DropDocument(name=self._shelf.name(place), source=SOURCE))
                done.append(self._record(batch, command, place, known, None))
            else:
                done.append(self._put(place, value, known))
                done.append(self._record(batch, command, place, known, value))
        for document, place in moves:
            value = fields_of(document)
            moved = self._put(place, value, None, replacing=document)
            done += [moved, self._record(batch, command, place, None, value)]
            done.append(self._record(batch, command, document.name.key, document, None))
            done.append(DropDocument(name=document.name, source=SOURCE))
        self._keep(done)

    def _put(
        self,
        place: str,
        value: object,
        known: FrameworkDocument | None,
        replacing: FrameworkDocument | None = None,
    ) -> PutDocument:
        text = value.get("text") if isinstance(value, dict) else None
        return PutDocument(
            name=self._shelf.name(place),
            value=value,
            source=SOURCE,
            text=text if isinstance(text, str) else "",
            metadata={"path": place},
            expects=0 if known is None else known.version,
            replaces=None if replacing is None else replacing.memory_id,
        )

    def _record(
        self, batch: str, command: str, place: str, known: FrameworkDocument | None, after: object
    ) -> PutDocument:
        return PutDocument(
            name=self._shelf.name(uuid4().hex, collection=CHANGES),
            value={
                "batch": batch,
                "command": command,
                "path": place,
                "before": None if known is None else fields_of(known),
                "after": None if after is None else digest_of(after),
            },
            source=SOURCE,
            carried_by=None if known is None else known.memory_id,
        )

    def _keep(self, changes: Sequence[PutDocument | DropDocument]) -> None:
        try:
            self._shelf.keep(changes)
        except DocumentChangedError:
            raise
        except HoldfastError as error:
            raise FileRefusedError(told(error)) from error
