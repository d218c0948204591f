"""The settings of the person who owns a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.machine.settings import SettingsFile, settings_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from holdfast.domain.care.pruning import PrunePolicy


def settings(home: Path | None = None) -> SettingsFile:
    """Return the person's settings."""
    return SettingsFile(settings_file() if home is None else home / "config.toml")


def pruning_of(kept: SettingsFile) -> Callable[[], PrunePolicy]:
    """Return a function that reads the policy of pruning from the settings."""

    def policy() -> PrunePolicy:
        from holdfast.adapters.machine.prune_settings import prune_policy

        return prune_policy(lambda name: kept.value(name)[0])

    return policy
