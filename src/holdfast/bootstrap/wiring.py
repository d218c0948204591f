"""Join the app to the world: which store, which clock, which files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.git.surroundings import LocalSurroundings
from holdfast.adapters.machine.clock import MachineClock
from holdfast.adapters.machine.folders import STORE_FILE
from holdfast.adapters.machine.settings import (
    SETTINGS,
    SettingsFile,
    data_folder,
    settings_file,
)
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.adapters.tokens.estimate import EstimatedTokens
from holdfast.app import Holdfast

if TYPE_CHECKING:
    from holdfast.ports.tokens import TokenCounter

__all__ = ["SETTINGS", "SettingsFile", "open_holdfast", "settings", "store_path", "token_counter"]


def store_path(home: Path | None = None) -> Path:
    """Return the file that holds the truth."""
    return (home or data_folder()) / STORE_FILE


def settings(home: Path | None = None) -> SettingsFile:
    """Return the person's settings."""
    return SettingsFile(settings_file() if home is None else home / "config.toml")


def token_counter(wanted: str) -> TokenCounter:
    """Return the way of counting that is wanted; ``exact`` falls back where it is not installed."""
    if wanted != EstimatedTokens.name:
        from holdfast.adapters.tokens.exact import (
            ExactTokens,
            is_installed,
        )

        if wanted in {"exact", ExactTokens.name} and is_installed():
            return ExactTokens()
    return EstimatedTokens()


def open_holdfast(
    *, home: Path | None = None, folder: Path | None = None, tokens: str = "estimate"
) -> Holdfast:
    """Open the person's memory, seen from a folder."""
    return Holdfast(
        store=SqliteStore.open(store_path(home)),
        clock=MachineClock(),
        counter=token_counter(tokens),
        surroundings=surroundings(home=home, folder=folder),
    )


def surroundings(*, home: Path | None = None, folder: Path | None = None) -> LocalSurroundings:
    """Look around a folder as it is now."""
    workspace, _ = settings(home).value("workspace")
    return LocalSurroundings(
        (folder or Path.cwd()).absolute(),
        cache=store_path(home).parent / "cache" / "repositories.json",
        workspace=workspace,
    )
