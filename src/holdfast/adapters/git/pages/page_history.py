"""Finds a forgotten text in commits, indexes and loose objects of git."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.objects import git_answer, path_of, read_blobs
from holdfast.adapters.git.reading.repository import ask_git_bytes, find_repository
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.review.traces import Reach, Trace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
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


def unreachable(
    repository: Repository, gone: Sequence[GoneText], *, known: Collection[str]
) -> list[str]:
    """Return the blobs with one of the texts that no commit, reflog or index refers to.

    Git keeps them as loose objects, or in cruft packs, until garbage collection.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    loose = frozenset(_loose(repository.common_dir)).difference(known)
    cruft = frozenset(_cruft(repository)).difference(known)
    holding = [
        name
        for name, content in read_blobs(repository, sorted(loose | cruft)).items()
        if _holds(content, gone)
    ]
    if not holding:
        return []
    # Git walks every commit for this, so it is called only if the text was found.
    _, answer, _ = ask_git_bytes(repository, "prune", "--dry-run", "--expire=now")
    nothing_refers = {line.split()[0].decode() for line in answer.splitlines()}
    return sorted(name for name in holding if name in nothing_refers or name in cruft)


def _holds(content: bytes, gone: Sequence[GoneText]) -> bool:
    text = content.decode("utf-8", "surrogateescape")
    return any(one.is_in(text) for one in gone)


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


_MOST_NAMED = 5
_Written = dict[str, list[tuple[str, str]]]
_COMMIT = b"\x01"
_SHORT = 10
_ADVICE = (
    "{commits} it. 'git filter-repo --path {path} --invert-paths' takes the page out"
    " of every commit, '--replace-text' only the text. Whoever has cloned or fetched them has"
    " a copy, and so has their store, if they accepted it."
)
_STAGED = (
    "Stage the page as it is now with 'git -C {root} add {path}', or take it out of the index with"
    " 'git -C {root} restore --staged {path}'. Then 'git gc --prune=now' deletes the old copy."
)
_UNREACHABLE = "No commit and no index refers to it. Delete it with: git gc --prune=now"
_UNKNOWN = "git could not be asked: {error} Look with: git log --all --patch -- {folder}"


class HistoryTraces:
    """All versions of pages in the git folder of a repository.

    These are the commits that any ref or reflog reaches, the index of every working tree, and
    unreferenced objects.
    """

    def __init__(self, repository: Repository, folder: str, *, shown: str = "") -> None:
        self._shown = shown
        self._repository = repository
        self._folder = folder

    def remove(self, gone: Sequence[GoneText]) -> Sequence[Trace]:
        """Return the pages that hold one of the texts in git; nothing in git is changed."""
        try:
            written = self._written()
            found = [*self._in_commits(gone, written)]
            found += self._outside_commits(gone, written)
        except OutsideUnavailableError as error:
            advice = _UNKNOWN.format(error=error, folder=self._folder)
            return (
                Trace(place=f"{self._shown}{self._folder}", reach=Reach.HISTORY, advice=advice),
            )
        return found

    def _in_commits(self, gone: Sequence[GoneText], written: _Written) -> Iterator[Trace]:
        for path, commits in sorted(self._holding(gone, written).items()):
            named = ", ".join(commits[:_MOST_NAMED])
            more = f" and {len(commits) - _MOST_NAMED} more" if len(commits) > _MOST_NAMED else ""
            holding = (
                f"Commit {named} holds" if len(commits) == 1 else f"Commits {named}{more} hold"
            )
            advice = _ADVICE.format(commits=holding, path=path)
            yield Trace(place=f"{self._shown}{path}", reach=Reach.HISTORY, advice=advice)

    def _outside_commits(self, gone: Sequence[GoneText], written: _Written) -> Iterator[Trace]:
        """Yield staged but uncommitted content, and unreferenced objects."""
        known = set(written)
        for tree in worktrees(self._repository):
            shown = self._shown if tree.root == self._repository.root else f"{tree.root}/"
            waiting = staged(tree, self._folder)
            contents = read_blobs(self._repository, waiting)
            for name, content in sorted(contents.items()):
                if not _holds(content, gone):
                    continue
                for path in waiting[name]:
                    advice = _STAGED.format(root=tree.root, path=path)
                    place = f"staged in git: {shown}{path}"
                    yield Trace(place=place, reach=Reach.LEFT, advice=advice)
            known |= waiting.keys()
        for name in unreachable(self._repository, gone, known=known):
            place = f"unused object of git: {self._shown}{name[:_SHORT]}"
            yield Trace(place=place, reach=Reach.LEFT, advice=_UNREACHABLE)

    def _holding(self, gone: Sequence[GoneText], written: _Written) -> dict[str, list[str]]:
        """Return the commits that wrote the text, by path."""
        holding: dict[str, list[str]] = {}
        for name, content in read_blobs(self._repository, written).items():
            if _holds(content, gone):
                for commit, path in written[name]:
                    commits = holding.setdefault(path, [])
                    commits += [] if commit in commits else [commit]
        return holding

    def _written(self) -> _Written:
        """Return every blob that a commit wrote into the folder, with its commits and paths."""
        words = ["log", "--all", "--reflog", "--format=%x01%H", "--raw", "--no-abbrev", "-m"]
        words += ["--no-renames", "-z", "--", f"{self._folder}/"]
        status, answer, errors = ask_git_bytes(self._repository, *words)
        if status:
            raise OutsideUnavailableError(who="git", words=errors.strip())
        written: _Written = {}
        commit, blob = "", ""
        for part in answer.split(b"\0"):
            word = part.lstrip(b"\n")
            if word.startswith(_COMMIT):
                commit = word[1:].decode()[:_SHORT]
            elif word.startswith(b":"):
                blob = word.split()[3].decode()
            elif blob:
                path = word.decode("utf-8", "surrogateescape")
                written.setdefault(blob, []).append((commit, path))
                blob = ""
        return written
