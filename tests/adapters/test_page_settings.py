"""What goes with the pages: the folder, the settings a repository makes, the clones trusted."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from holdfast.adapters.files.layout import lay_out
from holdfast.adapters.files.pages import FileRepositorySettings
from holdfast.adapters.machine.trust import TrustFile
from holdfast.domain.pages.trusting import Trusted
from holdfast.domain.refusals import PageUnwritableError
from holdfast.domain.workspace_errors import DiskFullError, FolderUnusableError
from tests.builders import NOON
from tests.full_disk import full_disk
from tests.requirements import requirement


def settings(folder: Path, text: str | bytes) -> FileRepositorySettings:
    home = folder / ".holdfast"
    home.mkdir(exist_ok=True)
    content = text.encode() if isinstance(text, str) else text
    (home / "config.toml").write_bytes(content)
    return FileRepositorySettings(folder)


@requirement("files.evil-repository")
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('files = true\n\nhooks = ["rm"]\n', 3),
        ('[embedding]\nurl = "http://evil.example"\n', 1),
        ("# files\n'key_env' = 'X'\n", 2),
        ('files = "yes"\n', 1),
        ("files = true\nfiles = = \n", 2),
        (b"files = \xff\n", 1),
        ("[" * 5_000, 1),
    ],
)
def test_what_a_repository_may_not_set_is_told_with_its_line_and_ignored(
    tmp_path: Path, text: str | bytes, line: int
) -> None:
    read = settings(tmp_path, text)

    (flaw,) = read.flaws()

    assert (flaw.path, flaw.line) == (".holdfast/config.toml", line)
    assert read.value("hooks") is None


def test_a_repository_may_say_whether_it_keeps_pages(tmp_path: Path) -> None:
    assert FileRepositorySettings(tmp_path).value("files") is None
    assert settings(tmp_path, "files = true\n").value("files") == "true"
    assert settings(tmp_path, "files = false\n").value("files") == "false"
    assert settings(tmp_path, "files = false\n").flaws() == ()


@requirement("files.evil-repository")
def test_settings_behind_a_link_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("files = false\n", encoding="utf-8")
    (tmp_path / ".holdfast").mkdir()
    (tmp_path / ".holdfast" / "config.toml").symlink_to(tmp_path / "elsewhere")
    read = FileRepositorySettings(tmp_path)

    assert read.value("files") is None
    assert "link" in read.flaws()[0].problem


@requirement("files.init-changes-nothing-twice")
def test_the_folder_is_laid_out_once_and_what_is_there_stays(tmp_path: Path) -> None:
    (tmp_path / ".holdfast").mkdir()
    (tmp_path / ".holdfast" / "config.toml").write_text("files = false\n", encoding="utf-8")
    (tmp_path / ".gitattributes").write_bytes(b"*.png binary\r\n")

    made = lay_out(tmp_path)

    assert made == [".holdfast/memory/", ".holdfast/.gitignore", ".gitattributes"]
    assert lay_out(tmp_path) == []
    kept = (tmp_path / ".holdfast" / "config.toml").read_text(encoding="utf-8")
    assert kept == "files = false\n"
    attributes = (tmp_path / ".gitattributes").read_bytes()
    assert attributes == (
        b"*.png binary\r\n.holdfast/memory/** merge=holdfast\r\n"
        b".holdfast/tasks/** merge=holdfast\r\n"
        b".holdfast/project_state.json merge=holdfast\r\n"
    )


@requirement("files.evil-repository")
@pytest.mark.parametrize("name", [".holdfast", ".gitattributes"])
def test_a_link_in_the_way_is_not_followed(tmp_path: Path, name: str) -> None:
    folder, elsewhere = tmp_path / "app", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (folder / name).symlink_to(elsewhere)

    with pytest.raises(PageUnwritableError):
        lay_out(folder)

    assert list(elsewhere.iterdir()) == []


def test_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / ".holdfast").write_text("mine", encoding="utf-8")

    with pytest.raises(PageUnwritableError):
        lay_out(tmp_path)


def a_trust(clone: str = "/a", tree: str = "t") -> Trusted:
    return Trusted(clone=clone, tree=tree, by="ada", at=NOON)


@requirement("files.trust-binds-to-what-was-shown")
def test_trusted_clones_read_back_as_they_were_noted(tmp_path: Path) -> None:
    registry = TrustFile(tmp_path / "home" / "trusted.json")

    registry.put(a_trust("/b"))
    registry.put(a_trust("/a"))
    registry.put(a_trust("/a", tree="u"))

    assert TrustFile(tmp_path / "home" / "trusted.json").entries() == [
        a_trust("/a", tree="u"),
        a_trust("/b"),
    ]
    mode = (tmp_path / "home" / "trusted.json").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
    assert registry.remove("/a")
    assert not registry.remove("/a")
    assert [one.clone for one in registry.entries()] == ["/b"]


@pytest.mark.parametrize("text", ["", "{", "{}", '[1, {"clone": "/a"}, {"at": "soon"}]'])
def test_a_broken_file_trusts_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "trusted.json"
    path.write_text(text, encoding="utf-8")

    assert TrustFile(path).entries() == []

    TrustFile(path).put(a_trust())
    assert TrustFile(path).entries() == [a_trust()]


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "folder" / "trusted.json").mkdir(parents=True)

    with pytest.raises(FolderUnusableError):
        TrustFile(tmp_path / "file" / "trusted.json").put(a_trust())
    with pytest.raises(FolderUnusableError):
        TrustFile(tmp_path / "folder" / "trusted.json").put(a_trust())


@requirement("settings.full-disk-is-told")
def test_a_full_disk_is_told_with_the_file_of_trusted_clones(tmp_path: Path) -> None:
    registry = TrustFile(tmp_path / "trusted.json")
    registry.put(a_trust("/a"))

    with (
        full_disk(),
        pytest.raises(DiskFullError, match="trusted.json.*Free some space"),
    ):
        registry.put(a_trust("/b"))

    assert registry.entries() == [a_trust("/a")]
