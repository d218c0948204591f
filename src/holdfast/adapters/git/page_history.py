"""Commits that hold a text in the pages: only rewriting the history removes it from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.git.objects import read_blobs
from holdfast.adapters.git.repository import ask_git_bytes
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.traces import Reach, Trace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.git.repository import Repository
    from holdfast.domain.traces import GoneText

_MOST_NAMED = 5
_COMMIT = b"\x01"
_SHORT = 10
_ADVICE = (
    "Commits {commits} hold it. 'git filter-repo --path {path} --invert-paths' takes the page out"
    " of every commit, '--replace-text' only the text. Whoever has cloned or fetched them has"
    " a copy."
)
_UNKNOWN = "git could not be asked: {error} Look with: git log --all --patch -- {folder}"


class HistoryTraces:
    """Every commit of a repository that any ref or reflog leads to."""

    def __init__(self, repository: Repository, folder: str, *, shown: str = "") -> None:
        self._shown = shown
        self._repository = repository
        self._folder = folder

    def remove(self, gone: GoneText) -> Sequence[Trace]:
        """Return the pages that hold the text in some commit; none of them is changed."""
        try:
            holding = self._holding(gone)
        except OutsideUnavailableError as error:
            advice = _UNKNOWN.format(error=error, folder=self._folder)
            return (
                Trace(place=f"{self._shown}{self._folder}", reach=Reach.HISTORY, advice=advice),
            )
        found = []
        for path, commits in sorted(holding.items()):
            named = ", ".join(commits[:_MOST_NAMED])
            more = f" and {len(commits) - _MOST_NAMED} more" if len(commits) > _MOST_NAMED else ""
            advice = _ADVICE.format(commits=named + more, path=path)
            found.append(Trace(place=f"{self._shown}{path}", reach=Reach.HISTORY, advice=advice))
        return found

    def _holding(self, gone: GoneText) -> dict[str, list[str]]:
        """Return by path the commits that wrote the text there."""
        written = self._written()
        holding: dict[str, list[str]] = {}
        for name, content in read_blobs(self._repository, written).items():
            if gone.is_in(content.decode("utf-8", "surrogateescape")):
                for commit, path in written[name]:
                    commits = holding.setdefault(path, [])
                    commits += [] if commit in commits else [commit]
        return holding

    def _written(self) -> dict[str, list[tuple[str, str]]]:
        """Return every content that a commit wrote into the folder: the commits and the paths."""
        words = ["log", "--all", "--reflog", "--format=%x01%H", "--raw", "--no-abbrev", "-m"]
        words += ["--no-renames", "-z", "--", f"{self._folder}/"]
        status, answer, errors = ask_git_bytes(self._repository, *words)
        if status:
            raise OutsideUnavailableError(who="git", words=errors.strip())
        written: dict[str, list[tuple[str, str]]] = {}
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
