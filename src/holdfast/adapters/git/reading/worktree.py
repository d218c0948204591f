"""Finds the files of a working tree that differ from HEAD, without running a filter.

``git status`` compares a file with its commit through the clean filter that attributes name, and a
repository's own configuration decides which program that is. Files are therefore compared here: by
the size and times in the index, and otherwise by the hash of their bytes.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.reading.objects import Differing, difference_of, git_answer, path_of
from holdfast.adapters.git.reading.reading import LARGEST_FILE, blob_names

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from holdfast.adapters.git.reading.repository import Repository

_FILE, _SUBMODULE, _LINK = "100", "160000", "120000"
_OUTSIDE_CONE = "S"
_MERGED, _OURS = "0", "2"
CONVERTING = (b"filter", b"ident", b"working-tree-encoding")
_OFF = frozenset({"unspecified", "unset"})
_UNKNOWN = ""
_LOW_32_BITS = 0xFFFF_FFFF
# The lines that ``ls-files --debug`` writes after each path.
_NOTED = re.compile(
    rb"  ctime: (\d+):(\d+)\n  mtime: (\d+):(\d+)\n  dev: \d+\tino: (\d+)\n"
    rb"  uid: \d+\tgid: \d+\n  size: (\d+)\tflags: [0-9a-f]+\n"
)


class IndexedFile(NamedTuple):
    """A file of the index: its blob, whether a sparse checkout omits it, and its metadata.

    ``noted`` holds the size, times and inode that the index records; None if git did not give them.
    ``is_unmerged`` is true if a merge left several versions.
    """

    blob: str
    is_aside: bool = False
    noted: tuple[int, ...] | None = None
    is_unmerged: bool = False


class Index(NamedTuple):
    """The files of the index by path, and the paths of submodules and of symbolic links."""

    files: Mapping[str, IndexedFile]
    submodules: frozenset[str]
    links: frozenset[str] = frozenset()


def read_index(repository: Repository) -> Index:
    """Return the files of the index.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    answer = git_answer(repository, "ls-files", "-t", "-s", "-z", "--debug")
    files: dict[str, IndexedFile] = {}
    others: dict[str, set[str]] = {_SUBMODULE: set(), _LINK: set()}
    at = 0
    while (end := answer.find(b"\0", at)) >= 0:
        head, _, name = answer[at:end].partition(b"\t")
        found = _NOTED.match(answer, end + 1)
        at = end + 1 if found is None else found.end()
        tag, mode, blob, stage = head.decode().split()
        path = path_of(name)
        if mode in others:
            others[mode].add(path)
        elif mode.startswith(_FILE) and (path not in files or stage == _OURS):
            noted = None if found is None else _numbers(found)
            files[path] = IndexedFile(blob, tag == _OUTSIDE_CONE, noted, stage != _MERGED)
    return Index(files, frozenset(others[_SUBMODULE]), frozenset(others[_LINK]))


def _numbers(found: re.Match[bytes]) -> tuple[int, ...]:
    changed, changed_ns, written, written_ns, inode, size = map(int, found.groups())
    return (
        size,
        written * 1_000_000_000 + written_ns,
        changed * 1_000_000_000 + changed_ns,
        inode,
    )


def untracked(repository: Repository) -> list[str]:
    """Return the untracked files that are not ignored.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    answer = git_answer(repository, "ls-files", "--others", "--exclude-standard", "-z")
    return [path_of(name) for name in answer.split(b"\0")[:-1] if not name.endswith(b"/")]


def changed_on_disk(
    repository: Repository,
    index: Index,
    head: str,
    read: Callable[[str], bytes | None],
) -> list[Differing]:
    """Return the files that differ from HEAD, in the index or on disk.

    ``read`` returns the bytes of a regular file, or None if there is no such file. A filter's
    output cannot be compared with the commit: the old content of such a file counts as unknown.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    found = {one.path: one for one in _staged(repository, head)}
    seen = dict(_edited(repository, index, read))
    converted = converters(repository, [path for path, held in seen.items() if held is not None])
    for path, held in seen.items():
        file = index.files[path]
        known = Differing(path, file.blob)
        if not file.is_unmerged:
            known = found.get(path, known)
        if path in converted:
            known = known._replace(blob=_UNKNOWN)
        found[path] = known._replace(is_gone=held is None)
    return list(found.values())


def _staged(repository: Repository, head: str) -> Iterator[Differing]:
    options = ("--cached", "-z", "--raw", "--no-abbrev", "-M", "--ignore-submodules=all")
    fields = iter(git_answer(repository, "diff-index", *options, head, "--").split(b"\0"))
    for field in fields:
        if field.startswith(b":"):
            yield from difference_of(field.decode(), fields)


def _edited(
    repository: Repository, index: Index, read: Callable[[str], bytes | None]
) -> Iterator[tuple[str, bytes | None]]:
    """Return the files whose bytes differ from the index, with their content."""
    try:
        written = (repository.git_dir / "index").stat().st_mtime_ns
    except OSError:
        written = 0
    for path, file in index.files.items():
        if file.is_aside or _is_as_noted(f"{repository.root}/{path}", file, written):
            continue
        held = read(path)
        if held is None or file.is_unmerged or not _is_same(held, file.blob):
            yield path, held


def _is_as_noted(path: str, file: IndexedFile, written: int) -> bool:
    """Return whether a file matches its index metadata, and is older than the index."""
    if file.noted is None or file.is_unmerged:
        return False
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return False
    size, inode = status.st_size & _LOW_32_BITS, status.st_ino & _LOW_32_BITS
    seen = (size, status.st_mtime_ns, status.st_ctime_ns, inode)
    return seen == file.noted and status.st_mtime_ns < written


def _is_same(held: bytes, blob: str) -> bool:
    return len(held) <= LARGEST_FILE and blob in blob_names(held, letters=len(blob))


def converters(
    repository: Repository, paths: Collection[str], *, is_indexed: bool = False
) -> dict[str, str]:
    """Return for each file that git converts the attribute and value that cause it.

    They are those of the files on disk, or those of the index, which a checkout reads.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    if not paths:
        return {}
    given = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
    ask = ("check-attr", *(("--cached",) if is_indexed else ()), "-z", "--stdin")
    words = git_answer(repository, *ask, *(one.decode() for one in CONVERTING), given=given)
    fields = words.split(b"\0")
    found: dict[str, str] = {}
    for name, attribute, value in zip(fields[::3], fields[1::3], fields[2::3], strict=False):
        if value.decode(errors="replace") not in _OFF:
            said = f"{attribute.decode(errors='replace')}={value.decode(errors='replace')}"
            found.setdefault(path_of(name), said)
    return found
