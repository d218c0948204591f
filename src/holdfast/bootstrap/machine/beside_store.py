"""The files beside a store: caches, badge data, the hook log, the list of written files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import performs
from holdfast.bootstrap.machine.parts import MachinePart
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from holdfast.app import Holdfast
    from holdfast.domain.encryption.ciphertext import KeyId
    from holdfast.domain.encryption.keys import EncryptionKey, KeySource
    from holdfast.domain.review.curation import HealthFinding
    from holdfast.domain.review.traces import Trace
    from holdfast.domain.sessions.hook_calls import ToolSession
    from holdfast.usecases.encryption.keys import KeyState
    from holdfast.usecases.memory.forget import Forgotten


class FilesBesideStore(MachinePart):
    """The files in the folder of a space, besides the store itself."""

    @property
    def _home(self) -> str:
        home = self._machine.home
        return "" if home is None else str(home)

    @performs(Operation.MAINTAIN)
    def check(self) -> Sequence[HealthFinding]:
        """Check every file that can be rebuilt; change nothing."""
        from holdfast.bootstrap.opening.derived import check_derived

        return check_derived(self._machine.home, self._machine.folder)

    @performs(Operation.REPAIR)
    def remove_damaged(self) -> Sequence[str]:
        """Remove or rewrite the damaged files; return what was done."""
        from holdfast.bootstrap.opening.derived import remove_damaged

        return remove_damaged(self._machine.home, self._machine.folder)

    @performs(Operation.CONFIGURE)
    def add_key(self, source: KeySource) -> EncryptionKey:
        """Make a key known without the store, which may need this key to be opened."""
        from datetime import UTC, datetime

        from holdfast.bootstrap.opening.badge import state_folder
        from holdfast.bootstrap.plugs.encryption import LazyKeyRing

        return LazyKeyRing(state_folder(self._home)).add(source, at=datetime.now(UTC))

    @performs(Operation.CONFIGURE)
    def keys_of_locked(self, whole: KeyId) -> Sequence[KeyState]:
        """List the keys that are known here, without the store, which needs this key."""
        from holdfast.bootstrap.opening.badge import state_folder
        from holdfast.bootstrap.plugs.encryption import LazyKeyRing
        from holdfast.usecases.encryption.keys import keys_of_locked

        return keys_of_locked(whole, keys=LazyKeyRing(state_folder(self._home)))

    @performs(Operation.RECORD)
    def note_written(self, path: Path) -> None:
        """Record a file that a person had written, so that forgetting can name it."""
        from holdfast.bootstrap.plugs.code import note_written

        note_written(path, home=self._machine.home)

    @performs(Operation.RECORD)
    def note_drifted(self, repo: str, names: Sequence[str]) -> None:
        """Record for the badge which memories have drifted in this checkout."""
        from holdfast.bootstrap.opening.badge import note_drifted

        note_drifted(self._home, repo, str(self._machine.folder), list(names))

    @performs(Operation.READ)
    def drifted(self, *, everywhere: bool) -> int:
        """Return how many memories have drifted in this checkout, or in any."""
        from holdfast.bootstrap.opening.badge import drifted_in

        return drifted_in(self._home, None if everywhere else str(self._machine.folder))

    @performs(Operation.READ)
    def note_rows(self, terminal: str, rows: Sequence[tuple[str, str]]) -> None:
        """Record the rows of the list that a terminal shows: an id and a hash each."""
        from holdfast.adapters.machine.shown_rows import note_rows
        from holdfast.bootstrap.opening.badge import state_folder

        note_rows(state_folder(self._home), terminal, list(rows))

    @performs(Operation.READ)
    def rows(self, terminal: str) -> Sequence[tuple[str, str]]:
        """Return the rows of the last list in a terminal."""
        from holdfast.adapters.machine.shown_rows import rows_in
        from holdfast.bootstrap.opening.badge import state_folder

        return rows_in(state_folder(self._home), terminal)

    @performs(Operation.READ)
    def warnings(self) -> int:
        """Return how many warnings the badge shows."""
        from holdfast.bootstrap.opening.badge import warnings_of

        return warnings_of(self._home)

    @performs(Operation.READ)
    def sessions(self, *, limit: int) -> Sequence[ToolSession]:
        """Return the latest sessions of tools, newest first, with what hooks told them."""
        from holdfast.bootstrap.hooks.attending import recent_sessions

        return recent_sessions(self._machine.home, limit=limit)

    @performs(Operation.READ)
    def trouble(self, *, limit: int) -> Sequence[str]:
        """Return the newest lines of the hook error log."""
        from holdfast.bootstrap.hooks.attending import recent_trouble

        return recent_trouble(self._machine.home, limit=limit)

    @performs(Operation.RECORD)
    def note_trouble(self, *, who: str, what: str) -> None:
        """Add a line to the hook error log."""
        from holdfast.bootstrap.hooks.attending import note_trouble

        note_trouble(self._home, who=who, what=what)

    @performs(Operation.PROPOSE)
    def write_again(
        self, gone: Sequence[Forgotten], *, holdfast: Holdfast, by: str
    ) -> Sequence[Trace]:
        """Rewrite the generated pages after forgetting; return those that still have the text."""
        from holdfast.bootstrap.pages.filing import make_again

        return make_again(holdfast, gone, folder=self._machine.folder, by=by)
