"""The parts that a hook call opens, each on first use, because most calls need none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.machine.folders import STORE_FILE
from holdfast.adapters.tool_sessions import trouble_log
from holdfast.bootstrap.plugs.addresses import remote_address, server_address, state_folder_name
from holdfast.bootstrap.plugs.encryption import store_keys
from holdfast.bootstrap.plugs.server import open_server_store

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from holdfast.adapters.machine.settings import SettingsFile
    from holdfast.domain.checks.outcome import CheckOutcome
    from holdfast.domain.memory.place import SpaceId
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.store.store import Store
    from holdfast.usecases.checks.check_ports import Checker
    from holdfast.usecases.recall.recalled_memories import RecallPorts

WAIT_TO_READ, _WAIT_TO_KEEP = 0.5, 0.2


class OpenedParts:
    """The parts that a call opens, each at most once, and closes at the end."""

    def __init__(self, data: str, home: str, space: SpaceId, folder: str) -> None:
        self._data = data
        self._home = home
        self._space = space
        self.folder = folder
        self._means: RecallPorts | None = None
        self._closing: list[Callable[[], None]] = []

    def recall_ports(self) -> RecallPorts:
        """Return the ports of a recall: a read-only store, and no embedding model unless set."""
        if self._means is None:
            self._means = self._opened()
        return self._means

    def _opened(self) -> RecallPorts:
        from pathlib import Path

        from holdfast.adapters.machine.clock import MachineClock
        from holdfast.adapters.tokens.estimate import EstimatedTokens
        from holdfast.bootstrap.plugs.folder_ports import look_around
        from holdfast.domain.choices import Retrieval
        from holdfast.heuristics.english import ENGLISH
        from holdfast.usecases.recall.recalled_memories import RecallPorts

        home = Path(self._data) if self._home else None
        folder = Path(self.folder) if self.folder else None
        around = look_around(space=self._space, home=home, folder=folder)
        if self.setting("hook.meaning") == "on":
            from holdfast.bootstrap.opening.embedders import Hurry, chosen_embedder

            chosen, broken_model = chosen_embedder(home, hurry=Hurry.HOOK)
            retrieval = Retrieval.HYBRID
        else:
            chosen, broken_model, retrieval = None, "", Retrieval.WORDS
        return RecallPorts(
            store=self._store(WAIT_TO_READ, only_reads=True),
            clock=MachineClock(),
            counter=EstimatedTokens(),
            surroundings=around.surroundings,
            wording=ENGLISH.wording,
            judge=ENGLISH.judge,
            embedders=() if chosen is None else (chosen,),
            broken_model=broken_model,
            retrieval=retrieval,
            verifier=around.verifier,
            checker=self._checker(around.surroundings),
        )

    def _checker(self, surroundings: Surroundings) -> Checker:
        """Return the brief run of checks, whose ports are opened when a memory has a check."""

        def run(texts: Iterable[str], **given: Collection[str]) -> Mapping[str, CheckOutcome]:
            from holdfast.bootstrap.plugs.checks import check_ports

            ports = check_ports(
                self.folder,
                repo=lambda: surroundings.place().repo,
                state=state_folder_name(self._home),
                seconds=lambda: 0.0,
            )
            return ports.brief(texts, **given)

        return run

    def keeper(self) -> Store:
        """Return a store for writing, opened on first use; it waits only briefly for a lock."""
        from typing import cast

        from holdfast.bootstrap.plugs.folder_ports import Postponed

        return cast("Store", Postponed(lambda: self._store(_WAIT_TO_KEEP, only_reads=False)))

    def _store(self, wait_seconds: float, *, only_reads: bool) -> Store:
        if remote := remote_address():
            store = self._of_server(remote)
        elif address := server_address():
            store = open_server_store(address, self._space, wait_seconds=wait_seconds)
        else:
            store = self._file(wait_seconds, only_reads=only_reads)
        self._closing.append(store.close)
        return store

    def _of_server(self, address: str) -> Store:
        """Return what was read from a server; a hook asks it briefly for what is new."""
        from pathlib import Path

        from holdfast.bootstrap.plugs.folder_ports import look_around
        from holdfast.bootstrap.remote.opening import open_server
        from holdfast.bootstrap.remote.shelf import refresh, shelf_of
        from holdfast.domain.errors import HoldfastError

        home = Path(self._data) if self._home else None
        server = open_server(address, home=home, seconds=WAIT_TO_READ)
        folder = Path(self.folder) if self.folder else None
        now, place = server.now(), look_around(home=home, folder=folder).surroundings.place()
        try:
            refresh(server, place, now=now)
        except HoldfastError as error:
            trouble_log.note_trouble(state_folder_name(self._home), who="hook", what=str(error))
        return shelf_of(server, now=now).store(self._space, now=now)

    def _file(self, wait_seconds: float, *, only_reads: bool) -> Store:
        from pathlib import Path

        from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions

        options = StoreOptions(wait_seconds=wait_seconds, only_reads=only_reads, space=self._space)
        return SqliteStore.open(
            Path(self._data) / STORE_FILE, options=options, key_of=store_keys(self._data)
        )

    def setting(self, name: str) -> str:
        """Return a setting's value."""
        return self._settings().value(name)[0]

    def _settings(self) -> SettingsFile:
        from pathlib import Path

        from holdfast.adapters.machine.settings import SettingsFile, settings_file

        return SettingsFile(Path(self._data) / "config.toml" if self._home else settings_file())

    def close(self) -> None:
        """Close everything that was opened."""
        for close in reversed(self._closing):
            close()
