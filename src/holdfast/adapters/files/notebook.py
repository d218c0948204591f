"""The pages of one clone: reads them, and writes them without losing a person's edit."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from holdfast.adapters.disk.page_files import keeps_pages
from holdfast.adapters.files.clone_state import (
    BASES_FILE,
    Bases,
    ForgottenTexts,
    from_other_branches,
    state_of,
)
from holdfast.adapters.files.disk import UnreadableError, held_lock, open_folder
from holdfast.adapters.files.editing import differs, readable
from holdfast.adapters.files.entries import CONFLICT
from holdfast.adapters.files.generated_mark import is_as_made, marked
from holdfast.adapters.files.healing import healed
from holdfast.adapters.files.late_saves import Rescue, Settler
from holdfast.adapters.files.page_index import PageIndex
from holdfast.adapters.files.page_writing import with_puts
from holdfast.adapters.files.pages import HOME, MEMORY, entries_of, find_pages, read_pages
from holdfast.adapters.files.private_files import keep_private
from holdfast.adapters.files.replacing import Stash, Swapper, sweep
from holdfast.adapters.files.written import PROPOSED_FILE, WRITTEN_FILE, OriginsFile
from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import Flaw, Pages
from holdfast.domain.pages.syncing import NO_EDITS
from holdfast.domain.refusals import PagesBusyError, PageUnwritableError
from holdfast.domain.values import replace
from holdfast.ports.pages.files import GeneratedPage, Written

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from holdfast.adapters.files.late_saves import RescuedSave
    from holdfast.domain.memory.entry import PageEntry
    from holdfast.domain.pages.syncing import Edits
    from holdfast.ports.anchors.clone import Versions
    from holdfast.ports.pages.files import Base, Put

_MOST_TRIES = 100
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_NO_BRANCH = "-"
_NOT_MADE = "it has a text that Holdfast did not write"
_SAVED = "another program saved it at the same moment"
_IGNORING = f"{HOME}/.gitignore"


class PagesElsewhere(Protocol):
    """What git has beside the checked-out commit."""

    def left_to_git(self, pages: Collection[str]) -> frozenset[str]:
        """Return the missing pages that git is to bring."""
        ...

    def not_checked_out(self, pages: Collection[str]) -> frozenset[str]:
        """Return the missing pages that other commits have, left to git or not."""
        ...


class FileNotebook:
    """The pages below ``.holdfast`` of one working tree or, without git, of one folder.

    ``store`` names the store whose synced state and forgotten texts apply. ``others`` knows what
    git has in other commits and in the stash. ``elsewhere`` returns the folders with the state of
    the other working trees of the clone.
    """

    def __init__(
        self,
        root: Path,
        versions: Versions | None = None,
        *,
        store: str = "",
        others: PagesElsewhere | None = None,
        elsewhere: Callable[[], Iterable[Path]] = tuple,
    ) -> None:
        self._root = root
        self._versions = versions
        self._others = others
        state = root / HOME / ".state" if versions is None else versions.state_folder()
        self._lock = state / "pages.lock"
        self._bases = Bases(
            state_of(state, store) / BASES_FILE,
            elsewhere=lambda: [state_of(one, store) / BASES_FILE for one in elsewhere()],
        )
        self._stash = Stash(state / "pages")
        self._rescue = Rescue(state)
        self._forgotten = ForgottenTexts(state, store, elsewhere=elsewhere)
        self._written = OriginsFile(state / WRITTEN_FILE, elsewhere=elsewhere)
        self._proposed = OriginsFile(state / PROPOSED_FILE, elsewhere=elsewhere)
        self._swapper = Swapper(root, self._stash)
        self._settler = Settler(root, self._stash, self._rescue, self._swapper)
        self._seen: list[RescuedSave] = []
        self._branch: str | None = None

    def exists(self) -> bool:
        """Return whether this repository has pages."""
        return keeps_pages(self._root)

    def read(self) -> Pages:
        """Read every page from disk.

        Raises:
            PagesBusyError: Another process holds the lock past the timeout.
            PageUnwritableError: A late save cannot be merged into its page.
        """
        if not self.exists():
            return Pages()
        if self._settler.has_work():
            with held_lock(self._lock):
                self._settler.settle()
        with held_lock(self._lock, shared=True):
            found = find_pages(self._root)
        pages = read_pages(found.contents, found.flaws)
        self._seen = self._settler.taken_in(pages)
        forgotten = self._forgotten.among(one.entry for one in pages.entries)
        return replace(
            pages,
            aside=self._rescue.aside(),
            forgotten=forgotten,
            unsure_of_forgotten=self._forgotten.problem(),
            written=self._written.read(),
            proposed=self._proposed.read(),
        )

    def write(self, puts: Sequence[Put]) -> Sequence[Written]:
        """Write entries, each only if the page still holds what is expected; other bytes stay.

        Raises:
            PagesBusyError: Another process holds the lock past the timeout.
            PageUnwritableError: The disk is full or the permissions do not allow it.
        """
        if not puts or not self.exists():
            return tuple(Written(put=put, path=None) for put in puts)
        with held_lock(self._lock):
            self._tidy()
            entries = [put.entry for put in puts if not put.is_removal]
            self._written.change({one.digest: one.origin for one in entries if one.origin})
            found = find_pages(self._root)
            contents = found.contents
            shelf = PageIndex(contents, self._folders(), found.full)
            pages: dict[str, list[Put]] = {}
            for put in puts:
                if (path := shelf.page_for(put)) is not None:
                    pages.setdefault(path, []).append(put)
            new = [path for path in pages if path not in contents]
            later = self._left_to_git(new)
            shared = self._others.not_checked_out(new) if new and self._others else frozenset()
            away = {id(put) for path in later | shared for put in pages[path]}
            pages = {path: group for path, group in pages.items() if path not in later}
            taken = {path: self._write_page(path, group) for path, group in pages.items()}
            self._settler.settle()
            written = {
                id(put): path for path, group in taken.items() for put in self._there(path, group)
            }
        return tuple(
            Written(
                put=put,
                path=(path := written.get(id(put))),
                is_elsewhere=id(put) in away,
                is_new=self._versions is not None and path in new,
            )
            for put in puts
        )

    def _left_to_git(self, missing: Collection[str]) -> frozenset[str]:
        return self._others.left_to_git(missing) if missing and self._others else frozenset()

    def _missing(self, *paths: str) -> list[str]:
        return [path for path in paths if not os.path.lexists(self._root / path)]

    def committed(self) -> Mapping[MemoryId, frozenset[str]] | None:
        """Return the digests of the entries in the last commit; None without git.

        Raises:
            OutsideUnavailableError: Git is not installed, or refuses to read the repository.
        """
        if self._versions is None:
            return None
        return _digests(self._versions.committed(MEMORY))

    def bases(self) -> Mapping[MemoryId, Base]:
        """Return the last synced state of the branch that is checked out.

        A branch that was never synced begins with what page and store agreed on where it was made.
        """
        self._branch = self._checked_out()
        versions = self._versions
        if versions is None or self._bases.has(self._branch):
            return self._bases.of(self._branch)
        found = from_other_branches(
            self._bases.of_others(self._branch),
            versions,
            lambda commit: _digests(versions.committed(MEMORY, at=commit)),
        )
        if found:
            # The other branch may agree on another text before this one is synced again.
            with suppress(PagesBusyError, PageUnwritableError), held_lock(self._lock):
                self._bases.keep(self._branch, found)
        return found

    def set_bases(self, bases: Mapping[MemoryId, Base], *, edits: Edits = NO_EDITS) -> None:
        """Store the synced state, unless another branch was checked out since the pages were read.

        A base may be missing, but never wrong: with a base from another branch, entries that git
        removed at a checkout would count as removed by a person. The edits of agents belong to no
        branch, because an uncommitted edit stays in the file when another one is checked out.
        """
        with held_lock(self._lock):
            self._proposed.change(edits.proposed, without=edits.settled)
        branch = self._checked_out()
        if self._branch in {None, branch}:
            with held_lock(self._lock):
                self._bases.keep(branch, bases)
        # The store now has what these pages held when they were read.
        for one in self._seen:
            one.path.unlink(missing_ok=True)

    def heal(self) -> Sequence[Flaw]:
        """Rebuild pages with conflict markers; return the conflicts that remain."""
        if not any(b"<<<<<<<" in one for one in find_pages(self._root).contents.values()):
            return ()
        unmerged = {} if self._versions is None else self._versions.unmerged(MEMORY)
        with held_lock(self._lock):
            self._tidy()
            for path, content in find_pages(self._root).contents.items():
                fresh = healed(content, unmerged.get(path), path)
                if fresh not in {None, content}:
                    self._swapper.swap(path, content, fresh or b"")
            self._settler.settle()
        problems = read_pages(find_pages(self._root).contents).flaws
        return tuple(flaw for flaw in problems if flaw.problem == CONFLICT)

    def _exposed(self, path: str, *, may_be_tracked: bool = False) -> str | None:
        """Return why a private page must not be written here; None if it may be."""
        if self._versions is None:
            return None
        return keep_private(self._root, self._versions, path, may_be_tracked=may_be_tracked)

    def write_generated(self, name: str, text: str) -> GeneratedPage:
        """Write a generated page, such as ``candidates.md``.

        A name may contain a folder below ``.holdfast``. A page that a person wrote or edited stays
        unchanged. No page is made that git brings, nor one beside which git has yet to bring the
        file that keeps it out of commits.

        Raises:
            BadFieldError: The name could lead out of the folder.
            PagesBusyError: Another process holds the lock past the timeout.
            PageUnwritableError: The disk is full or the permissions do not allow it.
        """
        path = f"{HOME if '/' in name else MEMORY}/{name}"
        if not all(_NAME.fullmatch(part) for part in name.split("/")):
            raise BadFieldError(field="name", problem=f"'{name[:100]}' is no name of a page.")
        fresh = marked(text)
        with held_lock(self._lock):
            try:
                content = self._swapper.read(path)
                if content is None and self._left_to_git(self._missing(path, _IGNORING)):
                    return GeneratedPage(is_there=False)
                if content is not None and not is_as_made(content):
                    return GeneratedPage(problem=_NOT_MADE)
                if content is not None and content.replace(b"\r\n", b"\n") == fresh:
                    return GeneratedPage()
                if problem := self._exposed(path, may_be_tracked=content is not None):
                    return GeneratedPage(problem=problem, is_there=content is not None)
                is_written = self._swapper.swap(path, content, fresh)
            except UnreadableError as error:
                return GeneratedPage(problem=str(error))
            self._settler.settle()
            return GeneratedPage(is_changed=is_written, problem="" if is_written else _SAVED)

    def _write_page(self, path: str, puts: Sequence[Put]) -> Sequence[Put]:
        """Apply the writes that fit to a page; retry whenever another process changed it."""
        for _ in range(_MOST_TRIES):
            try:
                content = self._swapper.read(path)
                fresh, taken = with_puts(content, path, puts)
                if fresh is None or fresh == content or self._replaced(path, content, fresh):
                    return taken
            except UnreadableError:
                break
        return ()

    def _replaced(self, path: str, content: bytes | None, fresh: bytes) -> bool:
        """Replace a page, or remove an emptied one; return whether it held the content."""
        if content and not fresh:
            return self._swapper.remove(path, content)
        return self._swapper.swap(path, content, fresh)

    def _there(self, path: str, puts: Sequence[Put]) -> list[Put]:
        """Return the writes that the page holds now as requested."""
        try:
            content = self._swapper.read(path)
        except UnreadableError:
            return []
        read = readable((content or b"").decode("utf-8", "surrogateescape"), path)
        entries = {one.entry.uid: one.entry for one in reversed(read)}
        return [put for put in puts if _is_done(put, entries.get(put.entry.uid))]

    def _tidy(self) -> None:
        """Finish the writes of a process that was killed."""
        self._settler.settle()
        for folder in ("", *self._folders()):
            parts = (folder or MEMORY).split("/")
            try:
                with open_folder(self._root, *parts) as opened:
                    for name, content in [] if opened is None else sweep(opened):
                        self._rescue.set_aside(f"{folder or MEMORY}/{name}", content)
            except UnreadableError:
                continue

    def _folders(self) -> list[str]:
        """Return the subfolders of pages; each holds the entries of one page."""
        found = []
        try:
            with open_folder(self._root, *MEMORY.split("/")) as folder:
                if folder is not None:
                    found = [
                        f"{MEMORY}/{one.name}"
                        for one in os.scandir(folder)
                        if one.is_dir(follow_symlinks=False)
                    ]
        except UnreadableError:
            return []
        return found

    def _checked_out(self) -> str:
        return _NO_BRANCH if self._versions is None else self._versions.branch()


def _digests(pages: Mapping[str, bytes]) -> dict[MemoryId, frozenset[str]]:
    """Return the digests of the entries of committed pages."""
    found: dict[MemoryId, set[str]] = {}
    for path, content in pages.items():
        # Each page by itself: of two entries with one uid, both count here.
        for entry in _said_by(content, path) if path.endswith(".md") else ():
            found.setdefault(entry.uid or MemoryId(entry.digest), set()).add(entry.digest)
    return {name: frozenset(digests) for name, digests in found.items()}


def _is_done(put: Put, entry: PageEntry | None) -> bool:
    """Tell whether a page has an entry as it was requested."""
    if put.is_removal or entry is None:
        return put.is_removal and entry is None
    return not differs(entry, put.entry)


def _said_by(content: bytes, path: str) -> list[PageEntry]:
    """Return every readable entry of a page, also the second of two with one uid."""
    return [one.entry for one in entries_of(content, path) if not isinstance(one, Flaw)]
