"""The pages in commits and in unfinished merges, and git's merge driver for pages."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import read_plain, write_whole
from holdfast.adapters.git.reading.objects import read_blobs
from holdfast.adapters.git.reading.refs import HEADS, moves, read_refs
from holdfast.adapters.git.reading.repository import ask_git, ask_git_bytes
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.memory.anchor import is_whole
from holdfast.domain.refusals import PageUnwritableError
from holdfast.ports.anchors.clone import COMMITTED, TRACKED, UNSURE, BranchStart, Stages

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from holdfast.adapters.git.reading.repository import Repository

_FILE = "100"
_STATE = "holdfast"
_CHECKED_OUT = ("checkout: moving from ", "rebase (start): ", "rebase -i (start): ")
"""How the reflog of HEAD describes a checkout, also that with which a rebase begins."""
_RIGHTS = 0o644
_MATCHED = ("check-ignore", "--verbose", "--non-matching", "-z", "--stdin")
_NONE_IGNORED = 1
_BASE, _OURS, _THEIRS = "1", "2", "3"


class GitVersions:
    """The committed and unmerged files of one working tree; at most two processes a call."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def state_folder(self) -> Path:
        """Return a folder in the git folder of this working tree."""
        return self._repository.git_dir / _STATE

    def other_state_folders(self) -> Sequence[Path]:
        """Return such folders of the other working trees of this clone, the main one first."""
        common = self._repository.common_dir
        own = self.state_folder()
        found = (common / _STATE, *sorted(common.glob(f"worktrees/*/{_STATE}")))
        return [one for one in found if one != own and one.is_dir()]

    def branch(self) -> str:
        """Return the branch that is checked out, or the commit if none is.

        Raises:
            OutsideUnavailableError: Only git can read it, and it is not installed.
        """
        refs = read_refs(self._repository)
        target = refs.target("HEAD")
        if target is not None and target.startswith(HEADS):
            return target
        return f"HEAD@{refs.tip('HEAD')}"

    def branch_start(self, asked: Collection[str]) -> BranchStart | None:
        """Return where the checked out branch was made in this clone, by its reflog.

        Without a branch it is the commit that was checked out last.
        """
        commit = self._start()
        if commit is None:
            return None
        named = {one for one in asked if is_whole(one)}
        status, beyond, _ = ask_git(self._repository, "rev-list", *named, f"^{commit}", "--")
        contained = named.difference(beyond.split()) if status == 0 else ()
        return BranchStart(commit=commit, contained=frozenset(contained))

    def _start(self) -> str | None:
        target = read_refs(self._repository).target("HEAD")
        log = moves(self._repository, None if target is None else target.removeprefix(HEADS))
        if target is None:
            detached = (one.new for one in reversed(log) if one.why.startswith(_CHECKED_OUT))
            if (commit := next(detached, None)) is not None:
                return commit
        return log[0].new if log and not log[0].old.strip("0") else None

    def committed(self, folder: str, *, at: str | None = None) -> Mapping[str, bytes]:
        """Return the files below a folder in a commit, by default in the last one.

        Raises:
            OutsideUnavailableError: Git is not installed, or refuses to read the repository.
        """
        head = at or read_refs(self._repository).tip("HEAD")
        if head is None:
            return {}
        found = {}
        for mode, blob, _, path in self._listed("ls-tree", "-r", "-z", head, "--", f"{folder}/"):
            if mode.startswith(_FILE):
                found[path] = blob
        contents = read_blobs(self._repository, found.values())
        return {path: contents[blob] for path, blob in found.items() if blob in contents}

    def unmerged(self, folder: str) -> Mapping[str, Stages]:
        """Return the files below a folder with merge conflicts.

        Raises:
            OutsideUnavailableError: Git is not installed, or refuses to read the repository.
        """
        found: dict[str, dict[str, str]] = {}
        for mode, blob, stage, path in self._listed("ls-files", "-u", "-z", "--", f"{folder}/"):
            if mode.startswith(_FILE):
                found.setdefault(path, {})[stage] = blob
        blobs = [blob for stages in found.values() for blob in stages.values()]
        contents = read_blobs(self._repository, blobs) if blobs else {}
        return {
            path: Stages(
                base=contents.get(stages.get(_BASE, ""), b""),
                ours=contents[stages[_OURS]],
                theirs=contents[stages[_THEIRS]],
            )
            for path, stages in found.items()
            if all(contents.get(stages.get(side, "")) is not None for side in (_OURS, _THEIRS))
        }

    def ignore(self, patterns: Mapping[str, bool]) -> None:
        """Add patterns to the file of this clone that no commit has, or remove them.

        Raises:
            PageUnwritableError: The file cannot be read or written.
        """
        # Git reads it through a link, too.
        file = Path(os.path.realpath(self._repository.common_dir / "info" / "exclude"))
        ended = {os.fsencode(one) for one, is_on in patterns.items() if not is_on}
        wanted = [os.fsencode(one) for one, is_on in patterns.items() if is_on]
        try:
            content = read_plain(file) if os.path.lexists(file) else b""
            lines = content.splitlines()
            kept = [line for line in lines if line.strip() not in ended]
            fresh = [*kept, *(one for one in wanted if one not in {line.strip() for line in kept})]
            if fresh != lines:
                rights = file.stat().st_mode if content else _RIGHTS
                write_whole(file, b"".join(line + b"\n" for line in fresh))
                file.chmod(rights)
        except OSError as error:
            raise PageUnwritableError(str(file), str(error.strerror)) from error

    def unignored(self, paths: Collection[str]) -> Mapping[str, str]:
        """Return for each file that git does not ignore the reason."""
        given = b"".join(os.fsencode(path) + b"\0" for path in paths)
        status, answer, _ = ask_git_bytes(self._repository, *_MATCHED, given=given)
        if status not in {0, _NONE_IGNORED}:
            return dict.fromkeys(paths, UNSURE)
        said = [os.fsdecode(one) for one in answer.split(b"\0")]
        found = {}
        for source, line, pattern, path in zip(*(said[at::4] for at in range(4)), strict=False):
            if not pattern or pattern.startswith("!"):
                found[path] = f"of line {line} in {source}" if pattern else TRACKED
        return found | dict.fromkeys(self._changed_here(found), COMMITTED)

    def _changed_here(self, reasons: Mapping[str, str]) -> frozenset[str]:
        from holdfast.adapters.git.pages.own_texts import changed_here

        tracked = [path for path, reason in reasons.items() if reason == TRACKED]
        return changed_here(self._repository, tracked) if tracked else frozenset()

    def is_own(self, path: str) -> bool:
        """Return whether the text of a file was written in this clone, and did not come with git.

        Raises:
            OSError: The file cannot be read.
        """
        from holdfast.adapters.git.pages.own_texts import OwnTexts

        return OwnTexts(self._repository).is_own(path)

    def _listed(self, *words: str) -> list[tuple[str, str, str, str]]:
        """Return the parsed listing: mode, blob, stage or nothing, and path."""
        status, answer, trouble = ask_git_bytes(self._repository, *words)
        if status != 0:
            raise OutsideUnavailableError(who="git", words=trouble)
        listed = []
        for row in answer.split(b"\0")[:-1]:
            head, _, name = row.partition(b"\t")
            mode, *rest = head.decode().split()
            # ``ls-tree`` writes the object type before the name, ``ls-files`` the stage after it.
            blob, stage = (rest[1], "") if rest[0] == "blob" else (rest[0], rest[1])
            listed.append((mode, blob, stage, os.fsdecode(name)))
        return listed


DRIVER = "holdfast"
_NAME = "joins the pages of holdfast entry by entry"


def set_merge_driver(repository: Repository, program: Sequence[str]) -> bool:
    """Register Holdfast as merge driver; return whether that changed anything.

    The setting is local to the clone: a clone or a pull cannot set it.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot write its settings.
    """
    words = " ".join(shlex.quote(word).replace("%", "%%") for word in program)
    wanted = {"name": _NAME, "driver": f"{words} merge-file %O %A %B %P"}
    changed = [
        (f"merge.{DRIVER}.{key}", value)
        for key, value in wanted.items()
        if _setting(repository, f"merge.{DRIVER}.{key}") != value
    ]
    for name, value in changed:
        status, _, trouble = ask_git(repository, "config", "--local", "--replace-all", name, value)
        if status != 0:
            raise OutsideUnavailableError(who="git", words=trouble)
    return bool(changed)


def _setting(repository: Repository, name: str) -> str | None:
    status, value, _ = ask_git(repository, "config", "--local", "--get", name)
    return value.removesuffix("\n") if status == 0 else None
