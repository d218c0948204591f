from __future__ import annotations

import json
import os
import shutil
import struct
import sys
import zipfile
from pathlib import Path

import numpy
import pytest

from holdfast.adapters.embedding.card import CARD_FILE, GRAPH_FILE, WEIGHTS_FILE, Card, sealed
from holdfast.adapters.embedding.errors import (
    ModelBrokenError,
    ModelNotWrittenError,
    ToolsMissingError,
)
from holdfast.adapters.embedding.model_folder import ModelFolder
from holdfast.adapters.embedding.onnx import OnnxEmbedder
from holdfast.adapters.embedding.registry import open_card, open_embedder
from holdfast.adapters.embedding.static import StaticEmbedder, write_table
from holdfast.domain.errors import BadFieldError, NoSuchError
from holdfast.domain.recall.finding import Vector
from holdfast.domain.values import replace
from tests.adapters.tiny_model import DIMENSION, VOCABULARY, install_tiny, write_source
from tests.requirements import requirement

BATTERY = (
    "",
    "   \n\t",
    "the",
    "the of a in on",
    "🎉👍🏽",
    "SELECT * FROM memory WHERE claim MATCH 'a OR b*'",
    "日本語のテキスト",
    "cat " * 25_000,
)
UNREAD = frozenset({"日本語のテキスト"})


def quietly(_done: int, _total: int) -> None:
    """Take no notice of progress."""


def numbers(vector: Vector) -> tuple[float, ...]:
    return struct.unpack(f"<{vector.model.dimension}f", vector.values)


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(numbers(one), numbers(other), strict=True))


@pytest.fixture
def shelf(tmp_path: Path) -> ModelFolder:
    return ModelFolder(tmp_path / "models")


@pytest.fixture
def card(shelf: ModelFolder, tmp_path: Path) -> Card:
    return install_tiny(shelf, tmp_path / "source")


@pytest.fixture
def embedder(shelf: ModelFolder, card: Card) -> OnnxEmbedder:
    return OnnxEmbedder(card, shelf.place("tiny"))


def test_every_text_gets_a_direction_of_length_one(embedder: OnnxEmbedder) -> None:
    for text, vectors in zip(BATTERY, embedder.embed(BATTERY), strict=True):
        assert 1 <= len(vectors) <= 8, text
        asked = [] if text in UNREAD else [embedder.ask(text)]
        for vector in [*vectors, *asked]:
            assert vector.model == embedder.model
            assert sum(value * value for value in numbers(vector)) == pytest.approx(1, abs=1e-3)


@requirement("model.same-text-same-vector")
def test_like_texts_are_nearer_and_company_changes_no_vector(embedder: OnnxEmbedder) -> None:
    texts = ["the cat slept on the mat", "interest rates rose in march by half a percent", "a cat"]

    found = [vectors[0] for vectors in embedder.embed(texts)]
    question = embedder.ask("where was the cat")

    assert cosine(question, found[0]) > cosine(question, found[1])
    assert cosine(found[0], found[2]) > cosine(found[1], found[2])
    assert [embedder.embed([text])[0][0] for text in texts] == found


def test_a_long_text_is_read_in_windows(embedder: OnnxEmbedder) -> None:
    [short, long] = embedder.embed(["cat " * 200, "cat " * 900 + "interest rates rose " * 100])

    assert len(short) == 1
    assert len(long) == 5
    question = embedder.ask("interest rates rose")
    assert max(cosine(question, one) for one in long) > cosine(question, short[0]) + 0.1


def test_asking_quickly_and_asking_steadily_give_the_same(embedder: OnnxEmbedder) -> None:
    first = embedder.ask("where was the cat")

    for _ in range(6):
        again = embedder.ask("where was the cat")

    assert numbers(again) == pytest.approx(numbers(first), abs=1e-5)


@requirement("meaning.models-never-meet")
def test_other_weights_are_another_model(shelf: ModelFolder, card: Card, tmp_path: Path) -> None:
    again = install_tiny(shelf, tmp_path / "again")
    other = install_tiny(shelf, tmp_path / "other", seed=2)

    assert again.model == card.model
    assert other.model != card.model
    assert other.model.name.startswith("tiny@")


