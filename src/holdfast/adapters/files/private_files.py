"""Keeps private files out of commits, and takes them out of a working tree that would show them.

An ignore file in a commit counts more than the one of a clone. The nearest one counts most, so each
private folder has one of ours, which git ignores. Git overwrites ignored files without asking: a
checkout or a pull may bring another text for it, and then git shows the private files beside it.
"""

from __future__ import annotations

import os
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import read_plain, write_whole
from holdfast.adapters.files.disk import UnreadableError, held_lock, open_folder, read_file
from holdfast.adapters.files.generated_mark import is_as_made
from holdfast.adapters.files.late_saves import Rescue
from holdfast.adapters.files.layout import IGNORING, put_new
from holdfast.adapters.files.pages import HOME, MEMORY
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.refusals import PageUnwritableError
from holdfast.domain.text.counting import counted
from holdfast.ports.anchors.clone import COMMITTED, TRACKED, UNSURE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    from holdfast.ports.anchors.clone import Versions

_CANDIDATES = "candidates.md"
_PRIVATE = {
    "context/": f"/{HOME}/context/",
    ".holdfast-*": f"/{HOME}/**/.holdfast-*",
    "sessions/": f"/{HOME}/sessions/",
    "memory/candidates.md": f"/{MEMORY}/{_CANDIDATES}",
}
"""The lines about private files, and the same as patterns for the root of a repository."""
_GUARDS = {
    "context/": ("context", "*\n"),
    "sessions/": ("sessions", "*\n"),
    "memory/candidates.md": ("memory", f"/.gitignore\n/{_CANDIDATES}\n"),
}
"""For lines about private files, the folder of these files and the text of its own ignore file.

Git ignores that file too. It is nearest to the private files, so no pattern of another one counts.
"""
_NOT_IGNORED = "it is private, and git would not ignore it because {reason}."
_SHARING = (
    "Change that, or share the file: edit .holdfast/.gitignore yourself, without its line and with"
    " a comment of your own, and run 'holdfast sync'"
)
_OR_SHARE = (
    "or share it: edit .holdfast/.gitignore yourself, without its line and with a comment of your"
    " own, and run 'holdfast sync'"
)
_STAGED = (
    "it is private, and the next commit would contain it. Take it out with 'git rm --cached',"
    f" {_OR_SHARE}"
)
_HELD = (
    "it is private, and a commit of yours contains it. Take it out with 'git rm --cached' and a"
    f" commit, which leaves it in the earlier commits, {_OR_SHARE}"
)
READ_BY_TOOLS = (
    "it came with git, and coding tools read it as the context from Holdfast. Look at what it says,"
    " and take it out with 'git rm' and a commit; then Holdfast writes it"
)
_MOVED = " So {files} left the working tree; the store has what Holdfast wrote there."
_COMING = " The next 'holdfast sync' takes {count:,} of these files out of the working tree."
_LEFT = " {count:,} of these files could not be moved; remove them yourself."
_SHARED = "shared"
_LOOKED = "# The person of this clone took these lines out:"
_SESSIONS = f"{HOME}/sessions"
CONTEXT = f"{HOME}/context"
_NEXT = {MEMORY: _CANDIDATES, _SESSIONS: "session.json", CONTEXT: "run.md"}


def keep_private(
    root: Path, versions: Versions, path: str, *, may_be_tracked: bool = False
) -> str | None:
    """Make git ignore the private files on every branch; return why it would show this one.

    None means that a file may be written: git ignores it, it is not private, or the person of this
    clone shares it. That person took its line out of ``.holdfast/.gitignore``, with an edit or a
    commit of their own; a file that came with git decides nothing. Git is asked only if patterns of
    somebody else are nearer to the file than ours, or if it may track the file.

    Raises:
        UnreadableError: A link or something else is in place of a file or a folder.
        PageUnwritableError: A file that tells git what to ignore cannot be written.
    """
    try:
        shared = _shared(root, versions)
        versions.ignore({pattern: line not in shared for line, pattern in _PRIVATE.items()})
        for line, (folder, guard) in _GUARDS.items():
            if line in shared:
                _remove_guard(root, folder, guard)
            elif path.startswith(f"{HOME}/{line}"):
                is_guarded = _is_guarded(root, folder, guard)
                if is_guarded and not may_be_tracked:
                    return None
                reason = versions.unignored([path]).get(path)
                return reason and f"{_NOT_IGNORED.format(reason=reason)} {_SHARING}"
    except OSError as error:
        raise PageUnwritableError(path, str(error.strerror)) from error
    return None


