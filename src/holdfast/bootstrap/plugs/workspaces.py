"""The folder of a workspace, and where the content of its snapshots is kept."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.ignored import git_rules
from holdfast.adapters.machine.folders import data_folder_name
from holdfast.adapters.workspaces.contents import PackedContents
from holdfast.adapters.workspaces.folder import DiskFolder
from holdfast.app.attachments import KeptFolder
from holdfast.bootstrap.plugs.addresses import server_address, state_folder_name

if TYPE_CHECKING:
    from holdfast.bootstrap.plugs.addresses import ServerPlace


def kept_folder(folder: Path, *, home: str, at: ServerPlace | None) -> KeptFolder:
    """Return a folder and the content of its snapshots, which is beside the store.

    A store on a server has many machines; each keeps the content of its own folders.
    """
    state = contents_folder(Path(home) if home else None, at)
    is_on_server = bool(server_address(None if at is None else at.address))
    return KeptFolder(
        folder=DiskFolder(
            folder,
            state=state / "seen",
            apart=(Path(data_folder_name(home)), state),
            host=platform.node() if is_on_server else "",
            git=git_rules,
        ),
        contents=kept_contents(home=home, at=at),
    )


def kept_contents(*, home: str, at: ServerPlace | None) -> PackedContents:
    """Return the content of the snapshots that this machine keeps for a store."""
    return PackedContents(contents_folder(Path(home) if home else None, at) / "packs")


def contents_folder(home: Path | None, at: ServerPlace | None) -> Path:
    """Return the folder on this machine with what is kept of the workspaces of a store."""
    return Path(state_folder_name("" if home is None else str(home), at)) / "workspaces"