def test_a_model_that_makes_no_sense_is_not_let_in(shelf: ModelFolder, tmp_path: Path) -> None:
    source = write_source(tmp_path / "cls")
    (source / "1_Pooling").mkdir()
    # The weights are by chance, and its first token alone hears nothing of the others.
    (source / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')

    with pytest.raises(ModelBrokenError, match="does not tell like sentences from unlike"):
        shelf.install("cls", source, force=False, progress=quietly)

    assert shelf.names() == ()


def test_the_prefixes_its_makers_name_are_used(
    shelf: ModelFolder, card: Card, tmp_path: Path
) -> None:
    source = write_source(tmp_path / "prompted")
    prompts = '{"prompts": {"query": "query: ", "passage": "passage: "}}'
    (source / "config_sentence_transformers.json").write_text(prompts)
    plain = OnnxEmbedder(card, shelf.place("tiny"))

    made = shelf.install("prompted", source, force=False, progress=quietly)

    prompted = OnnxEmbedder(made, shelf.place("prompted"))
    assert (made.question_prefix, made.passage_prefix) == ("query: ", "passage: ")
    assert made.model.name.partition("@")[2] != card.model.name.partition("@")[2]
    assert numbers(prompted.ask("cat")) == pytest.approx(numbers(plain.ask("query: cat")))
    assert numbers(prompted.embed(["cat"])[0][0]) == pytest.approx(
        numbers(plain.embed(["passage: cat"])[0][0])
    )


def test_a_built_model_is_taken_as_it_is(shelf: ModelFolder, card: Card, tmp_path: Path) -> None:
    folder = shelf.place("tiny")
    archive = tmp_path / "tiny.zip"
    with zipfile.ZipFile(archive, "w") as bundle:
        for path in folder.iterdir():
            bundle.write(path, f"tiny/{path.name}")

    from_folder = shelf.install("copy", folder, force=False, progress=quietly)
    from_archive = shelf.install("packed", archive, force=False, progress=quietly)

    assert from_folder.files == from_archive.files == card.files
    assert shelf.names() == ("copy", "packed", "tiny")
    assert shelf.verify("packed").dimension == DIMENSION


@requirement("model.damage-is-said")
def test_a_built_model_that_was_changed_is_not_taken(
    shelf: ModelFolder, card: Card, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(shelf.place(card.name), tmp_path / "copy"))
    (copy / WEIGHTS_FILE).write_bytes((copy / WEIGHTS_FILE).read_bytes()[:-1] + b"x")

    with pytest.raises(BadFieldError, match="not the file its card describes"):
        shelf.install("copy", copy, force=False, progress=quietly)

    assert shelf.names() == ("tiny",)


def test_what_is_installed_stays_unless_it_is_forced(
    shelf: ModelFolder, card: Card, tmp_path: Path
) -> None:
    other = write_source(tmp_path / "other", seed=5)

    kept = shelf.install("tiny", other, force=False, progress=quietly)
    made = shelf.install("tiny", other, force=True, progress=quietly)

    assert kept == card
    assert made.model != card.model
    assert shelf.verify("tiny") == made


@requirement("model.damage-is-said")
@pytest.mark.parametrize("name", [GRAPH_FILE, WEIGHTS_FILE, "vocabulary.txt"])
@pytest.mark.parametrize("harm", ["gone", "cut", "changed"])
def test_a_harmed_file_is_found_and_named(
    shelf: ModelFolder, card: Card, *, name: str, harm: str
) -> None:
    path = shelf.place("tiny") / name
    content = path.read_bytes()
    path.unlink()
    if harm == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif harm == "changed":
        path.write_bytes(bytes(len(content)))

    with pytest.raises(ModelBrokenError, match="Install it again"):
        shelf.verify("tiny")
    # Only a changed weight can go unnoticed before a verify: sizes are all a start has time for.
    if harm != "changed":
        with pytest.raises(ModelBrokenError, match=name):
            open_card(card, shelf.place("tiny")).ask("the cat")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": 0}', b"\xff", b'{"format": 1}'])
def test_a_card_that_cannot_be_read_is_said(shelf: ModelFolder, card: Card, content: bytes) -> None:
    (shelf.place(card.name) / CARD_FILE).write_bytes(content)

    with pytest.raises(ModelBrokenError, match="its card"):
        open_embedder("tiny", shelf.folder)


def test_a_graph_that_is_none_is_said(shelf: ModelFolder, card: Card) -> None:
    path = shelf.place("tiny") / GRAPH_FILE
    path.write_bytes(b"x" * path.stat().st_size)

    with pytest.raises(ModelBrokenError, match="cannot be used"):
        OnnxEmbedder(card, shelf.place("tiny")).ask("the cat")


def test_a_model_of_another_size_than_its_card_says_is_refused(
    shelf: ModelFolder, card: Card
) -> None:
    lying = replace(card, dimension=DIMENSION * 2)

    with pytest.raises(ModelBrokenError, match="numbers"):
        OnnxEmbedder(lying, shelf.place("tiny")).ask("the cat")


def test_weights_that_are_no_numbers_are_refused_when_they_are_installed(
    shelf: ModelFolder, tmp_path: Path
) -> None:
    source = write_source(tmp_path / "source")
    path = source / "model.safetensors"
    content = path.read_bytes()
    path.write_bytes(content[: -DIMENSION * 4] + struct.pack("<f", float("nan")) * DIMENSION)

    with pytest.raises(ModelBrokenError, match="no direction"):
        shelf.install("tiny", source, force=False, progress=quietly)

    assert shelf.names() == ()
    assert list(shelf.folder.glob(".partial*")) == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is no safetensors file"),
        (b"\xff" * 100, "is no safetensors file"),
        (b"\x02\0\0\0\0\0\0\0{}", "holds no BERT encoder"),
        (b"\x02\0\0\0\0\0\0\0[]", "cut short or damaged"),
    ],
)
def test_weights_that_are_none_are_refused(
    shelf: ModelFolder, tmp_path: Path, content: bytes, words: str
) -> None:
    source = write_source(tmp_path / "source")
    (source / "model.safetensors").write_bytes(content)

    with pytest.raises(BadFieldError, match=words):
        shelf.install("tiny", source, force=False, progress=quietly)

    assert shelf.names() == ()


