"""The memory tool of the Claude API, with its files in a store of Holdfast.

>>> tool = MemoryTool(user="ada")
>>> tool.call({"command": "create", "path": "/memories/tea.md", "file_text": "Ada drinks tea."})
'File created successfully at: /memories/tea.md'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError

from holdfast.integrations.file_records import FileRefusedError
from holdfast.integrations.memory_files import FILES, MemoryFiles
from holdfast.integrations.shelf import DEFAULT, DocumentShelf
from holdfast.integrations.threads import in_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from anthropic.types.beta import (
        BetaCacheControlEphemeralParam,
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )

    from holdfast.integrations.file_records import MemoryFileChange
    from holdfast.integrations.shelf import Place


Answer = TypeVar("Answer")


class _Kept:
    """The files of a tool, and what people do with them."""

    def _open(self, store: Place | DocumentShelf, tenant: str, user: str) -> None:
        self._shelf = DocumentShelf(FILES, store=store, tenant=tenant, user=user)
        self._files = MemoryFiles(self._shelf)

    @property
    def space(self) -> str:
        """The space of the files, for ``holdfast --space``."""
        return self._shelf.space

    def history(self, path: str | None = None) -> Sequence[MemoryFileChange]:
        """Return the changes of all files, or of one, the oldest first."""
        return self._files.changes(path)

    def undo(self) -> Sequence[MemoryFileChange]:
        """Take back the last command that changed files; return what it changed.

        Raises:
            ToolError: A file is not as that command left it.
        """
        return _answered(self._files.undo)

    def close(self) -> None:
        """Close the store; a second call does nothing."""
        self._shelf.close()


class MemoryTool(_Kept, BetaAbstractMemoryTool):
    """The tool ``memory_20250818``: a model reads and writes files below /memories.

    ``store`` is a folder, the address of a server, or nothing for the usual place. The files
    belong to a user; those of other users do not exist for it. Pass the tool to
    ``client.beta.messages.tool_runner(tools=[tool])``.
    """

    def __init__(
        self,
        store: Place | DocumentShelf = None,
        *,
        tenant: str = DEFAULT,
        user: str = DEFAULT,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._open(store, tenant, user)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Return the lines of a file, or the entries of a folder."""
        return _answered(lambda: self._files.view(command.path, command.view_range))

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Write a new file."""
        return _answered(lambda: self._files.create(command.path, command.file_text))

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace a text that occurs once in a file."""
        return _answered(
            lambda: self._files.str_replace(command.path, command.old_str, command.new_str)
        )

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert a text after a line of a file."""
        return _answered(
            lambda: self._files.insert(command.path, command.insert_line, command.insert_text)
        )

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Remove a file or a folder."""
        return _answered(lambda: self._files.delete(command.path))

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a folder."""
        return _answered(lambda: self._files.rename(command.old_path, command.new_path))

    def clear_all_memory(self) -> str:
        """Remove all files for good."""
        return _answered(self._files.clear)


class AsyncMemoryTool(_Kept, BetaAsyncAbstractMemoryTool):
    """The same tool for ``AsyncAnthropic``; each command runs in a thread."""

    def __init__(
        self,
        store: Place | DocumentShelf = None,
        *,
        tenant: str = DEFAULT,
        user: str = DEFAULT,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._open(store, tenant, user)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Return the lines of a file, or the entries of a folder."""
        return await _awaited(lambda: self._files.view(command.path, command.view_range))

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Write a new file."""
        return await _awaited(lambda: self._files.create(command.path, command.file_text))

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace a text that occurs once in a file."""
        return await _awaited(
            lambda: self._files.str_replace(command.path, command.old_str, command.new_str)
        )

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert a text after a line of a file."""
        return await _awaited(
            lambda: self._files.insert(command.path, command.insert_line, command.insert_text)
        )

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Remove a file or a folder."""
        return await _awaited(lambda: self._files.delete(command.path))

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a folder."""
        return await _awaited(lambda: self._files.rename(command.old_path, command.new_path))

    async def clear_all_memory(self) -> str:
        """Remove all files for good."""
        return await _awaited(self._files.clear)


def _answered(work: Callable[[], Answer]) -> Answer:
    """Return the answer of a command; what it refuses is an error of the tool."""
    try:
        return work()
    except FileRefusedError as error:
        raise ToolError(str(error)) from error


async def _awaited(work: Callable[[], str]) -> str:
    return await in_thread(lambda: _answered(work))
