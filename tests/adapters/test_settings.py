from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from holdfast.adapters.machine.settings import (
    SETTINGS,
    SettingsFile,
    data_folder,
    environment_name,
    known_setting,
    models_folders,
    settings_file,
)
from holdfast.domain.errors import BadFieldError
from holdfast.domain.workspace_errors import DiskFullError, FolderUnusableError
from tests.full_disk import full_disk
from tests.requirements import requirement


@pytest.fixture(autouse=True)
def _no_settings_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("HOLDFAST_", "XDG_")):
            monkeypatch.delenv(name)


@pytest.fixture
def kept(tmp_path: Path) -> SettingsFile:
    return SettingsFile(tmp_path / "home" / "config.toml")


def with_text(settings: SettingsFile, text: str) -> SettingsFile:
    settings.path.parent.mkdir(exist_ok=True)
    settings.path.write_text(text)
    return settings


def test_the_environment_goes_before_the_file_and_the_file_before_the_default(
    kept: SettingsFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kept.value("recall.budget") == ("2000", "default")

    kept.set("recall.budget", "500")
    assert kept.value("recall.budget") == ("500", "file")

    monkeypatch.setenv("HOLDFAST_RECALL_BUDGET", "50")
    assert kept.value("recall.budget") == ("50", "environment")


def test_a_setting_without_a_variable_is_taken_from_the_file_alone(
    kept: SettingsFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_MCP_ANSWERS", "decide")
    assert kept.value("mcp.answers") == ("propose", "default")

    kept.set("mcp.answers", "decide")
    monkeypatch.setenv("HOLDFAST_MCP_ANSWERS", "propose")
    assert kept.value("mcp.answers") == ("decide", "file")


def test_every_default_but_the_empty_name_is_a_value_it_takes() -> None:
    odd = [one.name for one in SETTINGS if one.default and not one.accepts(one.default)]

    assert odd == []


@requirement("input.refused-with-advice")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("recall.budget", "0"),
        ("recall.budget", "1000001"),
        ("recall.budget", "-5"),
        ("recall.budget", "1e3"),
        ("recall.budget", "٣"),
        ("recall.budget", "9" * 5_000),
        ("recall.budget", ""),
        ("recall.limit", "201"),
        ("recall.tokens", "guess"),
        ("remember.ttl", "soon"),
        ("remember.ttl", "30d\n"),
        ("remember.secrets", "allow"),
        ("user", " "),
        ("user", "a\nb"),
        ("user", 'a"b'),
        ("user", "a\\b"),
        ("workspace", "x" * 101),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_wherever_it_comes_from(
    kept: SettingsFile, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    with pytest.raises(BadFieldError, match="it takes"):
        kept.set(name, value)
    assert not kept.path.exists()

    monkeypatch.setenv(environment_name(name), value)
    with pytest.raises(BadFieldError, match=environment_name(name)):
        kept.value(name)


def test_a_bad_value_in_the_file_is_named_with_the_file(kept: SettingsFile) -> None:
    with_text(kept, "recall.budget = 0\n")

    with pytest.raises(BadFieldError, match="config.toml"):
        kept.value("recall.budget")


@requirement("input.refused-with-advice")
def test_an_unknown_setting_is_refused_with_those_there_are(kept: SettingsFile) -> None:
    for ask in (known_setting, kept.value, lambda name: kept.set(name, "x")):
        with pytest.raises(BadFieldError, match=r"recall\.budget"):
            ask("colour")


def test_comments_and_other_lines_survive_a_change(kept: SettingsFile) -> None:
    with_text(
        kept,
        '# mine\nuser = "ada"  # me\n\nrecall . budget = 7\nrecall.limit = 5\n'
        '[other]\nuser = "stays"  # theirs\n',
    )

    kept.set("recall.budget", "9")
    kept.set("user", None)

    assert kept.path.read_text() == (
        '# mine\n\nrecall.limit = 5\nrecall.budget = "9"\n[other]\nuser = "stays"  # theirs\n'
    )
    assert kept.value("recall.budget") == ("9", "file")
    assert kept.value("user") == ("", "default")


def test_a_table_is_read_but_left_to_a_person_to_edit(kept: SettingsFile) -> None:
    text = "[recall]\nbudget = 300\n"
    with_text(kept, text)

    assert kept.value("recall.budget") == ("300", "file")
    for value in ("400", None):
        with pytest.raises(BadFieldError, match="in a table; edit it there"):
            kept.set("recall.budget", value)
    assert kept.path.read_text() == text


def test_a_setting_beside_a_table_of_its_own_family_does_not_break_the_file(
    kept: SettingsFile,
) -> None:
    text = "[recall]\nbudget = 300\n"
    with_text(kept, text)

    with pytest.raises(BadFieldError):
        kept.set("recall.limit", "5")

    assert kept.path.read_text() == text


@requirement("settings.damage-takes-no-verb-away")
@pytest.mark.parametrize("content", [b"recall.budget = = 5\n", b"user = \xff\n", b"\xfe\xff"])
def test_a_file_that_cannot_be_understood_is_named_and_not_touched(
    kept: SettingsFile, content: bytes
) -> None:
    kept.path.parent.mkdir()
    kept.path.write_bytes(content)

    assert kept.value("user") == ("", "default")
    assert "config.toml" in (kept.problem() or "")
    for value in ("ada", None):
        with pytest.raises(BadFieldError, match=r"config.toml.*move it aside"):
            kept.set("user", value)
    assert kept.path.read_bytes() == content


@requirement("settings.damage-takes-no-verb-away")
def test_what_is_wrong_with_a_settings_file_is_said_with_its_line(kept: SettingsFile) -> None:
    with_text(kept, 'user = "ada"\nrecall.budget = = 5\n')

    said = kept.problem() or ""

    assert "line 2" in said
    assert "Defaults are used" in said
    with_text(kept, 'user = "ada"\n')
    assert kept.problem() is None


@requirement("files.no-pipe-hangs-a-verb")
def test_a_pipe_in_place_of_the_settings_is_not_waited_for(kept: SettingsFile) -> None:
    kept.path.parent.mkdir()
    os.mkfifo(kept.path)

    assert kept.value("user") == ("", "default")
    assert "it is not a regular file" in (kept.problem() or "")


def test_a_file_that_cannot_be_read_or_written_is_named(tmp_path: Path) -> None:
    folder = SettingsFile(tmp_path)
    (tmp_path / "file").touch()
    beneath = SettingsFile(tmp_path / "file" / "config.toml")

    assert "it is not a regular file" in (folder.problem() or "")
    assert folder.value("user") == ("", "default")
    with pytest.raises(FolderUnusableError, match="Not a directory"):
        beneath.set("user", "ada")


@requirement("store.owner-only-files")
def test_settings_are_for_their_owner_whatever_the_umask_is(kept: SettingsFile) -> None:
    before = os.umask(0)
    try:
        kept.set("user", "ada")
    finally:
        os.umask(before)

    assert kept.path.stat().st_mode & 0o777 == 0o600


def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / f".config.toml.{os.getpid()}").mkdir()
    blocked = SettingsFile(tmp_path / "home" / "config.toml")

    with pytest.raises(FolderUnusableError):
        blocked.set("user", "ada")

    assert not blocked.path.exists()


def test_a_settings_file_that_is_a_link_stays_one(kept: SettingsFile, tmp_path: Path) -> None:
    shared = tmp_path / "dotfiles.toml"
    shared.write_text("# shared\n")
    kept.path.parent.mkdir()
    kept.path.symlink_to(shared)

    kept.set("user", "ada")

    assert kept.path.is_symlink()
    assert shared.read_text() == '# shared\nuser = "ada"\n'


def test_the_folders_follow_holdfast_home_then_the_standard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert data_folder() == Path("/home/ada/.local/share/holdfast")
    assert settings_file() == Path("/home/ada/.config/holdfast/config.toml")

    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/settings")
    assert data_folder() == Path("/data/holdfast")
    assert settings_file() == Path("/settings/holdfast/config.toml")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOLDFAST_HOME", "mine")
    assert data_folder() == tmp_path / "mine"
    assert settings_file() == tmp_path / "mine" / "config.toml"

    monkeypatch.setenv("HOLDFAST_HOME", "~/mine")
    assert settings_file() == Path("/home/ada/mine/config.toml")


def test_a_relative_standard_folder_is_ignored_as_the_standard_wants(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("XDG_DATA_HOME", "data")
    monkeypatch.setenv("XDG_CONFIG_HOME", "settings")

    assert data_folder() == Path("/home/ada/.local/share/holdfast")
    assert settings_file() == Path("/home/ada/.config/holdfast/config.toml")


@requirement("model.of-the-checkout-is-found")
def test_models_are_looked_for_beside_the_store_and_in_the_checkout(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    (checkout / ".models").mkdir(parents=True)

    no_project = models_folders(tmp_path / "home", checkout=checkout)
    (checkout / "pyproject.toml").touch()

    assert no_project == (tmp_path / "home" / "models",)
    assert models_folders(tmp_path / "home", checkout=checkout) == (
        tmp_path / "home" / "models",
        checkout / ".models",
    )


@requirement("model.of-the-checkout-is-found")
def test_a_folder_of_models_that_is_named_is_the_only_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".models").mkdir()
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setenv("HOLDFAST_MODELS", str(tmp_path / "shared"))

    assert models_folders(tmp_path / "home", checkout=tmp_path) == (tmp_path / "shared",)


TOKEN = "ghp_" + "x8Kq2ZtY7Lw4Bv9NmR3PcHs6JdFgA1uE0oTi"
BARE = "q7Zt2" + "Kx9Lw4Bv8NmR3PcHs6Jd"


@requirement("gate.settings-hold-no-secret")
@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("propose.key_env", TOKEN, "NAME of the environment variable"),
        ("embedding.key_env", BARE, "NAME of the environment variable"),
        ("embedding.url", f"https://ada:{TOKEN}@models.example.org/v1", "embedding.key_env"),
        ("propose.url", "https://ada@models.example.org/v1", "before the host"),
        ("propose.url", f"https://models.example.org/v1?api_key={BARE}", "propose.key_env"),
        ("user", TOKEN, "no secrets"),
        ("workspace", f"team {TOKEN}", "no secrets"),
        ("propose.model", TOKEN, "no secrets"),
        ("recall.budget", TOKEN, "whole number"),
    ],
)
def test_a_secret_is_not_written_and_not_repeated(
    kept: SettingsFile, name: str, value: str, says: str
) -> None:
    with pytest.raises(BadFieldError, match=says) as refused:
        kept.set(name, value)

    assert not kept.path.exists()
    assert TOKEN not in str(refused.value)
    assert BARE not in str(refused.value)


@requirement("gate.settings-hold-no-secret")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("propose.key_env", "OPENAI_API_KEY"),
        ("propose.key_env", "TEAM_LLM_KEY_2"),
        ("embedding.key_env", "my_openai_key"),
        ("embedding.key_env", "LLMKEY"),
        ("embedding.url", "http://localhost:11434/v1"),
        ("propose.url", "https://models.example.org/openai/deployments/gpt-4o@2024/v1"),
        ("user", "Ada Lovelace"),
        ("user", "ada@example.org"),
        ("workspace", "payments-team-2026"),
        ("propose.model", "claude-sonnet-4-5-20250929"),
        ("embedding.model", "bedrock:amazon.titan-embed-text-v2:0"),
    ],
)
def test_ordinary_values_are_no_secrets(kept: SettingsFile, name: str, value: str) -> None:
    kept.set(name, value)

    assert kept.value(name) == (value, "file")


