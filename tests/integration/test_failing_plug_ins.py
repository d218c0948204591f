"""An embedder, a vector index or a reranker that fails stops no recall, and is named."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast.adapters.embedding.errors import PlugInBrokenError
from tests.requirements import requirement

_PACKAGE = '''
from array import array
from math import nan, sqrt

from holdfast.domain.recall.directions import likeness
from holdfast.domain.recall.finding import EmbeddingModel, Nearest, Vector

MODEL = EmbeddingModel(name="letters@1", dimension=32)


class OwnError(Exception):
    """A class that only this package knows."""


def fail(*_, **__):
    raise OwnError("out of cheese")


class Letters:
    model = MODEL
    unrelated = 0.3

    def embed(self, texts):
        return [[self.ask(text)] for text in texts]

    def ask(self, question):
        counts = [0.01] * 32
        for letter in question.casefold():
            counts[ord(letter) % 32] += 1.0
        length = sqrt(sum(count * count for count in counts))
        return Vector(model=MODEL, values=array("f", [c / length for c in counts]).tobytes())


class Every:
    def __init__(self, place):
        self.place = place

    def nearest(self, question, source, *, among, limit):
        if among is None:
            last = source.last()
            among = {one.sequence for one in source.changes(beyond=0, limit=last.number)}
        cosines = self.likeness(question, source.vectors(among))
        best = sorted(cosines.items(), key=lambda one: (-one[1], one[0]))[:limit]
        return Nearest(found=tuple(best), slack=0.0, is_all=len(best) == len(cosines))

    def likeness(self, question, vectors):
        return {sequence: likeness(question, kept) for sequence, kept in vectors.items()}

    def scrub(self, source):
        pass

    def close(self):
        pass


class Brief:
    name = "brief"

    def fits(self, question, claims):
        return [1.0 for claim in claims]


def vector(numbers):
    return Vector(model=MODEL, values=array("f", numbers).tobytes())


def made(base, **methods):
    return type("Made", (base,), methods)


def near(*found, slack=0.0, is_all=True):
    return lambda self, *_, **__: Nearest(found=found, slack=slack, is_all=is_all)


unloaded = made(Letters, __init__=fail)
no_model = made(Letters, model=None)
no_unrelated = made(Letters, unrelated="much")
deaf = made(Letters, ask=fail)
mute = made(Letters, embed=fail)
nothing = made(Letters, embed=lambda self, texts: None)
few = made(Letters, embed=lambda self, texts: [])
flat = made(Letters, embed=lambda self, texts: [self.ask(text) for text in texts])
empty = made(Letters, embed=lambda self, texts: [[] for text in texts])
short = made(Letters, ask=lambda self, text: vector([1.0, 0.0]))
nans = made(Letters, embed=lambda self, texts: [[vector([nan] * 32)] for text in texts])
zeros = made(Letters, embed=lambda self, texts: [[vector([0.0] * 32)] for text in texts])
words = made(Letters, ask=lambda self, text: text)

index_unloaded = made(Every, __init__=fail)
index_raises = made(Every, nearest=fail)
index_none = made(Every, nearest=lambda self, *_, **__: None)
index_unknown = made(Every, nearest=near((99, 1.0)))
index_huge = made(Every, nearest=near((10**30, 1.0)))
index_text = made(Every, nearest=near(("1", 1.0)))
index_nan = made(Every, nearest=near((1, nan)))
index_twice = made(Every, nearest=near((1, 1.0), (1, 1.0)))
index_slack = made(Every, nearest=near((1, 1.0), slack=nan))
both = near((1, 1.0), (2, 1.0))
index_unlike = made(Every, likeness=fail, nearest=both)
index_few = made(Every, likeness=lambda self, *_: {}, nearest=both)
index_odd = made(Every, likeness=lambda self, _, kept: dict.fromkeys(kept, nan), nearest=both)

index_endless = made(Every, nearest=near((1, 1.0), (2, 1.0), is_all=False))
index_unclosed = made(Every, close=fail)
index_unscrubbed = made(Every, scrub=fail)

reranker_raises = made(Brief, fits=fail)
reranker_none = made(Brief, fits=lambda self, question, claims: None)
reranker_words = made(Brief, fits=lambda self, question, claims: ["much"])
'''
_EMBEDDERS = ["unloaded", "no_model", "no_unrelated", "deaf", "mute", "nothing", "few", "flat"]
_EMBEDDERS += ["empty", "short", "nans", "zeros", "words"]
_INDEXES = ["index_unloaded", "index_raises", "index_none", "index_unknown", "index_huge"]
_INDEXES += ["index_text", "index_nan", "index_twice", "index_slack"]
_INDEXES += ["index_unlike", "index_few", "index_odd"]
_RERANKERS = ["reranker_raises", "reranker_none", "reranker_words", "reranker_missing"]
_SOUND = ["index_endless", "index_unclosed", "index_unscrubbed"]


def _entries(group: str, names: list[str]) -> str:
    lines = [f"{name} = failing_plugs:{name}" for name in names]
    return "\n".join([f"[holdfast.{group}]", *lines, ""])


@pytest.fixture(autouse=True)
def _package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package of plug-ins, as far as Python can see."""
    (tmp_path / "failing_plugs.py").write_text(_PACKAGE)
    about = tmp_path / "failing-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: failing\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        _entries("embedder", ["Letters", *_EMBEDDERS])
        + _entries("vector_store", ["Every", *_INDEXES, *_SOUND])
        + _entries("reranker", _RERANKERS)
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "failing_plugs", raising=False)
    monkeypatch.setenv("HOLDFAST_MODELS", str(tmp_path / "no-models"))
    monkeypatch.setenv("HOLDFAST_EMBEDDING_MODEL", "Letters")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[holdfast.MemoryStore]:
    """Yield a memory with two claims; the settings are read when it is opened."""
    with holdfast.open(home=tmp_path / "home", folder=tmp_path) as opened:
        opened.remember("The cache is Redis.", scope="global", because="said")
        opened.remember("Backups run on Sunday.", scope="global", because="said")
        yield opened


