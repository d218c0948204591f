"""The content of a folder at one moment: its entries, and the manifest that lists them."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.workspace_errors import BadManifestError
from holdfast.domain.workspaces.safe_paths import path_problem

if TYPE_CHECKING:
    from collections.abc import Sequence

_FIRST_LINE = '{"holdfast": "manifest", "version": 1}'
_COLUMNS = 8
_HASH_LETTERS = 64
_MODES = 0o777
ABSENT = "absent"
"""The kind in a manifest of a path that was not there; only a partial snapshot names such paths."""


class EntryKind(StrEnum):
    """The kinds of entries that a snapshot keeps."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"


class TreeEntry(NamedTuple):
    """One name beneath a folder. ``hash`` is the SHA-256 of a file; ``target`` is of a link.

    ``is_sparse`` tells that the file had holes; a restore makes them again.
    """

    path: str
    kind: str
    mode: int
    size: int = 0
    hash: str = ""
    mtime_ns: int = 0
    target: str = ""
    is_sparse: bool = False

    @property
    def content(self) -> tuple[str, str, str]:
        """What the entry contains, without its rights and times."""
        return (self.kind, self.hash, self.target)


class OmitReason(StrEnum):
    """Why something in a folder is not in its snapshot."""

    SECRET = "secret"  # noqa: S105 - the name of a reason
    LARGE = "too large"
    SPECIAL = "no file, folder or link"
    UNSTABLE = "changed while it was read"
    UNREADABLE = "cannot be read"
    DEEP = "nested too deeply"


class Omitted(NamedTuple):
    """A path that a snapshot leaves out, and the reason."""

    path: str
    reason: OmitReason


def manifest_of(entries: Sequence[TreeEntry], *, absent: Sequence[str] = ()) -> bytes:
    """Return the manifest: a line that names the format, and a list in the order of the paths."""
    listed = sorted([*entries, *(TreeEntry(path, ABSENT, 0) for path in absent)])
    return f"{_FIRST_LINE}\n{json.dumps(listed)}\n".encode("ascii")


def read_manifest(manifest: bytes, *, keeps_git: bool = False) -> tuple[TreeEntry, ...]:
    """Return the entries of a manifest, absent ones too.

    A path that could lead outside the folder is refused.

    ``keeps_git`` allows entries inside ``.git``, which only a snapshot of everything has.

    Raises:
        BadManifestError: It is no manifest, or one of its entries must not be restored.
    """
    try:
        first, listed, rest = manifest.decode("ascii").split("\n")
        if first != _FIRST_LINE or rest:
            raise BadManifestError(problem="its first or last line is wrong.")
        entries = tuple([_entry(shape) for shape in json.loads(listed)])
    except (ValueError, TypeError) as error:
        raise BadManifestError(problem="it is no list of entries.") from error
    _check_paths(entries, keeps_git=keeps_git)
    return entries


def _entry(shape: object) -> TreeEntry:
    if not isinstance(shape, list) or len(shape) != _COLUMNS:
        raise BadManifestError(problem="an entry has the wrong number of fields.")
    entry = TreeEntry(*shape)
    texts = (entry.path, entry.kind, entry.hash, entry.target)
    numbers = (entry.mode, entry.size, entry.mtime_ns)
    if not all(isinstance(one, str) for one in texts):
        raise BadManifestError(problem="a name is no text.")
    if not all(type(one) is int for one in numbers) or entry.mode & ~_MODES or entry.size < 0:
        raise BadManifestError(problem="a number is out of range.")
    if entry.kind not in {*EntryKind, ABSENT}:
        raise BadManifestError(problem=f"'{entry.kind}' is no kind of entry.")
    if entry.kind == EntryKind.FILE and len(entry.hash) != _HASH_LETTERS:
        raise BadManifestError(problem="a file has no hash.")
    if entry.kind == EntryKind.LINK and (not entry.target or "\0" in entry.target):
        raise BadManifestError(problem="a link has no target.")
    return entry


def _check_paths(entries: Sequence[TreeEntry], *, keeps_git: bool) -> None:
    kinds = {entry.path: entry.kind for entry in entries}
    if len(kinds) != len(entries):
        raise BadManifestError(problem="two entries have the same path.")
    for path, kind in kinds.items():
        if problem := path_problem(path, keeps_git=keeps_git):
            raise BadManifestError(problem=f"{path!r} {problem}")
        parent = path.rpartition("/")[0]
        if kind != ABSENT and parent and kinds.get(parent) != EntryKind.FOLDER:
            raise BadManifestError(problem=f"{path!r} is beneath something that is no folder.")
