"""Coding tools around a repository: connect, disconnect, status."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.files.generated_mark import marked
from holdfast.adapters.git.reading.objects import git_answer, path_of
from holdfast.adapters.git.reading.repository import find_repository
from holdfast.adapters.machine.settings import data_folder
from holdfast.adapters.tools.fitting import (
    TOOLS,
    is_found,
    plan,
    removal,
    tools_named,
)
from holdfast.adapters.tools.installer import ToolInstaller
from holdfast.adapters.tools.status import PartStatus, ToolStatus, look_at
from holdfast.adapters.tools.stores import store_of
from holdfast.adapters.tools.values import (
    ACTIVE_BEFORE_A_RUN,
    Connecting,
    FileChange,
    FileState,
    InstallScope,
    Places,
    ToolPart,
)
from holdfast.bootstrap.opening.wiring import store_path
from holdfast.bootstrap.plugs.addresses import remote_address, server_address
from holdfast.bootstrap.plugs.own_program import OWN_PROGRAM
from holdfast.bootstrap.plugs.spaces import (
    folder_of,
    options_for,
    refuse_password,
    server_options,
)
from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId
from holdfast.domain.refusals import NoToolsFoundError
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from datetime import datetime

    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.adapters.tools.values import Tool
    from holdfast.app import Holdfast
    from holdfast.domain.memory.entry import Flaw

__all__ = [
    "TOOLS",
    "Connecting",
    "FileChange",
    "FileState",
    "InstallScope",
    "PartStatus",
    "ToolPart",
    "ToolStatus",
    "advice_for",
    "collect_context",
    "connect",
    "disconnect",
    "tool_status",
    "write_plugin",
]


_LATEST = 200


def connect(wish: Connecting, folder: Path, home: Path | None = None) -> tuple[FileChange, ...]:
    """Install parts into tools (default: those found here); return changed and unchanged files.

    Raises:
        NoToolsFoundError: No tool was named, and none was found.
    """
    refuse_password()
    at = _places(folder, home, wish.scope, wish.space)
    tools = tools_named(wish.tools) or _found(at)
    if not tools:
        raise NoToolsFoundError(TOOLS)
    wanted = plan(tools, wish.parts, at)
    changed = _workshop(at, home).change(
        put=wanted.put,
        take=wanted.take,
        is_dry=wish.is_dry,
        is_forced=wish.is_forced,
        is_private=wish.scope is InstallScope.PRIVATE,
    )
    return (*changed, *wanted.left)


def disconnect(wish: Connecting, folder: Path, home: Path | None = None) -> tuple[FileChange, ...]:
    """Remove parts from tools (default: all tools), of any space and home; return what changed."""
    at = _places(folder, home, wish.scope, wish.space)
    tools = tools_named(wish.tools) or tuple(TOOLS.values())
    pieces = removal(tools, wish.parts, at).take
    stores: dict[Path, tuple[str, ...]] = {}
    for piece in pieces:
        if (store := store_of(piece)) is not None:
            stores.setdefault(piece.path, store)
    changed: list[FileChange] = []
    # The ledger of each store knows exactly what was written for it. Shared files name no store.
    for store in dict.fromkeys((*stores.values(), at.store)):
        is_own = store in {at.store, ()}
        workshop = _workshop(at, home if is_own else _folder_of(store))
        changed += workshop.change(
            put=(),
            take=[
                one
                for one in removal(tools, wish.parts, replace(at, store=store)).take
                if stores.get(one.path, at.store) == store
            ],
            is_dry=wish.is_dry,
            is_forced=wish.is_forced,
        )
    return tuple(changed)


def _folder_of(store: Sequence[str]) -> Path | None:
    """Return the folder of the store that these options name; None is the usual one."""
    named = dict(zip(store[::2], store[1::2], strict=True))
    folder = folder_of(SpaceId(named.get("--space", DEFAULT_SPACE)), named.get("--home", ""))
    return Path(folder) if folder else None


def tool_status(
    names: Sequence[str],
    folder: Path,
    home: Path | None = None,
    *,
    space: SpaceId = DEFAULT_SPACE,
) -> tuple[ToolStatus, ...]:
    """Return how these tools (default: all) are connected in a folder."""
    at = _places(folder, home, InstallScope.PRIVATE, space)
    tools = tools_named(names) or tuple(TOOLS.values())
    standing = look_at(tools, at, _workshop(at, home))
    seen, failed = _hooks_seen(home)
    return tuple(
        replace(one, seen_at=seen.get(one.tool), failed=failed.get(one.tool, ""))
        for one in standing
    )


def _hooks_seen(home: Path | None) -> tuple[dict[str, datetime], dict[str, str]]:
    """Return the time of the last hook call and the last hook error, by tool."""
    from datetime import UTC, datetime

    from holdfast.bootstrap.hooks.attending import recent_sessions, recent_trouble

    seen: dict[str, datetime] = {}
    for session in recent_sessions(home, limit=_LATEST):
        at = datetime.fromtimestamp(session.seen, tz=UTC)
        seen[session.tool] = max(at, seen.get(session.tool, at))
    failed: dict[str, str] = {}
    for line in recent_trouble(home, limit=_LATEST):
        _, _, who = line.partition(" ")
        failed[who.partition(" ")[0]] = line
    return seen, failed


def collect_context(memory: Callable[[], Holdfast], folder: Path, home: Path | None = None) -> None:
    """Write the active context for tools, if there are pages for it."""
    from holdfast.bootstrap.pages.filing import open_notebook

    notebook = open_notebook(folder, home)
    has_store = bool(remote_address() or server_address()) or store_path(home).exists()
    if has_store and notebook is not None and notebook.exists():
        runs = memory().runs
        runs.write_context(runs.context())


def foreign_context(folder: Path) -> Sequence[Flaw]:
    """Return the pages that tools read as the context from Holdfast, and that came with git."""
    from holdfast.adapters.files.private_files import CONTEXT, READ_BY_TOOLS, FilePrivateFiles
    from holdfast.adapters.git.pages.pages import GitVersions

    repository = find_repository(folder)
    if repository is None or not os.path.lexists(repository.root / CONTEXT):
        return ()
    files = FilePrivateFiles(repository.root, GitVersions(repository), agreed=lambda _: None)
    return [one for one in files.hide(dry_run=True) if one.problem == READ_BY_TOOLS]


def advice_for(names: Sequence[str]) -> tuple[str, ...]:
    """Return the manual steps that remain for these tools."""
    return tuple(TOOLS[name].advice for name in dict.fromkeys(names) if TOOLS[name].advice)


def write_plugin(
    target: Path, wish: Connecting, folder: Path, home: Path | None = None
) -> tuple[Path, ...]:
    """Write the plug-in folder for the tools that use one; return the files that change."""
    from holdfast.adapters.tools.kinds.plugin_folder import write_folder

    refuse_password()
    at = _places(folder, home, wish.scope, wish.space)
    return write_folder(target, at, is_dry=wish.is_dry, is_forced=wish.is_forced)


def _found(at: Places) -> tuple[Tool, ...]:
    return tuple(tool for tool in TOOLS.values() if is_found(tool, at))


def _places(
    folder: Path, home: Path | None, scope: InstallScope, space: SpaceId = DEFAULT_SPACE
) -> Places:
    repository = find_repository(folder)
    person = Path.home()
    config = Path(os.environ.get("XDG_CONFIG_HOME") or person / ".config")
    return Places(
        root=folder if repository is None else repository.root,
        home=person,
        config=config,
        codex=Path(os.environ.get("CODEX_HOME") or person / ".codex"),
        program=OWN_PROGRAM,
        context=marked(ACTIVE_BEFORE_A_RUN).decode(),
        store=(*options_for(space, "" if home is None else str(home)), *server_options()),
        scope=scope,
    )


def _workshop(at: Places, home: Path | None) -> ToolInstaller:
    repository = find_repository(at.root)
    exclude = None if repository is None else repository.common_dir / "info" / "exclude"
    tracked = partial(_tracked, repository)
    return ToolInstaller(
        store=home or data_folder(), root=at.root, exclude=exclude, tracked=tracked
    )


def _tracked(repository: Repository | None, paths: Collection[Path]) -> frozenset[Path]:
    """Return those of the files that git tracks."""
    if repository is None:
        return frozenset()
    root = Path(os.path.realpath(repository.root))
    inside = [path for path in paths if path.is_relative_to(root) and path.exists()]
    if not inside:
        return frozenset()
    named = (f":(top,literal){path.relative_to(root)}" for path in inside)
    answer = git_answer(repository, "ls-files", "-z", "--", *named)
    return frozenset(root / path_of(name) for name in answer.split(b"\0") if name)
