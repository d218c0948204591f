"""The parts that a hook call needs, each opened on first use, because most calls need none."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from holdfast.adapters.machine.folders import STORE_FILE, data_folder_name
from holdfast.adapters.tool_sessions import trouble_log
from holdfast.app.occasions import Occasions
from holdfast.bootstrap.hooks.opened import WAIT_TO_READ, OpenedParts
from holdfast.bootstrap.hooks.turns import turn_ports
from holdfast.bootstrap.plugs.addresses import remote_address, server_address, state_folder_name
from holdfast.bootstrap.plugs.encryption import store_keys
from holdfast.bootstrap.plugs.own_program import OWN_PROGRAM
from holdfast.bootstrap.plugs.server import server_watch
from holdfast.bootstrap.plugs.spaces import options_for
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.memory.place import DEFAULT_SPACE
from holdfast.usecases.sessions.hook_ports import HookPorts, RareHookPorts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from holdfast.app import Holdfast
    from holdfast.domain.memory.place import SpaceId
    from holdfast.domain.sessions.hook_calls import HookAnswer, HookCall, ToolSession
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.sessions.tool_sessions import Watch
    from holdfast.usecases.sessions.propose import Proposed

_LOCK = "propose.lock"
_USUAL_PLACE = "-"


def has_store(home: str = "") -> bool:
    """Return whether there is a store; a hook never creates one."""
    if remote_address() or server_address():
        return True
    return os.access(f"{data_folder_name(home)}/{STORE_FILE}", os.R_OK)


def note_trouble(home: str, *, who: str, what: str) -> None:
    """Write a line about an error in a hook to the log beside the store."""
    trouble_log.note_trouble(state_folder_name(home), who=who, what=what)


def recent_trouble(home: Path | None, *, limit: int) -> Sequence[str]:
    """Return the newest lines of the hook error log."""
    return trouble_log.read_trouble(_folder(home), limit=limit)


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
    from holdfast.adapters.tool_sessions.detached import DetachedProcess
    from holdfast.adapters.tool_sessions.notes import ToolSessionFiles

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
        return server_watch(address, space, wait_seconds=WAIT_TO_READ)
    from holdfast.adapters.sqlite.watching import SqliteWatch

    return SqliteWatch(f"{folder}/{STORE_FILE}", key_of=store_keys(folder))


def _badge(home: str, folder: str, space: SpaceId) -> str:
    from holdfast.bootstrap.opening.badge import badge_line

    return badge_line(home, folder, space)


def _root(folder: str) -> str:
    from holdfast.adapters.tool_sessions.notes import root_of

    return root_of(folder)


def propose_from(
    said: tuple[str, str, str], *, memory: Holdfast, folder: Path, home: Path | None
) -> Proposed:
    """Propose candidates from a tool, its session and its transcript.

    A lock makes sessions that end at the same time take turns.

    Raises:
        HoldfastError: The transcript cannot be read, or nothing can be stored.
    """
    from holdfast.adapters.disk.file_locks import turn_at
    from holdfast.usecases.sessions.propose import Propose

    transcript = _transcript(said, folder)
    with turn_at(f"{_folder(home)}/{_LOCK}"):
        return memory.intake.propose(Propose(transcript=transcript))


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