@pytest.mark.parametrize(
    "value",
    ["openai:", "openai:-x", "openai:../x", "openai:a b", "azure:x", "openai:" + "x" * 300, ":x"],
)
def test_what_cannot_be_an_embedder_is_refused(kept: SettingsFile, value: str) -> None:
    with pytest.raises(BadFieldError, match="openai:MODEL"):
        kept.set("embedding.model", value)


@requirement("store.small-files-keep-every-change")
def test_settings_that_are_written_at_once_are_all_kept(kept: SettingsFile) -> None:
    values = {
        "recall.budget": "500",
        "review.auto_accept": "low",
        "hook.enforce": "on",
        "embedding.model": "none",
    }

    with ThreadPoolExecutor(len(values)) as pool:
        list(pool.map(kept.set, values, values.values()))

    assert {name: kept.value(name)[0] for name in values} == values


@requirement("settings.full-disk-is-told")
def test_a_full_disk_is_told_with_the_settings_file(tmp_path: Path) -> None:
    settings = SettingsFile(tmp_path / "config.toml")
    settings.set("recall.tokens", "exact")

    with full_disk(), pytest.raises(DiskFullError, match="room for .*config.toml.*Free some space"):
        settings.set("recall.tokens", "estimate")

    assert settings.value("recall.tokens") == ("exact", "file")