def test_weights_cut_anywhere_are_refused(shelf: ModelFolder, tmp_path: Path) -> None:
    source = write_source(tmp_path / "source")
    whole = (source / "model.safetensors").read_bytes()
    for size in (7, 9, 500, len(whole) // 2, len(whole) - 1):
        (source / "model.safetensors").write_bytes(whole[:size])
        with pytest.raises(BadFieldError):
            shelf.install("tiny", source, force=False, progress=quietly)


def test_a_vocabulary_can_come_as_json_and_must_come_at_all(
    shelf: ModelFolder, tmp_path: Path
) -> None:
    source = write_source(tmp_path / "source")
    (source / "vocab.txt").unlink()
    with pytest.raises(BadFieldError, match=r"no vocab.txt or tokenizer.json"):
        shelf.install("tiny", source, force=False, progress=quietly)

    vocabulary = {piece: number for number, piece in enumerate(VOCABULARY)}
    shape = {"model": {"type": "WordPiece", "vocab": vocabulary}, "normalizer": {"lowercase": True}}
    (source / "tokenizer.json").write_text(json.dumps(shape))
    from_json = shelf.install("tiny", source, force=False, progress=quietly)

    assert from_json.model == install_tiny(shelf, tmp_path / "text").model
    (source / "tokenizer.json").write_text(json.dumps({**shape, "normalizer": {}}))
    with pytest.raises(BadFieldError, match="no uncased WordPiece"):
        shelf.install("other", source, force=False, progress=quietly)


def test_an_archive_cannot_write_outside_its_folder(shelf: ModelFolder, tmp_path: Path) -> None:
    source = write_source(tmp_path / "source")
    archive = tmp_path / "evil.zip"
    with zipfile.ZipFile(archive, "w") as bundle:
        for path in source.iterdir():
            bundle.write(path, path.name)
        bundle.writestr("../../../../outside/config.json", "{}")

    shelf.install("tiny", archive, force=False, progress=quietly)

    assert not (tmp_path / "outside").exists()
    assert shelf.names() == ("tiny",)


@pytest.mark.parametrize("name", ["text.txt", "cut.zip", "cut.tar.gz", "empty.whl"])
def test_what_is_no_archive_is_refused(shelf: ModelFolder, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"" if name.startswith("empty") else b"PK\x03\x04 and nothing more")

    with pytest.raises(BadFieldError, match=r"archive|cut short"):
        shelf.install("tiny", path, force=False, progress=quietly)


@pytest.mark.parametrize("name", ["", "../up", "UPPER", "none", "remote", ".hidden", "a" * 61])
def test_a_name_must_be_a_name(shelf: ModelFolder, name: str) -> None:
    with pytest.raises(BadFieldError, match="cannot be a model's"):
        shelf.place(name)


def test_an_unknown_model_and_a_missing_one_are_told_apart(shelf: ModelFolder) -> None:
    with pytest.raises(BadFieldError, match="is not known; there are: e5-small"):
        shelf.install("unheard-of", None, force=False, progress=quietly)
    for act in (shelf.verify, shelf.remove):
        with pytest.raises(NoSuchError, match="minilm"):
            act("minilm")
    assert open_embedder("none", shelf.folder) is None
    assert open_embedder("minilm", shelf.folder) is None
    assert open_embedder("unheard-of", shelf.folder) is None


def test_a_removed_model_leaves_nothing(shelf: ModelFolder, card: Card) -> None:
    shelf.remove(card.name)

    assert shelf.names() == ()
    assert [path.name for path in shelf.folder.iterdir()] == [".lock"]


def test_what_a_killed_install_left_is_swept_away(shelf: ModelFolder, tmp_path: Path) -> None:
    left = shelf.folder / ".partial-killed"
    left.mkdir(parents=True)
    (left / "model.onnx").write_bytes(b"half")

    install_tiny(shelf, tmp_path / "source")

    assert not left.exists()
    assert shelf.names() == ("tiny",)


def test_a_folder_that_cannot_be_written_is_said_plainly(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")

    with pytest.raises(ModelNotWrittenError, match="Nothing was changed"):
        install_tiny(ModelFolder(file / "models"), tmp_path / "source")


def test_without_the_libraries_the_way_to_get_them_is_said(
    shelf: ModelFolder, card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)

    with pytest.raises(ToolsMissingError, match=r"holdfast\[meaning\]"):
        OnnxEmbedder(card, shelf.place("tiny")).ask("the cat")


def test_a_table_of_words_reads_without_a_neural_run_time(shelf: ModelFolder, card: Card) -> None:
    folder = shelf.folder / "table"
    folder.mkdir()
    chance = numpy.random.default_rng(3)
    words = chance.normal(size=(len(VOCABULARY), DIMENSION)).astype(numpy.float32)
    write_table(words, folder)
    shutil.copy(shelf.place("tiny") / "vocabulary.txt", folder)
    files = {path.name: sealed(path) for path in folder.iterdir()}
    table = StaticEmbedder(replace(card, name="table", files=files), folder)

    found = [vectors[0] for vectors in table.embed(["the cat slept", "interest rates rose"])]

    question = table.ask("where was the cat")
    assert cosine(question, found[0]) > cosine(question, found[1])
    for text, vectors in zip(BATTERY, table.embed(BATTERY), strict=True):
        assert 1 <= len(vectors) <= 8, text
        assert cosine(vectors[0], vectors[0]) == pytest.approx(1, abs=1e-3)


def test_a_folder_of_models_that_is_closed_to_us_holds_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object, **_options: object) -> os.stat_result:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "stat", refuse)
    assert open_embedder("minilm", tmp_path) is None


