"""Plug-ins that are not there, or fail, are told in words and stop nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import holdfast
from holdfast.bootstrap.plugs.plugging import PluggedReranker
from holdfast.domain.lookup_errors import PlugInFailedError

_PACKAGE = """
class Long:
    name = "long"
    def fits(self, question, claims):
        return [len(claim) / 100 for claim in claims]

class Broken:
    name = "broken"
    def fits(self, question, claims):
        raise ValueError("out of cheese")

class Leaves(Long):
    def fits(self, question, claims):
        raise SystemExit("usage: leaves")

class Closes(Long):
    def fits(self, question, claims):
        raise GeneratorExit

class Mute(Exception):
    def __str__(self):
        raise RuntimeError

class Wordless(Long):
    def fits(self, question, claims):
        raise Mute

class Silent(Long):
    def fits(self, question, claims):
        return []

class Talks(Long):
    def fits(self, question, claims):
        return [0.1, 0.2]
"""
_ENTRIES = """[holdfast.reranker]
long = judges_of_length:Long
broken = judges_of_length:Broken
gone = judges_of_length:Gone
leaves = judges_of_length:Leaves
closes = judges_of_length:Closes
wordless = judges_of_length:Wordless
silent = judges_of_length:Silent
talks = judges_of_length:Talks
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with rerankers, as far as Python can see."""
    (tmp_path / "judges_of_length.py").write_text(_PACKAGE)
    about = tmp_path / "judges-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: judges\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(_ENTRIES)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "judges_of_length", raising=False)


@pytest.mark.usefixtures("package")
def test_a_reranker_by_entry_point_says_how_well_each_fits() -> None:
    assert PluggedReranker("long").fits("?", ["a" * 10, "a" * 50]) == [0.1, 0.5]


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("broken", "out of cheese"),
        ("gone", "Gone"),
        ("nobody", "no package offers it"),
        ("leaves", "SystemExit: usage: leaves"),
        ("closes", "GeneratorExit"),
        ("wordless", "failed with Mute"),
        ("silent", "0 scores for 1 claims"),
        ("talks", "2 scores for 1 claims"),
    ],
)
def test_a_reranker_that_cannot_is_named_with_the_way_out(name: str, problem: str) -> None:
    with pytest.raises(PlugInFailedError, match=problem) as caught:
        PluggedReranker(name).fits("?", ["a"])
    assert "unset recall.reranker" in str(caught.value)


def test_a_missing_reranker_stops_neither_remembering_nor_recall(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_RECALL_RERANKER", "nobody")
    monkeypatch.setenv("HOLDFAST_RECALL_RETRIEVAL", "words")
    with holdfast.open(home=tmp_path, folder=tmp_path) as memory:
        memory.remember("The cache is Redis.", scope="global", because="said")
        found = memory.recall("cache")

    assert [one.text for one in found] == ["The cache is Redis."]
    (note,) = found.notes
    assert "'nobody' cannot be used: no package offers it" in note
