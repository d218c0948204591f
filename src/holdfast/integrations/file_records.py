"""Where the files of the memory tool are, what is in them, and how they changed."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, NoReturn, cast

if TYPE_CHECKING:
    from holdfast.domain.documents.document import FrameworkDocument

ROOT = "/memories"
_LONGEST_PATH = 900


class FileRefusedError(Exception):
    """A command that cannot be carried out; the message is the answer of the tool."""


@dataclass(frozen=True, slots=True)
class MemoryFileChange:
    """One change of a file: the command, the path, and the text before; None if there was none."""

    command: str
    path: str
    before: str | None
    at: str


def place_of(path: str) -> str:
    """Return the normal form of a path.

    Raises:
        FileRefusedError: It is not below /memories.
    """
    if not path.startswith(ROOT):
        refuse(f"Path must start with /memories, got: {path}")
    if len(path) > _LONGEST_PATH or not path.isprintable():
        refuse(f"Path must have at most {_LONGEST_PATH} characters, all of them visible")
    inner = path[len(ROOT) :].lstrip("/")
    place = posixpath.normpath(f"{ROOT}/{inner}") if inner else ROOT
    if place != ROOT and not place.startswith(f"{ROOT}/"):
        refuse(f"Path {path} would escape /memories directory")
    return place


def refuse(message: str) -> NoReturn:
    """Refuse a command in these words.

    Raises:
        FileRefusedError: Always.
    """
    raise FileRefusedError(message)


def fields_of(document: FrameworkDocument) -> dict[str, object]:
    """Return the value of a document."""
    return cast("dict[str, object]", document.value)


def text_of(document: FrameworkDocument) -> str | None:
    """Return the text of a file; None for a folder."""
    text = fields_of(document).get("text")
    return text if isinstance(text, str) else None


def is_folder(document: FrameworkDocument) -> bool:
    """Return whether a document is a folder."""
    return text_of(document) is None


def lines_with(old: str, text: str) -> list[int]:
    """Return the line of each occurrence, overlapping ones included."""
    found: list[int] = []
    at = text.find(old)
    while at != -1:
        found.append(text[:at].count("\n") + 1)
        at = text.find(old, at + 1)
    return found


def digest_of(value: object) -> str:
    """Return a hash of what a file contains."""
    text = value.get("text", "/") if isinstance(value, dict) else ""
    return sha256(str(text).encode()).hexdigest()


def mark_of(document: FrameworkDocument | None) -> str | None:
    """Return a hash of what a document contains; None if there is none."""
    return None if document is None else digest_of(fields_of(document))


def change_of(document: FrameworkDocument) -> MemoryFileChange:
    """Return the change that a document records."""
    fields = fields_of(document)
    before = fields["before"]
    text = before.get("text") if isinstance(before, dict) else None
    return MemoryFileChange(
        command=str(fields["command"]),
        path=str(fields["path"]),
        before=text if isinstance(text, str) else None,
        at=document.created_at.isoformat(),
    )
