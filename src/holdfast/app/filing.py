"""The pages of a repository, one method per verb."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from holdfast.app.performing import REHEARSAL, performs, when
from holdfast.domain.choices import Origin
from holdfast.domain.memory.callers import Operation
from holdfast.domain.pages.waiting_page import IN_WORDS, DecisionWords
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from holdfast.app import Holdfast
    from holdfast.domain.memory.callers import Principal
    from holdfast.domain.memory.entry import Flaw, PlacedEntry
    from holdfast.domain.pages.syncing import EntryOutcome, Synced
    from holdfast.domain.pages.trusting import Pending, Trusted
    from holdfast.ports.anchors.clone import Clone, RepositorySettings
    from holdfast.ports.pages.files import Notebook, TrustBook
    from holdfast.ports.pages.session_files import PrivateFiles, SessionFiles
    from holdfast.ports.pages.task_pages import TaskPages
    from holdfast.usecases.pages.sync import Sync, SyncPorts
    from holdfast.usecases.pages.trust import Revoked, Trust


_DECIDES = when(
    lambda wish: wish.accepts_removals or (wish.takes_in and wish.voice is Origin.HUMAN),
    Operation.DECIDE,
    "as a person, or with removals",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filing:
    """An open memory, and the pages of the clone that it is seen from."""

    memory: Holdfast
    notebook: Notebook
    book: TrustBook
    clone: str
    settings: RepositorySettings | None = None
    own_clone: Clone | None = None
    task_pages: TaskPages | None = None
    task_clone: Clone | None = None
    session_files: SessionFiles | None = None
    session_clone: Clone | None = None
    private_files: PrivateFiles | None = None
    deciding: DecisionWords = IN_WORDS
    """The text on the page of candidates that tells how to decide."""
    turn: Callable[[], AbstractContextManager[None]] = nullcontext
    """A lock per clone: two syncs at once would each record the other's changes."""

    @property
    def principal(self) -> Principal:
        """The principal who called."""
        return self.memory.principal

    @performs(Operation.READ)
    def has_pages(self) -> bool:
        """Return whether this repository has pages, and its settings allow reading them."""
        is_off = self.settings is not None and self.settings.value("files") == "false"
        return not is_off and self.notebook.exists()

    @performs(Operation.READ)
    def entries(self) -> Sequence[PlacedEntry]:
        """Return the entries of the pages as they are on disk, without forgotten texts."""
        if not self.has_pages():
            return ()
        pages = self.notebook.read()
        return [one for one in pages.entries if one.entry.digest not in pages.forgotten]

    @performs(Operation.PROPOSE, REHEARSAL, _DECIDES)
    def sync(self, wish: Sync) -> Synced:
        """Bring the pages and the store in line."""
        from holdfast.usecases.pages.task_pages import sync_with_tasks

        with nullcontext() if wish.dry_run else self.turn():
            voice = self.principal.at_most(wish.voice)
            return sync_with_tasks(replace(wish, voice=voice), ports=self._ports())

    @performs(Operation.READ)
    def hide_private(self, *, dry_run: bool = False) -> Sequence[Flaw]:
        """Take private files that git shows out of the working tree; return which, and why."""
        return () if self.private_files is None else self.private_files.hide(dry_run=dry_run)

    @performs(Operation.READ)
    def pending(self, *, by: str) -> Pending:
        """Return the entries that came with git and that nobody here has accepted yet."""
        from holdfast.usecases.pages.trust import pending

        return pending(by=by, ports=self._ports())

    @performs(Operation.TRUST)
    def trust(self, wish: Trust) -> Synced:
        """Accept exactly the entries that were shown."""
        from holdfast.usecases.pages.trust import trust

        with self.turn():
            return trust(wish, ports=self._ports(), book=self.book)

    @performs(Operation.TRUST)
    def ignore_sessions(self, *, by: str) -> Sequence[EntryOutcome]:
        """Leave the session files of others alone that wait here, and return them."""
        from holdfast.usecases.pages.trust import ignore_sessions

        with self.turn():
            return ignore_sessions(by=by, ports=self._ports())

    @performs(Operation.TRUST)
    def revoke(self, *, by: str) -> Revoked:
        """Turn memories that were accepted by trust into candidates again.

        What sessions and the state have from git is removed, and its files wait again; so do the
        session files of others that were left alone.
        """
        from holdfast.usecases.pages.revoking import revoke_sessions
        from holdfast.usecases.pages.trust import Revoked, notice_sessions, revoke

        with self.turn():
            notice_sessions(ports=self._ports())
            files = revoke_sessions(ports=self._ports())
            memories = revoke(clone=self.clone, by=by, ports=self._ports(), book=self.book)
            return Revoked(memories=tuple(memories), files=files)

    @performs(Operation.READ)
    def trusted(self) -> Sequence[Trusted]:
        """List the clones whose pages are trusted."""
        return self.book.entries()

    def _ports(self) -> SyncPorts:
        from holdfast.usecases.pages.sync import SyncPorts

        return SyncPorts(
            store=self.memory.store,
            clock=self.memory.clock,
            surroundings=self.memory.surroundings,
            notebook=self.notebook,
            heuristics=self.memory.heuristics,
            verifier=self.memory.verifier,
            settings=self.settings,
            own_clone=self.own_clone,
            task_pages=self.task_pages,
            task_clone=self.task_clone,
            session_files=self.session_files,
            session_clone=self.session_clone,
            private_files=self.private_files,
            deciding=self.deciding,
        )