@requirement("model.of-the-checkout-is-found")
def test_models_of_another_folder_are_used_and_never_written(tmp_path: Path) -> None:
    theirs = ModelFolder(tmp_path / "checkout")
    card = install_tiny(theirs, tmp_path / "source")
    ours = ModelFolder(tmp_path / "models", also=(theirs.folder,))

    found = open_embedder("tiny", ours.folder, theirs.folder)

    assert found is not None
    assert found.model == card.model
    assert ours.names() == ("tiny",)
    assert ours.verify("tiny") == card
    assert ours.install("tiny", tmp_path / "source", force=False, progress=quietly) == card
    assert not ours.place("tiny").exists()
    with pytest.raises(BadFieldError, match="holdfast model use none"):
        ours.remove("tiny")
    assert theirs.card("tiny") == card


@requirement("model.of-the-checkout-is-found")
def test_a_model_of_our_own_comes_before_another_of_the_same_name(tmp_path: Path) -> None:
    theirs = ModelFolder(tmp_path / "checkout")
    install_tiny(theirs, tmp_path / "source")
    ours = ModelFolder(tmp_path / "models", also=(theirs.folder,))

    card = install_tiny(ours, tmp_path / "other", seed=9)
    ours.remove("tiny")

    assert card.model != theirs.verify("tiny").model
    assert ours.card("tiny") == theirs.card("tiny")
