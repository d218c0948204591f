"""Whether a setting may be set, told without reading the settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.adapters.machine.settings import SettingsFile, settings_file
from holdfast.bootstrap.plugs.early_settings import may_be_set

NAME = "mcp.profile"


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HOLDFAST_HOME", "HOLDFAST_MCP_PROFILE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.mark.parametrize("place", ["config", "home", "variable", "user"])
def test_what_the_settings_file_says_may_be_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    home = str(tmp_path / "store") if place == "home" else ""
    if place == "variable":
        monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "store"))
    if place == "user":
        monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
        monkeypatch.setenv("HOME", str(tmp_path))
    path = tmp_path / "store" / "config.toml" if place == "home" else settings_file()
    before = may_be_set(NAME, home)
    path.parent.mkdir(parents=True)

    SettingsFile(path).set(NAME, "core")

    assert (before, may_be_set(NAME, home)) == (False, True)
    assert may_be_set("recall.budget", home) is False


def test_a_variable_sets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_MCP_PROFILE", "core")

    assert may_be_set(NAME) is True


def test_a_file_that_cannot_be_read_is_left_to_its_reader(tmp_path: Path) -> None:
    (tmp_path / "config" / "holdfast" / "config.toml").mkdir(parents=True)

    assert may_be_set(NAME) is True
