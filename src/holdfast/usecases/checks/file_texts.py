"""Read the files that checks need, each once, and no more than a run may read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.checks.python_code import ENDINGS, odd_encoding, tree_of
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    import ast

    from holdfast.ports.checks.checking import CheckedTree

BINARY = "it is binary"
NOT_TEXT = "it is not UTF-8 text"
_NO_PYTHON = "it is no Python that can be parsed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How much a run of checks may read, and how long its patterns may search."""

    files: int
    size: int
    seconds: float


WHOLE = Effort(files=200_000, size=1024 * 1024 * 1024, seconds=60.0)
"""The effort of ``verify``: a person or a CI job waits for it."""
BRIEF = Effort(files=500, size=4 * 1024 * 1024, seconds=1.0)
"""The effort of an answer or a hook, which must not wait for a large repository."""


class UnreadFileError(Exception):
    """A file that a check needs could not be read; the text says which, and why."""

    def __init__(self, path: str, why: str, *, line: int = 0) -> None:
        super().__init__(f"{path}:{line} {why}" if line else f"{path}: {why}")
        self.why = why


class FileTexts:
    """The contents of files, and what was parsed from them."""

    def __init__(self, tree: CheckedTree, effort: Effort) -> None:
        self._tree = tree
        self._effort = effort
        self._size = 0
        self._contents: dict[str, bytes | UnreadFileError] = {}
        self._texts: dict[str, str] = {}
        self._parsed: dict[str, ast.Module | None] = {}

    def content(self, path: str) -> bytes:
        """Return the bytes of a text file, with plain newlines.

        Raises:
            UnreadFileError: It cannot be read, is binary, or the run has read enough.
        """
        held = self._contents.get(path)
        if held is None:
            held = self._contents[path] = self._read(path)
        if isinstance(held, UnreadFileError):
            raise held
        return held

    def text(self, path: str) -> str:
        """Return the same as text.

        Raises:
            UnreadFileError: It cannot be read, is binary, or the run has read enough.
        """
        if path not in self._texts:
            self._texts[path] = self.content(path).decode("utf-8")
        return self._texts[path]

    def tree(self, path: str) -> ast.Module:
        """Return the syntax tree of a Python file.

        Raises:
            UnreadFileError: It cannot be read or parsed.
        """
        if path not in self._parsed:
            try:
                self._parsed[path] = tree_of(self.text(path))
            except ValueError:
                self._parsed[path] = None
        parsed = self._parsed[path]
        if parsed is None:
            raise UnreadFileError(path, _NO_PYTHON)
        return parsed

    def _read(self, path: str) -> bytes | UnreadFileError:
        if len(self._contents) >= self._effort.files or self._size >= self._effort.size:
            why = (
                f"more than {self._effort.files:,} files or"
                f" {self._effort.size // (1024 * 1024):,} MiB would be read here"
            )
            return UnreadFileError(path, why)
        content = self._tree.content(path)
        if isinstance(content, str):
            return UnreadFileError(path, content)
        self._size += len(content)
        text = as_text(content)
        if isinstance(text, str):
            return UnreadFileError(path, text)
        if path.endswith(ENDINGS) and (odd := odd_encoding(text)):
            return UnreadFileError(path, f"declares the encoding {odd[0]}", line=odd[1])
        return text


def as_text(content: bytes) -> bytes | str:
    """Return a content with plain newlines and no byte order mark, or why it is no text."""
    if b"\0" in content:
        return BINARY
    if not content.isascii():
        try:
            content.decode("utf-8")
        except UnicodeDecodeError:
            return NOT_TEXT
    content = content.removeprefix(b"\xef\xbb\xbf")
    return content.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in content else content
