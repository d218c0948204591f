"""The model whose weights are in the package: installed offline, and the one that was tuned."""

from __future__ import annotations

import json
import math
import shutil
import socket
import struct
import subprocess
from pathlib import Path
from typing import Never

import onnx
import pytest
from onnx import numpy_helper

from holdfast.adapters.embedding import fetching
from holdfast.adapters.embedding.card import CARD_FILE, GRAPH_FILE, Card, read_card
from holdfast.adapters.embedding.errors import ModelBrokenError, WeightsDamagedError
from holdfast.adapters.embedding.known_models import CARRIED, KNOWN
from holdfast.adapters.embedding.model_folder import ModelFolder
from holdfast.adapters.embedding.registry import open_embedder
from holdfast.adapters.embedding.weights import read_weights
from holdfast.domain.errors import BadFieldError
from holdfast.domain.values import replace
from tests.adapters.tiny_model import install_tiny
from tests.requirements import requirement

RECORDED: dict[str, list[int]] = json.loads(
    Path(__file__).with_name("golden").joinpath("kelp.json").read_text(encoding="utf-8")
)
# The record has three digits, and the last bits of 32-bit floats differ between processors. The
# vectors of MiniLM differ by 0.03 and more.
LEAST_ALIKE = 0.9995
LARGEST_PAIR = 128
SCALE = {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}
WEIGHTS = Path(fetching.__file__).with_name("weights")
CARRIED_NAMES = [source.name for source in KNOWN.values() if source.tool == CARRIED]


def quietly(_done: int, _total: int) -> None:
    """Take no notice of progress."""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> ModelFolder:
    return ModelFolder(tmp_path_factory.mktemp("carried") / "models")


@pytest.fixture(scope="module")
def card(shelf: ModelFolder) -> Card:
    """Kelp, installed where no socket can be opened and no program started."""

    def refused(*_given: object, **_named: object) -> Never:
        pytest.fail("the installation of a carried model asked for something outside")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "socket", refused)
        patch.setattr(subprocess, "Popen", refused)
        return shelf.install("kelp", None, force=False, progress=quietly)


def alike(recorded: list[int], values: bytes) -> float:
    numbers = struct.unpack(f"<{len(recorded)}f", values)
    length = math.sqrt(sum(number * number for number in recorded))
    return float(sum(a * b for a, b in zip(recorded, numbers, strict=True))) / length


@requirement("model.carried-needs-no-network")
def test_the_carried_model_is_installed_without_a_network(shelf: ModelFolder, card: Card) -> None:
    assert (card.name, card.licence, card.source) == ("kelp", "Apache-2.0", "holdfast: kelp 2")
    assert card.dimension == 384
    assert card.unrelated == 0.05
    assert shelf.verify("kelp") == card


def test_a_folder_of_the_first_version_keeps_its_scale(card: Card) -> None:
    first = replace(card, source="holdfast: kelp 1")

    assert first.unrelated == 0.07
    assert first.model == card.model


@requirement("model.carried-is-the-tuned-one")
def test_its_vectors_are_the_recorded_ones(shelf: ModelFolder, card: Card) -> None:
    embedder = open_embedder(card.name, shelf.folder)
    assert embedder is not None

    found = [vectors[0] for vectors in embedder.embed([*RECORDED])]

    for (text, recorded), vector in zip(RECORDED.items(), found, strict=True):
        assert alike(recorded, vector.values) > LEAST_ALIKE, text


@requirement("model.same-on-every-processor")
def test_no_processor_clips_its_products(shelf: ModelFolder, card: Card) -> None:
    graph = onnx.load(shelf.place(card.name) / GRAPH_FILE).graph
    arrays = {one.name: one for one in graph.initializer}
    dense = [numpy_helper.to_array(arrays[node.input[1]]).astype(int) for node in graph.node
             if node.op_type == "DynamicQuantizeMatMul"]  # fmt: skip

    assert len(dense) == 36
    for matrix in dense:
        for half in (matrix.clip(min=0), (-matrix).clip(min=0)):
            assert (half[0::2] + half[1::2]).max() <= LARGEST_PAIR


@requirement("meaning.models-never-meet")
def test_its_vectors_are_those_of_no_other_model_by_its_name(
    shelf: ModelFolder, card: Card, tmp_path: Path
) -> None:
    other = install_tiny(ModelFolder(tmp_path / "models"), tmp_path / "source", "kelp")
    copy = shelf.install("minilm", shelf.place("kelp"), force=False, progress=quietly)

    assert other.model.name != card.model.name
    assert copy.model.name.partition("@")[0] == "minilm"
    assert copy.model != card.model


@requirement("model.package-is-pinned")
@pytest.mark.parametrize("harm", ["changed", "cut", "missing"])
def test_harmed_weights_are_refused_and_nothing_is_installed(
    harm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(WEIGHTS, tmp_path / "weights"))
    path = folder / "kelp-2" / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content if harm == "changed" else content[:1000])
    if harm == "missing":
        path.unlink()
    monkeypatch.setattr(fetching, "_WEIGHTS", folder)
    shelf = ModelFolder(tmp_path / "models")

    with pytest.raises(WeightsDamagedError, match="Install the package holdfast again"):
        shelf.install("kelp", None, force=False, progress=quietly)

    assert [path.name for path in shelf.folder.iterdir()] == [".lock"]


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ({"lost.scale": SCALE}, "scales that fit no weights"),
        ({"__metadata__": {"holdfast_format": "2"}, "lost.scale": SCALE}, "newer version"),
        ({"__metadata__": {"format": "pt"}, "foreign": SCALE}, "holds no BERT encoder"),
        ({"__metadata__": "pt"}, "cut short or damaged"),
    ],
)
def test_foreign_and_newer_weights_are_refused(
    head: dict[str, object], said: str, tmp_path: Path
) -> None:
    text = json.dumps(head)
    path = tmp_path / "model.safetensors"
    path.write_bytes(struct.pack("<Q", len(text)) + text.encode() + struct.pack("<f", 1))

    with pytest.raises(BadFieldError, match=said):
        read_weights(path)


def test_a_folder_of_others_is_not_ours_by_its_name(tmp_path: Path) -> None:
    shelf = ModelFolder(tmp_path / "models")

    other = install_tiny(shelf, tmp_path / KNOWN["kelp"].stem, "kelp")
    ours = shelf.install("ours", WEIGHTS / "kelp-2", force=False, progress=quietly)
    again = shelf.install("kelp", WEIGHTS / "kelp-2", force=True, progress=quietly)

    assert other.source == "file: kelp-2"
    assert ours.source == "file: kelp-2"
    assert again.source == "holdfast: kelp 2"


def test_a_model_of_a_newer_version_is_said_to_be_one(shelf: ModelFolder, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(shelf.place("kelp"), tmp_path / "kelp"))
    shape = json.loads((folder / CARD_FILE).read_text())
    (folder / CARD_FILE).write_text(json.dumps({**shape, "format": 2}))

    with pytest.raises(ModelBrokenError, match="a newer version of holdfast built it"):
        read_card(folder)


@pytest.mark.parametrize("name", CARRIED_NAMES)
def test_the_weights_of_a_carried_model_are_pinned_and_small(name: str) -> None:
    path = WEIGHTS / KNOWN[name].stem / KNOWN[name].member

    assert path.stat().st_size < 35_000_000
