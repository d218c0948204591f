"""The settings of the person who owns a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.machine.settings import SettingsFile, settings_file

if TYPE_CHECKING:
    from pathlib import Path


def settings(home: Path | None = None) -> SettingsFile:
    """Return the person's settings."""
    return SettingsFile(settings_file() if home is None else home / "config.toml")
