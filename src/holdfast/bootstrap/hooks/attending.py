"""The parts that a hook call needs, each opened on first use, because most calls need none."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from holdfast.adapters.machine.folders import STORE_FILE, data_folder_name
from holdfast.adapters.tool_sessions import notes
from holdfast.app.occasions import Occasions
from holdfast.bootstrap.hooks.turns import turn_ports
from holdfast.bootstrap.plugs.own_program import OWN_PROGRAM
from holdfast.bootstrap.plugs.server import (
    open_server_store,
    remote_address,
    server_address,
    server_watch,
    state_folder_name,
)
from holdfast.bootstrap.plugs.spaces import options_for
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.memory.place import DEFAULT_SPACE
from holdfast.usecases.sessions.hook_ports import HookPorts, RareHookPorts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from holdfast.adapters.machine.settings import SettingsFile
    from holdfast.app import Holdfast
    from holdfast.domain.checks.outcome import CheckOutcome
    from holdfast.domain.memory.place import SpaceId
    from holdfast.domain.sessions.hook_calls import HookAnswer, HookCall, ToolSession
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.sessions.tool_sessions import Watch
    from holdfast.ports.store.store import Store
    from holdfast.usecases.checks.check_ports import Checker
    from holdfast.usecases.recall.recalled_memories import RecallPorts

_LOCK = "propose.lock"
_USUAL_PLACE = "-"
_WAIT_TO_READ, _WAIT_TO_KEEP = 0.5, 0.2


def has_store(home: str = "") -> bool:
    """Return whether there is a store; a hook never creates one."""
    if remote_address() or server_address():
        return True
    return os.access(f"{data_folder_name(home)}/{STORE_FILE}", os.R_OK)


def note_trouble(home: str, *, who: str, what: str) -> None:
    """Write a line about an error in a hook to the log beside the store."""
    notes.note_trouble(state_folder_name(home), who=who, what=what)


def recent_trouble(home: Path | None, *, limit: int) -> Sequence[str]:
    """Return the newest lines of the hook error log."""
    return notes.read_trouble(_folder(home), limit=limit)


def recent_sessions(home: Path | None, *, limit: int) -> Sequence[ToolSession]:
    """Return the latest sessions of tools, newest first, with what hooks told them."""
    from holdfast.adapters.tool_sessions.notes import ToolSessionFiles

    return ToolSessionFiles(_folder(home)).latest(limit=limit)


def _folder(home: Path | None) -> str:
    return state_folder_name("" if home is None else str(home))


def attend(
    hook_call: HookCall,
    *,
    say: Callable[[HookAnswer], bool],
    home: str = "",
    space: SpaceId | None = None,
) -> None:
    """Answer one hook call with the store in the folder of a space.

    '' is the usual folder, and no space is the default one. ``say`` writes the answer and returns
    whether it was written.
    """
    from holdfast.adapters.tool_sessions.notes import DetachedProcess, ToolSessionFiles

    folder, space = data_folder_name(home), space or DEFAULT_SPACE
    opened = OpenedParts(folder, home, space, hook_call.folder)
    ports = HookPorts(
        sessions=ToolSessionFiles(state_folder_name(home)),
        watch=_watch(folder, space),
        leaving=DetachedProcess((*OWN_PROGRAM, *options_for(space, folder))),
        aids=RareHookPorts(
            recall_ports=opened.recall_ports,
            keep_in=opened.keeper,
            setting=opened.setting,
            badge=lambda: _badge(home, hook_call.folder, space),
            root=_root,
            now=lambda: int(time.time()),
        ),
        say=say,
        keeping=None if remote_address() else turn_ports(opened, home),
    )
    tool = Principal.of(PrincipalKind.TOOL, space=space, name=hook_call.tool)
    try:
        Occasions(tool, ports).attend(hook_call)
    finally:
        opened.close()


def _watch(folder: str, space: SpaceId) -> Watch:
    if remote_address():
        from holdfast.bootstrap.hooks.remote_watch import RemoteWatch

        return RemoteWatch()
    if address := server_address():
        return server_watch(address, space, wait_seconds=_WAIT_TO_READ)
    from holdfast.adapters.sqlite.watching import SqliteWatch

    return SqliteWatch(f"{folder}/{STORE_FILE}")


def _badge(home: str, folder: str, space: SpaceId) -> str:
    from holdfast.bootstrap.opening.badge import badge_line

    return badge_line(home, folder, space)


def _root(folder: str) -> str:
    from holdfast.adapters.tool_sessions.notes import root_of

    return root_of(folder)


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
            from holdfast.bootstrap.opening.embedders import Hurry, embedder

            chosen, retrieval = embedder(home, hurry=Hurry.HOOK), Retrieval.HYBRID
        else:
            chosen, retrieval = None, Retrieval.WORDS
        return RecallPorts(
            store=self._store(_WAIT_TO_READ, only_reads=True),
            clock=MachineClock(),
            counter=EstimatedTokens(),
            surroundings=around.surroundings,
            wording=ENGLISH.wording,
            judge=ENGLISH.judge,
            embedders=() if chosen is None else (chosen,),
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
        server = open_server(address, home=home, seconds=_WAIT_TO_READ)
        folder = Path(self.folder) if self.folder else None
        now, place = server.now(), look_around(home=home, folder=folder).surroundings.place()
        try:
            refresh(server, place, now=now)
        except HoldfastError as error:
            note_trouble(self._home, who="hook", what=str(error))
        return shelf_of(server, now=now).store(self._space, now=now)

    def _file(self, wait_seconds: float, *, only_reads: bool) -> Store:
        from pathlib import Path

        from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions

        options = StoreOptions(wait_seconds=wait_seconds, only_reads=only_reads, space=self._space)
        return SqliteStore.open(Path(self._data) / STORE_FILE, options=options)

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


def propose_from(
    said: tuple[str, str, str], *, memory: Holdfast, folder: Path, home: Path | None
) -> int:
    """Propose candidates from a tool, its session and its transcript; return how many are new.

    A lock makes sessions that end at the same time take turns.

    Raises:
        HoldfastError: The transcript cannot be read, or nothing can be stored.
    """
    from holdfast.adapters.disk.file_locks import turn_at
    from holdfast.usecases.sessions.propose import Propose

    transcript = _transcript(said, folder)
    with turn_at(f"{_folder(home)}/{_LOCK}"):
        proposed = memory.intake.propose(Propose(transcript=transcript))
    return len(proposed.added)


def _transcript(said: tuple[str, str, str], folder: Path) -> Transcript:
    """Return the conversation of a session; some tools keep all sessions in one file."""
    from pathlib import Path

    from holdfast.adapters.transcripts.json_lines import no_one
    from holdfast.bootstrap.sessions.transcripts import find_transcripts, read_transcript, reader

    tool, session, path = said
    if path != _USUAL_PLACE:
        return read_transcript(tool, Path(path))
    path = find_transcripts(tool, (), folder=folder, is_everywhere=True)[0]
    every = reader(tool).conversations(path, tell=no_one)
    found = [one for one in every if one.session == session]
    return found[-1] if found else read_transcript(tool, Path(path))
