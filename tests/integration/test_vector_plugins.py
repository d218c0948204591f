"""Which index scans vectors: ours, one that is plugged in, or none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from holdfast.adapters.vectors.sidecar import Sidecar
from holdfast.bootstrap.plugs import scanning
from holdfast.bootstrap.plugs.plugged_index import PluggedIndex
from holdfast.bootstrap.plugs.scanning import vector_store

if TYPE_CHECKING:
    from holdfast.ports.store.finding import VectorSource

PLUGIN = """
class Plugged:
    def __init__(self, place):
        self.place = place

    def nearest(self, question, source, *, among, limit):
        raise ValueError(self.place)
"""


@pytest.fixture
def plugged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package on the path that offers an index."""
    (tmp_path / "some_index.py").write_text(PLUGIN)
    facts = tmp_path / "some_index-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: some-index\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text("[holdfast.vector_store]\nother = some_index:Plugged\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    return "other"


def test_a_plug_in_is_given_the_path_its_files_begin_with(plugged: str) -> None:
    index = vector_store(lambda: plugged)("/somewhere/holdfast.db-vectors-1")

    assert isinstance(index, PluggedIndex)
    index.nearest(b"", cast("VectorSource", None), among=(), limit=1)
    assert "ValueError: /somewhere/holdfast.db-vectors-1" in index.failure


@pytest.mark.parametrize("name", ["sidecar", "nobody-offers-this"])
def test_otherwise_ours_is_used(tmp_path: Path, name: str) -> None:
    index = vector_store(lambda: name)(str(tmp_path / "holdfast.db-vectors-1"))

    assert isinstance(index, Sidecar)


def test_without_numpy_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "find_spec", lambda _name: None)

    assert vector_store(lambda: "sidecar")("/somewhere/holdfast.db-vectors-1") is None