class FilePrivateFiles:
    """The private files of one working tree; ``agreed`` is the text that the store has of one."""

    def __init__(
        self, root: Path, versions: Versions, *, agreed: Callable[[str], str | None]
    ) -> None:
        self._root, self._versions, self._agreed = root, versions, agreed
        state = versions.state_folder()
        self._lock = state / "pages.lock"
        self._rescue = Rescue(state)

    def hide(self, *, dry_run: bool = False) -> Sequence[Flaw]:
        """Take private files that git shows out of the working tree; return which, and why."""
        flaws: list[Flaw] = []
        if not (self._root / HOME).is_dir():
            return flaws
        with nullcontext() if dry_run else held_lock(self._lock):
            shared = _shared(self._root, self._versions)
            for line, (folder, _) in _GUARDS.items():
                # A link in place of a folder is left; a sync names it.
                with suppress(UnreadableError):
                    place = f"{HOME}/{folder}"
                    if line not in shared and (paths := self._paths(place)):
                        flaws += self._hidden(place, paths, dry_run=dry_run)
        return flaws

    def _paths(self, place: str) -> list[str]:
        """Return the private files in a folder, and one that may be written there next."""
        with open_folder(self._root, *place.split("/")) as folder:
            if folder is None:
                return []
            # The folder is open, so that no link can lead elsewhere; a path would not know that.
            names = [] if place == MEMORY else sorted(os.listdir(folder))  # noqa: PTH208
        ending = "." + _NEXT[place].partition(".")[2]
        known = [name for name in names if name.endswith(ending) and not name.startswith(".")]
        return [f"{place}/{name}" for name in (*known, _NEXT[place])]

    def _hidden(self, place: str, paths: Collection[str], *, dry_run: bool) -> list[Flaw]:
        if not dry_run:
            with suppress(PageUnwritableError):
                keep_private(self._root, self._versions, next(iter(paths)))
        reasons = self._versions.unignored(paths)
        tracked = self._tracked(place, reasons)
        flaws = [Flaw(path=path, line=1, problem=problem) for path, problem in tracked]
        unshown = {TRACKED, COMMITTED, UNSURE}
        shown = sorted(path for path in reasons if reasons[path] not in unshown)
        if shown:
            gone = 0 if dry_run else sum(map(self._take_out, shown))
            left = sum(os.path.lexists(self._root / path) for path in shown)
            said = _NOT_IGNORED.format(reason=reasons[shown[0]])
            said += _MOVED.format(files=counted(gone, "private file")) if gone else ""
            said += (_COMING if dry_run else _LEFT).format(count=left) if left else ""
            where = shown[0] if place == MEMORY else place
            flaws.append(Flaw(path=where, line=1, problem=f"{said} {_SHARING}"))
        return flaws

    def _tracked(self, place: str, reasons: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return the files that the next commit would add, and those that an own commit has.

        Sessions of others are left out. The context that a commit of others has is named, because
        tools read it as that of this machine.
        """
        tracked = {path for path, reason in reasons.items() if reason in {TRACKED, COMMITTED}}
        committed = self._versions.committed(place) if tracked else {}
        new = tracked - committed.keys()
        own = [path for path in tracked if path in new or reasons[path] == COMMITTED]
        others = [
            (one, READ_BY_TOOLS) for one in sorted(tracked.difference(own)) if place == CONTEXT
        ]
        return others + [
            (one, _STAGED if one in new else _HELD)
            for one in sorted(own)
            if place != _SESSIONS or self._agreed(one) is not None
        ]

    def _take_out(self, path: str) -> bool:
        """Remove a file; keep a copy beside the clone, unless the store has all that it says."""
        *parts, name = path.split("/")
        with suppress(OSError, UnreadableError), open_folder(self._root, *parts) as folder:
            content = None if folder is None else read_file(folder, name)
            if content is None:
                return False
            agreed = self._agreed(path)
            plain = content.replace(b"\r\n", b"\n")
            if not is_as_made(content) and (agreed is None or plain != agreed.encode()):
                self._rescue.set_aside(path, content)
            os.unlink(name, dir_fd=folder)
            return True
        return False


def _is_guarded(root: Path, folder: str, guard: str) -> bool:
    """Write the ignore file of a private folder unless there is one; return whether it is ours."""
    with open_folder(root, HOME, folder, make=True) as opened:
        if opened is None:
            return False
        return (
            bool(put_new(opened, IGNORING, guard)) or read_file(opened, IGNORING) == guard.encode()
        )


def _shared(root: Path, versions: Versions) -> frozenset[str]:
    """Return the lines about private files that the person of this clone took out.

    On a branch without the file nothing is shared, and where something else is in its place.
    """
    content: bytes | None = None
    with suppress(UnreadableError), open_folder(root, HOME) as folder:
        content = None if folder is None else read_file(folder, IGNORING)
    if content is None:
        return frozenset()
    lines = {line.strip() for line in content.decode("utf-8", "replace").splitlines()}
    missing = _PRIVATE.keys() - lines
    record = versions.state_folder() / _SHARED
    known = _recorded(record)
    is_own = bool(missing) and versions.is_own(f"{HOME}/{IGNORING}")
    chosen = missing if is_own else known & missing
    if chosen != known:
        write_whole(record, "".join(f"{line}\n" for line in (_LOOKED, *sorted(chosen))).encode())
    return frozenset(chosen)


def _recorded(record: Path) -> set[str]:
    """Return the lines that were taken out; none of a record from before texts were looked up."""
    try:
        lines = set(read_plain(record).decode("utf-8", "replace").splitlines())
    except OSError:
        return set()
    return lines - {_LOOKED} if _LOOKED in lines else set()


def _remove_guard(root: Path, folder: str, guard: str) -> None:
    with open_folder(root, HOME, folder) as opened:
        if opened is not None and read_file(opened, IGNORING) == guard.encode():
            os.unlink(IGNORING, dir_fd=opened)
