"""Finds content that git stores outside commits: in an index, or unreferenced."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.objects import git_answer, path_of, read_blobs
from holdfast.adapters.git.reading.repository import ask_git_bytes, find_repository

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.review.traces import GoneText

_FANOUT = 2


def worktrees(repository: Repository) -> list[Repository]:
    """Return every existing working tree of a repository, the given one first."""
    found = {repository.root: repository}
    for pointer in sorted(repository.common_dir.glob("worktrees/*/gitdir")):
        with suppress(OSError):
            text = pointer.read_text(encoding="utf-8", errors="surrogateescape").strip()
            _add(found, (pointer.parent / text).resolve().parent)
    _add(found, repository.common_dir.parent)
    return list(found.values())


def _add(found: dict[Path, Repository], root: Path) -> None:
    other = find_repository(root)
    if other is not None and other.root == root:
        found.setdefault(root, other)


def staged(repository: Repository, folder: str) -> dict[str, list[str]]:
    """Return by blob the paths below a folder where the index differs from HEAD.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    found: dict[str, list[str]] = {}
    committed = _committed(repository, folder)
    answer = git_answer(repository, "ls-files", "--stage", "-z", "--", f":(top){folder}/")
    for entry in answer.split(b"\0")[:-1]:
        head, _, name = entry.partition(b"\t")
        blob = head.decode().split()[1]
        if blob not in committed:
            found.setdefault(blob, []).append(path_of(name))
    return found


def _committed(repository: Repository, folder: str) -> frozenset[str]:
    """Return the blobs below a folder at HEAD; none before the first commit."""
    words = ("ls-tree", "-r", "-z", "--full-tree", "HEAD", "--", f"{folder}/")
    _, answer, _ = ask_git_bytes(repository, *words)
    return frozenset(entry.split()[2].decode() for entry in answer.split(b"\0")[:-1])


def unreachable(repository: Repository, gone: GoneText, *, known: Collection[str]) -> list[str]:
    """Return the blobs with the text that no commit, reflog or index refers to.

    Git keeps them as loose objects, or in cruft packs, until garbage collection.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    loose = frozenset(_loose(repository.common_dir)).difference(known)
    cruft = frozenset(_cruft(repository)).difference(known)
    holding = [
        name
        for name, content in read_blobs(repository, sorted(loose | cruft)).items()
        if gone.is_in(content.decode("utf-8", "surrogateescape"))
    ]
    if not holding:
        return []
    # Git walks every commit for this, so it is called only if the text was found.
    _, answer, _ = ask_git_bytes(repository, "prune", "--dry-run", "--expire=now")
    nothing_refers = {line.split()[0].decode() for line in answer.splitlines()}
    return sorted(name for name in holding if name in nothing_refers or name in cruft)


def _loose(common_dir: Path) -> Iterator[str]:
    for folder in (common_dir / "objects").glob("[0-9a-f]" * _FANOUT):
        for path in folder.glob("[0-9a-f]*"):
            yield f"{folder.name}{path.name}"


def _cruft(repository: Repository) -> Iterator[str]:
    """Yield the objects in packs that hold only unreferenced objects."""
    for times in (repository.common_dir / "objects" / "pack").glob("*.mtimes"):
        index = b""
        with suppress(OSError):
            index = times.with_suffix(".idx").read_bytes()
        _, answer, _ = ask_git_bytes(repository, "show-index", given=index)
        for line in answer.splitlines():
            yield line.decode().split()[1]