def _reopened(tmp_path: Path) -> holdfast.MemoryStore:
    return holdfast.open(home=tmp_path / "home", folder=tmp_path)


@requirement("plugins.failure-stops-no-recall")
@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("name", _EMBEDDERS)
def test_without_its_embedder_recall_searches_by_words_and_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("HOLDFAST_EMBEDDING_MODEL", name)

    with _reopened(tmp_path) as memory:
        found = memory.recall("cache")

    assert [one.text for one in found] == ["The cache is Redis."]
    (note,) = found.notes
    assert note.startswith("searched by words only: ")
    assert f"The embedder '{name}' from another package cannot be used: " in note


@pytest.mark.usefixtures("memory")
def test_a_failing_embedder_is_named_by_a_catch_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_EMBEDDING_MODEL", "mute")

    with _reopened(tmp_path) as memory, pytest.raises(PlugInBrokenError) as caught:
        memory.catch_up()

    assert "it failed with OwnError: out of cheese" in str(caught.value)


@requirement("plugins.failure-stops-no-recall")
@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("name", _INDEXES)
def test_without_its_vector_index_recall_compares_the_vectors_in_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with _reopened(tmp_path) as memory:
        wanted = [one.text for one in memory.recall("bakups sundey")]
    monkeypatch.setenv("HOLDFAST_RECALL_INDEX", name)

    with _reopened(tmp_path) as memory:
        found = memory.recall("bakups sundey")

    assert [one.text for one in found] == wanted
    (note,) = [note for note in found.notes if "plug-in" in note]
    assert note.startswith("every vector in the store was compared")
    assert f"The plug-in '{name}' cannot be used: it " in note


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("name", ["index_endless", "index_unclosed", "Every"])
def test_an_index_that_answers_correctly_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("HOLDFAST_RECALL_INDEX", name)

    with _reopened(tmp_path) as memory:
        found = memory.recall("bakups sundey")

    assert found
    assert not [note for note in found.notes if "plug-in" in note]


@requirement("plugins.forgetting-says-what-stays")
@pytest.mark.parametrize("name", ["index_unscrubbed", "index_unloaded"])
def test_forgetting_says_that_bytes_may_be_left_in_a_failing_index(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    memory: holdfast.MemoryStore,
    name: str,
) -> None:
    memory.catch_up()
    gone = memory.recall("cache")[0].id
    monkeypatch.setenv("HOLDFAST_RECALL_INDEX", name)

    with _reopened(tmp_path) as again:
        forgotten = again.forget(gone).forgotten
        assert not again.recall("cache")

    assert forgotten.not_yet is not None
    assert f"The plug-in '{name}' cannot be used: it failed with OwnError" in forgotten.not_yet


@requirement("plugins.failure-stops-no-recall")
@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("name", _RERANKERS)
def test_a_failing_reranker_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("HOLDFAST_RECALL_RERANKER", name)

    with _reopened(tmp_path) as memory:
        found = memory.recall("cache")

    assert found[0].text == "The cache is Redis."
    (note,) = found.notes
    assert note.startswith(f"the reranker '{name}' was left out: The plug-in '{name}' cannot")
