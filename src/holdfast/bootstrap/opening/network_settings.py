"""Reads the settings of an embedder on the network, which only a person may choose."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.network.names import BEDROCK, network_name
from holdfast.adapters.machine.settings import data_folder, environment_name
from holdfast.bootstrap.opening.own_settings import settings

if TYPE_CHECKING:
    from holdfast.adapters.embedding.network.opening import NetworkSettings

MODEL = "embedding.model"
_ENVIRONMENT = "environment"


def network_settings(
    name: str, home: Path | None = None, *, is_choice: bool = False
) -> NetworkSettings | None:
    """Return the settings of an embedder on the network; None for any other name.

    A person who chooses it now may do so although a variable names another model.

    Raises:
        RemoteNotChosenError: A variable or a repository chose the embedder or its address.
    """
    wanted = network_name(name)
    if wanted is None:
        return None
    from holdfast.adapters.embedding.network.kept import cache_folder
    from holdfast.adapters.embedding.network.opening import NetworkSettings

    kept = settings(home)

    def value(setting: str) -> str:
        return kept.value(f"embedding.{setting}")[0]

    _refuse_repository(kept.path)
    address = "bedrock_url" if wanted.provider == BEDROCK else "url"
    for setting in (f"embedding.{address}", *(() if is_choice else (MODEL,))):
        _refuse_variable(setting, name, home)
    dimension = value("dimension")
    return NetworkSettings(
        name=wanted,
        url=value(address),
        dimension=int(dimension) if dimension else None,
        key_env=value("key_env"),
        key_file=value("key_file"),
        calls=int(value("calls")),
        tokens=int(value("tokens")),
        cache=int(value("cache")),
        folder=cache_folder(home or data_folder()),
    )


def _refuse_variable(setting: str, name: str, home: Path | None) -> None:
    from holdfast.adapters.embedding.errors import RemoteNotChosenError

    value, source = settings(home).value(setting)
    if source == _ENVIRONMENT and (setting != MODEL or value == name):
        raise RemoteNotChosenError(source=f"The variable {environment_name(setting)}")


def _own_home() -> Path:
    """Return the person's home folder as the system knows it; a variable could name another."""
    from pwd import getpwuid

    try:
        return Path(getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return Path(os.devnull)


def _refuse_repository(path: Path) -> None:
    """Refuse a settings file that a repository may contain.

    A repository around the person's whole home folder, which some people keep, is their own.
    """
    from holdfast.adapters.embedding.errors import RemoteNotChosenError

    real = Path(os.path.realpath(path))
    for folder in real.parents:
        if (folder / ".git").exists() and not _own_home().is_relative_to(folder):
            raise RemoteNotChosenError(source=f"The settings file {path}, inside a repository,")
