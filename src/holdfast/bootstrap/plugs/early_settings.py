"""Tells with minimal imports whether a setting may differ from its default."""

from __future__ import annotations

import os

from holdfast.adapters.machine.folders import data_folder_name


def may_be_set(name: str, home: str = "") -> bool:
    """Return whether a variable or the settings file of a home may name the setting.

    The file is only searched for the last word of the name; reading it takes longer.
    """
    if f"HOLDFAST_{name.upper().replace('.', '_')}" in os.environ:
        return True
    try:
        with open(_settings_file(home), "rb") as file:  # noqa: PTH123 - pathlib takes longer
            return name.rpartition(".")[2].encode() in file.read()
    except FileNotFoundError:
        return False
    except OSError:
        return True  # whoever reads it next says what is wrong with it


def _settings_file(home: str) -> str:
    if home or os.environ.get("HOLDFAST_HOME"):
        return f"{data_folder_name(home)}/config.toml"
    base = os.environ.get("XDG_CONFIG_HOME", "")
    folder = base if base.startswith("/") else os.path.expanduser("~/.config")  # noqa: PTH111 - the same
    return f"{folder}/holdfast/config.toml"
